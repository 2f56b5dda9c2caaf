/* timer_set: makes the memory shared with the sampled processes, reads the processes' records there, and checks each. */
#include "sample/timer_set.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "target/sampler/shared.h"
#include "util/array.h"
#include "util/clock.h"
#include "util/guard.h"

/* The three sizes of a copy of the stack. */
#define TINY_BYTES 1024u
#define SMALL_BYTES 8192u
#define LARGE_BYTES DWELL_SAMPLER_STACK_BYTES_MAX
#define RECORD_BYTES_MAX (LARGE_BYTES + sizeof(struct dwell_sampler_sample) + DWELL_SAMPLER_PATH_MAX)
/* Size of the shared data: room for a second of samples on all processors. */
#define DATA_BYTES_MIN (UINT64_C(1) << 20)
#define DATA_BYTES_MAX (UINT64_C(64) << 20)
#define UNCLAIMED_NS UINT64_C(1000000000) /* a claimed record without its thread's number is abandoned after this time */
#define EXPECTED_NS UINT64_C(1000000000) /* how long to wait for a forked process that has not reported */
#define SWEEP_NS UINT64_C(50000000) /* pause between two searches for killed processes */
#define PATIENCE 1000u /* how often to wait 0.1 ms for the last records */

struct timer_set {
	struct dwell_sampler *shared; /* the memory that the program's processes map, too */
	uint64_t bytes, data_bytes;   /* of all shared memory; of the records' data in it */
	uint64_t made_ns;      /* CLOCK_MONOTONIC */
	uint64_t period_ns;    /* a copy, out of the program's reach */
	int fd;                /* of the shared memory */
	char name[64];         /* the path by which the program's library opens the shared memory */
	uint64_t tail;         /* the next record to take, as in shared->tail, but out of the program's reach */
	uint32_t patience;     /* number of waits for the last records so far */
	uint64_t unclaimed_ns; /* since when the next record lacks its thread's number; 0: the number is there */
	uint64_t expected_ns;  /* until when to wait for a process; 0: none is expected */
	uint64_t damaged;      /* malformed records */
	uint64_t sweep_ns;     /* when to look for killed processes next */
	struct timer_thread {
		uint32_t pid, tid;
	} *threads; /* threads begun and not ended */
	size_t count, capacity;
	uint32_t ended_pid; /* 0, or an ended process, whose threads end now */
	uint32_t exec_pid; /* 0, or a process in which another program begins, after the old program's threads have ended */
	struct perf_record next; /* the second record made of the last shared record */
	bool has_next;
	char text[DWELL_SAMPLER_NAME_BYTES + 1]; /* the name that the current record points to */
	uint8_t scratch[RECORD_BYTES_MAX]; /* a copy of the current record's data */
};

static uint64_t choose_bytes(const struct perf_set_options *options)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t sample = sizeof(struct dwell_sampler_sample) + (options->leaf ? 0 : SMALL_BYTES), bytes = DATA_BYTES_MIN;

	while (bytes < DATA_BYTES_MAX && (double)bytes < options->hz * (double)sample * (double)(cpus > 1 ? cpus : 1))
		bytes *= 2;
	return bytes;
}

/* The offset of this process's time namespace, in ns. 0: no offset, or no namespaces. */
static int64_t read_clock_offset(void)
{
	FILE *file = fopen("/proc/self/timens_offsets", "re");
	long long seconds = 0, ns = 0;

	if (file && fscanf(file, "monotonic %lld %lld", &seconds, &ns) != 2)
		seconds = ns = 0;
	if (file)
		fclose(file);
	return (int64_t)(seconds * 1000000000 + ns);
}

struct timer_set *make_timer_set(const struct perf_set_options *options, char why[static 160])
{
	struct timer_set *set = calloc(1, sizeof *set);
	void *map = MAP_FAILED;

	if (set) {
		set->data_bytes = choose_bytes(options);
		set->bytes = DWELL_SAMPLER_DATA_OFFSET + set->data_bytes;
		set->fd = memfd_create("dwell-sampler", MFD_CLOEXEC | MFD_ALLOW_SEALING);
		if (set->fd >= 0 && ftruncate(set->fd, (off_t)set->bytes) == 0)
			map = mmap(NULL, set->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, set->fd, 0);
	}
	if (map == MAP_FAILED) {
		snprintf(why, 160, "no memory for samples: %s", strerror(set ? errno : ENOMEM));
		free_timer_set(set);
		return NULL;
	}
	guard_seal(set->fd, GUARD_SIZE_ALONE);
	guard_add(map, set->bytes);
	set->made_ns = clock_now_ns();
	set->shared = map;
	set->shared->version = DWELL_SAMPLER_VERSION;
	set->shared->owner_pid = (uint32_t)getpid();
	set->shared->data_bytes = set->data_bytes;
	set->period_ns = (uint64_t)(1e9 / options->hz);
	set->shared->period_ns = set->period_ns;
	set->shared->clock_offset_ns = read_clock_offset();
	set->shared->stack_bytes = options->leaf ? 0 : SMALL_BYTES;
	__atomic_store_n(&set->shared->magic, DWELL_SAMPLER_MAGIC, __ATOMIC_RELEASE);
	snprintf(set->name, sizeof set->name, "/proc/%ld/fd/%d", (long)getpid(), set->fd);
	return set;
}

void free_timer_set(struct timer_set *set)
{
	if (!set)
		return;
	if (set->shared) {
		set->shared->closed = 1;
		guard_remove(set->shared);
		munmap(set->shared, set->bytes);
	}
	if (set->fd >= 0)
		close(set->fd);
	free(set->threads);
	free(set);
}

const char *timer_set_get_name(const struct timer_set *set)
{
	return set->name;
}

void timer_set_stop(struct timer_set *set)
{
	__atomic_store_n(&set->shared->closed, 1, __ATOMIC_RELEASE);
}

void timer_set_choose_copy(struct timer_set *set, bool large, uint64_t late_ns)
{
	static const uint32_t sizes[] = {LARGE_BYTES, SMALL_BYTES, TINY_BYTES};
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	double samples = 1e9 / (double)set->period_ns * (double)(processors > 1 ? processors : 1) * (double)late_ns / 1e9;
	unsigned i = !large;

	if (!set->shared->stack_bytes)
		return;
	while (sizes[i] > TINY_BYTES && samples * (double)sizes[i] > (double)set->data_bytes / 2)
		i++;
	set->shared->stack_bytes = sizes[i];
}

/* Checks a counter in the shared memory, which the program may overwrite. Each increment takes a processor at least a nanosecond.
 * A count above that limit is forged: returns 0 for it, and increments *forged. */
static uint64_t check_count(const struct timer_set *set, uint64_t count, uint64_t *forged)
{
	long processors = sysconf(_SC_NPROCESSORS_CONF);
	bool can_be = count <= (clock_now_ns() - set->made_ns) * (uint64_t)(processors > 0 ? processors : 1);

	*forged += !can_be;
	return can_be ? count : 0;
}

uint64_t timer_set_get_lost(const struct timer_set *set)
{
	return check_count(set, set->shared->lost, &(uint64_t){0});
}

uint64_t timer_set_get_damaged(const struct timer_set *set)
{
	uint64_t forged = 0;

	check_count(set, set->shared->lost, &forged);
	check_count(set, set->shared->lost_reports, &forged);
	check_count(set, set->shared->processes, &forged);
	check_count(set, set->shared->timerless, &forged);
	return set->damaged + forged;
}

uint64_t timer_set_get_unreported(const struct timer_set *set)
{
	return check_count(set, set->shared->lost_reports, &(uint64_t){0});
}

uint64_t timer_set_get_processes(const struct timer_set *set)
{
	return set->shared->processes;
}

uint64_t timer_set_get_timerless(const struct timer_set *set)
{
	return check_count(set, set->shared->timerless, &(uint64_t){0});
}

bool timer_set_awaits_reports(struct timer_set *set, uint64_t now)
{
	/* Reads forks_reported before head: a process writes its record before it increments forks_reported. */
	bool reported = __atomic_load_n(&set->shared->forks_reported, __ATOMIC_ACQUIRE) == set->shared->forks;

	if (reported && !set->has_next && __atomic_load_n(&set->shared->head, __ATOMIC_ACQUIRE) >> 32 == set->tail >> 32)
		set->expected_ns = 0;
	else if (!set->expected_ns)
		set->expected_ns = now + EXPECTED_NS;
	return now < set->expected_ns;
}

static void add_thread(struct timer_set *set, uint32_t pid, uint32_t tid)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->threads[i].tid == tid && set->threads[i].pid == pid)
			return;
	if (array_reserve(&set->threads, &set->capacity, set->count + 1, sizeof *set->threads))
		set->threads[set->count++] = (struct timer_thread){pid, tid};
}

/* Removes the process's thread tid from the list; tid 0: any thread of the process. Returns the removed tid; 0: no such thread. */
static uint32_t take_thread(struct timer_set *set, uint32_t pid, uint32_t tid)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->threads[i].pid == pid && (!tid || set->threads[i].tid == tid)) {
			tid = set->threads[i].tid;
			set->threads[i] = set->threads[--set->count];
			return tid;
		}
	return 0;
}

/* Returns whether the process has ended, by its state in /proc. */
static bool has_ended(uint32_t pid)
{
	char path[48], text[256], *name_end;
	ssize_t got = -1;
	int fd;

	snprintf(path, sizeof path, "/proc/%u/stat", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		got = read(fd, text, sizeof text - 1);
		close(fd);
	}
	text[got > 0 ? got : 0] = 0;
	name_end = strrchr(text, ')'); /* a name may contain anything */
	return !name_end || name_end[1] != ' ' || name_end[2] == 'Z' || name_end[2] == 'X';
}

/* Looks for a killed process, which ended without a record. Sets ended_pid. */
static void find_killed(struct timer_set *set)
{
	uint64_t now = clock_now_ns();

	if (set->ended_pid || now < set->sweep_ns)
		return;
	set->sweep_ns = now + SWEEP_NS;
	for (size_t i = 0; i < set->count && !set->ended_pid; i++)
		if ((!i || set->threads[i].pid != set->threads[i - 1].pid) && has_ended(set->threads[i].pid))
			set->ended_pid = set->threads[i].pid;
}

/* Makes the record of the end of one of the process's threads. False: the process has no threads left in the list. */
static bool end_thread(struct timer_set *set, uint32_t pid, uint64_t ns, struct perf_record *record)
{
	uint32_t tid = take_thread(set, pid, 0);

	if (tid)
		*record = (struct perf_record){.kind = PERF_THREAD_END, .ns = ns, .pid = pid, .tid = tid};
	return tid;
}

/* Copies the data of a record, which may wrap, to scratch. pre: the caller checked the length. */
static void copy_out(const struct timer_set *set, const struct dwell_sampler_record *record)
{
	const uint8_t *data = dwell_sampler_data(set->shared);
	uint64_t offset = (uint64_t)record->unit * DWELL_SAMPLER_UNIT & (set->data_bytes - 1);
	uint64_t first = set->data_bytes - offset < record->bytes ? set->data_bytes - offset : record->bytes;

	memcpy((uint8_t *)set->scratch, data + offset, first);
	memcpy((uint8_t *)set->scratch + first, data, record->bytes - first);
}

static bool take_sample(const struct timer_set *set, uint32_t bytes, struct perf_record *record)
{
	struct dwell_sampler_sample sample;

	if (bytes < sizeof sample)
		return false;
	memcpy(&sample, set->scratch, sizeof sample);
	if (sample.stack_bytes > bytes - sizeof sample)
		return false;
	record->kind = PERF_SAMPLE;
	record->sample.ip = sample.pc;
	record->sample.period = sample.weight_ns < DWELL_SAMPLE_WEIGHT_MAX ? sample.weight_ns : DWELL_SAMPLE_WEIGHT_MAX;
	record->sample.timer = PERF_TIMER_NONE; /* the library's weights are right from the first sample on */
	record->sample.has_registers = true;
	record->sample.registers.pc = sample.pc;
	record->sample.registers.known = sample.known;
	memcpy(record->sample.registers.values, sample.registers, sizeof sample.registers);
	record->sample.stack.bytes.data = set->scratch + sizeof sample;
	record->sample.stack.bytes.size = sample.stack_bytes;
	record->sample.stack.address = sample.stack_pointer;
	return true;
}

static bool take_map(struct timer_set *set, uint32_t bytes, struct perf_record *record)
{
	struct dwell_sampler_map map;

	if (bytes < sizeof map + 2)
		return false;
	memcpy(&map, set->scratch, sizeof map);
	set->scratch[bytes - 1] = 0;
	record->kind = PERF_MAP;
	record->map.low = map.low;
	record->map.high = map.high;
	record->map.offset = map.offset;
	record->map.path = (const char *)set->scratch + sizeof map;
	return map.low < map.high;
}

static const char *take_name(struct timer_set *set, const uint8_t *from)
{
	memcpy(set->text, from, DWELL_SAMPLER_NAME_BYTES);
	return set->text;
}

/* Takes the record of a program that begins in a process. The record becomes PERF_PROCESS, then PERF_EXEC; only one in the cases
 * below. */
static bool take_begin(struct timer_set *set, uint32_t bytes, struct perf_record *record)
{
	struct dwell_sampler_begin begin;

	if (bytes < sizeof begin)
		return false;
	memcpy(&begin, set->scratch, sizeof begin);
	set->next = *record;
	set->next.kind = PERF_EXEC;
	set->next.name = take_name(set, set->scratch + offsetof(struct dwell_sampler_begin, name));
	record->kind = PERF_PROCESS;
	record->parent_pid = begin.parent_pid;
	/* A process made by vfork, or by a system call of the program's
	 * own, is first reported when another program begins in it. */
	if (!begin.forked && (set->exec_pid == record->pid || begin.parent_pid == (uint32_t)getpid()))
		*record = set->next;
	else
		set->has_next = !begin.forked;
	set->exec_pid = 0;
	return true;
}

/* A thread's begin and end records contain its name, which becomes a separate record. */
static bool take_thread_record(struct timer_set *set, uint32_t kind, uint32_t bytes, struct perf_record *record)
{
	if (bytes < DWELL_SAMPLER_NAME_BYTES)
		return false;
	set->next = *record;
	set->has_next = kind != DWELL_SAMPLER_NAME;
	record->kind = set->next.kind = PERF_NAME;
	if (kind == DWELL_SAMPLER_THREAD) {
		record->kind = PERF_THREAD;
		add_thread(set, record->pid, record->tid);
		set->next.name = take_name(set, set->scratch);
		return true;
	}
	record->name = take_name(set, set->scratch);
	if (kind == DWELL_SAMPLER_THREAD_END) {
		set->next.kind = PERF_THREAD_END;
		take_thread(set, record->pid, record->tid);
	}
	return true;
}

/* Makes a record of a shared one; the second record that it may become is in set->next. False: the shared record is malformed. */
static bool decode(struct timer_set *set, const struct dwell_sampler_record *from, struct perf_record *record)
{
	*record = (struct perf_record){.ns = from->ns, .pid = from->pid, .tid = from->tid};
	if (from->bytes > sizeof set->scratch || from->bytes > (uint64_t)from->units * DWELL_SAMPLER_UNIT ||
		from->bytes > set->data_bytes)
		return false;
	copy_out(set, from);
	switch (from->kind) {
	case DWELL_SAMPLER_SAMPLE:
		return take_sample(set, from->bytes, record);
	case DWELL_SAMPLER_MAP:
		return take_map(set, from->bytes, record);
	case DWELL_SAMPLER_BEGIN:
		return take_begin(set, from->bytes, record);
	case DWELL_SAMPLER_THREAD:
	case DWELL_SAMPLER_THREAD_END:
	case DWELL_SAMPLER_NAME:
		return take_thread_record(set, from->kind, from->bytes, record);
	default:
		return false;
	}
}

/* Whether the record will never be ready: its thread has ended, or the record lacks the thread's number even after UNCLAIMED_NS. */
static bool is_abandoned(struct timer_set *set, const struct dwell_sampler_record *record, uint32_t number)
{
	uint64_t now;

	if (__atomic_load_n(&record->claimed, __ATOMIC_ACQUIRE) == number + 1)
		return syscall(SYS_tgkill, (long)record->pid, (long)record->tid, 0) < 0 && errno == ESRCH;
	now = clock_now_ns();
	if (!set->unclaimed_ns)
		set->unclaimed_ns = now;
	return now - set->unclaimed_ns > UNCLAIMED_NS;
}

/* Moves tail behind the record with this number, which frees the space of the record. If the thread never wrote where the record's
 * data are, the position of the data stays as it was; the next record sets it. */
static void advance_tail(struct timer_set *set, const struct dwell_sampler_record *record, uint32_t number)
{
	uint32_t unit = (uint32_t)set->tail;

	if (record->claimed == number + 1)
		unit = record->unit + record->units;
	set->unclaimed_ns = 0;
	set->tail = (uint64_t)(number + 1) << 32 | unit;
	__atomic_store_n(&set->shared->tail, set->tail, __ATOMIC_RELEASE);
}

/* Waits a moment, only at the last reading (until_ns is UINT64_MAX), so that threads in the middle of a record can finish. False:
 * did not wait. */
static bool wait_for_last(struct timer_set *set, uint64_t until_ns)
{
	if (until_ns != UINT64_MAX || set->patience++ >= PATIENCE)
		return false;
	nanosleep(&(struct timespec){0, 100000}, NULL);
	return true;
}

bool timer_set_next(struct timer_set *set, uint64_t until_ns, struct perf_record *record)
{
	if (set->has_next) {
		*record = set->next;
		set->has_next = false;
		return true;
	}
	for (;;) {
		uint64_t claimed = __atomic_load_n(&set->shared->head, __ATOMIC_ACQUIRE);
		uint32_t head = (uint32_t)(claimed >> 32), number = (uint32_t)(set->tail >> 32);
		const struct dwell_sampler_record *shared = dwell_sampler_record(set->shared, number);
		struct dwell_sampler_record from;
		bool good;

		if (number == head || head - number > DWELL_SAMPLER_RECORDS)
			break;
		if (__atomic_load_n(&shared->ready, __ATOMIC_ACQUIRE) != number + 1) {
			if (is_abandoned(set, shared, number))
				advance_tail(set, shared, number);
			else if (!wait_for_last(set, until_ns))
				return false;
			continue;
		}
		memcpy(&from, (const void *)shared, sizeof from); /* the program may change the record meanwhile */
		if (from.ns >= until_ns)
			return false;
		/* Another program begins in the process: first the threads of the old program end. */
		if (from.kind == DWELL_SAMPLER_BEGIN && end_thread(set, from.pid, from.ns, record)) {
			set->exec_pid = from.pid;
			return true;
		}
		good = decode(set, &from, record);
		set->damaged += !good;
		advance_tail(set, &from, number);
		if (good)
			return true;
	}
	find_killed(set);
	if (set->ended_pid && end_thread(set, set->ended_pid, clock_now_ns(), record))
		return true;
	set->ended_pid = 0;
	return false;
}
