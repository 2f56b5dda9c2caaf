/* perf_set: opens, turns and reads the perf events of all CPUs. perf_decode.c decodes the records. */
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
#include "perf/perf_fds.h"
#include "record/program/perf_refusal.h"
#include "sample/code/kernel_names.h"
#include "sample/perf/interrupts.h"
#include "sample/perf/perf_decode.h"
#include "sample/perf/perf_fetcher.h"
#include "sample/perf/perf_open.h"
#include "util/array.h"
#include "util/clock.h"
#include "util/each_thread.h"
#include "util/memory_limit.h"

/* There are two samplers for each size of the copied stack. */
#define SIZES 3u
#define SAMPLERS (2 * SIZES)
#define RECORD_BYTES 512u /* bytes of a sample beside the copied stack: registers, and the kernel's callers */
#define PLACE_BYTES 128u  /* bytes of a sample without registers */
/* A ring holds the samples of about a second; fewer where dwell may
 * not lock so much memory, or all rings together would take too much. */
#define RING_SECONDS 0.9
#define RING_BYTES_MIN (32u << 10)
#define RING_BYTES_MAX (8u << 20)
#define RING_BYTES_FEW (512u << 10)
#define MEMORY_PART 32u
/* The memory for fetched records that wait to be taken: enough for some seconds of many samples. */
#define KEPT_BYTES_MAX (UINT64_C(64) << 20)
#define FETCH_NS_MIN UINT64_C(2000000)
#define FETCH_NS_MAX UINT64_C(20000000)
#define TINY_RING_MIN (2u << 20) /* smaller rings would soon be full even of the smallest copies */
#define TURN_PERIODS_MIN 4.0
#define TURN_PERIODS_MAX 12.0
#define TURN_SHARE 50u /* turns take at most a fiftieth of the time: a turn of 100 threads on 100 CPUs takes long */

/* The samplers' relative periods; no two have a small ratio. describe() scales each pair to the requested rate. */
static const double factors[SAMPLERS] = {0.82, 1.22, 0.79, 1.27, 0.86, 1.17};

/* How much of the stack the samplers that are on copy. */
enum copy { COPY_LEAST, COPY_SMALL, COPY_LARGE };

/* A CPU with its ring and its events. */
struct perf_cpu {
	int cpu; /* the system's number */
	struct perf_ring ring;
	struct perf_fds samplers[SAMPLERS]; /* an event for each thread that has not inherited its events */
	uint32_t on; /* index of the sampler that is on */
	bool sampled; /* a sample has come since the last turn */
};

struct perf_set {
	struct perf_set_options options;
	struct perf_cpu *cpus;
	uint32_t cpu_count;
	struct perf_fds trackers; /* events that report mappings, starts and ends, of threads that ran already */
	struct perf_kind_of_event kind;
	uint64_t periods[SAMPLERS]; /* in nanoseconds, as in the kernel's samples; 0 for cycles */
	pid_t *tids;  /* threads that ran already */
	size_t tid_count, tid_capacity;
	bool begun; /* the samplers are on; new threads' samplers are turned on at once */
	uint64_t wanted_bytes, ring_bytes, kept_bytes; /* per CPU: of a ring as wanted and as mapped; for fetched records */
	enum copy copy; /* of the samplers that are on */
	uint64_t turn_ns; /* when to turn other samplers on */
	uint64_t random; /* state of draw() */
	struct perf_fetcher *fetcher; /* null: there is none */
	struct interrupts interrupts;
};

/* A random number from 0 to 1. */
static double draw(struct perf_set *set)
{
	set->random ^= set->random << 13;
	set->random ^= set->random >> 7;
	set->random ^= set->random << 17;
	return (double)(set->random >> 11) / 9007199254740992.0;
}

/* Without copies of the stack, one pair of samplers is enough. */
static uint32_t count_samplers(const struct perf_set *set)
{
	return set->options.leaf ? 2 : SAMPLERS;
}

/* The bytes of stack to copy; a whole record has 64 KiB at most. 0: neither stack nor registers. */
static uint32_t copy_bytes(const struct perf_set *set, enum copy copy)
{
	static const uint32_t bytes[SIZES] = {1024, 8192, 49152};

	return set->options.leaf || (copy == COPY_LEAST && set->ring_bytes < TINY_RING_MIN) ? 0 : bytes[copy];
}

/* The bytes of a sample in the ring, with this copy of the stack. */
static uint64_t record_bytes(const struct perf_set *set, enum copy copy)
{
	uint32_t copied = copy_bytes(set, copy);

	return copied ? RECORD_BYTES + copied : set->kind.has_kernel ? RECORD_BYTES : PLACE_BYTES;
}

/* The shortest time in which a ring fills up. */
static uint64_t fill_ns(const struct perf_set *set, enum copy copy)
{
	return (uint64_t)(1e9 * (double)set->ring_bytes / ((double)record_bytes(set, copy) * set->options.hz));
}

/* Returns the rate and the copy of the sampler with this index. */
static struct perf_open_sampler describe(const struct perf_set *set, uint32_t sampler)
{
	/* Each sampler of a pair is on half of the time: together they give the rate. */
	double pair = 1 / factors[sampler & ~1u] + 1 / factors[sampler | 1u];

	return (struct perf_open_sampler){
		.hz = set->options.hz / (factors[sampler] * pair / 2),
		.stack_bytes = copy_bytes(set, (enum copy)(sampler / 2)),
	};
}

/* Opens the samplers of a thread on a CPU; they write to the CPU's ring. */
static bool add_samplers(struct perf_set *set, pid_t tid, struct perf_cpu *cpu, bool on_exec)
{
	for (uint32_t i = 0; i < count_samplers(set); i++) {
		struct perf_open_sampler sampler = describe(set, i);
		int fd = perf_open_sampler(&set->kind, &sampler, tid, cpu->cpu, on_exec && i == cpu->on);

		if (!perf_fds_add(&cpu->samplers[i], fd, cpu->ring.fd))
			return false;
	}
	return true;
}

/* Chooses the size of a ring; sets set->kept_bytes, too. */
static uint64_t choose_ring_bytes(struct perf_set *set)
{
	uint64_t most = memory_limit().free / MEMORY_PART / set->cpu_count, bytes = RING_BYTES_MIN;

	for (set->kept_bytes = KEPT_BYTES_MAX; set->kept_bytes > most && set->kept_bytes > RING_BYTES_MIN;)
		set->kept_bytes /= 2;
	most = most < RING_BYTES_FEW ? RING_BYTES_FEW : most < RING_BYTES_MAX ? most : RING_BYTES_MAX;
	while (2 * bytes <= most && (double)bytes < set->options.hz * RING_SECONDS * (double)record_bytes(set, COPY_SMALL))
		bytes *= 2;
	return bytes;
}

/* Opens the reporting event of a CPU, and adds the CPU. False and errno: not permitted, or no room. An offline CPU is left out. */
static bool add_cpu(struct perf_set *set, pid_t pid, int cpu, bool on_exec)
{
	struct perf_cpu *to = &set->cpus[set->cpu_count];

	to->cpu = cpu;
	to->on = set->options.leaf ? 0 : 2 * COPY_SMALL;
	to->ring.layout = PERF_LAYOUT;
	to->ring.has_chains = set->kind.has_kernel;
	to->ring.fd = perf_open_tracker(&set->kind, pid, cpu, on_exec);
	if (to->ring.fd < 0)
		return errno == ENODEV || errno == EINVAL; /* the CPU is offline */
	set->cpu_count++;
	return true;
}

/* Maps the rings, all of one size: the CPUs share the lockable memory, so the first ring must not take everything. */
static bool map_rings(struct perf_set *set)
{
	set->wanted_bytes = choose_ring_bytes(set);
	for (set->ring_bytes = set->wanted_bytes; set->ring_bytes >= RING_BYTES_MIN; set->ring_bytes /= 2) {
		uint32_t mapped = 0;
		int error;

		while (mapped < set->cpu_count && perf_ring_map(&set->cpus[mapped].ring, set->ring_bytes, set->kept_bytes))
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

/* Raises the limit of open files: each CPU has several events, and each thread that runs already has as many again on each CPU. */
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
		int fd = perf_open_tracker(&set->kind, tid, cpu->cpu, false);

		if (fd < 0 && errno == ESRCH)
			return true;
		if (!perf_fds_add(&set->trackers, fd, cpu->ring.fd))
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

/* For add_threads, which adds all threads of a process but the one with the number pid. */
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

	each_thread(pid, add_listed, &adding);
	errno = adding.error;
	return !adding.error;
}

static void turn_sampler(const struct perf_cpu *cpu, uint32_t sampler, unsigned long what)
{
	for (size_t i = 0; i < cpu->samplers[sampler].count; i++)
		ioctl(cpu->samplers[sampler].list[i], what, 0);
}

/* Turns the next sampler of the CPU on. Turning an event interrupts the processor where the thread of the event runs, even if the
 * event belongs to another CPU, and each thread has one event per CPU. So a CPU without samples since the last turn keeps its
 * sampler, unless copies need another size. A thread that comes to this CPU is sampled by the old sampler until the next turn. */
static void turn_cpu(struct perf_cpu *cpu, uint32_t base)
{
	uint32_t next = base + (cpu->on == base);

	if (cpu->sampled || base != (cpu->on & ~1u)) {
		turn_sampler(cpu, cpu->on, PERF_EVENT_IOC_DISABLE);
		turn_sampler(cpu, next, PERF_EVENT_IOC_ENABLE);
		cpu->on = next;
	}
	cpu->sampled = false;
}

static void fetch(void *context)
{
	struct perf_set *set = context;

	for (uint32_t i = 0; i < set->cpu_count; i++)
		perf_ring_fetch(&set->cpus[i].ring);
}

/* Starts the fetcher, often enough for the rings. Without a fetcher the rings alone hold the records until they are taken. */
static void begin_fetching(struct perf_set *set)
{
	uint64_t ns = fill_ns(set, set->options.leaf ? COPY_SMALL : COPY_LARGE) / 4;

	set->fetcher = make_perf_fetcher(fetch, set, ns < FETCH_NS_MIN ? FETCH_NS_MIN : ns < FETCH_NS_MAX ? ns : FETCH_NS_MAX);
}

struct perf_set *make_perf_set(const struct perf_set_options *options, pid_t pid, bool running, char why[static 160])
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct perf_set *set = calloc(1, sizeof *set);
	bool good = set, mapping = false;

	raise_limit_of_files();
	if (set) {
		set->options = *options;
		set->copy = COPY_SMALL;
		if (getrandom(&set->random, sizeof set->random, 0) != sizeof set->random || !set->random)
			set->random = (uint64_t)pid * 0x9e3779b97f4a7c15u + 1;
		set->cpus = calloc((size_t)(cpus > 0 ? cpus : 1), sizeof *set->cpus);
		good = set->cpus && perf_open_choose(&set->kind, pid);
		if (good && set->kind.has_kernel)
			interrupts_read(&set->interrupts, cpu_native(), KERNEL_NAMES_FROM);
		for (uint32_t i = 0; i < count_samplers(set) && !set->kind.is_cycles; i++)
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
		begin_fetching(set);
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
	free_perf_fetcher(set->fetcher);
	for (uint32_t i = 0; i < set->cpu_count; i++)
		for (uint32_t k = 0; k < SAMPLERS; k++)
			perf_fds_clear(&set->cpus[i].samplers[k]);
	perf_fds_clear(&set->trackers);
	free(set->tids);
	for (uint32_t i = 0; i < set->cpu_count; i++)
		perf_ring_close(&set->cpus[i].ring);
	free(set->cpus);
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

/* Chooses the largest copy with which half a ring has room for the samples of late_ns: the other half may be full already. */
static enum copy choose_copy(const struct perf_set *set, bool large, uint64_t late_ns)
{
	enum copy copy = large ? COPY_LARGE : COPY_SMALL;

	while (copy > COPY_LEAST && late_ns > fill_ns(set, copy) / 2)
		copy--;
	return copy;
}

uint64_t perf_set_turn_samplers(struct perf_set *set, bool large, uint64_t late_ns, uint64_t now_ns)
{
	enum copy copy = choose_copy(set, large, late_ns);
	uint64_t half_ns, stay_ns, took_ns;
	double periods;

	if (now_ns >= set->turn_ns || copy != set->copy) {
		set->copy = copy;
		for (uint32_t i = 0; i < set->cpu_count; i++)
			turn_cpu(&set->cpus[i], set->options.leaf ? 0 : 2 * (uint32_t)copy);
		took_ns = clock_now_ns() - now_ns;
		periods = TURN_PERIODS_MIN + draw(set) * (TURN_PERIODS_MAX - TURN_PERIODS_MIN);
		stay_ns = (uint64_t)(periods * 1e9 / set->options.hz);
		set->turn_ns = now_ns + (stay_ns > TURN_SHARE * took_ns ? stay_ns : TURN_SHARE * took_ns);
	}
	half_ns = fill_ns(set, copy) / 2;
	return set->turn_ns - now_ns < half_ns ? set->turn_ns - now_ns : half_ns;
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
			uint64_t values[2]; /* the count, and the lost samples (PERF_FORMAT_LOST) */

			if (read(fds->list[k], values, sizeof values) == sizeof values)
				lost += values[1];
		}
	}
	return lost;
}

/* Looks up the sample's sampler by its period, which differs between alternating
 * samplers. Without a sampler, as with cycles, the sample has no timer. */
static void note_sampler(struct perf_set *set, uint32_t cpu, struct perf_record *record)
{
	uint32_t i = 0;

	while (i < count_samplers(set) && set->periods[i] != record->sample.period)
		i++;
	if (i == count_samplers(set))
		record->sample.timer = PERF_TIMER_NONE;
	set->cpus[cpu].sampled = true;
}

/* Takes the next record of the CPU whose next record is the oldest. */
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
		if (!perf_ring_take(oldest, record))
			continue;
		if (record->kind == PERF_SAMPLE) {
			note_sampler(set, cpu, record);
			record->sample.in_interrupt = interrupts_has(&set->interrupts, &record->sample.kernel_chain);
		}
		return true;
	}
}
