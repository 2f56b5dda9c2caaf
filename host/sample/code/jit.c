/* jit: keeps the ranges of a process's generated code, and writes sampled ranges as modules. */
#include "sample/code/jit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dwell/format.h"
#include "sample/running.h"
#include "util/array.h"
#include "util/clock.h"

#define NS UINT64_C(1000000000)

bool jit_is_path(const char *path)
{
	static const char *const begins[] = {"//anon", "/anon_hugepage", "/memfd:", "/dev/zero", "[anon", "[heap]"};

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (!strncmp(path, begins[i], strlen(begins[i])))
			return true;
	return false;
}

static bool add(struct jit *jit, const struct jit_range *range)
{
	if (!array_reserve(&jit->ranges, &jit->capacity, jit->count + 1, sizeof *jit->ranges))
		return false;
	jit->ranges[jit->count++] = *range;
	return true;
}

const struct jit_range *jit_find(const struct jit *jit, uint64_t low, uint64_t high)
{
	for (size_t i = 0; i < jit->count; i++)
		if (jit->ranges[i].low <= low && jit->ranges[i].high >= high)
			return &jit->ranges[i];
	return NULL;
}

bool jit_map(struct jit *jit, uint64_t low, uint64_t high, uint64_t ns)
{
	struct jit_range range = {.low = low, .high = high, .ns = ns};
	size_t kept = 0;

	if (jit_find(jit, low, high))
		return true;
	for (size_t i = 0; i < jit->count; i++) { /* the new range absorbs the ranges next to it */
		const struct jit_range *old = &jit->ranges[i];

		if (old->high < range.low || old->low > range.high) {
			jit->ranges[kept++] = *old;
			continue;
		}
		if (range.written_low == range.written_high) {
			range.written_low = old->written_low;
			range.written_high = old->written_high;
		}
		range.low = old->low < range.low ? old->low : range.low;
		range.high = old->high > range.high ? old->high : range.high;
		range.ns = old->ns < range.ns ? old->ns : range.ns;
	}
	jit->count = kept;
	return add(jit, &range);
}

/* Writes a range to the trace as a module, or its end if unmapped is set. */
static void write_module(const struct jit *jit, uint32_t process, uint64_t low, uint64_t high, uint64_t ns, bool unmapped,
	struct trace_writer *writer)
{
	trace_writer_module(writer, &(struct message_module){.process = process,
					    .low = low,
					    .high = high,
					    .load_ticks = ns,
					    .unmapped = unmapped,
					    .build_id = jit->id,
					    .build_id_bytes = JIT_ID_BYTES,
					    .path = DWELL_NAMES_JIT});
}

bool jit_unmap(struct jit *jit, uint32_t process, uint64_t low, uint64_t high, uint64_t ns, struct trace_writer *writer)
{
	for (size_t i = jit->count; i--;) {
		const struct jit_range old = jit->ranges[i];
		struct jit_range left = {.low = old.low, .high = low, .ns = old.ns};
		struct jit_range right = {.low = high, .high = old.high, .ns = old.ns};

		if (old.high <= low || old.low >= high)
			continue;
		if (old.written_low < old.written_high)
			write_module(jit, process, old.written_low, old.written_high, ns, true, writer);
		jit->ranges[i] = jit->ranges[--jit->count];
		if ((left.low < left.high && !add(jit, &left)) || (right.low < right.high && !add(jit, &right)))
			return false;
	}
	return true;
}

/* Sets id, owner and since, from what the system shows of the process while it exists. */
static void read_process(struct jit *jit, uint32_t pid, uint64_t begin_ns)
{
	uint64_t unix_ns = clock_ns(CLOCK_REALTIME), since_ns;
	struct stat status;
	char path[32];

	snprintf(path, sizeof path, "/proc/%u", pid);
	jit->owner = stat(path, &status) ? geteuid() : status.st_uid;
	since_ns = running_begin_unix_ns((pid_t)pid);
	if (!since_ns) /* the process has ended: if it began before dwell noticed, its map may be refused as too old */
		since_ns = unix_ns - (clock_now_ns() - begin_ns);
	jit->since = (struct timespec){.tv_sec = (time_t)(since_ns / NS), .tv_nsec = (long)(since_ns % NS)};
	memcpy(jit->id, &unix_ns, 8);
	memcpy(jit->id + 8, &pid, 4);
	jit->begun = true;
}

bool jit_note(struct jit *jit, uint32_t process, uint32_t pid, uint64_t begin_ns, uint64_t address, struct trace_writer *writer)
{
	for (size_t i = 0; i < jit->count; i++) {
		struct jit_range *range = &jit->ranges[i];

		if (address < range->low || address >= range->high)
			continue;
		if (!jit->begun)
			read_process(jit, pid, begin_ns);
		address_set_add(&jit->addresses, address);
		if (address >= range->written_low && address < range->written_high)
			return true;
		if (range->written_low < range->written_high) /* the range has grown */
			write_module(jit, process, range->written_low, range->written_high, range->ns, true, writer);
		write_module(jit, process, range->low, range->high, range->ns, false, writer);
		range->written_low = range->low;
		range->written_high = range->high;
		return true;
	}
	return false;
}

void jit_clear(struct jit *jit)
{
	address_set_clear(&jit->addresses);
	free(jit->ranges);
	*jit = (struct jit){0};
}
