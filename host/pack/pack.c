/* pack: compresses slots. One pass over the slots makes five streams
 * of bytes, by kind of data; zstd then compresses each stream. */
#include <stdlib.h>
#include <zstd.h>

#include "core/slot.h"
#include "dwell/format.h"
#include "pack/expect.h"
#include "pack/pack.h"
#include "util/array.h"

/* A higher level gains too little for its time; the negative levels store times badly, without entropy coding. */
#define LEVEL 1
/* Shorter streams are not worth a zstd frame. */
#define COMPRESS_FROM 24
/* How many further positions of the table to try when a low word's own position has another low word. */
#define PROBES 8
#define TABLE_BITS 14
#define SHORT_NUMBERS 512u /* up to this number, entries are cleared one by one; beyond, the whole table */
/* Slots in the first part; each further part ends at twice as many as the part before. So a cut in a short
 * chunk loses few slots, and a long chunk has few parts; each part makes the chunk about 1 % longer. */
#define PART_SLOTS 16384u
#define PARTS_MAX 32 /* more than fit in memory */

/* Bytes of a stream. */
struct stream {
	uint8_t *data;
	size_t size, capacity;
};

struct packer {
	struct stream streams[DWELL_PACK_STREAMS];
	struct stream stored[DWELL_PACK_STREAMS]; /* the streams as the payload will have them: compressed, if shorter */
	struct stream out; /* the packed payload */
	size_t part_end; /* number of slots of the chunk up to the end of the current part */
	uint32_t part_count; /* finished parts */
	struct part {
		size_t ends[DWELL_PACK_STREAMS], stored_ends[DWELL_PACK_STREAMS]; /* where the part ends in each stream */
	} parts[PARTS_MAX];
	struct expect expect;
	struct {
		uint32_t low, number; /* number 0: free */
	} table[1u << TABLE_BITS]; /* low word → its number in this chunk; a hash table with open addressing */
	uint32_t next_number; /* the next new low word gets this number; DWELL_PACK_NUMBERS: no numbers are left */
	uint32_t lows[DWELL_PACK_NUMBERS]; /* by number, from 1 on */
	uint32_t stamp; /* of the last enter or exit */
	uint32_t high;  /* payload of the last TIME */
	bool no_memory;
	ZSTD_CCtx *zstd;
};

struct packer *make_packer(void)
{
	struct packer *packer = calloc(1, sizeof *packer);

	if (!packer)
		return NULL;
	packer->zstd = ZSTD_createCCtx();
	if (!packer->zstd || ZSTD_isError(ZSTD_CCtx_setParameter(packer->zstd, ZSTD_c_compressionLevel, LEVEL))) {
		free_packer(packer);
		return NULL;
	}
	packer->next_number = 1; /* none has a number yet */
	return packer;
}

void free_packer(struct packer *packer)
{
	if (!packer)
		return;
	for (int i = 0; i < DWELL_PACK_STREAMS; i++) {
		free(packer->streams[i].data);
		free(packer->stored[i].data);
	}
	free(packer->out.data);
	ZSTD_freeCCtx(packer->zstd);
	free(packer);
}

/* Makes room for more bytes behind the stream's end. False, and packer->no_memory: there is no memory. */
static bool reserve(struct packer *packer, struct stream *stream, size_t more)
{
	if (!array_reserve(&stream->data, &stream->capacity, stream->size + more, 1))
		packer->no_memory = true;
	return !packer->no_memory;
}

/* Returns the position of a low word in the table: a multiplicative hash. */
static inline uint32_t place_of(uint32_t low)
{
	return low * 0x9e3779b1u >> (32 - TABLE_BITS);
}

/* Clears the table. Most chunks of a program with many threads are short: after a short chunk, clears only the used entries. */
static void empty_table(struct packer *packer)
{
	if (packer->next_number > SHORT_NUMBERS) {
		memset(packer->table, 0, sizeof packer->table);
		return;
	}
	for (uint32_t number = 1; number < packer->next_number; number++)
		for (uint32_t i = 0, at = place_of(packer->lows[number]); i <= PROBES; i++)
			packer->table[(at + i) & ((1u << TABLE_BITS) - 1)].number = 0;
}

void packer_begin(struct packer *packer, struct bytes frames)
{
	struct stream *checkpoint = &packer->streams[DWELL_PACK_CHECKPOINT];

	for (int i = 0; i < DWELL_PACK_STREAMS; i++)
		packer->streams[i].size = 0;
	packer->no_memory = false;
	packer->part_end = PART_SLOTS;
	packer->part_count = 0;
	empty_table(packer);
	packer->next_number = 1;
	packer->stamp = packer->high = 0;
	expect_begin(&packer->expect, frames);
	if (frames.size && reserve(packer, checkpoint, frames.size)) {
		memcpy(checkpoint->data, frames.data, frames.size);
		checkpoint->size = frames.size;
	}
}

/* pre: packer_add reserved room. */
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

/* Adds a low word that the table does not have, and gives it a new number at position `at`. The word has no number yet, or
 * another word took its position when all probes failed. */
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

/* Adds an enter, or an exit that was not predicted: the number of its low word, or the word itself. */
static inline void add_low(struct packer *packer, uint32_t low)
{
	uint32_t at = place_of(low), number;

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
		expect_unpredicted_exit(&packer->expect, low);
	else
		expect_enter(&packer->expect, low);
}

/* Adds the time since the last enter or exit: in one byte, two, or five. */
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

static void add_slots(struct packer *packer, const uint8_t *slots, size_t count)
{
	struct stream *streams = packer->streams;

	/* the most that a slot adds to each stream */
	if (!reserve(packer, &streams[DWELL_PACK_TOKENS], count) ||
		!reserve(packer, &streams[DWELL_PACK_TIMES], count) || !reserve(packer, &streams[DWELL_PACK_FINE], count * 2) ||
		!reserve(packer, &streams[DWELL_PACK_WORDS], count * 8))
		return;
	for (size_t i = 0; i < count; i++) {
		uint64_t slot = get_u64(slots + i * DWELL_SLOT_BYTES);
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

static void end_part(struct packer *packer)
{
	for (int i = 0; i < DWELL_PACK_STREAMS; i++)
		packer->parts[packer->part_count].ends[i] = packer->streams[i].size;
	packer->part_count++;
}

void packer_add(struct packer *packer, struct bytes slots)
{
	size_t count = slots.size / DWELL_SLOT_BYTES, done = 0;

	while (done < count && !packer->no_memory) {
		size_t room = packer->part_end - packer->streams[DWELL_PACK_TOKENS].size,
		       take = count - done < room ? count - done : room;

		if (!room) { /* more slots follow: no part is empty */
			end_part(packer);
			packer->part_end *= 2;
			continue;
		}
		add_slots(packer, slots.data + done * DWELL_SLOT_BYTES, take);
		done += take;
	}
}

const uint32_t *packer_get_lows(const struct packer *packer, uint32_t *count)
{
	*count = packer->next_number - 1;
	return packer->lows + 1;
}

/* pre: `to` has room. */
static void put_bytes(struct stream *to, struct bytes bytes)
{
	memcpy(to->data + to->size, bytes.data, bytes.size);
	to->size += bytes.size;
}

/* Compresses a stream to one frame, with whole blocks up to the end of each part,
 * so the parts before a cut can be unpacked. False: the result is not shorter. */
static bool compress(struct packer *packer, uint32_t index)
{
	const struct stream *stream = &packer->streams[index];
	struct stream *stored = &packer->stored[index];
	ZSTD_inBuffer in = {stream->data, 0, 0};
	ZSTD_outBuffer out = {stored->data, stream->size - 1, 0};

	if (ZSTD_isError(ZSTD_CCtx_reset(packer->zstd, ZSTD_reset_session_only)) ||
		ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(packer->zstd, stream->size)))
		return false;
	for (uint32_t part = 0; part < packer->part_count; part++) {
		bool last = part + 1 == packer->part_count;

		in.size = packer->parts[part].ends[index];
		if (last || in.size > in.pos) /* each flush makes a block, even an empty one */
			if (ZSTD_compressStream2(packer->zstd, &out, &in, last ? ZSTD_e_end : ZSTD_e_flush))
				return false;
		packer->parts[part].stored_ends[index] = out.pos;
	}
	stored->size = out.pos;
	return true;
}

/* Makes the stored form of a stream: compressed if that is shorter. */
static void store(struct packer *packer, uint32_t index)
{
	const struct stream *stream = &packer->streams[index];
	struct stream *stored = &packer->stored[index];

	stored->size = 0;
	if (!reserve(packer, stored, stream->size) || (stream->size >= COMPRESS_FROM && compress(packer, index)))
		return;
	if (stream->size)
		put_bytes(stored, (struct bytes){stream->data, stream->size});
	for (uint32_t part = 0; part < packer->part_count; part++)
		packer->parts[part].stored_ends[index] = packer->parts[part].ends[index];
}

/* Appends a part to the payload: the lengths of its pieces of the streams, if there are several parts; then the pieces. */
static void put_part(struct packer *packer, uint32_t number)
{
	static const struct part nothing;
	const struct part *part = &packer->parts[number], *before = number ? part - 1 : &nothing;
	struct stream *out = &packer->out;

	for (int i = 0; packer_is_in_parts(packer) && i < DWELL_PACK_STREAMS; i++, out->size += 4)
		put_u32(out->data + out->size, (uint32_t)(part->stored_ends[i] - before->stored_ends[i]));
	for (int i = 0; i < DWELL_PACK_STREAMS; i++) {
		size_t from = before->stored_ends[i], size = part->stored_ends[i] - from;

		if (size)
			put_bytes(out, (struct bytes){packer->stored[i].data + from, size});
	}
}

bool packer_end(struct packer *packer, struct bytes *packed)
{
	struct stream *out = &packer->out;
	size_t most = DWELL_PACK_HEAD_BYTES + 8;

	end_part(packer);
	for (uint32_t i = 0; i < DWELL_PACK_STREAMS && !packer->no_memory; i++) {
		store(packer, i);
		most += packer->stored[i].size;
		packer->no_memory |= packer->streams[i].size > UINT32_MAX;
	}
	out->size = 0;
	if (packer->no_memory || !reserve(packer, out, most + (size_t)packer->part_count * DWELL_PACK_PART_BYTES))
		return false;
	for (uint32_t i = 0; i < DWELL_PACK_STREAMS; i++, out->size += DWELL_PACK_HEAD_BYTES / DWELL_PACK_STREAMS) {
		put_u32(out->data + out->size + DWELL_PACK_LENGTH, (uint32_t)packer->streams[i].size);
		put_u32(out->data + out->size + DWELL_PACK_STORED, (uint32_t)packer->stored[i].size);
	}
	for (uint32_t part = 0; part < packer->part_count; part++)
		put_part(packer, part);
	while (out->size % 8)
		out->data[out->size++] = 0;
	*packed = (struct bytes){out->data, out->size};
	return true;
}

bool packer_is_in_parts(const struct packer *packer)
{
	return packer->part_count > 1;
}
