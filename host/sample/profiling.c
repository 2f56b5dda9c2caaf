/* profiling: see profiling.h. */
#include "sample/profiling.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "sample/perf_set.h"
#include "sample/sampling.h"
#include "sample/waiting.h"
#include "util/array.h"

/* Of so many it is asked whether they want to run. */
#define PROCESSES_ASKED 16u
/* What is younger may still be on its way into another CPU's buffer. */
#define SETTLE_NS UINT64_C(2000000)
#define WAIT_NS_MAX UINT64_C(10000000)
/* With +v: how often the kernel interrupts, and what it may come behind the blank; no more than a third behind the mean. */
#define FINE_HZ 1000.0
#define FINE_NS UINT64_C(1400000)
#define BLANKS 64u

struct run {
	struct profiling *profiling;
	struct perf_set *set;
	uint64_t random;
	struct waiting waiting;
	/* With +v: when the last blanks were, by their number modulo BLANKS, and whether all threads waited then. */
	struct blank {
		uint64_t ns;
		bool waited;
	} blanks[BLANKS];
	uint64_t blank_count;
	uint64_t at;  /* number of the blank that samples are taken for */
	uint32_t *seen; /* tids that were counted for it */
	size_t seen_count, seen_capacity;
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

static void count_sample(struct run *run, const struct perf_record *record)
{
	const struct profiling *profiling = run->profiling;
	uint64_t offset = OWN_TEXT_OUTSIDE;

	if (!record->sample.in_kernel)
		offset = own_text_offset(profiling->text, record->pid, record->sample.ip);
	count(run, offset);
	if (offset != OWN_TEXT_OUTSIDE && profiling->on_sample)
		profiling->on_sample(profiling->context, record->tid, offset);
}

/* Whether it is the first sample of its thread behind a blank. pre: samples come in order of time. */
static bool is_at_blank(struct run *run, const struct perf_record *record)
{
	const struct blank *blank;

	while (run->at < run->blank_count && run->blanks[run->at % BLANKS].ns <= record->ns) {
		run->at++;
		run->seen_count = 0;
	}
	if (!run->at)
		return false;
	blank = &run->blanks[(run->at - 1) % BLANKS];
	if (blank->waited || record->ns - blank->ns > FINE_NS)
		return false;
	for (size_t i = 0; i < run->seen_count; i++)
		if (run->seen[i] == record->tid)
			return false;
	if (!array_reserve(&run->seen, &run->seen_capacity, run->seen_count + 1, sizeof *run->seen))
		return false;
	run->seen[run->seen_count++] = record->tid;
	return true;
}

static void take(struct run *run, const struct perf_record *record)
{
	struct profiling *profiling = run->profiling;

	own_text_tell(profiling->text, record);
	if (record->kind == PERF_LOST)
		profiling->lost += record->lost;
	else if (record->kind == PERF_THROTTLED)
		profiling->lost++;
	else if (record->kind == PERF_SAMPLE && (!profiling->vblank || is_at_blank(run, record)))
		count_sample(run, record);
}

static void drain(struct run *run, uint64_t until_ns)
{
	struct perf_record record;

	while (perf_set_next(run->set, until_ns, &record))
		take(run, &record);
}

static bool everybody_waits(struct run *run)
{
	const struct own_text *text = run->profiling->text;
	uint32_t pids[PROCESSES_ASKED];
	size_t count = 0;

	for (; count < text->process_count && count < PROCESSES_ASKED; count++)
		pids[count] = text->processes[count].pid;
	return waiting_all(&run->waiting, pids, count);
}

/* 0 … 1 */
static double draw(struct run *run)
{
	run->random ^= run->random << 13;
	run->random ^= run->random >> 7;
	run->random ^= run->random << 17;
	return (double)(run->random >> 11) / 9007199254740992.0;
}

/* The clock on the wall. Returns when it ticks next. */
static uint64_t tick(struct run *run, uint64_t due_ns)
{
	const struct profiling *profiling = run->profiling;
	double mean = 1e9 / (profiling->vblank ? PROFILING_VBLANK_HZ : profiling->hz);
	bool waited = everybody_waits(run);
	uint64_t now = now_ns();

	if (waited)
		count(run, OWN_TEXT_OUTSIDE);
	if (profiling->vblank) {
		/* As it is now: what was before, when this process had no processor, is past. */
		run->blanks[run->blank_count % BLANKS] = (struct blank){now - due_ns > FINE_NS ? now : due_ns, waited};
		run->blank_count++;
	}
	do
		due_ns += (uint64_t)(profiling->vblank ? mean : mean * (0.7 + 0.6 * draw(run)));
	while (due_ns <= now);
	return due_ns;
}

static void follow(struct run *run, struct launch *launch)
{
	uint64_t now = now_ns(), turn = now, due = now + (uint64_t)(draw(run) * 1e9 / run->profiling->hz);

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

static void on_ready(void *context, pid_t pid)
{
	struct run *run = context;

	const struct perf_set_options options = {.hz = run->profiling->vblank ? FINE_HZ : run->profiling->hz, .leaf = true};

	run->set = make_perf_set(&options, pid, false, run->why);
	if (run->set)
		own_text_begin(run->profiling->text, (uint32_t)pid);
	else
		kill(pid, SIGKILL); /* it is no program yet */
}

bool profiling_run(struct profiling *profiling, struct launch *launch, struct diag *diag)
{
	struct run run = {.profiling = profiling};
	uint64_t begin;

	if (getrandom(&run.random, sizeof run.random, 0) != sizeof run.random || !run.random)
		run.random = (uint64_t)getpid() * 0x9e3779b97f4a7c15u + 1;
	if (!sampling_is_permitted(run.why)) {
		diag_add(diag, DIAG_ERROR, profiling->path, DIAG_NO_OFFSET, "cannot be sampled: %s", run.why);
		return false;
	}
	begin = now_ns();
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
	follow(&run, launch);
	profiling->elapsed_ns = now_ns() - begin;
	profiling->has_kernel = perf_set_has_kernel(run.set);
	free_perf_set(run.set);
	free(run.seen);
	return true;
}
