/* perf_set: see perf_set.h. What is in a record is perf_decode.c's. */
#include "sample/perf/perf_set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "record/program/perf_refusal.h"
#include "sample/code/kernel_names.h"
#include "sample/perf/interrupts.h"
#include "sample/perf/perf_decode.h"
#include "sample/perf/perf_open.h"
#include "sample/running.h"
#include "util/array.h"
#include "util/clock.h"

#define SAMPLERS 4u /* two with a small copy of the stack, two with a large one */
#define SMALL_BYTES 8192u
#define LARGE_BYTES 49152u /* a record is at most 64 KiB */
/* Rings hold what comes in a quarter of a second; less where so much may not be locked. */
#define RING_BYTES_MIN (32u << 10)
#define RING_BYTES_MAX (8u << 20)
#define LARGE_RING_MIN (256u << 10)
#define TURN_PERIODS_MIN 4.0
#define TURN_PERIODS_MAX 12.0
#define TURN_SHARE 50u /* a turn takes a fiftieth of the time at most: of a hundred threads on a hundred CPUs it takes long */

/* Of the mean; no two have a small ratio. Together they give the rate that was asked for. */
static const double factors[SAMPLERS] = {0.79, 1.27, 0.86, 1.17};

/* Events of one kind on one CPU, of the threads that have one of their own. */
struct perf_fds {
	int *list;
	size_t count, capacity;
};

struct perf_cpu {
	int cpu;
	struct perf_ring ring;
	struct perf_fds samplers[SAMPLERS];
	uint32_t on; /* which of them */
	bool sampled; /* since the last turn */
};

struct perf_set {
	struct perf_set_options options;
	struct perf_cpu *cpus;
	uint32_t cpu_count;
	struct perf_fds tellers; /* of threads that ran already */
	struct perf_kind_of_event kind;
	uint64_t periods[SAMPLERS]; /* in nanoseconds, as the kernel says them; of the processor's cycles 0 */
	pid_t *tids;  /* that ran already */
	size_t tid_count, tid_capacity;
	bool begun;
	uint64_t wanted_bytes, ring_bytes;
	uint64_t random;
	struct perf_scratch scratch;
	struct interrupts interrupts;
};

/* 0 … 1 */
static double draw(struct perf_set *set)
{
	set->random ^= set->random << 13;
	set->random ^= set->random >> 7;
	set->random ^= set->random << 17;
	return (double)(set->random >> 11) / 9007199254740992.0;
}

static bool is_large(uint32_t sampler)
{
	return sampler >= SAMPLERS / 2;
}

static struct perf_open_sampler describe(const struct perf_set *set, uint32_t sampler)
{
	/* Each of a pair is on half of the time: together they are to give the rate. */
	double pair = is_large(sampler) ? 1 / factors[2] + 1 / factors[3] : 1 / factors[0] + 1 / factors[1];

	return (struct perf_open_sampler){
		.hz = set->options.hz / (factors[sampler] * pair / 2),
		.stack_bytes = set->options.leaf ? 0 : is_large(sampler) ? LARGE_BYTES : SMALL_BYTES,
	};
}

static bool keep_fd(struct perf_fds *fds, int fd)
{
	if (!array_reserve(&fds->list, &fds->capacity, fds->count + 1, sizeof *fds->list)) {
		close(fd);
		errno = ENOMEM;
		return false;
	}
	fds->list[fds->count++] = fd;
	return true;
}

static void close_fds(struct perf_fds *fds)
{
	for (size_t i = 0; i < fds->count; i++)
		close(fds->list[i]);
	free(fds->list);
}

/* The samplers of a thread on a CPU, into that CPU's ring. */
static bool add_samplers(struct perf_set *set, pid_t tid, struct perf_cpu *cpu, bool on_exec)
{
	for (uint32_t i = 0; i < SAMPLERS; i++) {
		struct perf_open_sampler sampler = describe(set, i);
		int fd = perf_open_sampler(&set->kind, &sampler, tid, cpu->cpu, on_exec && i == cpu->on);

		if (fd < 0)
			return false;
		if (!keep_fd(&cpu->samplers[i], fd) || ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, cpu->ring.fd) < 0)
			return false;
	}
	return true;
}

static uint64_t ring_bytes(const struct perf_set *set)
{
	uint64_t sample = set->options.leaf ? 64 : SMALL_BYTES + 512, bytes = RING_BYTES_MIN;

	while (bytes < RING_BYTES_MAX && (double)bytes < set->options.hz * 0.25 * (double)sample)
		bytes *= 2;
	return bytes;
}

static bool add_cpu(struct perf_set *set, pid_t pid, int cpu, bool on_exec)
{
	struct perf_cpu *to = &set->cpus[set->cpu_count];

	to->cpu = cpu;
	to->ring.has_chains = set->kind.has_kernel;
	to->ring.fd = perf_open_teller(&set->kind, pid, cpu, on_exec);
	if (to->ring.fd < 0)
		return errno == ENODEV || errno == EINVAL; /* not there now */
	set->cpu_count++;
	return true;
}

/* What may be locked is shared by all CPUs: a first one that takes all of it leaves the others without. */
static bool map_rings(struct perf_set *set)
{
	set->wanted_bytes = ring_bytes(set);
	for (set->ring_bytes = set->wanted_bytes; set->ring_bytes >= RING_BYTES_MIN; set->ring_bytes /= 2) {
		uint32_t mapped = 0;
		int error;

		while (mapped < set->cpu_count && perf_ring_map(&set->cpus[mapped].ring, set->ring_bytes))
			mapped++;
		if (mapped == set->cpu_count)
			return true;
		error = errno;
		while (mapped--)
			perf_ring_unmap(&set->cpus[mapped].ring);
		errno = error;
	}
	return false;
}

/* Each CPU has one event for each of these, and each thread that runs already has all of them. */
static void raise_limit_of_files(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

bool perf_set_add_thread(struct perf_set *set, pid_t tid)
{
	if (!array_reserve(&set->tids, &set->tid_capacity, set->tid_count + 1, sizeof *set->tids))
		return false;
	set->tids[set->tid_count++] = tid;
	for (uint32_t i = 0; i < set->cpu_count; i++) {
		struct perf_cpu *cpu = &set->cpus[i];
		struct perf_fds *on = &cpu->samplers[cpu->on];
		size_t first = on->count;
		int fd = perf_open_teller(&set->kind, tid, cpu->cpu, false);

		if (fd < 0 && errno == ESRCH)
			return true;
		if (fd < 0 || !keep_fd(&set->tellers, fd) || ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, cpu->ring.fd) < 0)
			return false;
		if (!add_samplers(set, tid, cpu, false) && errno != ESRCH)
			return false;
		for (size_t k = first; set->begun && k < on->count; k++)
			ioctl(on->list[k], PERF_EVENT_IOC_ENABLE, 0);
	}
	return true;
}

bool perf_set_has_thread(const struct perf_set *set, pid_t tid)
{
	for (size_t i = 0; i < set->tid_count; i++)
		if (set->tids[i] == tid)
			return true;
	return false;
}

struct adding {
	struct perf_set *set;
	pid_t pid;
	int error; /* 0: none so far */
};

static void add_listed(void *context, pid_t tid)
{
	struct adding *adding = context;

	if (tid != adding->pid && !adding->error && !perf_set_add_thread(adding->set, tid))
		adding->error = errno ? errno : ENOMEM;
}

static bool add_threads(struct perf_set *set, pid_t pid)
{
	struct adding adding = {.set = set, .pid = pid};

	running_threads(pid, add_listed, &adding);
	errno = adding.error;
	return !adding.error;
}

static void turn_sampler(const struct perf_cpu *cpu, uint32_t sampler, unsigned long what)
{
	for (size_t i = 0; i < cpu->samplers[sampler].count; i++)
		ioctl(cpu->samplers[sampler].list[i], what, 0);
}

/* Each event that is turned interrupts the processor that its thread is on, whichever CPU the event is of, and there is one for each
 * thread and CPU. So a CPU is left alone where nobody was seen since the last turn: who comes there meets what is on there, which the
 * next turn changes. */
static void turn_cpu(struct perf_cpu *cpu, bool large)
{
	uint32_t base = large ? SAMPLERS / 2 : 0, next = base + (cpu->on == base);

	if (cpu->sampled) {
		turn_sampler(cpu, cpu->on, PERF_EVENT_IOC_DISABLE);
		turn_sampler(cpu, next, PERF_EVENT_IOC_ENABLE);
		cpu->on = next;
	}
	cpu->sampled = false;
}

struct perf_set *make_perf_set(const struct perf_set_options *options, pid_t pid, bool running, char why[static 160])
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct perf_set *set = calloc(1, sizeof *set);
	bool good = set, mapping = false;

	raise_limit_of_files();
	if (set) {
		set->options = *options;
		if (getrandom(&set->random, sizeof set->random, 0) != sizeof set->random || !set->random)
			set->random = (uint64_t)pid * 0x9e3779b97f4a7c15u + 1;
		set->cpus = calloc((size_t)(cpus > 0 ? cpus : 1), sizeof *set->cpus);
		good = set->cpus && perf_open_choose(&set->kind, pid);
		if (good && set->kind.has_kernel)
			interrupts_read(&set->interrupts, cpu_here(), KERNEL_NAMES_FROM);
		for (uint32_t i = 0; i < SAMPLERS && !set->kind.is_cycles; i++)
			set->periods[i] = perf_open_period(describe(set, i).hz);
	}
	for (int cpu = 0; good && cpu < cpus; cpu++)
		good = add_cpu(set, pid, cpu, !running);
	if (good && !map_rings(set)) {
		mapping = true;
		good = false;
	}
	for (uint32_t i = 0; good && i < set->cpu_count; i++)
		good = add_samplers(set, pid, &set->cpus[i], !running);
	if (good && running)
		good = add_threads(set, pid);
	if (good && set->cpu_count) {
		for (uint32_t i = 0; running && i < set->cpu_count; i++)
			turn_sampler(&set->cpus[i], set->cpus[i].on, PERF_EVENT_IOC_ENABLE);
		set->begun = true;
		return set;
	}
	if (good)
		snprintf(why, 160, "no CPU has perf events");
	else
		perf_refusal_explain(set ? errno : ENOMEM, mapping, why);
	free_perf_set(set);
	return NULL;
}

void free_perf_set(struct perf_set *set)
{
	if (!set)
		return;
	for (uint32_t i = 0; i < set->cpu_count; i++)
		for (uint32_t k = 0; k < SAMPLERS; k++)
			close_fds(&set->cpus[i].samplers[k]);
	close_fds(&set->tellers);
	free(set->tids);
	for (uint32_t i = 0; i < set->cpu_count; i++)
		perf_ring_close(&set->cpus[i].ring);
	free(set->cpus);
	perf_scratch_clear(&set->scratch);
	interrupts_clear(&set->interrupts);
	free(set);
}

enum dwell_sampling_engine perf_set_get_engine(const struct perf_set *set)
{
	return set->kind.is_cycles ? DWELL_ENGINE_CYCLES : DWELL_ENGINE_TASK_CLOCK;
}

bool perf_set_has_kernel(const struct perf_set *set)
{
	return set->kind.has_kernel;
}

uint64_t perf_set_get_shrunk(const struct perf_set *set)
{
	return set->ring_bytes < set->wanted_bytes ? set->ring_bytes : 0;
}

uint64_t perf_set_turn(struct perf_set *set, bool large)
{
	uint64_t before = clock_now_ns(), took;
	double stay = TURN_PERIODS_MIN + draw(set) * (TURN_PERIODS_MAX - TURN_PERIODS_MIN);
	uint64_t stay_ns;

	/* What takes most of a buffer would be lost more often than it is complete. */
	large = large && set->ring_bytes >= LARGE_RING_MIN;
	for (uint32_t i = 0; i < set->cpu_count; i++)
		turn_cpu(&set->cpus[i], large);
	took = clock_now_ns() - before;
	stay_ns = (uint64_t)(stay * 1e9 / set->options.hz);
	return stay_ns > TURN_SHARE * took ? stay_ns : TURN_SHARE * took;
}

void perf_set_stop(struct perf_set *set)
{
	for (uint32_t i = 0; i < set->cpu_count; i++)
		turn_sampler(&set->cpus[i], set->cpus[i].on, PERF_EVENT_IOC_DISABLE);
}

uint64_t perf_set_get_damaged(const struct perf_set *set)
{
	uint64_t damaged = 0;

	for (uint32_t i = 0; i < set->cpu_count; i++)
		damaged += set->cpus[i].ring.damaged;
	return damaged;
}

uint64_t perf_set_get_lost(const struct perf_set *set)
{
	uint64_t lost = 0;

	for (uint32_t i = 0; i < set->cpu_count * SAMPLERS; i++) {
		const struct perf_fds *fds = &set->cpus[i / SAMPLERS].samplers[i % SAMPLERS];

		for (size_t k = 0; k < fds->count; k++) {
			uint64_t values[2]; /* the count, and what was lost: perf_open.c asks for it */

			if (read(fds->list[k], values, sizeof values) == sizeof values)
				lost += values[1];
		}
	}
	return lost;
}

/* Which of the samplers, by its period: no two that are on by turns have the same. */
static void note_sampler(struct perf_set *set, uint32_t cpu, struct perf_record *record)
{
	uint32_t i = 0;

	while (i < SAMPLERS && set->periods[i] != record->sample.period)
		i++;
	if (i == SAMPLERS)
		record->sample.timer = PERF_TIMER_NONE;
	set->cpus[cpu].sampled = true;
}

/* The CPU whose next record is the oldest. */
bool perf_set_next(struct perf_set *set, uint64_t until_ns, struct perf_record *record)
{
	for (;;) {
		struct perf_ring *oldest = NULL;
		uint64_t oldest_ns = until_ns;
		uint32_t cpu = 0;

		for (uint32_t i = 0; i < set->cpu_count; i++) {
			struct perf_ring *ring = &set->cpus[i].ring;

			if (perf_ring_peek(ring) && ring->next_ns < oldest_ns) {
				oldest = ring;
				cpu = i;
				oldest_ns = ring->next_ns;
			}
		}
		if (!oldest)
			return false;
		if (!perf_ring_take(oldest, &set->scratch, record))
			continue;
		if (record->kind == PERF_SAMPLE) {
			note_sampler(set, cpu, record);
			record->sample.in_interrupt = interrupts_has(&set->interrupts, &record->sample.kernel_chain);
		}
		return true;
	}
}
