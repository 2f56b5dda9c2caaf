/* throttle: see throttle.h. */
#include "record/stage/throttle.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/sink/overhead.h"
#include "record/stage/throttle_inner.h"
#include "util/array.h"
#include "util/guard.h"

#define PERIOD_NS UINT64_C(20000000)
#define TELL_NS UINT64_C(1000000000)
#define MANY_EVENTS 1000000u

static void free_process(struct throttle_process *process)
{
	throttle_list_clear(&process->list);
	free(process->judge);
	free(process);
}

static void clear(struct stage *stage)
{
	struct throttle *throttle = (struct throttle *)stage;

	for (size_t i = 0; i < throttle->process_count; i++)
		free_process(throttle->processes[i]);
	free(throttle->processes);
	if (throttle->shared)
		guard_remove(throttle->shared);
	if (throttle->shared)
		munmap(throttle->shared, sizeof *throttle->shared);
	if (throttle->fd >= 0)
		close(throttle->fd);
	pthread_mutex_destroy(&throttle->lock);
}

/* Tells the agents of a session where to look. */
static bool begin(struct stage *stage)
{
	struct throttle *throttle = (struct throttle *)stage;

	throttle->session = stage->recording->session;
	memcpy(throttle->session->shared->throttle, throttle->name, sizeof throttle->session->shared->throttle);
	return true;
}

/* Where it is in the list, or would be. */
static size_t find_index(const struct throttle *throttle, uint32_t number)
{
	size_t low = 0, high = throttle->process_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (throttle->processes[middle]->number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct throttle_process *find_process(const struct throttle *throttle, uint32_t number)
{
	size_t at = find_index(throttle, number);

	return at < throttle->process_count && throttle->processes[at]->number == number ? throttle->processes[at] : NULL;
}

/* Of a process that was forked: the nearest one that it is a copy of and of which anything is known, as one between them may have recorded
 * nothing. followed: how many entries that one had looked at by then. Processes are numbered as they begin. */
static const struct throttle_process *find_original(const struct throttle *throttle, uint32_t number, uint32_t *followed)
{
	while (number < DWELL_THROTTLE_PROCESSES) {
		const struct dwell_throttle_copy *copied = &throttle->shared->copied[number];
		uint32_t parent = __atomic_load_n(&copied->parent, __ATOMIC_ACQUIRE);
		const struct throttle_process *original = parent ? find_process(throttle, parent - 1) : NULL;

		*followed = copied->followed;
		if (original || !parent || parent > number)
			return original;
		number = parent - 1;
	}
	return NULL;
}

/* A child's agent has what its parent's had when it was forked, and counts by the same numbers. What its parent was asked for only
 * afterwards it is asked for itself. */
static void copy_original(const struct throttle *throttle, struct throttle_process *process)
{
	uint32_t followed = 0;
	const struct throttle_process *original = find_original(throttle, process->number, &followed);

	for (uint32_t i = 0; original && i < original->list.count; i++) {
		const struct throttled *of = throttle_list_at(&original->list, i);
		struct throttled copy = *of;

		copy.of = of;
		copy.entry = of->entry <= followed ? of->entry : 0;
		copy.counted = copy.cut = copy.told = 0;
		copy.told_counted = false;
		if (!throttle_list_add(&process->list, &copy))
			break;
	}
}

static struct throttle_process *get_process(struct throttle *throttle, uint32_t number)
{
	size_t at = find_index(throttle, number);
	struct throttle_process *process = find_process(throttle, number);

	if (process || !array_reserve(&throttle->processes, &throttle->process_capacity, throttle->process_count + 1, sizeof process) ||
		!(process = calloc(1, sizeof *process)))
		return process;
	process->number = number;
	copy_original(throttle, process);
	memmove(throttle->processes + at + 1, throttle->processes + at, (throttle->process_count++ - at) * sizeof process);
	return throttle->processes[at] = process;
}

static struct stage_thread *begin_thread(struct stage *stage, const struct stage_source *source)
{
	struct throttle *throttle = (struct throttle *)stage;
	struct throttle_stream *stream = calloc(1, sizeof *stream);
	struct throttle_process *process = get_process(throttle, source->process);

	if (!stream || !process) {
		free(stream);
		return NULL;
	}
	stream->throttle = throttle;
	stream->process = process;
	stream->ring = source->ring;
	stream->choosing = process->list.count;
	stream->is_dropping = stream->choosing;
	memset(stream->drops, 1, process->list.count);
	stream->next = process->streams;
	process->streams = stream;
	if (!process->is_live) {
		process->is_live = true;
		process->next_live = throttle->live;
		throttle->live = process;
	}
	return &stream->sieve.thread;
}

/* Calls of a function that were not recorded in a stream. */
static uint64_t count_calls(const struct throttle_stream *stream, uint32_t index)
{
	return *dwell_throttle_counter(stream->ring, DWELL_THROTTLE_FIRST + index) +
	       __atomic_load_n(&stream->dropped[index], __ATOMIC_RELAXED);
}

/* What it counted stays. */
static void clear_thread(struct stage_thread *thread)
{
	struct throttle_stream *stream = (struct throttle_stream *)thread;
	struct throttle *throttle = stream->throttle;
	struct throttle_process *process = stream->process;

	for (struct throttle_stream **link = &process->streams; *link; link = &(*link)->next)
		if (*link == stream) {
			*link = stream->next;
			break;
		}
	for (uint32_t i = 0; i < process->list.count; i++) {
		struct throttled *throttled = throttle_list_at(&process->list, i);

		throttled->counted += count_calls(stream, i);
		throttled->cut += stream->cut[i];
	}
	if (!process->streams) {
		pthread_mutex_lock(&throttle->lock);
		throttle->judges -= process->judge != NULL;
		free(process->judge);
		process->judge = NULL;
		pthread_mutex_unlock(&throttle->lock);
	}
}

static bool is_in(uint32_t place, const struct message_module *module)
{
	return (uint32_t)(place - (uint32_t)module->low) < module->high - module->low;
}

/* What was said of a file that was there before ends. */
static void add_module(struct stage *stage, const struct message_module *module)
{
	struct throttle *throttle = (struct throttle *)stage;
	/* One that has recorded nothing yet is a copy all the same, of which this is to be known. */
	struct throttle_process *process = get_process(throttle, module->process);

	for (uint32_t i = 0; process && i < process->list.count; i++) {
		struct throttled *throttled = throttle_list_at(&process->list, i);

		if (throttled->until_ticks == UINT64_MAX && is_in(throttled->place, module) && module->load_ticks > throttled->since_ticks)
			__atomic_store_n(&throttled->until_ticks, module->load_ticks, __ATOMIC_RELEASE);
	}
}

/* ---- What looks ------------------------------------------------------------------------------------------------------------------ */

static uint32_t sixteenths(const struct judge_cost *cost)
{
	double ticks = (cost->inner_ticks + cost->outer_ticks) * 16;

	return ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
}

/* The last event of any of its streams that was written. */
static uint64_t find_now(const struct throttle_process *process)
{
	uint64_t now = 0;

	for (const struct throttle_stream *stream = process->streams; stream; stream = stream->next) {
		uint64_t ticks = __atomic_load_n(&stream->last_ticks, __ATOMIC_RELAXED);

		now = ticks > now ? ticks : now;
	}
	return now;
}

static void judge_process(struct throttle *throttle, struct throttle_process *process)
{
	struct judge *judge = process->judge;
	uint64_t now = find_now(process);

	for (uint32_t i = 0; judge && now && i < JUDGE_FUNCTIONS; i++) {
		const struct judge_function *function = &judge->functions[i];

		if (judge_says(judge, function, &throttle->cost, throttle->share) &&
			throttle_list_find(&process->list, function->place, now) == THROTTLE_LIST_MAX)
			throttle_list_add(&process->list, &(struct throttled){.place = function->place,
							      .since_ticks = now,
							      .until_ticks = UINT64_MAX,
							      .call_sixteenths = sixteenths(&throttle->cost)});
	}
	if (judge)
		judge_clear(judge);
}

static bool has_come_that_far(const struct throttle_process *process, uint32_t index)
{
	for (const struct throttle_stream *stream = process->streams; stream; stream = stream->next)
		if (!__atomic_load_n(&stream->drops[index], __ATOMIC_ACQUIRE))
			return false;
	return true;
}

static void ask(struct throttle *throttle, struct throttle_process *process)
{
	uint32_t first = UINT32_MAX;

	for (uint32_t i = process->settled; i < process->list.count && throttle->asked < DWELL_THROTTLE_ENTRIES; i++) {
		struct throttled *throttled = throttle_list_at(&process->list, i);

		if (throttled->entry || throttled->until_ticks != UINT64_MAX)
			continue;
		if (!has_come_that_far(process, i)) {
			first = first < i ? first : i;
			continue;
		}
		throttle->shared->entries[throttle->asked] = (struct dwell_throttle_entry){.ticks = throttled->since_ticks,
			.place = throttled->place,
			.process = process->number,
			.counter = DWELL_THROTTLE_FIRST + i};
		throttled->entry = ++throttle->asked;
	}
	process->settled = first < process->list.count ? first : process->list.count;
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

/* Finds out, and asks the agents. */
static void judge_all(struct throttle *throttle, uint64_t now_ns)
{
	if (now_ns >= throttle->next_ns && learn_cost(throttle)) {
		pthread_mutex_lock(&throttle->lock);
		for (struct throttle_process *process = throttle->live; process; process = process->next_live)
			judge_process(throttle, process);
		pthread_mutex_unlock(&throttle->lock);
		throttle->next_ns = now_ns + PERIOD_NS;
	}
	for (struct throttle_process *process = throttle->live; process; process = process->next_live)
		if (process->streams)
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
	struct message_throttled list[THROTTLE_LIST_MAX];
	struct message_throttle message = {.process = process->number, .list = list};

	for (uint32_t i = 0; i < process->list.count; i++) {
		struct throttled *throttled = throttle_list_at(&process->list, i);
		struct message_throttled *told = &list[message.count];
		uint64_t calls = throttled->counted, cut = throttled->cut;
		bool counted = is_counted(throttle, throttled);

		for (const struct throttle_stream *stream = process->streams; stream; stream = stream->next) {
			calls += count_calls(stream, i);
			cut += __atomic_load_n(&stream->cut[i], __ATOMIC_RELAXED);
		}
		if (calls > session_count_max(throttle->session)) { /* nobody counted that */
			calls = 0;
			counted = false;
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

/* Which functions it is about, and how often they were called by now; at most once a second but for the last time. */
static void tell(struct throttle *throttle, struct trace_writer *writer, uint64_t now_ns, bool final)
{
	if (!final && now_ns < throttle->tell_ns)
		return;
	throttle->tell_ns = now_ns + TELL_NS;
	for (size_t i = 0; final && i < throttle->process_count; i++)
		tell_process(throttle, throttle->processes[i], writer, true);
	for (struct throttle_process **link = &throttle->live, *process; !final && (process = *link);) {
		tell_process(throttle, process, writer, false);
		process->is_live = process->streams;
		if (process->is_live)
			link = &process->next_live;
		else
			*link = process->next_live;
	}
}

static void look(struct stage *stage, struct trace_writer *writer, uint64_t now_ns)
{
	judge_all((struct throttle *)stage, now_ns);
	tell((struct throttle *)stage, writer, now_ns, false);
}

static void finish(struct stage *stage, struct stage_end *end)
{
	struct throttle *throttle = (struct throttle *)stage;
	const char *output = stage->recording->output;
	struct diag *diag = stage->recording->diag;
	uint32_t full = 0;

	tell(throttle, end->writer, 0, true);

	for (size_t i = 0; i < throttle->process_count; i++)
		full += throttle->processes[i]->list.count == THROTTLE_LIST_MAX;
	if (full)
		diag_add(diag, DIAG_NOTE, output, DIAG_NO_OFFSET,
			"--throttle: %" PRIu32 " process%s reached the limit of %u throttled functions; dwell recorded further ones as before, so they still "
			"cost time", full, full == 1 ? "" : "es", THROTTLE_LIST_MAX);
	if (throttle->asked == DWELL_THROTTLE_ENTRIES)
		diag_add(diag, DIAG_NOTE, output, DIAG_NO_OFFSET,
			"--throttle: %u functions are off, the most for all processes together; ones that were found later are counted, but still cost time",
			DWELL_THROTTLE_ENTRIES);
	/* A program that ends sooner is none of which it would have been measured. */
	if (end->recorded > MANY_EVENTS && throttle->cost.inner_ticks + throttle->cost.outer_ticks <= 0)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"--throttle: dwell cannot measure what recording a call costs by this program's clock, so it throttled nothing");
}

struct stage *make_throttle(double share, struct diag *diag)
{
	static const struct stage_type type = {.begin = begin,
		.add_module = add_module,
		.look = look,
		.finish = finish,
		.clear = clear,
		.begin_thread = begin_thread,
		.take = throttle_take,
		.clear_thread = clear_thread};
	struct throttle *throttle = calloc(1, sizeof *throttle);
	void *memory = MAP_FAILED;

	if (throttle) {
		throttle->stage.type = &type;
		throttle->share = share;
		throttle->fd = memfd_create("dwell-throttle", MFD_CLOEXEC | MFD_ALLOW_SEALING);
		if (throttle->fd >= 0 && ftruncate(throttle->fd, sizeof *throttle->shared) == 0)
			memory = mmap(NULL, sizeof *throttle->shared, PROT_READ | PROT_WRITE, MAP_SHARED, throttle->fd, 0);
		pthread_mutex_init(&throttle->lock, NULL);
	}
	if (memory == MAP_FAILED) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "no memory to record with");
		if (throttle)
			clear(&throttle->stage);
		free(throttle);
		return NULL;
	}
	guard_seal(throttle->fd, false);
	guard_add(memory, sizeof *throttle->shared);
	throttle->shared = memory;
	throttle->shared->magic = DWELL_THROTTLE_MAGIC;
	snprintf(throttle->name, sizeof throttle->name, "/proc/%ld/fd/%d", (long)getpid(), throttle->fd);
	return &throttle->stage;
}
