/* unpack: see pack.h. Nothing of the input is believed: each stream has its bound, and what would go beyond one is an error. */
#include <stdlib.h>
#include <zstd.h>

#include "core/slot.h"
#include "dwell/format.h"
#include "pack/expect.h"
#include "pack/pack.h"
#include "util/array.h"

#define RARELY(condition) __builtin_expect(!!(condition), 0)

/* What the streams say so far. */
struct state {
	struct expect expect;
	const uint8_t *fine, *fine_end;
	const uint8_t *words, *words_end;
	uint32_t lows[DWELL_PACK_NUMBERS]; /* by number; 0: it was not given out */
	uint32_t next_number;
	uint32_t high; /* payload of the last TIME */
	bool broken;   /* the streams say what cannot be */
};

static uint32_t take_fine(struct state *state)
{
	if (state->fine == state->fine_end) {
		state->broken = true;
		return 0;
	}
	return *state->fine++;
}

static uint32_t take_word(struct state *state)
{
	uint32_t word;

	if (state->words_end - state->words < 4) {
		state->broken = true;
		return 0;
	}
	word = get_u32(state->words);
	state->words += 4;
	return word;
}

/* TIME or TAG: the whole slot. */
static uint64_t take_tag(struct state *state, uint32_t token)
{
	uint32_t tag = DWELL_TAG_TIME, payload;

	if (token == DWELL_PACK_TIME)
		return dwell_slot_make(tag, state->high);
	tag = take_fine(state);
	tag |= take_fine(state) << 8;
	payload = take_word(state);
	if (tag == DWELL_TAG_TIME)
		state->high = payload;
	state->broken |= tag >= DWELL_TAG_LIMIT;
	return dwell_slot_make(tag, payload);
}

/* WIDE or NEW: the low word. */
static uint32_t take_low(struct state *state, uint32_t token)
{
	uint32_t low;

	if (token < DWELL_PACK_NEW)
		return state->lows[DWELL_PACK_WIDE + (token - DWELL_PACK_WIDE) * 256 + take_fine(state)];
	low = take_word(state);
	if (state->next_number < DWELL_PACK_NUMBERS)
		state->lows[state->next_number++] = low;
	return low;
}

static uint32_t take_long_step(struct state *state, uint32_t step)
{
	if (step == DWELL_PACK_FULL)
		return take_word(state);
	return DWELL_PACK_LONG + (step - DWELL_PACK_LONG) * 256 + take_fine(state);
}

/* One token a slot; times has a byte for each of them that could need one. Returns how many did. The usual slot takes no branch that
 * depends on what it is: an exit writes to the stack what is there already. */
static size_t take_slots(struct state *state, const uint8_t *tokens, size_t count, const uint8_t *times, uint8_t *out)
{
	const uint8_t *time = times;
	uint32_t stamp = 0, top = state->expect.top, undefined = 0;
	uint32_t *exits = state->expect.exits;

	for (size_t i = 0; i < count; i++, out += DWELL_SLOT_BYTES) {
		uint32_t token = tokens[i], low, step;
		bool is_exit = token == DWELL_PACK_EXIT;

		if (RARELY(token >= DWELL_PACK_WIDE)) {
			if (token > DWELL_PACK_NEW) {
				put_u64(out, take_tag(state, token));
				continue;
			}
			low = take_low(state, token);
		} else {
			uint32_t named = state->lows[token], expected = exits[top & EXPECT_MASK];

			low = is_exit ? expected : named;
		}
		if (RARELY(low & !is_exit)) {
			state->expect.top = top;
			expect_other_exit(&state->expect, low);
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
	return (size_t)(time - times);
}

static bool take_stream(struct unpacker *unpacker, uint8_t *to, uint32_t length, struct bytes stored)
{
	size_t got;

	if (!length)
		return true;
	if (stored.size == length) {
		memcpy(to, stored.data, length);
		return true;
	}
	got = ZSTD_decompressDCtx(unpacker->zstd, to, length, stored.data, stored.size);
	return !ZSTD_isError(got) && got == length;
}

/* The lengths of the streams, and where they are. Null, or what is wrong. */
static const char *take_head(struct bytes packed, size_t frame_bytes, size_t slots, uint32_t *lengths, struct bytes *stored)
{
	const size_t most[DWELL_PACK_STREAMS] = {frame_bytes, slots, slots, slots * 2, slots * 8};
	size_t at = DWELL_PACK_HEAD_BYTES;

	if (packed.size < DWELL_PACK_HEAD_BYTES)
		return "is packed into less than the lengths of its parts";
	for (uint32_t i = 0; i < DWELL_PACK_STREAMS; i++) {
		const uint8_t *head = packed.data + i * (DWELL_PACK_HEAD_BYTES / DWELL_PACK_STREAMS);
		uint32_t taken = get_u32(head + DWELL_PACK_STORED);

		lengths[i] = get_u32(head + DWELL_PACK_LENGTH);
		if (taken > lengths[i] || lengths[i] > most[i] || !bytes_have(packed, at, taken))
			return "is packed into parts that are longer than they can be";
		stored[i] = bytes_part(packed, at, taken);
		at += taken;
	}
	if (lengths[DWELL_PACK_CHECKPOINT] != frame_bytes || lengths[DWELL_PACK_TOKENS] != slots)
		return "is packed with another number of frames or slots than it has";
	return NULL;
}

static const char *unpack(struct unpacker *unpacker, const uint32_t *lengths, const struct bytes *stored, size_t slots)
{
	struct state *state = (struct state *)(void *)unpacker->state;
	uint8_t *tokens = unpacker->streams, *times = tokens + slots, *fine = times + slots;
	uint8_t *words = fine + lengths[DWELL_PACK_FINE], *out = unpacker->payload + lengths[DWELL_PACK_CHECKPOINT];
	uint8_t *to[DWELL_PACK_STREAMS] = {unpacker->payload, tokens, times, fine, words};

	for (uint32_t i = 0; i < DWELL_PACK_STREAMS; i++)
		if (!take_stream(unpacker, to[i], lengths[i], stored[i]))
			return "is packed with zstd, and cannot be unpacked";
	memset(times + lengths[DWELL_PACK_TIMES], 0, slots - lengths[DWELL_PACK_TIMES]);
	memset(state->lows, 0, sizeof state->lows);
	state->next_number = 1;
	state->high = 0;
	state->fine = fine;
	state->fine_end = state->words = words;
	state->words_end = words + lengths[DWELL_PACK_WORDS];
	state->broken = false;
	expect_begin(&state->expect, (struct bytes){unpacker->payload, lengths[DWELL_PACK_CHECKPOINT]});
	if (take_slots(state, tokens, slots, times, out) != lengths[DWELL_PACK_TIMES] || state->fine != state->fine_end ||
		state->words != state->words_end || state->broken)
		return "is packed in a way that makes no slots";
	return NULL;
}

const char *unpacker_unpack(
	struct unpacker *unpacker, struct bytes packed, uint32_t frames, uint32_t unpacked, struct bytes *payload)
{
	size_t frame_bytes = (size_t)frames * DWELL_FRAME_BYTES, slots, total = 0;
	uint32_t lengths[DWELL_PACK_STREAMS];
	struct bytes stored[DWELL_PACK_STREAMS];
	const char *problem;

	if (unpacked > DWELL_CHUNK_LENGTH_MAX || unpacked % DWELL_SLOT_BYTES || frame_bytes > unpacked)
		return "is packed, with a length or a checkpoint that no chunk has";
	slots = (unpacked - frame_bytes) / DWELL_SLOT_BYTES;
	problem = take_head(packed, frame_bytes, slots, lengths, stored);
	if (problem)
		return problem;
	total = slots * 2 + lengths[DWELL_PACK_FINE] + lengths[DWELL_PACK_WORDS] + 1;
	if (!unpacker->zstd)
		unpacker->zstd = ZSTD_createDCtx();
	if (!unpacker->zstd || !array_reserve(&unpacker->payload, &unpacker->payload_capacity, (size_t)unpacked + 1, 1) ||
		!array_reserve(&unpacker->streams, &unpacker->streams_capacity, total, 1) ||
		!array_reserve(&unpacker->state, &unpacker->state_capacity, sizeof(struct state), 1))
		return "cannot be unpacked: out of memory";
	problem = unpack(unpacker, lengths, stored, slots);
	*payload = (struct bytes){unpacker->payload, problem ? 0 : unpacked};
	return problem;
}

void unpacker_clear(struct unpacker *unpacker)
{
	free(unpacker->payload);
	free(unpacker->streams);
	free(unpacker->state);
	ZSTD_freeDCtx(unpacker->zstd);
	*unpacker = (struct unpacker){0};
}
