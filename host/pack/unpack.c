/* unpack: unpacks slots; see pack.h. All input is checked: each stream has a limit, and exceeding the limit is an error. */
#include <stdlib.h>
#include <zstd.h>

#include "core/slot.h"
#include "dwell/format.h"
#include "pack/expect.h"
#include "pack/pack.h"
#include "pack/packed_slots.h"
#include "util/array.h"

#define RARELY(condition) __builtin_expect(!!(condition), 0)
#define TOO_LONG "is packed into streams that are longer than they can be"
/* Limits zstd's memory for a cut frame; a packed payload is never longer. */
#define WINDOW_LOG_MAX 24

/* A stream of the payload: its unpacked and its stored length, both according to the head; and the stored bytes that are there,
 * fewer than `stored` in a cut payload. */
struct piece {
	uint32_t length, stored;
	struct bytes there;
};

/* State of decoding the streams. */
struct unpacker_state {
	struct packed_slots packed;
	const uint8_t *tokens, *tokens_end, *times_end; /* the streams' begin and ends; packed has the positions */
	bool broken; /* a stream has an impossible value */
	struct expect expect;
	struct packed_word names[DWELL_PACK_NUMBERS];
};

static uint32_t take_fine(struct unpacker_state *state)
{
	if (state->packed.fine == state->packed.fine_end) {
		state->broken = true;
		return 0;
	}
	return *state->packed.fine++;
}

static uint32_t take_word(struct unpacker_state *state)
{
	uint32_t word;

	if (state->packed.words_end - state->packed.words < 4) {
		state->broken = true;
		return 0;
	}
	word = get_u32(state->packed.words);
	state->packed.words += 4;
	return word;
}

/* Decodes the tokens TIME and TAG. Returns the slot. */
static uint64_t take_tag(struct unpacker_state *state, uint32_t token)
{
	uint32_t tag = DWELL_TAG_TIME, payload;

	if (token == DWELL_PACK_TIME)
		return dwell_slot_make(tag, state->packed.high);
	tag = take_fine(state);
	tag |= take_fine(state) << 8;
	payload = take_word(state);
	if (tag == DWELL_TAG_TIME)
		state->packed.high = payload;
	state->broken |= tag >= DWELL_TAG_LIMIT;
	return dwell_slot_make(tag, payload);
}

/* Decodes the tokens WIDE and NEW. Returns the low word. */
static uint32_t take_low(struct unpacker_state *state, uint32_t token)
{
	uint32_t low;

	if (token < DWELL_PACK_NEW)
		return state->names[DWELL_PACK_WIDE + (token - DWELL_PACK_WIDE) * 256 + take_fine(state)].low;
	low = take_word(state);
	if (state->packed.next_number < DWELL_PACK_NUMBERS)
		state->names[state->packed.next_number++] = (struct packed_word){low, 0};
	return low;
}

/* Decodes a time of more than one byte, whose first byte is step. */
static uint32_t take_long_step(struct unpacker_state *state, uint32_t step)
{
	if (step == DWELL_PACK_FULL)
		return take_word(state);
	return DWELL_PACK_LONG + (step - DWELL_PACK_LONG) * 256 + take_fine(state);
}

/* Decodes tokens up to end, one per slot. Usual slots take no branch by kind: an
 * exit also writes to the stack, but only the value that is there already. */
static void take_slots(struct unpacker_state *state, const uint8_t *end, uint8_t *out)
{
	const uint8_t *token_at = state->packed.tokens, *time = state->packed.times;
	uint32_t stamp = (uint32_t)state->packed.ticks, top = state->packed.top, undefined = 0;
	uint32_t *exits = state->expect.exits;

	for (; token_at < end; token_at++, out += DWELL_SLOT_BYTES) {
		uint32_t token = *token_at, low, step;
		bool is_exit = token == DWELL_PACK_EXIT;

		if (RARELY(token >= DWELL_PACK_WIDE)) {
			if (token > DWELL_PACK_NEW) {
				put_u64(out, take_tag(state, token));
				continue;
			}
			low = take_low(state, token);
		} else {
			uint32_t named = state->names[token].low, expected = exits[top & EXPECT_MASK];

			low = is_exit ? expected : named;
		}
		if (RARELY(low & !is_exit)) {
			state->expect.top = top;
			expect_unpredicted_exit(&state->expect, low);
			top = state->expect.top;
		} else {
			top += is_exit ? UINT32_MAX : 1;
			exits[(top + is_exit) & EXPECT_MASK] = low | 1u;
		}
		step = *time++;
		if (RARELY(step >= DWELL_PACK_LONG))
			step = take_long_step(state, step);
		stamp += step;
		undefined |= low < DWELL_TAG_LIMIT;
		put_u64(out, dwell_slot_make(low, stamp));
	}
	state->broken |= undefined;
	state->packed.tokens = token_at;
	state->packed.times = time;
	state->packed.top = top;
	state->packed.ticks = (uint64_t)state->packed.high << 32 | stamp;
}

/* Unpacks the whole blocks of a cut frame. Returns the number of bytes. */
static size_t take_blocks(struct unpacker *unpacker, uint8_t *to, size_t length, struct bytes stored)
{
	ZSTD_inBuffer in = {stored.data, stored.size, 0};
	ZSTD_outBuffer out = {to, length, 0};
	size_t before, taken;

	if (ZSTD_isError(ZSTD_DCtx_reset(unpacker->zstd, ZSTD_reset_session_and_parameters)) ||
		ZSTD_isError(ZSTD_DCtx_setParameter(unpacker->zstd, ZSTD_d_windowLogMax, WINDOW_LOG_MAX)))
		return 0;
	do {
		before = out.pos;
		taken = in.pos;
		if (ZSTD_isError(ZSTD_decompressStream(unpacker->zstd, &out, &in)))
			break;
	} while (out.pos > before || in.pos > taken);
	return out.pos;
}

/* Unpacks one stream. *length: the unpacked bytes, fewer than piece->length if the payload is cut. False: damaged. */
static bool take_stream(struct unpacker *unpacker, uint8_t *to, const struct piece *piece, bool is_cut, uint32_t *length)
{
	struct bytes stored = piece->there;
	size_t got = stored.size;

	*length = piece->length;
	if (!piece->length)
		return true;
	if (piece->stored == piece->length) {
		if (stored.size)
			memcpy(to, stored.data, stored.size);
	} else if (stored.size < piece->stored) {
		got = take_blocks(unpacker, to, piece->length, stored);
	} else {
		got = ZSTD_decompressDCtx(unpacker->zstd, to, piece->length, stored.data, stored.size);
		if (ZSTD_isError(got) || got != piece->length)
			return false;
	}
	*length = (uint32_t)got;
	return got == piece->length || is_cut;
}

/* Returns the next size bytes; fewer at the end of a cut payload. */
static struct bytes take_bytes(const struct packed *packed, size_t *at, uint32_t size)
{
	size_t left = packed->bytes.size - *at;
	struct bytes bytes = bytes_part(packed->bytes, *at, left < size ? left : size);

	*at += bytes.size;
	return bytes;
}

/* Joins the pieces of each stream from the payload's parts, in unpacker->gathered. Null, or an error message. */
static const char *join_parts(struct unpacker *unpacker, const struct packed *packed, struct piece *pieces)
{
	uint64_t total = 0, have = 0;
	size_t at = DWELL_PACK_HEAD_BYTES;
	uint8_t *to[DWELL_PACK_STREAMS];

	for (int i = 0; i < DWELL_PACK_STREAMS; i++)
		total += pieces[i].stored;
	if (total > packed->bytes.size && !packed->is_cut)
		return TOO_LONG;
	if (!array_reserve(&unpacker->gathered, &unpacker->gathered_capacity, (size_t)total + 1, 1))
		return "cannot be unpacked: out of memory";
	to[0] = unpacker->gathered;
	for (int i = 0; i < DWELL_PACK_STREAMS; i++) {
		pieces[i].there = (struct bytes){to[i], 0};
		if (i + 1 < DWELL_PACK_STREAMS)
			to[i + 1] = to[i] + pieces[i].stored;
	}
	while (have < total && bytes_have(packed->bytes, at, DWELL_PACK_PART_BYTES)) {
		const uint8_t *sizes = packed->bytes.data + at;

		at += DWELL_PACK_PART_BYTES;
		for (int i = 0; i < DWELL_PACK_STREAMS; i++) {
			uint32_t size = get_u32(sizes + 4 * i);
			struct bytes bytes = take_bytes(packed, &at, size);

			if (size > pieces[i].stored - pieces[i].there.size || (bytes.size < size && !packed->is_cut))
				return TOO_LONG;
			if (bytes.size)
				memcpy(to[i] + pieces[i].there.size, bytes.data, bytes.size);
			pieces[i].there.size += bytes.size;
			have += bytes.size;
		}
	}
	return have < total && !packed->is_cut ? "is packed into parts that are less than all of it" : NULL;
}

/* Reads the lengths and places of the streams. Null, or an error message. */
static const char *take_head(struct unpacker *unpacker, const struct packed *packed, size_t slots, struct piece *pieces)
{
	size_t frame_bytes = (size_t)packed->frames * DWELL_FRAME_BYTES;
	const size_t most[DWELL_PACK_STREAMS] = {frame_bytes, slots, slots, slots * 2, slots * 8};
	size_t at = DWELL_PACK_HEAD_BYTES;

	if (packed->bytes.size < DWELL_PACK_HEAD_BYTES)
		return "is packed into less than the lengths of its streams";
	for (uint32_t i = 0; i < DWELL_PACK_STREAMS; i++) {
		const uint8_t *head = packed->bytes.data + i * (DWELL_PACK_HEAD_BYTES / DWELL_PACK_STREAMS);

		pieces[i].length = get_u32(head + DWELL_PACK_LENGTH);
		pieces[i].stored = get_u32(head + DWELL_PACK_STORED);
		if (pieces[i].stored > pieces[i].length || pieces[i].length > most[i])
			return TOO_LONG;
	}
	if (pieces[DWELL_PACK_CHECKPOINT].length != frame_bytes || pieces[DWELL_PACK_TOKENS].length != slots)
		return "is packed with another number of frames or slots than it has";
	if (packed->in_parts)
		return join_parts(unpacker, packed, pieces);
	for (uint32_t i = 0; i < DWELL_PACK_STREAMS; i++) {
		pieces[i].there = take_bytes(packed, &at, pieces[i].stored);
		if (pieces[i].there.size < pieces[i].stored && !packed->is_cut)
			return TOO_LONG;
	}
	return NULL;
}

/* Unpacks the streams, and sets the position before the first slot. slots: number of slots of the chunk. False: damaged. */
static bool begin(struct unpacker *unpacker, const struct piece *pieces, bool is_cut, size_t slots)
{
	struct unpacker_state *state = unpacker->state;
	uint8_t *tokens = unpacker->streams, *times = tokens + slots + 1, *fine = times + slots + 1;
	uint8_t *words = fine + pieces[DWELL_PACK_FINE].length;
	uint8_t *to[DWELL_PACK_STREAMS] = {unpacker->payload, tokens, times, fine, words};
	uint32_t lengths[DWELL_PACK_STREAMS];

	for (uint32_t i = 0; i < DWELL_PACK_STREAMS; i++)
		if (!take_stream(unpacker, to[i], &pieces[i], is_cut, &lengths[i]))
			return false;
	if (is_cut && lengths[DWELL_PACK_CHECKPOINT] < pieces[DWELL_PACK_CHECKPOINT].length)
		lengths[DWELL_PACK_CHECKPOINT] = lengths[DWELL_PACK_TOKENS] = 0;
	slots = lengths[DWELL_PACK_TOKENS];
	tokens[slots] = DWELL_PACK_TAG;
	memset(times + lengths[DWELL_PACK_TIMES], 0, pieces[DWELL_PACK_TOKENS].length + 1 - lengths[DWELL_PACK_TIMES]);
	memset(state->names, 0, sizeof state->names);
	expect_begin(&state->expect, (struct bytes){unpacker->payload, lengths[DWELL_PACK_CHECKPOINT]});
	state->packed = (struct packed_slots){.tokens = tokens,
		.times = times,
		.fine = fine,
		.fine_end = fine + lengths[DWELL_PACK_FINE],
		.words = words,
		.words_end = words + lengths[DWELL_PACK_WORDS],
		.top = state->expect.top,
		.next_number = 1,
		.exits = state->expect.exits,
		.names = state->names};
	unpacker->checkpoint_bytes = lengths[DWELL_PACK_CHECKPOINT];
	state->tokens = tokens;
	state->tokens_end = tokens + slots;
	state->times_end = times + lengths[DWELL_PACK_TIMES];
	state->broken = false;
	return true;
}

const char *unpacker_begin(struct unpacker *unpacker, const struct packed *packed, struct bytes *payload)
{
	size_t frame_bytes = (size_t)packed->frames * DWELL_FRAME_BYTES, slots, total = 0;
	struct piece pieces[DWELL_PACK_STREAMS];
	const char *problem;

	if (packed->unpacked > DWELL_CHUNK_LENGTH_MAX || packed->unpacked % DWELL_SLOT_BYTES || frame_bytes > packed->unpacked)
		return "is packed, with a length or a checkpoint that no chunk has";
	slots = (packed->unpacked - frame_bytes) / DWELL_SLOT_BYTES;
	problem = take_head(unpacker, packed, slots, pieces);
	if (problem)
		return problem;
	total = (slots + 1) * 2 + pieces[DWELL_PACK_FINE].length + pieces[DWELL_PACK_WORDS].length + 1;
	if (!unpacker->zstd)
		unpacker->zstd = ZSTD_createDCtx();
	if (!unpacker->state)
		unpacker->state = malloc(sizeof *unpacker->state);
	if (!unpacker->zstd || !unpacker->state ||
		!array_reserve(&unpacker->payload, &unpacker->payload_capacity, (size_t)packed->unpacked + 1, 1) ||
		!array_reserve(&unpacker->streams, &unpacker->streams_capacity, total, 1))
		return "cannot be unpacked: out of memory";
	if (!begin(unpacker, pieces, packed->is_cut, slots))
		return "is packed with zstd, and cannot be unpacked";
	unpacker->slots = unpacker->payload + frame_bytes;
	*payload = (struct bytes){unpacker->payload, packed->unpacked};
	return NULL;
}

struct packed_slots *unpacker_get_slots(struct unpacker *unpacker)
{
	return &unpacker->state->packed;
}

uint32_t unpacker_position(const struct unpacker *unpacker)
{
	return (uint32_t)(unpacker->state->packed.tokens - unpacker->state->tokens);
}

uint32_t unpacker_advance(struct unpacker *unpacker, uint32_t count)
{
	struct unpacker_state *state = unpacker->state;
	const uint8_t *from = state->packed.tokens;
	const uint8_t *end = (size_t)(state->tokens_end - from) > count ? from + count : state->tokens_end;

	while (end < state->tokens_end && *end == DWELL_PACK_TAG)
		end++;
	take_slots(state, end, unpacker->slots + (from - state->tokens) * DWELL_SLOT_BYTES);
	return (uint32_t)(end - state->tokens);
}

void unpacker_put_last(struct unpacker *unpacker)
{
	const struct unpacker_state *state = unpacker->state;
	const struct packed_slots *packed = &state->packed;
	uint32_t token = packed->tokens[-1], low = packed->exits[(packed->top + (token == DWELL_PACK_EXIT)) & EXPECT_MASK];
	uint8_t *out = unpacker->slots + (packed->tokens - 1 - state->tokens) * DWELL_SLOT_BYTES;

	if (token == DWELL_PACK_TIME)
		put_u64(out, dwell_slot_make(DWELL_TAG_TIME, packed->high));
	else
		put_u64(out, dwell_slot_make(token == DWELL_PACK_EXIT ? low : low & ~1u, (uint32_t)packed->ticks));
}

bool unpacker_is_good(const struct unpacker *unpacker)
{
	const struct unpacker_state *state = unpacker->state;
	const struct packed_slots *packed = &state->packed;

	return !state->broken &&
	       (packed->tokens < state->tokens_end || (packed->times == state->times_end && packed->fine == packed->fine_end &&
							      packed->words == packed->words_end));
}

/* Decodes the slots of a cut payload, up to the first for which a stream has no data. Returns how many. */
static size_t take_intact(struct unpacker *unpacker)
{
	struct unpacker_state *state = unpacker->state;
	size_t count = 0;

	for (; state->packed.tokens < state->tokens_end; count++) {
		take_slots(state, state->packed.tokens + 1, unpacker->slots + count * DWELL_SLOT_BYTES);
		if (state->broken || state->packed.times > state->times_end)
			break;
	}
	return count;
}

const char *unpacker_unpack(struct unpacker *unpacker, const struct packed *packed, struct bytes *payload)
{
	const char *problem = unpacker_begin(unpacker, packed, payload);

	if (problem)
		return problem;
	if (packed->is_cut) {
		payload->size = unpacker->checkpoint_bytes + take_intact(unpacker) * DWELL_SLOT_BYTES;
		return NULL;
	}
	unpacker_advance(unpacker, UINT32_MAX);
	if (unpacker_is_good(unpacker))
		return NULL;
	payload->size = 0;
	return "is packed in a way that makes no slots";
}

void unpacker_clear(struct unpacker *unpacker)
{
	free(unpacker->payload);
	free(unpacker->streams);
	free(unpacker->gathered);
	free(unpacker->state);
	ZSTD_freeDCtx(unpacker->zstd);
	*unpacker = (struct unpacker){0};
}
