/* throttle: keeps the processes and their lists, runs the judge once per period, and sends requests to the agents. */
#include "record/stage/throttle.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/session/clock_point.h"
#include "record/session/control.h"
#include "record/session/tasks.h"
#include "record/sink/overhead.h"
#include "record/stage/throttle_inner.h"
#include "util/array.h"
#include "util/guard.h"

#define PERIOD_NS UINT64_C(20000000) /* the judge examines the calls of each period */
#define MANY_EVENTS 1000000u         /* in a recording of more events, an unknown cost of recording is worth a warning */
/* The time before a function's first trial. Each further time is twice as long, up to 2 s. */
#define TRIAL_PAUSE_NS UINT64_C(250000000)
#define TRIAL_PAUSE_DOUBLES 3u
#define TRIAL_NS (5 * PERIOD_NS)
#define REQUEST_TIMEOUT_NS (2 * PERIOD_NS) /* if the agent has not followed a request in this time, dwell acts from outside */
#define TRIALS_AT_ONCE 4u /* per process: calls cost as much as before during a trial */

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

/* Writes the name of the throttle's memory into the session, where agents find it. */
static bool begin(struct stage *stage)
{
	struct throttle *throttle = (struct throttle *)stage;

	throttle->session = stage->recording->session;
	memcpy(throttle->session->shared->throttle, throttle->name, sizeof throttle->session->shared->throttle);
	return true;
}

/* The process's index in the list, or the index where it belongs. */
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

/* Returns a forked process's nearest ancestor in the list (a process in between may have recorded nothing); null: none. *followed:
 * how many entries the ancestor's agent had read at the fork. A process has a higher number than its parent. */
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

/* Gives a forked child's process the list of its parent. The child's agent begins with the state of the parent's agent, and with
 * the same numbers of counters. Requests that the parent's agent followed after the fork must be repeated for the child. */
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
		if (of->is_resumed && of->resume_entry > followed) { /* the child was forked before this */
			copy.until_ticks = UINT64_MAX;
			copy.is_resumed = false;
		}
		process->has_resumed |= copy.is_resumed;
		copy.trial_count = copy.trial.entry = 0;
		copy.share = 0;
		copy.seen_ticks = 0;
		copy.trial_due_ns = 0;
		copy.written_is_counted = false;
		if (!throttle_list_add(&process->list, &copy))
			break;
	}
}

static struct throttle_process *get_process(struct throttle *throttle, uint32_t number)
{
	size_t at = find_index(throttle, number);
	struct throttle_process *process = find_process(throttle, number);

	if (process ||
		!array_reserve(&throttle->processes, &throttle->process_capacity, throttle->process_count + 1, sizeof process) ||
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
	stream->first_waiting = process->list.count;
	stream->is_dropping = stream->first_waiting;
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

/* Adds the thread's counts to the process's list. After the last thread of a process, frees its judge. */
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

		throttled->counted += throttle_count_calls(stream, i);
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

/* A file is mapped or unmapped: entries for the functions that were at these addresses before end. */
static void add_module(struct stage *stage, const struct message_module *module)
{
	struct throttle *throttle = (struct throttle *)stage;
	/* A process without recorded calls may be a copy, whose entries end here, too. */
	struct throttle_process *process = get_process(throttle, module->process);

	for (uint32_t i = 0; process && i < process->list.count; i++) {
		struct throttled *throttled = throttle_list_at(&process->list, i);

		if (throttled->until_ticks == UINT64_MAX && is_in(throttled->place, module) &&
			module->load_ticks > throttled->since_ticks)
			__atomic_store_n(&throttled->until_ticks, module->load_ticks, __ATOMIC_RELEASE);
	}
}

/* ---- judging and trials ---- */

/* The cost of recording a call, in sixteenths of a tick. */
static uint32_t sixteenths(const struct judge_cost *cost)
{
	double ticks = (cost->inner_ticks + cost->outer_ticks) * 16;

	return ticks < UINT32_MAX ? (uint32_t)ticks : UINT32_MAX;
}

/* The time of the last event that any of the process's live streams has passed on. 0: no event yet. */
static uint64_t find_last_ticks(const struct throttle_process *process)
{
	uint64_t now = 0;

	for (const struct throttle_stream *stream = process->streams; stream; stream = stream->next) {
		uint64_t ticks = __atomic_load_n(&stream->last_ticks, __ATOMIC_RELAXED);

		now = ticks > now ? ticks : now;
	}
	return now;
}

/* How many calls of a function the live streams of the process have dropped so far. */
static uint64_t count_dropped(const struct throttle_process *process, uint32_t index)
{
	uint64_t calls = 0;

	for (const struct throttle_stream *stream = process->streams; stream; stream = stream->next)
		calls += __atomic_load_n(&stream->dropped[index], __ATOMIC_RELAXED);
	return calls;
}

/* Appends a request to the agent. how: a counter, or DWELL_THROTTLE_UNDO. False: no room for more requests. */
static bool send_request(
	struct throttle *throttle, const struct throttle_process *process, const struct throttled *throttled, uint32_t how)
{
	if (throttle->request_count == DWELL_THROTTLE_ENTRIES)
		return false;
	throttle->shared->entries[throttle->request_count++] = (struct dwell_throttle_entry){.ticks = throttled->since_ticks,
		.place = throttled->place,
		.process = process->number,
		.counter = how};
	return true;
}

/* Whether the agent has acted on the request. entry: the request's number, from 1 on. */
static bool has_agent_followed(const struct throttle *throttle, uint32_t entry)
{
	return throttle_entry_state(throttle, entry) != DWELL_THROTTLE_REQUESTED;
}

/* Turns the function's recording on from outside. An agent does not look for
 * requests while its process records nothing else. Returns whether this succeeded. */
static bool resume_by_control(const struct throttle *throttle, const struct throttle_process *process, uint32_t place)
{
	uint32_t pid = throttle->session->shared->order & 1 ? tasks_number(throttle->session->tasks, process->number) : 0;
	struct control control;
	bool done;

	if (!pid || pid & DWELL_TASK_INNER)
		return false;
	done = control_find(&control, (pid_t)pid) == CONTROL_FOUND && control_open_function(&control, place);
	control_close(&control);
	return done;
}

/* Requests the agent to record the function again, for a trial. */
static void begin_trial(
	struct throttle *throttle, const struct throttle_process *process, struct throttled *throttled, uint64_t now_ns)
{
	if (!send_request(throttle, process, throttled, DWELL_THROTTLE_UNDO))
		return;
	throttled->trial = (struct throttle_trial){.entry = throttle->request_count};
	throttled->trial_due_ns = now_ns + REQUEST_TIMEOUT_NS;
}

/* Events that are recorded from now on belong to the trial. Earlier
 * calls, still in the rings, may or may not have been recorded. */
static void begin_trial_recording(const struct throttle *throttle, struct throttled *throttled, uint64_t now_ns)
{
	throttled->trial_due_ns = now_ns + TRIAL_NS;
	throttled->trial.is_recording = true;
	throttled->trial_begin_ticks = throttle->read_ticks();
	__atomic_store_n(&throttled->trial_count, throttled->trial_count + 1, __ATOMIC_RELEASE);
}

/* Ends a trial. is_short: requests the agent to stop recording the function. Otherwise the file has the function's calls from now
 * on. now: the time of the process's last event, in ticks. */
static void end_trial(struct throttle *throttle, struct throttle_process *process, struct throttled *throttled, uint32_t index,
	bool is_short, uint64_t now, uint64_t now_ns)
{
	if (throttled->trial.share) {
		throttled->share = throttled->trial.share > throttled->share ? throttled->trial.share : throttled->share;
		throttled->seen_ticks = now;
	}
	throttled->resume_entry = throttled->trial.entry;
	throttled->trial.entry = 0;
	now = now > throttled->trial_begin_ticks ? now : throttled->trial_begin_ticks;
	if (!is_short) {
		throttled->is_resumed = true;
		__atomic_store_n(&process->has_resumed, true, __ATOMIC_RELAXED);
		__atomic_store_n(&throttled->until_ticks, now + 1, __ATOMIC_RELEASE);
		return;
	}
	send_request(throttle, process, throttled, DWELL_THROTTLE_FIRST + index);
	throttled->trial_due_ns = now_ns + (TRIAL_PAUSE_NS << (throttled->trial_count < TRIAL_PAUSE_DOUBLES ? throttled->trial_count
													    : TRIAL_PAUSE_DOUBLES));
}

/* Examines a trial under way, once per period. After the first calls the trial lasts a whole period more. Then the trial ends once
 * the judge has measured a complete call, or when TRIAL_NS have passed since the last period without calls. Without calls the trial
 * goes on, and costs nothing. now: the time of the process's last event, in ticks. Returns whether the trial goes on, and calls are
 * recorded. */
static bool check_trial(struct throttle *throttle, struct throttle_process *process, struct throttled *throttled, uint32_t index,
	uint64_t now, uint64_t now_ns)
{
	const struct judge_function *function = process->judge ? judge_find(process->judge, throttled->place) : NULL;
	struct throttle_trial *trial = &throttled->trial;
	uint32_t periods = trial->periods;
	bool is_short;

	if (!trial->is_recording) {
		if (has_agent_followed(throttle, trial->entry) ||
			(now_ns >= throttled->trial_due_ns && resume_by_control(throttle, process, throttled->place)))
			begin_trial_recording(throttle, throttled, now_ns);
		else if (now_ns >= throttled->trial_due_ns)
			throttled->trial_due_ns = now_ns + TRIAL_PAUSE_NS; /* try again later */
		return false;
	}
	if (now < throttled->trial_begin_ticks)
		trial->dropped = count_dropped(process, index);
	if (count_dropped(process, index) == trial->dropped || !now) {
		throttled->trial_due_ns = now_ns + TRIAL_NS;
		return false;
	}
	trial->periods++;
	if (function) {
		trial->judge_figures.calls += function->calls;
		trial->judge_figures.ticks += function->ticks;
		trial->share = 1 + (uint16_t)(judge_get_share(process->judge, function, &throttle->cost) * (UINT16_MAX - 1));
	}
	is_short = trial->judge_figures.calls > 0 && judge_is_short(&trial->judge_figures, &throttle->cost);
	if (!function && !is_short)
		trial->share = 0; /* the call goes on; its length is unknown */
	if (periods && (trial->judge_figures.calls > 0 || now_ns >= throttled->trial_due_ns))
		end_trial(throttle, process, throttled, index, is_short, now, now_ns);
	return throttled->trial.entry;
}

/* Begins and ends trials of the process's throttled functions, since functions that were short need not stay short. */
static void run_trials(struct throttle *throttle, struct throttle_process *process, uint64_t now, uint64_t now_ns)
{
	uint32_t trials = 0;

	for (uint32_t i = 0; i < process->list.count; i++) {
		struct throttled *throttled = throttle_list_at(&process->list, i);

		if (!throttled->entry || throttled->until_ticks != UINT64_MAX)
			continue;
		if (throttled->trial.entry) {
			trials += check_trial(throttle, process, throttled, i, now, now_ns);
		} else if (!throttled->trial_due_ns) {
			throttled->trial_due_ns = now_ns + TRIAL_PAUSE_NS;
		} else if (now_ns >= throttled->trial_due_ns && trials < TRIALS_AT_ONCE &&
			   has_agent_followed(throttle, throttled->entry)) {
			begin_trial(throttle, process, throttled, now_ns);
			trials++;
		}
	}
}

/* Adds the functions that cost too much in the last period to the process's list, after its trials. pre: the lock is held. */
static void judge_process(struct throttle *throttle, struct throttle_process *process, uint64_t now_ns)
{
	struct judge *judge = process->judge;
	uint64_t now = find_last_ticks(process);

	run_trials(throttle, process, now, now_ns);
	for (uint32_t i = 0; judge && now && i < JUDGE_FUNCTIONS; i++) {
		const struct judge_function *function = &judge->functions[i];

		if (judge_is_costly(judge, function, &throttle->cost, throttle->share) &&
			throttle_list_find(&process->list, function->place, now) == THROTTLE_LIST_MAX)
			throttle_list_add(&process->list, &(struct throttled){.place = function->place,
							      .since_ticks = now,
							      .until_ticks = UINT64_MAX,
							      .call_sixteenths = sixteenths(&throttle->cost)});
	}
	if (judge)
		judge_clear(judge);
}

/* Whether all streams of the process drop the calls of the function at index in the list. */
static bool do_all_streams_drop(const struct throttle_process *process, uint32_t index)
{
	for (const struct throttle_stream *stream = process->streams; stream; stream = stream->next)
		if (!__atomic_load_n(&stream->drops[index], __ATOMIC_ACQUIRE))
			return false;
	return true;
}

/* Requests the agent to stop recording each listed function that all streams of the process drop, if no request was sent yet. */
static void request_chosen(struct throttle *throttle, struct throttle_process *process)
{
	uint32_t first = UINT32_MAX;

	for (uint32_t i = process->settled; i < process->list.count && throttle->request_count < DWELL_THROTTLE_ENTRIES; i++) {
		struct throttled *throttled = throttle_list_at(&process->list, i);

		if (throttled->entry || throttled->until_ticks != UINT64_MAX)
			continue;
		if (!do_all_streams_drop(process, i)) {
			first = first < i ? first : i;
			continue;
		}
		if (send_request(throttle, process, throttled, DWELL_THROTTLE_FIRST + i))
			throttled->entry = throttle->request_count;
	}
	process->settled = first < process->list.count ? first : process->list.count;
}

/* Reads the cost of recording a call. False: no agent has measured it yet. */
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

/* Once per period chooses functions, and runs trials. In each sweep sends requests to the agents. */
static void judge_all(struct throttle *throttle, uint64_t now_ns)
{
	if (now_ns >= throttle->next_ns && learn_cost(throttle)) {
		pthread_mutex_lock(&throttle->lock);
		for (struct throttle_process *process = throttle->live; process; process = process->next_live)
			judge_process(throttle, process, now_ns);
		pthread_mutex_unlock(&throttle->lock);
		throttle->next_ns = now_ns + PERIOD_NS;
	}
	for (struct throttle_process *process = throttle->live; process; process = process->next_live)
		if (process->streams)
			request_chosen(throttle, process);
	if (throttle->request_count != throttle->session->shared->throttled)
		__atomic_store_n(&throttle->session->shared->throttled, throttle->request_count, __ATOMIC_RELEASE);
}

static void on_sweep(struct stage *stage, struct trace_writer *writer, uint64_t now_ns)
{
	judge_all((struct throttle *)stage, now_ns);
	throttle_write((struct throttle *)stage, writer, now_ns, false);
}

static void finish(struct stage *stage, struct stage_end *end)
{
	struct throttle *throttle = (struct throttle *)stage;
	const char *output = stage->recording->output;
	struct diag *diag = stage->recording->diag;
	uint32_t full = 0;

	throttle_write(throttle, end->writer, 0, true);
	for (size_t i = 0; i < throttle->process_count; i++)
		full += throttle->processes[i]->list.count == THROTTLE_LIST_MAX;
	if (full)
		diag_add(diag, DIAG_NOTE, output, DIAG_NO_OFFSET,
			"--throttle: %" PRIu32 " process%s reached the limit of %u throttled functions; dwell recorded further ones as before, so they still "
			"cost time", full, full == 1 ? "" : "es", THROTTLE_LIST_MAX);
	if (throttle->request_count == DWELL_THROTTLE_ENTRIES)
		diag_add(diag, DIAG_NOTE, output, DIAG_NO_OFFSET,
			"--throttle: %u functions are off, the most for all processes together; ones that were found later are counted, but still cost time",
			DWELL_THROTTLE_ENTRIES);
	/* A program with fewer events may end before dwell can measure the cost. */
	if (end->recorded > MANY_EVENTS && throttle->cost.inner_ticks + throttle->cost.outer_ticks <= 0)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"--throttle: dwell cannot measure what recording a call costs by this program's clock, so it throttled nothing");
}

static uint64_t read_ticks(void)
{
	return clock_point_read().ticks;
}

struct stage *make_throttle(double share, struct diag *diag)
{
	static const struct stage_type type = {.begin = begin,
		.add_module = add_module,
		.on_sweep = on_sweep,
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
		throttle->read_ticks = read_ticks;
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
	guard_seal(throttle->fd, GUARD_SIZE_ALONE);
	guard_add(memory, sizeof *throttle->shared);
	throttle->shared = memory;
	throttle->shared->magic = DWELL_THROTTLE_MAGIC;
	snprintf(throttle->name, sizeof throttle->name, "/proc/%ld/fd/%d", (long)getpid(), throttle->fd);
	return &throttle->stage;
}
