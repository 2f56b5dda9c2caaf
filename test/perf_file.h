/* A perf.data as perf record writes it, made by hand: two events, two processes, rounds out of order, build-ids. */
#ifndef DWELL_TEST_PERF_FILE_H
#define DWELL_TEST_PERF_FILE_H

#include <stdint.h>
#include <string.h>

#include "util/bytes.h"

struct perf_file {
	uint8_t data[8192];
	size_t size;
};

static inline void perf_file_u16(struct perf_file *file, uint16_t value)
{
	put_u16(file->data + file->size, value);
	file->size += 2;
}

static inline void perf_file_u32(struct perf_file *file, uint32_t value)
{
	put_u32(file->data + file->size, value);
	file->size += 4;
}

static inline void perf_file_u64(struct perf_file *file, uint64_t value)
{
	put_u64(file->data + file->size, value);
	file->size += 8;
}

/* Zeros up to a multiple of 8. */
static inline void perf_file_text(struct perf_file *file, const char *text, size_t bytes)
{
	memset(file->data + file->size, 0, bytes);
	memcpy(file->data + file->size, text, strlen(text));
	file->size += bytes;
}

static inline size_t perf_file_begin(struct perf_file *file, uint32_t type, uint16_t flags)
{
	perf_file_u32(file, type);
	perf_file_u16(file, flags);
	perf_file_u16(file, 0);
	return file->size - 8;
}

static inline void perf_file_end(struct perf_file *file, size_t begin)
{
	put_u16(file->data + begin + 6, (uint16_t)(file->size - begin));
}

/* TID, TIME, IDENTIFIER. */
static inline void perf_file_trailer(struct perf_file *file, uint32_t pid, uint32_t tid, uint64_t time)
{
	perf_file_u32(file, pid);
	perf_file_u32(file, tid);
	perf_file_u64(file, time);
	perf_file_u64(file, 71);
}

static inline void perf_file_comm(struct perf_file *file, uint16_t flags, uint32_t pid, const char *name, uint64_t time)
{
	size_t begin = perf_file_begin(file, 3, flags);

	perf_file_u32(file, pid);
	perf_file_u32(file, pid);
	perf_file_text(file, name, 8);
	perf_file_trailer(file, pid, pid, time);
	perf_file_end(file, begin);
}

static inline void perf_file_map(
	struct perf_file *file, uint32_t pid, uint64_t low, uint64_t bytes, const char *path, uint64_t time)
{
	size_t begin = perf_file_begin(file, 10, 2);

	perf_file_u32(file, pid);
	perf_file_u32(file, pid);
	perf_file_u64(file, low);
	perf_file_u64(file, bytes);
	perf_file_u64(file, 0x1000);
	perf_file_text(file, "", 24);
	perf_file_u32(file, 5);
	perf_file_u32(file, 2);
	perf_file_text(file, path, 16);
	perf_file_trailer(file, pid, pid, time);
	perf_file_end(file, begin);
}

static inline void perf_file_task(
	struct perf_file *file, uint32_t type, uint32_t pid, uint32_t parent, uint32_t tid, uint32_t parent_tid, uint64_t time)
{
	size_t begin = perf_file_begin(file, type, 0);

	perf_file_u32(file, pid);
	perf_file_u32(file, parent);
	perf_file_u32(file, tid);
	perf_file_u32(file, parent_tid);
	perf_file_u64(file, time);
	perf_file_trailer(file, pid, tid, time);
	perf_file_end(file, begin);
}

static inline void perf_file_lost(struct perf_file *file, uint64_t count, uint64_t time)
{
	size_t begin = perf_file_begin(file, 2, 0);

	perf_file_u64(file, 71);
	perf_file_u64(file, count);
	perf_file_trailer(file, 10, 10, time);
	perf_file_end(file, begin);
}

/* IDENTIFIER, IP, TID, TIME, PERIOD, CHAIN. */
static inline void perf_file_sample(
	struct perf_file *file, uint64_t id, uint32_t pid, uint32_t tid, uint64_t time, const uint64_t *chain, uint64_t count)
{
	size_t begin = perf_file_begin(file, 9, count && chain[0] == (uint64_t)-128 ? 1 : 2);

	perf_file_u64(file, id);
	perf_file_u64(file, count > 1 ? chain[1] : 0);
	perf_file_u32(file, pid);
	perf_file_u32(file, tid);
	perf_file_u64(file, time);
	perf_file_u64(file, 1000000);
	perf_file_u64(file, count);
	for (uint64_t i = 0; i < count; i++)
		perf_file_u64(file, chain[i]);
	perf_file_end(file, begin);
}

static inline void perf_file_round(struct perf_file *file)
{
	perf_file_end(file, perf_file_begin(file, 68, 0));
}

/* Attributes of an event of software, and ids of one number. */
static inline void perf_file_attr(struct perf_file *file, uint64_t config)
{
	perf_file_u32(file, 1);
	perf_file_u32(file, 64);
	perf_file_u64(file, config);
	perf_file_u64(file, 1000);
	perf_file_u64(file, 1u << 16 | 1 << 0 | 1 << 1 | 1 << 2 | 1 << 5 | 1 << 8);
	perf_file_u64(file, 0);
	perf_file_u64(file, 1u << 10 | 1u << 18);
	perf_file_text(file, "", 16);
}

static inline void perf_file_records(struct perf_file *file)
{
	static const uint64_t user[] = {(uint64_t)-512, 0x401100, 0x401205},
			      deeper[] = {(uint64_t)-512, 0x401150, 0x401180, 0x401205},
			      kernel[] = {(uint64_t)-128, 0xffffffff81000010, (uint64_t)-512, 0x401300, 0x401205};

	perf_file_comm(file, 1 << 13, 10, "app", 5);
	perf_file_map(file, 10, 0x401000, 0x1000, "/no/app", 6);
	perf_file_task(file, 7, 10, 10, 11, 10, 10);
	perf_file_sample(file, 71, 10, 10, 100, user, 3);
	perf_file_sample(file, 71, 10, 10, 400, deeper, 4);
	/* of another processor */
	perf_file_sample(file, 71, 10, 11, 200, deeper, 4);
	perf_file_sample(file, 71, 10, 11, 300, kernel, 5);
	perf_file_sample(file, 72, 10, 11, 310, user, 3);
	perf_file_round(file);
	perf_file_task(file, 7, 12, 10, 12, 10, 500);
	perf_file_sample(file, 71, 12, 12, 510, user, 3);
	perf_file_comm(file, 1 << 13, 12, "other", 520);
	perf_file_map(file, 12, 0x500000, 0x2000, "/no/other", 530);
	perf_file_round(file);
	perf_file_lost(file, 3, 540);
	perf_file_sample(file, 71, 12, 12, 550, user, 0);
	perf_file_task(file, 4, 12, 12, 12, 12, 560);
}

static inline void perf_file_make(struct perf_file *file)
{
	size_t data, features;

	file->size = 0;
	memset(file->data, 0, sizeof file->data);
	memcpy(file->data, "PERFILE2", 8);
	put_u64(file->data + 8, 104);
	put_u64(file->data + 16, 80);
	file->size = 104;
	perf_file_u64(file, 71);
	perf_file_u64(file, 72);
	put_u64(file->data + 24, file->size);
	put_u64(file->data + 32, 160);
	for (uint64_t i = 0; i < 2; i++) {
		perf_file_attr(file, i ? 2 : 0);
		perf_file_u64(file, 104 + 8 * i);
		perf_file_u64(file, 8);
	}
	data = file->size;
	perf_file_records(file);
	put_u64(file->data + 40, data);
	put_u64(file->data + 48, file->size - data);
	file->data[72] = 1 << 2 | 1 << 3; /* build-ids, host */
	features = file->size;
	file->size += 32;
	put_u64(file->data + features, file->size);
	put_u64(file->data + features + 8, 52);
	perf_file_u32(file, 0);
	perf_file_u16(file, 1 << 15 | 2);
	perf_file_u16(file, 52);
	perf_file_u32(file, 10);
	perf_file_text(file, "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24\24", 24);
	perf_file_text(file, "/no/app", 16);
	put_u64(file->data + features + 16, file->size);
	put_u64(file->data + features + 24, 12);
	perf_file_u32(file, 8);
	perf_file_text(file, "tower", 8);
}

/* As it comes through a pipe: what stands in front of the records, in records. */
static inline void perf_file_make_stream(struct perf_file *file)
{
	size_t begin;

	memcpy(file->data, "PERFILE2", 8);
	put_u64(file->data + 8, 16);
	file->size = 16;
	for (uint64_t i = 0; i < 2; i++) {
		begin = perf_file_begin(file, 64, 0);
		perf_file_attr(file, i ? 2 : 0);
		perf_file_u64(file, 71 + i);
		perf_file_end(file, begin);
	}
	perf_file_records(file);
}

#endif
