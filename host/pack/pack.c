/* pack: see pack.h. One pass over the slots makes five streams of bytes, each of one sort, which zstd then makes small. */
#include <stdlib.h>
#include <zstd.h>

#include "core/slot.h"
#include "dwell/format.h"
#include "pack/expect.h"
#include "pack/pack.h"
#include "util/array.h"

/* What a level above brings in size is not worth its time, the negative ones lose much of the times (they do not use entropy). */
#define LEVEL 1
/* Streams shorter than this are not worth a frame of zstd. */
#define COMPRESS_FROM 24
/* Places to look for a low word in the table of numbers. */
#define PROBES 8
#define TABLE_BITS 14

/* Bytes of a stream. */
struct stream {
	uint8_t *data;
	size_t size, capacity;
};

struct packer {
	struct stream streams[DWELL_PACK_STREAMS];
	struct stream out;
	struct expect expect;
	struct {
		uint32_t low, number; /* number 0: free */
	} table[1u << TABLE_BITS];
	uint32_t next_number;
	uint32_t lows[DWELL_PACK_NUMBERS]; /* by number, from 1 on */
	uint32_t stamp; /* of the last enter or exit */
	uint32_t high;  /* payload of the last TIME */
	bool no_memory;
	ZSTD_CCtx *zstd;
};

struct packer *make_packer(void)
{
	struct packer *packer = calloc(1, sizeof *packer);

	if (packer && !(packer->zstd = ZSTD_createCCtx())) {
		free(packer);
		return NULL;
	}
	if (packer)
		packer->next_number = 1; /* none has a number yet */
	return packer;
}

void free_packer(struct packer *packer)
{
	if (!packer)
		return;
	for (int i = 0; i < DWELL_PACK_STREAMS; i++)
		free(packer->streams[i].data);
	free(packer->out.data);
	ZSTD_freeCCtx(packer->zstd);
	free(packer);
}

static bool reserve(struct packer *packer, struct stream *stream, size_t more)
{
	if (!array_reserve(&stream->data, &stream->capacity, stream->size + more, 1))
		packer->no_memory = true;
	return !packer->no_memory;
}

void packer_begin(struct packer *packer, struct bytes frames)
{
	struct stream *checkpoint = &packer->streams[DWELL_PACK_CHECKPOINT];

	for (int i = 0; i < DWELL_PACK_STREAMS; i++)
		packer->streams[i].size = 0;
	packer->no_memory = false;
	packer->next_number = 1;
	packer->stamp = packer->high = 0;
	memset(packer->table, 0, sizeof packer->table);
	expect_begin(&packer->expect, frames);
	if (frames.size && reserve(packer, checkpoint, frames.size)) {
		memcpy(checkpoint->data, frames.data, frames.size);
		checkpoint->size = frames.size;
	}
}

/* There is room: see packer_add. */
static inline void put_byte(struct packer *packer, enum dwell_pack_stream stream, uint32_t byte)
{
	packer->streams[stream].data[packer->streams[stream].size++] = (uint8_t)byte;
}

static inline void put_word(struct packer *packer, uint32_t word)
{
	struct stream *words = &packer->streams[DWELL_PACK_WORDS];

	put_u32(words->data + words->size, word);
	words->size += 4;
}

static void add_tag(struct packer *packer, uint32_t tag, uint32_t payload)
{
	if (tag == DWELL_TAG_TIME && payload == packer->high) {
		put_byte(packer, DWELL_PACK_TOKENS, DWELL_PACK_TIME);
		return;
	}
	if (tag == DWELL_TAG_TIME)
		packer->high = payload;
	put_byte(packer, DWELL_PACK_TOKENS, DWELL_PACK_TAG);
	put_byte(packer, DWELL_PACK_FINE, tag & 0xff);
	put_byte(packer, DWELL_PACK_FINE, tag >> 8);
	put_word(packer, payload);
}

/* A low word that has no number, or whose number was forgotten: it gets another one then. */
static void add_new(struct packer *packer, uint32_t low, uint32_t at)
{
	put_byte(packer, DWELL_PACK_TOKENS, DWELL_PACK_NEW);
	put_word(packer, low);
	if (packer->next_number == DWELL_PACK_NUMBERS)
		return;
	packer->lows[packer->next_number] = low;
	packer->table[at].low = low;
	packer->table[at].number = packer->next_number++;
}

static inline void add_low(struct packer *packer, uint32_t low)
{
	uint32_t at = low * 0x9e3779b1u >> (32 - TABLE_BITS), number;

	for (int i = 0; i < PROBES && packer->table[at].low != low && packer->table[at].number; i++)
		at = (at + 1) & ((1u << TABLE_BITS) - 1);
	number = packer->table[at].number;
	if (!number || packer->table[at].low != low) {
		add_new(packer, low, at);
	} else if (number < DWELL_PACK_WIDE) {
		put_byte(packer, DWELL_PACK_TOKENS, number);
	} else {
		put_byte(packer, DWELL_PACK_TOKENS, DWELL_PACK_WIDE + (number - DWELL_PACK_WIDE) / 256);
		put_byte(packer, DWELL_PACK_FINE, (number - DWELL_PACK_WIDE) & 0xff);
	}
	if (low & 1)
		expect_other_exit(&packer->expect, low);
	else
		expect_enter(&packer->expect, low);
}

static inline void add_time(struct packer *packer, uint32_t stamp)
{
	uint32_t step = stamp - packer->stamp;

	packer->stamp = stamp;
	if (step < DWELL_PACK_LONG) {
		put_byte(packer, DWELL_PACK_TIMES, step);
	} else if (step < DWELL_PACK_LONG + (DWELL_PACK_FULL - DWELL_PACK_LONG) * 256u) {
		put_byte(packer, DWELL_PACK_TIMES, DWELL_PACK_LONG + (step - DWELL_PACK_LONG) / 256);
		put_byte(packer, DWELL_PACK_FINE, (step - DWELL_PACK_LONG) & 0xff);
	} else {
		put_byte(packer, DWELL_PACK_TIMES, DWELL_PACK_FULL);
		put_word(packer, step);
	}
}

void packer_add(struct packer *packer, struct bytes slots)
{
	struct stream *streams = packer->streams;
	size_t count = slots.size / DWELL_SLOT_BYTES;

	/* The most that a slot takes of each. */
	if (packer->no_memory || !reserve(packer, &streams[DWELL_PACK_TOKENS], count) ||
		!reserve(packer, &streams[DWELL_PACK_TIMES], count) || !reserve(packer, &streams[DWELL_PACK_FINE], count * 2) ||
		!reserve(packer, &streams[DWELL_PACK_WORDS], count * 8))
		return;
	for (size_t i = 0; i < count; i++) {
		uint64_t slot = get_u64(slots.data + i * DWELL_SLOT_BYTES);
		uint32_t low = (uint32_t)slot;

		if (low < DWELL_TAG_LIMIT) {
			add_tag(packer, low, (uint32_t)(slot >> 32));
			continue;
		}
		if (low == expect_get(&packer->expect)) {
			put_byte(packer, DWELL_PACK_TOKENS, DWELL_PACK_EXIT);
			packer->expect.top--;
		} else {
			add_low(packer, low);
		}
		add_time(packer, (uint32_t)(slot >> 32));
	}
}

const uint32_t *packer_get_lows(const struct packer *packer, uint32_t *count)
{
	*count = packer->next_number - 1;
	return packer->lows + 1;
}

/* Appends the stream to what goes out, in whichever form is shorter. Returns what it takes there. */
static size_t put_stream(struct packer *packer, const struct stream *stream)
{
	struct stream *out = &packer->out;
	size_t most = ZSTD_compressBound(stream->size), stored = stream->size;

	if (!reserve(packer, out, most > stream->size ? most : stream->size))
		return 0;
	if (stream->size >= COMPRESS_FROM) {
		stored = ZSTD_compressCCtx(packer->zstd, out->data + out->size, most, stream->data, stream->size, LEVEL);
		if (ZSTD_isError(stored) || stored >= stream->size)
			stored = stream->size;
	}
	if (stored == stream->size && stored)
		memcpy(out->data + out->size, stream->data, stored);
	out->size += stored;
	return stored;
}

bool packer_end(struct packer *packer, struct bytes *packed)
{
	struct stream *out = &packer->out;

	out->size = 0;
	if (packer->no_memory || !reserve(packer, out, DWELL_PACK_HEAD_BYTES))
		return false;
	out->size = DWELL_PACK_HEAD_BYTES;
	for (uint32_t i = 0; i < DWELL_PACK_STREAMS; i++) {
		size_t stored = put_stream(packer, &packer->streams[i]);
		uint8_t *head = out->data + i * (DWELL_PACK_HEAD_BYTES / DWELL_PACK_STREAMS);

		if (packer->no_memory || packer->streams[i].size > UINT32_MAX)
			return false;
		put_u32(head + DWELL_PACK_LENGTH, (uint32_t)packer->streams[i].size);
		put_u32(head + DWELL_PACK_STORED, (uint32_t)stored);
	}
	if (!reserve(packer, out, 8))
		return false;
	while (out->size % 8)
		out->data[out->size++] = 0;
	*packed = (struct bytes){out->data, out->size};
	return true;
}
