/* unpack: see pack.h. Nothing of the input is believed: each stream has its bound, and what would go beyond one is an error. */
#include <stdlib.h>
#include <zstd.h>

#include "core/slot.h"
#include "dwell/format.h"
#include "pack/expect.h"
#include "pack/pack.h"
#include "pack/run.h"
#include "util/array.h"

#define RARELY(condition) __builtin_expect(!!(condition), 0)

/* What the streams say so far. */
struct unpacker_state {
	struct run run;
	const uint8_t *tokens, *tokens_end, *times_end;
	bool broken; /* the streams say what cannot be */
	struct expect expect;
	struct run_name names[DWELL_PACK_NUMBERS];
};

static uint32_t take_fine(struct unpacker_state *state)
{
	if (state->run.fine == state->run.fine_end) {
		state->broken = true;
		return 0;
	}
	return *state->run.fine++;
}

static uint32_t take_word(struct unpacker_state *state)
{
	uint32_t word;

	if (state->run.words_end - state->run.words < 4) {
		state->broken = true;
		return 0;
	}
	word = get_u32(state->run.words);
	state->run.words += 4;
	return word;
}

/* TIME or TAG: the whole slot. */
static uint64_t take_tag(struct unpacker_state *state, uint32_t token)
{
	uint32_t tag = DWELL_TAG_TIME, payload;

	if (token == DWELL_PACK_TIME)
		return dwell_slot_make(tag, state->run.high);
	tag = take_fine(state);
	tag |= take_fine(state) << 8;
	payload = take_word(state);
	if (tag == DWELL_TAG_TIME)
		state->run.high = payload;
	state->broken |= tag >= DWELL_TAG_LIMIT;
	return dwell_slot_make(tag, payload);
}

/* WIDE or NEW: the low word. */
static uint32_t take_low(struct unpacker_state *state, uint32_t token)
{
	uint32_t low;

	if (token < DWELL_PACK_NEW)
		return state->names[DWELL_PACK_WIDE + (token - DWELL_PACK_WIDE) * 256 + take_fine(state)].low;
	low = take_word(state);
	if (state->run.next_number < DWELL_PACK_NUMBERS)
		state->names[state->run.next_number++] = (struct run_name){low, 0};
	return low;
}

static uint32_t take_long_step(struct unpacker_state *state, uint32_t step)
{
	if (step == DWELL_PACK_FULL)
		return take_word(state);
	return DWELL_PACK_LONG + (step - DWELL_PACK_LONG) * 256 + take_fine(state);
}

/* One token a slot, up to end. The usual slot takes no branch that depends on what it is: an exit writes to the stack what is there
 * already. */
static void take_slots(struct unpacker_state *state, const uint8_t *end, uint8_t *out)
{
	const uint8_t *token_at = state->run.tokens, *time = state->run.times;
	uint32_t stamp = (uint32_t)state->run.ticks, top = state->run.top, undefined = 0;
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
	state->run.tokens = token_at;
	state->run.times = time;
	state->run.top = top;
	state->run.ticks = (uint64_t)state->run.high << 32 | stamp;
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

/* Unpacks the streams, and stands before the first slot. */
static bool begin(struct unpacker *unpacker, const uint32_t *lengths, const struct bytes *stored, size_t slots)
{
	struct unpacker_state *state = unpacker->state;
	uint8_t *tokens = unpacker->streams, *times = tokens + slots + 1, *fine = times + slots + 1;
	uint8_t *words = fine + lengths[DWELL_PACK_FINE];
	uint8_t *to[DWELL_PACK_STREAMS] = {unpacker->payload, tokens, times, fine, words};

	for (uint32_t i = 0; i < DWELL_PACK_STREAMS; i++)
		if (!take_stream(unpacker, to[i], lengths[i], stored[i]))
			return false;
	tokens[slots] = DWELL_PACK_TAG;
	memset(times + lengths[DWELL_PACK_TIMES], 0, slots + 1 - lengths[DWELL_PACK_TIMES]);
	memset(state->names, 0, sizeof state->names);
	expect_begin(&state->expect, (struct bytes){unpacker->payload, lengths[DWELL_PACK_CHECKPOINT]});
	state->run = (struct run){.tokens = tokens,
		.times = times,
		.fine = fine,
		.fine_end = words,
		.words = words,
		.words_end = words + lengths[DWELL_PACK_WORDS],
		.top = state->expect.top,
		.next_number = 1,
		.exits = state->expect.exits,
		.names = state->names};
	state->tokens = tokens;
	state->tokens_end = tokens + slots;
	state->times_end = times + lengths[DWELL_PACK_TIMES];
	state->broken = false;
	return true;
}

const char *unpacker_begin(
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
	total = (slots + 1) * 2 + lengths[DWELL_PACK_FINE] + lengths[DWELL_PACK_WORDS] + 1;
	if (!unpacker->zstd)
		unpacker->zstd = ZSTD_createDCtx();
	if (!unpacker->state)
		unpacker->state = malloc(sizeof *unpacker->state);
	if (!unpacker->zstd || !unpacker->state ||
		!array_reserve(&unpacker->payload, &unpacker->payload_capacity, (size_t)unpacked + 1, 1) ||
		!array_reserve(&unpacker->streams, &unpacker->streams_capacity, total, 1))
		return "cannot be unpacked: out of memory";
	if (!begin(unpacker, lengths, stored, slots))
		return "is packed with zstd, and cannot be unpacked";
	unpacker->slots = unpacker->payload + frame_bytes;
	*payload = (struct bytes){unpacker->payload, unpacked};
	return NULL;
}

struct run *unpacker_get_run(struct unpacker *unpacker)
{
	return &unpacker->state->run;
}

uint32_t unpacker_position(const struct unpacker *unpacker)
{
	return (uint32_t)(unpacker->state->run.tokens - unpacker->state->tokens);
}

uint32_t unpacker_advance(struct unpacker *unpacker, uint32_t count)
{
	struct unpacker_state *state = unpacker->state;
	const uint8_t *from = state->run.tokens;
	const uint8_t *end = (size_t)(state->tokens_end - from) > count ? from + count : state->tokens_end;

	while (end < state->tokens_end && *end == DWELL_PACK_TAG)
		end++;
	take_slots(state, end, unpacker->slots + (from - state->tokens) * DWELL_SLOT_BYTES);
	return (uint32_t)(end - state->tokens);
}

void unpacker_put_last(struct unpacker *unpacker)
{
	const struct unpacker_state *state = unpacker->state;
	const struct run *run = &state->run;
	uint32_t token = run->tokens[-1], low = run->exits[(run->top + (token == DWELL_PACK_EXIT)) & EXPECT_MASK];
	uint8_t *out = unpacker->slots + (run->tokens - 1 - state->tokens) * DWELL_SLOT_BYTES;

	if (token == DWELL_PACK_TIME)
		put_u64(out, dwell_slot_make(DWELL_TAG_TIME, run->high));
	else
		put_u64(out, dwell_slot_make(token == DWELL_PACK_EXIT ? low : low & ~1u, (uint32_t)run->ticks));
}

bool unpacker_is_good(const struct unpacker *unpacker)
{
	const struct unpacker_state *state = unpacker->state;
	const struct run *run = &state->run;

	return !state->broken && (run->tokens < state->tokens_end ||
		       (run->times == state->times_end && run->fine == run->fine_end && run->words == run->words_end));
}

const char *unpacker_unpack(
	struct unpacker *unpacker, struct bytes packed, uint32_t frames, uint32_t unpacked, struct bytes *payload)
{
	const char *problem = unpacker_begin(unpacker, packed, frames, unpacked, payload);

	if (problem)
		return problem;
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
	free(unpacker->state);
	ZSTD_freeDCtx(unpacker->zstd);
	*unpacker = (struct unpacker){0};
}
