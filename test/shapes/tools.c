/* tools: what other tools record: perf.data. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "shapes/shapes.h"
#include "util/bytes.h"

/* ---- perf.data, as it comes through a pipe ---- */

#define EVENT_ID 71u

struct perf {
	FILE *out;
	uint8_t record[65536];
	size_t size;
	uint64_t time;
};

static void put32(struct perf *perf, uint32_t value)
{
	put_u32(perf->record + perf->size, value);
	perf->size += 4;
}

static void put64(struct perf *perf, uint64_t value)
{
	put_u64(perf->record + perf->size, value);
	perf->size += 8;
}

static void put_text(struct perf *perf, const char *text)
{
	size_t bytes = strlen(text) / 8 * 8 + 8;

	memset(perf->record + perf->size, 0, bytes);
	memcpy(perf->record + perf->size, text, strlen(text));
	perf->size += bytes;
}

static void begin_record(struct perf *perf, uint32_t type, uint16_t flags)
{
	perf->size = 0;
	put32(perf, type);
	put32(perf, flags);
}

static void end_record(struct perf *perf)
{
	put_u16(perf->record + 6, (uint16_t)perf->size);
	fwrite(perf->record, 1, perf->size, perf->out);
}

/* TID, TIME, IDENTIFIER. */
static void end_with_trailer(struct perf *perf, uint32_t pid, uint32_t tid)
{
	put32(perf, pid);
	put32(perf, tid);
	put64(perf, perf->time);
	put64(perf, EVENT_ID);
	end_record(perf);
}

static void put_comm(struct perf *perf, uint32_t pid, uint32_t tid, const char *name, bool is_exec)
{
	begin_record(perf, 3, is_exec ? 1 << 13 : 0);
	put32(perf, pid);
	put32(perf, tid);
	put_text(perf, name);
	end_with_trailer(perf, pid, tid);
}

static void put_map(struct perf *perf, uint32_t pid, uint64_t low, uint64_t bytes, const char *path)
{
	begin_record(perf, 10, 2);
	put32(perf, pid);
	put32(perf, pid);
	put64(perf, low);
	put64(perf, bytes);
	put64(perf, 0x1000);
	put64(perf, 0);
	put64(perf, 0);
	put64(perf, 0);
	put32(perf, 5);
	put32(perf, 2);
	put_text(perf, path);
	end_with_trailer(perf, pid, pid);
}

/* Fork (7) or exit (4). */
static void put_task(struct perf *perf, uint32_t type, uint32_t pid, uint32_t parent, uint32_t tid, uint32_t parent_tid)
{
	begin_record(perf, type, 0);
	put32(perf, pid);
	put32(perf, parent);
	put32(perf, tid);
	put32(perf, parent_tid);
	put64(perf, perf->time);
	end_with_trailer(perf, pid, tid);
}

static void put_lost(struct perf *perf)
{
	begin_record(perf, 2, 0);
	put64(perf, EVENT_ID);
	put64(perf, 3);
	end_with_trailer(perf, 10, 10);
}

static void put_round(struct perf *perf)
{
	begin_record(perf, 68, 0);
	end_record(perf);
}

static void put_sample(struct perf *perf, uint32_t pid, uint32_t tid, uint64_t id, uint64_t address, uint32_t depth)
{
	begin_record(perf, 9, 2);
	put64(perf, id);
	put64(perf, address);
	put32(perf, pid);
	put32(perf, tid);
	put64(perf, perf->time);
	put64(perf, 1000000);
	put64(perf, depth + UINT64_C(1));
	put64(perf, (uint64_t)-512);
	for (uint32_t i = 0; i < depth; i++)
		put64(perf, address + 16 * (uint64_t)i);
	end_record(perf);
}

static void put_attributes(struct perf *perf, uint64_t id, uint64_t config)
{
	begin_record(perf, 64, 0);
	put32(perf, 1);
	put32(perf, 64);
	put64(perf, config);
	put64(perf, 1000);
	put64(perf, 1u << 16 | 1 << 0 | 1 << 1 | 1 << 2 | 1 << 5 | 1 << 8);
	put64(perf, 0);
	put64(perf, 1u << 10 | 1u << 18);
	put64(perf, 0);
	put64(perf, 0);
	put64(perf, id);
	end_record(perf);
}

static struct perf *perf_begin(const char *path)
{
	struct perf *perf = calloc(1, sizeof *perf);
	uint8_t head[16] = "PERFILE2";

	perf->out = fopen(path, "w");
	if (!perf->out)
		exit(2);
	put_u64(head + 8, sizeof head);
	fwrite(head, 1, sizeof head, perf->out);
	put_attributes(perf, EVENT_ID, 0);
	perf->time = 5;
	put_comm(perf, 10, 10, "app", true);
	put_map(perf, 10, 0x400000, 0x40000000, "/no/app");
	return perf;
}

static void perf_end(struct perf *take_perf)
{
	fclose(take_perf->out);
	free(take_perf);
}

static void perf_wide(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);

	for (uint32_t i = 0; i < count; i++, perf->time++)
		put_sample(perf, 10, 10, EVENT_ID, 0x400000 + 0x100 * (uint64_t)i, 3);
	perf_end(perf);
}

static void perf_deep(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);

	for (uint32_t i = 0; i < count; i += 1000, perf->time++)
		put_sample(perf, 10, 10, EVENT_ID, 0x400000 + 0x10 * (uint64_t)i, 1000);
	perf_end(perf);
}

/* No round ends, and times fall. */
static void perf_backward(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);

	perf->time += count;
	for (uint32_t i = 0; i < count; i++, perf->time--)
		put_sample(perf, 10, 10, EVENT_ID, 0x400000 + 0x10 * (uint64_t)(i % 100), 2);
	perf_end(perf);
}

/* Each round is earlier than the one before. */
static void perf_rounds(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);

	perf->time += count;
	for (uint32_t i = 0; i < count; i++, perf->time--) {
		put_sample(perf, 10, 10, EVENT_ID, 0x400000 + 0x10 * (uint64_t)(i % 100), 2);
		put_round(perf);
	}
	perf_end(perf);
}

static void perf_threads(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);
	char name[16];

	for (uint32_t i = 1; i < count; i++, perf->time++) {
		snprintf(name, sizeof name, "t%u", i);
		put_task(perf, 7, 10, 10, 10 + i, 10);
		put_comm(perf, 10, 10 + i, name, false);
		put_sample(perf, 10, 10 + i, EVENT_ID, 0x400000 + 0x10 * (uint64_t)(i % 100), 2);
	}
	perf_end(perf);
}

/* Thread ids that are far from each other. */
static void perf_far_threads(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);

	for (uint32_t i = 1; i < count; i++, perf->time++)
		put_sample(perf, 10, i << 14, EVENT_ID, 0x400000 + 0x10 * (uint64_t)(i % 100), 2);
	perf_end(perf);
}

static void perf_one_thread_again(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);

	for (uint32_t i = 1; i < count; i++, perf->time++) {
		put_task(perf, 7, 10, 10, 11, 10);
		put_sample(perf, 10, 11, EVENT_ID, 0x400000 + 0x10 * (uint64_t)(i % 100), 2);
		put_task(perf, 4, 10, 10, 11, 10);
	}
	perf_end(perf);
}

static void perf_processes(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);

	for (uint32_t i = 1; i < count; i++, perf->time++) {
		put_task(perf, 7, 10 + i, 9 + i, 10 + i, 9 + i);
		put_comm(perf, 10 + i, 10 + i, "other", true);
		put_map(perf, 10 + i, 0x400000, 0x10000, "/no/other");
		put_sample(perf, 10 + i, 10 + i, EVENT_ID, 0x400000 + 0x10 * (uint64_t)(i % 100), 2);
	}
	perf_end(perf);
}

/* A process with many modules, and many children that have them all. */
static void perf_forks(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);
	char name[32];

	for (uint32_t i = 0; i < count / 2; i++) {
		snprintf(name, sizeof name, "/no/lib%u.so", i);
		put_map(perf, 10, 0x70000000 + 0x1000 * (uint64_t)i, 0x1000, name);
	}
	for (uint32_t i = 1; i < count / 2; i++, perf->time++) {
		put_task(perf, 7, 10 + i, 10, 10 + i, 10);
		put_sample(perf, 10 + i, 10 + i, EVENT_ID, 0x400000 + 0x10 * (uint64_t)(i % 100), 2);
	}
	perf_end(perf);
}

static void perf_execs(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);

	for (uint32_t i = 1; i < count; i++, perf->time++) {
		put_comm(perf, 10, 10, "again", true);
		put_map(perf, 10, 0x400000, 0x10000, "/no/other");
		put_sample(perf, 10, 10, EVENT_ID, 0x400000 + 0x10 * (uint64_t)(i % 100), 2);
	}
	perf_end(perf);
}

static void perf_names(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);
	char name[16];

	for (uint32_t i = 1; i < count; i++, perf->time++) {
		snprintf(name, sizeof name, "n%u", i);
		put_comm(perf, 10, 10, name, false);
		put_sample(perf, 10, 10, EVENT_ID, 0x400000 + 0x10 * (uint64_t)(i % 100), 2);
	}
	perf_end(perf);
}

static void perf_maps(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);
	char name[32];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(name, sizeof name, "/no/lib%u.so", i);
		put_map(perf, 10, 0x70000000 + 0x1000 * (uint64_t)i, 0x1000, name);
	}
	for (uint32_t i = 0; i < count; i++, perf->time++)
		put_sample(perf, 10, 10, EVENT_ID, 0x70000000 + 0x1000 * (uint64_t)i, 2);
	perf_end(perf);
}

static void perf_events(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);

	for (uint32_t i = 0; i < count; i++)
		put_attributes(perf, 1000 + i, i % 2);
	for (uint32_t i = 0; i < count; i++, perf->time++)
		put_sample(perf, 10, 10, 1000 + i, 0x400000 + 0x10 * (uint64_t)(i % 100), 2);
	for (uint32_t i = 0; i < count; i++, perf->time++)
		put_sample(perf, 10, 10, EVENT_ID, 0x400000 + 0x10 * (uint64_t)(i % 100), 2);
	perf_end(perf);
}

static void perf_losses(const char *path, uint32_t count)
{
	struct perf *perf = perf_begin(path);

	for (uint32_t i = 0; i < count; i++, perf->time++)
		put_lost(perf);
	put_sample(perf, 10, 10, EVENT_ID, 0x400000, 2);
	perf_end(perf);
}

const struct shape shapes_of_tools[] = {
	{"perf_wide", perf_wide, 1250},
	{"perf_deep", perf_deep, 2500},
	{"perf_backward", perf_backward, 1250},
	{"perf_rounds", perf_rounds, 1250},
	{"perf_threads", perf_threads, 1000},
	{"perf_far_threads", perf_far_threads, 2000},
	{"perf_one_thread_again", perf_one_thread_again, 1000},
	{"perf_processes", perf_processes, 500},
	{"perf_forks", perf_forks, 400},
	{"perf_execs", perf_execs, 750},
	{"perf_names", perf_names, 1000},
	{"perf_maps", perf_maps, 1000},
	{"perf_events", perf_events, 1000},
	{"perf_losses", perf_losses, 1250},
	{NULL, NULL, 0},
};
