/* profiling: see profiling.h. */
#include "sample/profiling.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "sample/perf/perf_set.h"
#include "sample/profiled.h"
#include "sample/running.h"
#include "sample/sampling.h"
#include "sample/seen_timers.h"
#include "sample/waiting.h"
#include "util/array.h"

/* What is younger may still be on its way into another CPU's buffer. */
#define SETTLE_NS UINT64_C(2000000)
#define WAIT_NS_MAX UINT64_C(10000000)
#define SLICE_NS UINT64_C(100000) /* the least there is */
#define READY_MAX 256u   /* threads at a blank */
#define OPEN_MAX 65536u
#define TICKS_MAX 100u   /* that passed while this process had no processor */

struct run {
	struct profiling *profiling;
	struct perf_set *set;
	uint64_t random;
	struct waiting waiting;
	struct profiled profiled;
	struct seen_timers timers;
	uint64_t cpu_before_ns, begin_ns;
	/* With +v: threads that did not wait at a blank, and have no sample behind it yet. */
	struct open {
		uint32_t tid;
		uint64_t ns;
	} *open;
	size_t open_count, open_capacity;
	char why[160];
};

static uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void count(struct run *run, uint64_t offset)
{
	dwell_tally_sample(run->profiling->tally, (uintptr_t)offset);
	run->profiling->samples++;
}

static void count_sample(struct run *run, uint32_t tid, uint64_t offset)
{
	const struct profiling *profiling = run->profiling;

	count(run, offset);
	if (offset != OWN_TEXT_OUTSIDE && profiling->on_sample)
		profiling->on_sample(profiling->context, tid, offset);
}

/* 0 … 1 */
static double draw(struct run *run)
{
	run->random ^= run->random << 13;
	run->random ^= run->random >> 7;
	run->random ^= run->random << 17;
	return (double)(run->random >> 11) / 9007199254740992.0;
}

/* How many blanks a thread's sample is the first one behind. A thread that had no processor then is where it goes on. */
static unsigned take_open(struct run *run, uint32_t tid, uint64_t until_ns)
{
	unsigned found = 0;
	size_t kept = 0;

	for (size_t i = 0; i < run->open_count; i++)
		if (run->open[i].tid == tid && run->open[i].ns <= until_ns)
			found++;
		else
			run->open[kept++] = run->open[i];
	run->open_count = kept;
	return found;
}

static void see_rhythm(struct run *run, uint64_t offset, int kind)
{
	const struct dwell_tally *tally = run->profiling->tally;
	size_t index = offset < tally->text_bytes ? dwell_tally_find(tally->starts, tally->count, (uintptr_t)offset) : DWELL_TALLY_NONE;

	rhythm_add(&run->profiling->rhythm, index == DWELL_TALLY_NONE ? NULL : tally, index == DWELL_TALLY_NONE ? 0 : index, kind);
}

/* How many blanks this sample is of. */
static unsigned count_blanks(struct run *run, const struct perf_record *record, uint64_t offset)
{
	unsigned often = take_open(run, record->tid, record->ns);

	/* Where the kernel gives no samples of itself, most of them may have been in it. */
	if (often > 1 && !perf_set_has_kernel(run->set))
		often = 1;
	see_rhythm(run, offset, RHYTHM_RANDOM);
	for (unsigned i = 0; i < often; i++)
		see_rhythm(run, offset, RHYTHM_EVEN);
	return often;
}

/* A timer's first sample stands for one and a half: it is counted twice every other time. */
static void take_sample(struct run *run, const struct perf_record *record)
{
	struct profiling *profiling = run->profiling;
	struct profiled_thread *thread = profiled_take(&run->profiled, record->tid);
	bool first = seen_timers_is_first(&run->timers, record->sample.timer);
	uint64_t offset = OWN_TEXT_OUTSIDE;
	unsigned often = first && draw(run) < 0.5 ? 2 : 1;

	if (record->sample.in_interrupt) {
		profiling->interrupted_ns += record->sample.period;
		return;
	}
	if (!record->sample.in_kernel)
		offset = own_text_offset(profiling->text, record->pid, record->sample.ip);
	if (thread)
		thread->last = offset;
	profiling->sampled_ns += record->sample.period + (first ? record->sample.period / 2 : 0);
	if (profiling->vblank)
		often = count_blanks(run, record, offset);
	while (often--)
		count_sample(run, record->tid, offset);
}

/* Blanks that it has no sample behind: it was about where the last one before was. */
static void take_end(struct run *run, uint32_t tid)
{
	const struct profiled_thread *thread = profiled_find(&run->profiled, tid);
	unsigned often = take_open(run, tid, UINT64_MAX);

	while (thread && often--)
		count_sample(run, tid, thread->last);
	profiled_end(&run->profiled, tid);
}

static void take(struct run *run, const struct perf_record *record)
{
	struct profiling *profiling = run->profiling;

	own_text_tell(profiling->text, record);
	if (record->kind == PERF_LOST)
		profiling->lost += record->lost;
	else if (record->kind == PERF_THROTTLED)
		profiling->lost++;
	else if (record->kind == PERF_SAMPLE)
		take_sample(run, record);
	else if (record->kind == PERF_THREAD_END)
		take_end(run, record->tid);
	else if (record->kind == PERF_PROCESS)
		profiled_settle_process(&run->profiled, record->pid);
}

static void drain(struct run *run, uint64_t until_ns)
{
	struct perf_record record;

	while (perf_set_next(run->set, until_ns, &record))
		take(run, &record);
}

/* Those that have only just begun, too: what is known of them has not settled, and a child may be over before it has. */
static size_t list_processes(struct run *run, uint32_t pids[static WAITING_PROCESSES_MAX])
{
	struct perf_record record;

	while (perf_set_look(run->set, &record))
		profiled_begin_process(&run->profiled, record.pid);
	return profiled_list(&run->profiled, run->profiling->text, pids, WAITING_PROCESSES_MAX);
}

/* Of each thread that does not wait, the next sample says where it is; where all wait, they are in the system. */
static void see_blanks(struct run *run, unsigned ticks)
{
	struct waiting_thread ready[READY_MAX];
	uint32_t pids[WAITING_PROCESSES_MAX];
	uint64_t now = now_ns();
	bool wait;
	size_t threads = waiting_find_ready(pids, list_processes(run, pids), ready, READY_MAX, &wait);

	rhythm_end_window(&run->profiling->rhythm);
	while (ticks--) {
		if (!threads && wait)
			count(run, OWN_TEXT_OUTSIDE);
		for (size_t i = 0; i < threads && run->open_count < OPEN_MAX &&
			array_reserve(&run->open, &run->open_capacity, run->open_count + 1, sizeof *run->open); i++)
			run->open[run->open_count++] = (struct open){ready[i].tid, now};
	}
}

static void see_waits(struct run *run, unsigned ticks)
{
	uint32_t pids[WAITING_PROCESSES_MAX];

	if (waiting_all(&run->waiting, pids, list_processes(run, pids)))
		while (ticks--)
			count(run, OWN_TEXT_OUTSIDE);
}

static double mean_distance_ns(const struct profiling *profiling)
{
	return 1e9 / (profiling->vblank ? profiling->vblank_hz : profiling->hz);
}

/* The clock on the wall. Returns when it ticks next. Where this process had no processor for a while, how it is now stands for the
 * ticks that it has missed. */
static uint64_t tick(struct run *run, uint64_t due_ns)
{
	const struct profiling *profiling = run->profiling;
	double mean = mean_distance_ns(profiling);
	uint64_t now = now_ns();
	unsigned ticks = 0;

	do {
		due_ns += (uint64_t)(profiling->vblank ? mean : mean * (0.7 + 0.6 * draw(run)));
		ticks += ticks < TICKS_MAX;
	} while (due_ns <= now);
	(profiling->vblank ? see_blanks : see_waits)(run, ticks);
	return due_ns;
}

static void follow(struct run *run, struct launch *launch)
{
	uint64_t now = now_ns(), turn = now, due = now + (uint64_t)(draw(run) * mean_distance_ns(run->profiling));

	while (!launch->ended) {
		uint64_t wait = due < turn ? due : turn;

		wait = wait > now ? wait - now : 0;
		launch_wait(launch, (long)(wait < WAIT_NS_MAX ? wait : WAIT_NS_MAX));
		now = now_ns();
		if (!launch->ended && now >= due)
			due = tick(run, due);
		if (now >= turn)
			turn = now + perf_set_turn(run->set, false);
		drain(run, now - SETTLE_NS);
	}
	perf_set_stop(run->set);
	drain(run, UINT64_MAX);
	if (perf_set_get_lost(run->set) > run->profiling->lost) /* it is told when there is room again, which may never be */
		run->profiling->lost = perf_set_get_lost(run->set);
}

/* A short slice, which the kernel gives the earlier: on a busy machine who comes late comes when somebody goes to sleep, and that is the
 * program, too. Kernels before 6.12 know of no such thing, and do without. */
static void ask_for_short_slices(void)
{
	/* As struct sched_attr, which not all C libraries have, and some twice. */
	struct {
		uint32_t bytes, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t slice_ns, deadline_ns, period_ns;
	} attr = {.bytes = sizeof attr};

	if (syscall(SYS_sched_getattr, 0, &attr, sizeof attr, 0) < 0 || attr.policy != SCHED_OTHER)
		return;
	attr.slice_ns = SLICE_NS;
	syscall(SYS_sched_setattr, 0, &attr, 0);
}

static void on_ready(void *context, pid_t pid)
{
	struct run *run = context;

	const struct perf_set_options options = {.hz = run->profiling->vblank ? PROFILING_FINE_HZ : run->profiling->hz, .leaf = true};

	run->set = make_perf_set(&options, pid, false, run->why);
	if (run->set) {
		own_text_begin(run->profiling->text, (uint32_t)pid);
		run->cpu_before_ns = running_children_cpu_ns(perf_set_has_kernel(run->set));
		run->begin_ns = now_ns();
	} else {
		kill(pid, SIGKILL); /* it is no program yet */
	}
}

static void end(struct run *run)
{
	struct profiling *profiling = run->profiling;

	profiling->elapsed_ns = now_ns() - run->begin_ns;
	profiling->damaged = perf_set_get_damaged(run->set);
	profiling->has_kernel = perf_set_has_kernel(run->set);
	profiling->threads = run->profiled.sampled;
	/* What is left behind is in no count of the system's; and cycles are no nanoseconds. */
	if (perf_set_get_engine(run->set) != DWELL_ENGINE_CYCLES && !profiling->text->process_count)
		profiling->system_ns = running_children_cpu_ns(profiling->has_kernel) - run->cpu_before_ns;
}

bool profiling_run(struct profiling *profiling, struct launch *launch, struct diag *diag)
{
	struct run run = {.profiling = profiling};
	if (getrandom(&run.random, sizeof run.random, 0) != sizeof run.random || !run.random)
		run.random = (uint64_t)getpid() * 0x9e3779b97f4a7c15u + 1;
	if (!sampling_is_permitted(run.why)) {
		diag_add(diag, DIAG_ERROR, profiling->path, DIAG_NO_OFFSET, "cannot be sampled: %s", run.why);
		return false;
	}
	if (!launch_begin(launch, profiling->path, profiling->argv, NULL, NULL, on_ready, &run, diag)) {
		free_perf_set(run.set);
		return false;
	}
	if (!run.set) {
		while (!launch->ended)
			launch_wait(launch, 100000000);
		diag_add(diag, DIAG_ERROR, profiling->path, DIAG_NO_OFFSET, "cannot be sampled: %s", run.why);
		return false;
	}
	prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); /* of this process: the program was made before */
	ask_for_short_slices();
	follow(&run, launch);
	end(&run);
	free_perf_set(run.set);
	profiled_clear(&run.profiled);
	seen_timers_clear(&run.timers);
	free(run.open);
	return true;
}
