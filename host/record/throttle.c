/* throttle: see throttle.h. */
#include "record/throttle.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/drain.h"
#include "record/judge.h"
#include "record/overhead.h"
#include "target/port/os/linux/throttle.h"

#define PERIOD_NS UINT64_C(20000000)
#define TELL_NS UINT64_C(1000000000)
#define LIMIT (DWELL_THROTTLE_END - DWELL_THROTTLE_FIRST) /* functions of a process: its hooks have no more counters */
#define TABLE 1024u
#define FRAMES_MAX 65536u /* of a deeper stack nobody looks whether the function is open */
#define JUDGES_MAX 512u   /* processes at a time; further ones are recorded as they are. 48 MiB */

/* A function of a process. Appended by the thread that looks, read by those that drain. */
struct throttled {
	uint32_t place;
	uint32_t entry;    /* of what agents are asked for, plus 1; 0: not asked yet */
	uint64_t since_ticks;
	uint64_t until_ticks; /* its file was gone by then; UINT64_MAX: never. Atomic */
	const struct throttled *of; /* null, or the same function in the process that this one is a copy of */
	uint32_t call_sixteenths;
	uint64_t counted, cut; /* of streams that have ended */
	uint64_t told; /* calls, in the file … */
	bool told_counted; /* … and whether they are all */
};

struct throttle_process {
	uint32_t number;
	uint32_t count; /* atomic */
	uint32_t settled; /* of those, from the first on: asked for, or over */
	struct throttled list[LIMIT];
	uint16_t table[TABLE]; /* by place: index in the list plus 1. Atomic */
	uint32_t streams;
	uint64_t now; /* the last event that was written */
	struct judge *judge;   /* under the lock; null: nobody recorded */
	struct throttle_process *next;
};

struct throttle_stream {
	struct throttle *throttle;
	struct throttle_process *process;
	struct dwell_ring *ring; /* the program's: not trusted */
	struct throttle_stream *next;
	uint64_t last_ticks; /* so far it was written. Atomic */
	uint32_t exit_count, choosing; /* choosing: entries of the process that may still wait here */
	uint64_t exits[THROTTLE_EXITS_MAX];
	uint8_t drops[LIMIT];    /* from now on. Atomic */
	uint64_t dropped[LIMIT]; /* enters. Atomic */
	uint64_t cut[LIMIT];     /* atomic */
};

struct throttle {
	struct session *session;
	struct dwell_throttle *shared;
	char name[32];
	int fd;
	double share;
	struct throttle_process *processes;
	struct throttle_stream *streams;
	pthread_mutex_t lock; /* of the judges and of what they go by */
	struct judge_cost cost; /* 0: not known yet. Under the lock */
	uint32_t judges;        /* under the lock */
	uint32_t asked;
	uint64_t next_ns, tell_ns;
};

struct throttle *make_throttle(double share, struct diag *diag)
{
	struct throttle *throttle = calloc(1, sizeof *throttle);
	void *memory = MAP_FAILED;

	if (throttle) {
		throttle->share = share;
		throttle->fd = memfd_create("dwell-throttle", MFD_CLOEXEC);
		if (throttle->fd >= 0 && ftruncate(throttle->fd, sizeof *throttle->shared) == 0)
			memory = mmap(NULL, sizeof *throttle->shared, PROT_READ | PROT_WRITE, MAP_SHARED, throttle->fd, 0);
		pthread_mutex_init(&throttle->lock, NULL);
	}
	if (memory == MAP_FAILED) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "no memory to record with");
		free_throttle(throttle);
		return NULL;
	}
	throttle->shared = memory;
	throttle->shared->magic = DWELL_THROTTLE_MAGIC;
	snprintf(throttle->name, sizeof throttle->name, "/proc/%ld/fd/%d", (long)getpid(), throttle->fd);
	return throttle;
}

void free_throttle(struct throttle *throttle)
{
	struct throttle_process *next;

	if (!throttle)
		return;
	while (throttle->streams)
		throttle_end_stream(throttle->streams);
	for (struct throttle_process *process = throttle->processes; process; process = next) {
		next = process->next;
		free(process->judge);
		free(process);
	}
	if (throttle->shared)
		munmap(throttle->shared, sizeof *throttle->shared);
	if (throttle->fd >= 0)
		close(throttle->fd);
	pthread_mutex_destroy(&throttle->lock);
	free(throttle);
}

void throttle_set_session(struct throttle *throttle, struct session *session)
{
	throttle->session = session;
	memcpy(session->shared->throttle, throttle->name, sizeof session->shared->throttle);
}

static uint32_t count_of(const struct throttle_process *process)
{
	return __atomic_load_n(&process->count, __ATOMIC_ACQUIRE);
}

static uint32_t hash(uint32_t place)
{
	return (place >> 1) * 2654435761u >> 20 & (TABLE - 1);
}

/* Whoever drains sees it from here on. */
static void append(struct throttle_process *process, const struct throttled *throttled)
{
	uint32_t index = process->count, i = hash(throttled->place);

	if (index == LIMIT)
		return;
	process->list[index] = *throttled;
	while (process->table[i])
		i = (i + 1) & (TABLE - 1);
	__atomic_store_n(&process->table[i], (uint16_t)(index + 1), __ATOMIC_RELEASE);
	__atomic_store_n(&process->count, index + 1, __ATOMIC_RELEASE);
}

static struct throttle_process *find_process(const struct throttle *throttle, uint32_t number)
{
	struct throttle_process *process = throttle->processes;

	while (process && process->number != number)
		process = process->next;
	return process;
}

/* A child's agent has what its parent's had when it was forked, and counts by the same numbers. What its parent was asked for only
 * afterwards it is asked for itself. */
static void copy_parent(const struct throttle *throttle, struct throttle_process *process)
{
	uint32_t word = process->number < DWELL_THROTTLE_PROCESSES
				? __atomic_load_n(&throttle->shared->copied[process->number], __ATOMIC_ACQUIRE)
				: 0;
	const struct throttle_process *parent = word ? find_process(throttle, word - 1) : NULL;

	for (uint32_t i = 0; parent && i < parent->count; i++) {
		struct throttled copy = parent->list[i];

		copy.of = &parent->list[i];
		copy.entry = 0;
		copy.counted = copy.cut = copy.told = 0;
		copy.told_counted = false;
		append(process, &copy);
	}
}

static struct throttle_process *get_process(struct throttle *throttle, uint32_t number)
{
	struct throttle_process *process = find_process(throttle, number);

	if (process || !(process = calloc(1, sizeof *process)))
		return process;
	process->number = number;
	copy_parent(throttle, process);
	process->next = throttle->processes;
	throttle->processes = process;
	return process;
}

struct throttle_stream *throttle_begin_stream(struct throttle *throttle, uint32_t process, struct dwell_ring *ring)
{
	struct throttle_stream *stream = calloc(1, sizeof *stream);

	if (!stream || !(stream->process = get_process(throttle, process))) {
		free(stream);
		return NULL;
	}
	stream->throttle = throttle;
	stream->ring = ring;
	stream->process->streams++;
	stream->choosing = stream->process->count;
	memset(stream->drops, 1, stream->process->count);
	stream->next = throttle->streams;
	throttle->streams = stream;
	return stream;
}

/* Calls of a function that were not recorded in a stream. */
static uint64_t count_calls(const struct throttle_stream *stream, uint32_t index)
{
	return *dwell_throttle_counter(stream->ring, DWELL_THROTTLE_FIRST + index) +
	       __atomic_load_n(&stream->dropped[index], __ATOMIC_RELAXED);
}

void throttle_end_stream(struct throttle_stream *stream)
{
	struct throttle *throttle = stream->throttle;
	struct throttle_process *process = stream->process;

	for (struct throttle_stream **link = &throttle->streams; *link; link = &(*link)->next)
		if (*link == stream) {
			*link = stream->next;
			break;
		}
	for (uint32_t i = 0; i < process->count; i++) {
		process->list[i].counted += count_calls(stream, i);
		process->list[i].cut += stream->cut[i];
	}
	if (!--process->streams) {
		pthread_mutex_lock(&throttle->lock);
		throttle->judges -= process->judge != NULL;
		free(process->judge);
		process->judge = NULL;
		pthread_mutex_unlock(&throttle->lock);
	}
	free(stream);
}

static bool is_in(uint32_t place, const struct message_module *module)
{
	return (uint32_t)(place - (uint32_t)module->low) < module->high - module->low;
}

void throttle_add_module(struct throttle *throttle, const struct message_module *module)
{
	struct throttle_process *process = find_process(throttle, module->process);

	for (uint32_t i = 0; process && i < process->count; i++) {
		struct throttled *throttled = &process->list[i];

		if (throttled->until_ticks == UINT64_MAX && is_in(throttled->place, module) && module->load_ticks > throttled->since_ticks)
			__atomic_store_n(&throttled->until_ticks, module->load_ticks, __ATOMIC_RELEASE);
	}
}

/* ---- What drains ---------------------------------------------------------------------------------------------------------------- */

void throttle_see(struct throttle_stream *stream, const uint64_t *slots, uint32_t count)
{
	struct throttle *throttle = stream->throttle;
	struct throttle_process *process = stream->process;

	pthread_mutex_lock(&throttle->lock);
	if (!process->judge && throttle->judges < JUDGES_MAX && (process->judge = calloc(1, sizeof *process->judge)))
		throttle->judges++;
	if (process->judge && throttle->cost.inner_ticks + throttle->cost.outer_ticks > 0)
		judge_feed(process->judge, slots, count, &throttle->cost);
	pthread_mutex_unlock(&throttle->lock);
}

/* Index of the function at a place at that time; LIMIT: it is recorded. */
static uint32_t find_throttled(const struct throttle_process *process, uint64_t place, uint64_t ticks)
{
	uint32_t index, i = hash((uint32_t)place);

	if (place >> 32)
		return LIMIT;
	for (; (index = __atomic_load_n(&process->table[i], __ATOMIC_ACQUIRE)); i = (i + 1) & (TABLE - 1)) {
		const struct throttled *throttled = &process->list[index - 1];

		if (throttled->place == place && ticks < __atomic_load_n(&throttled->until_ticks, __ATOMIC_ACQUIRE))
			return index - 1;
	}
	return LIMIT;
}

/* What waits for its moment, and whether that is now. */
struct choice {
	const struct throttle_process *process;
	uint64_t ticks;
	bool waits[LIMIT];
	uint32_t ending; /* innermost frames that are such functions' */
};

static uint32_t find_waiting(const struct choice *choice, const struct dwell_frame *frame)
{
	uint32_t index = frame->id == DWELL_ID_UNKNOWN ? LIMIT : find_throttled(choice->process, frame->id, choice->ticks);

	return index < LIMIT && choice->waits[index] ? index : LIMIT;
}

/* Functions with a frame among the outermost count must wait on. Returns whether any did not. */
static bool make_wait(struct choice *choice, const struct dwell_pair *pair, uint32_t count)
{
	bool any = false;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t index = find_waiting(choice, &pair->frames[i]);

		if (index < LIMIT)
			any = true, choice->waits[index] = false;
	}
	return any;
}

/* How much of the stack's inner end can be left: frames of what waits alone. */
static void find_ending(struct choice *choice, const struct dwell_pair *pair, uint32_t depth, uint32_t room)
{
	do {
		for (choice->ending = 0; choice->ending < depth && choice->ending < room; choice->ending++)
			if (find_waiting(choice, &pair->frames[depth - 1 - choice->ending]) == LIMIT)
				break;
	} while (make_wait(choice, pair, depth - choice->ending));
}

static bool can_be_left(const struct dwell_pair *pair)
{
	return dwell_pair_is_settled(pair) && !pair->beyond && pair->depth <= FRAMES_MAX;
}

/* The exits of what is left, at the time of the last event. */
static void leave(struct throttle_stream *stream, const struct choice *choice, const struct drain *drain, uint32_t depth)
{
	const struct dwell_slot_cursor *cursor = &drain->fold.cursor;
	uint32_t low = cursor->last_ticks >> 32 == cursor->high ? (uint32_t)cursor->last_ticks : 0;

	for (uint32_t i = 0; i < choice->ending; i++) {
		const struct dwell_frame *frame = &drain->fold.pair->frames[depth - 1 - i];
		uint32_t index = find_waiting(choice, frame);

		stream->exits[stream->exit_count++] = dwell_slot_exit((uint32_t)frame->id, low);
		__atomic_fetch_add(&stream->cut[index], 1, __ATOMIC_RELAXED);
	}
}

void throttle_choose(struct throttle_stream *stream, const struct drain *drain)
{
	uint32_t count = count_of(stream->process), depth = drain->fold.pair->depth, first = LIMIT;
	struct choice choice = {.process = stream->process, .ticks = drain->fold.cursor.last_ticks};

	__atomic_store_n(&stream->last_ticks, choice.ticks, __ATOMIC_RELAXED);
	if (stream->choosing == count || drain->gap.open || drain->fold.next_stack != drain->fold.stack || stream->exit_count > depth ||
		!can_be_left(&drain->pair))
		return;
	for (size_t i = 0; i < drain->stacks.count; i++)
		if (!can_be_left(&drain->stacks.list[i]->pair))
			return;
	depth -= stream->exit_count; /* their exits wait to be written */
	for (uint32_t i = stream->choosing; i < count; i++)
		choice.waits[i] = !stream->drops[i];
	if (&drain->pair != drain->fold.pair)
		make_wait(&choice, &drain->pair, drain->pair.depth);
	for (size_t i = 0; i < drain->stacks.count; i++)
		if (&drain->stacks.list[i]->pair != drain->fold.pair)
			make_wait(&choice, &drain->stacks.list[i]->pair, drain->stacks.list[i]->pair.depth);
	find_ending(&choice, drain->fold.pair, depth, THROTTLE_EXITS_MAX - stream->exit_count);
	leave(stream, &choice, drain, depth);
	for (uint32_t i = stream->choosing; i < count; i++) {
		if (choice.waits[i])
			__atomic_store_n(&stream->drops[i], 1, __ATOMIC_RELEASE);
		else if (!stream->drops[i] && first == LIMIT)
			first = i;
	}
	stream->choosing = first < LIMIT ? first : count;
}

bool throttle_is_dropping(const struct throttle_stream *stream)
{
	return count_of(stream->process) > 0;
}

uint32_t throttle_take_exits(struct throttle_stream *stream, uint64_t exits[THROTTLE_EXITS_MAX])
{
	uint32_t count = stream->exit_count;

	memcpy(exits, stream->exits, count * sizeof *exits);
	stream->exit_count = 0;
	return count;
}

bool throttle_drops(struct throttle_stream *stream, const struct dwell_slot_event *event)
{
	uint32_t index = find_throttled(stream->process, event->place, event->ticks);

	if (index == LIMIT || !stream->drops[index])
		return false;
	if (event->kind == DWELL_SLOT_ENTER)
		__atomic_fetch_add(&stream->dropped[index], 1, __ATOMIC_RELAXED);
	return true;
}

/* ---- What looks ------------------------------------------------------------------------------------------------------------------ */

static uint32_t sixteenths(const struct judge_cost *cost)
{
	double ticks = (cost->inner_ticks + cost->outer_ticks) * 16;

	return ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
}

static void find_now(struct throttle *throttle)
{
	for (const struct throttle_stream *stream = throttle->streams; stream; stream = stream->next) {
		uint64_t ticks = __atomic_load_n(&stream->last_ticks, __ATOMIC_RELAXED);

		if (ticks > stream->process->now)
			stream->process->now = ticks;
	}
}

static void judge_process(struct throttle *throttle, struct throttle_process *process)
{
	struct judge *judge = process->judge;
	uint64_t now = process->now;

	for (uint32_t i = 0; judge && now && i < JUDGE_FUNCTIONS; i++) {
		const struct judge_function *function = &judge->functions[i];

		if (judge_says(judge, function, &throttle->cost, throttle->share) && find_throttled(process, function->place, now) == LIMIT)
			append(process, &(struct throttled){.place = function->place,
						.since_ticks = now,
						.until_ticks = UINT64_MAX,
						.call_sixteenths = sixteenths(&throttle->cost)});
	}
	if (judge)
		judge_clear(judge);
}

static bool has_come_that_far(const struct throttle *throttle, const struct throttle_process *process, uint32_t index)
{
	for (const struct throttle_stream *stream = throttle->streams; stream; stream = stream->next)
		if (stream->process == process && !__atomic_load_n(&stream->drops[index], __ATOMIC_ACQUIRE))
			return false;
	return true;
}

static void ask(struct throttle *throttle, struct throttle_process *process)
{
	uint32_t first = UINT32_MAX;

	for (uint32_t i = process->settled; i < process->count && throttle->asked < DWELL_THROTTLE_ENTRIES; i++) {
		struct throttled *throttled = &process->list[i];

		if (throttled->entry || throttled->until_ticks != UINT64_MAX)
			continue;
		if (!has_come_that_far(throttle, process, i)) {
			first = first < i ? first : i;
			continue;
		}
		throttle->shared->entries[throttle->asked] = (struct dwell_throttle_entry){.ticks = throttled->since_ticks,
			.place = throttled->place,
			.process = process->number,
			.counter = DWELL_THROTTLE_FIRST + i};
		throttled->entry = ++throttle->asked;
	}
	process->settled = first < process->count ? first : process->count;
}

static bool learn_cost(struct throttle *throttle)
{
	struct judge_cost cost;

	if (!overhead_get(throttle->session, &cost.inner_ticks, &cost.outer_ticks))
		return false;
	pthread_mutex_lock(&throttle->lock);
	throttle->cost = cost;
	pthread_mutex_unlock(&throttle->lock);
	return true;
}

bool throttle_has_judged(const struct throttle *throttle)
{
	return throttle->cost.inner_ticks + throttle->cost.outer_ticks > 0;
}

void throttle_look(struct throttle *throttle, uint64_t now_ns)
{
	if (now_ns >= throttle->next_ns && learn_cost(throttle)) {
		find_now(throttle);
		pthread_mutex_lock(&throttle->lock);
		for (struct throttle_process *process = throttle->processes; process; process = process->next)
			judge_process(throttle, process);
		pthread_mutex_unlock(&throttle->lock);
		throttle->next_ns = now_ns + PERIOD_NS;
	}
	for (struct throttle_process *process = throttle->processes; process; process = process->next)
		ask(throttle, process);
	if (throttle->asked != throttle->session->shared->throttled)
		__atomic_store_n(&throttle->session->shared->throttled, throttle->asked, __ATOMIC_RELEASE);
}

/* Whether sites were turned off: then nobody counted. */
static bool is_counted(const struct throttle *throttle, const struct throttled *throttled)
{
	for (; throttled; throttled = throttled->of)
		if (throttled->entry &&
			__atomic_load_n(&throttle->shared->entries[throttled->entry - 1].state, __ATOMIC_ACQUIRE) == DWELL_THROTTLE_OFF)
			return false;
	return true;
}

static void tell_process(const struct throttle *throttle, struct throttle_process *process, struct trace_writer *writer, bool final)
{
	struct message_throttled list[LIMIT];
	struct message_throttle message = {.process = process->number, .list = list};

	for (uint32_t i = 0; i < process->count; i++) {
		struct throttled *throttled = &process->list[i];
		struct message_throttled *told = &list[message.count];
		uint64_t calls = throttled->counted, cut = throttled->cut;
		bool counted = is_counted(throttle, throttled);

		for (const struct throttle_stream *stream = throttle->streams; stream; stream = stream->next)
			if (stream->process == process) {
				calls += count_calls(stream, i);
				cut += __atomic_load_n(&stream->cut[i], __ATOMIC_RELAXED);
			}
		if (!final && calls && calls == throttled->told && counted == throttled->told_counted)
			continue;
		throttled->told = calls;
		throttled->told_counted = counted;
		*told = (struct message_throttled){.place = throttled->place,
			.since_ticks = throttled->since_ticks,
			.until_ticks = throttled->until_ticks == UINT64_MAX ? 0 : throttled->until_ticks,
			.calls = calls,
			.cut = cut > UINT32_MAX ? UINT32_MAX : (uint32_t)cut,
			.call_sixteenths = throttled->call_sixteenths,
			.is_counted = counted};
		message.count++;
	}
	if (message.count)
		trace_writer_throttle(writer, &message);
}

void throttle_tell(struct throttle *throttle, struct trace_writer *writer, uint64_t now_ns, bool final)
{
	if (!final && now_ns < throttle->tell_ns)
		return;
	throttle->tell_ns = now_ns + TELL_NS;
	for (struct throttle_process *process = throttle->processes; process; process = process->next)
		tell_process(throttle, process, writer, final);
}
