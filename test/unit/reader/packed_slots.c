/* A packed chunk whose usual slots are taken packed says the same as one that is decoded as a whole, wherever who takes them
 * stops. */
#include <stdlib.h>

#include "check.h"
#include "pack/pack.h"
#include "pack/packed_slots.h"
#include "reader/dwell/slots.h"

#define SLOTS_MAX 20000u
#define FRAME_PLACE 0x7000u

static uint8_t list[SLOTS_MAX * DWELL_SLOT_BYTES], frame[DWELL_FRAME_BYTES], copy[SLOTS_MAX * DWELL_SLOT_BYTES];
static uint32_t count;
static struct packer *packer;
static uint64_t seed = 1;

static uint32_t pick(uint32_t limit)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 33) % limit;
}

static void put(uint32_t low, uint32_t high)
{
	put_u64(list + count++ * DWELL_SLOT_BYTES, dwell_slot_make(low, high));
}

/* Calls of so many functions, and all else that may lie between them; odd: how often. */
static void make_program(uint32_t slots, uint32_t functions, uint32_t odd, uint32_t step)
{
	uint64_t now = UINT64_C(7) << 32;
	uint32_t stack[64], depth = 1, high = 6;

	count = 0;
	stack[0] = FRAME_PLACE;
	while (count < slots) {
		uint32_t what = odd ? pick(odd) : 99;

		now += pick(100) ? pick(step) : pick(70000);
		if (what == 0 && !pick(20))
			now += UINT64_C(1) << 31;
		if (high != now >> 32 || count % 512 == 0)
			put(DWELL_TAG_TIME, high = (uint32_t)(now >> 32));
		if (what == 1) {
			put(DWELL_TAG_UNWIND_JUMP, (uint32_t)now);
			put(DWELL_TAG_CALLER, 0x9000);
			now += pick(50);
			if (high != now >> 32)
				put(DWELL_TAG_TIME, high = (uint32_t)(now >> 32));
		} else if (what == 2) {
			put(DWELL_TAG_LOST, 3);
		} else if (what == 3) {
			put(DWELL_TAG_MARK, (uint32_t)now);
			put(DWELL_TAG_MARK_TEXT, pick(9));
		} else if (what == 4) {
			put(DWELL_TAG_HOLE, 0);
			put(DWELL_TAG_HOLE, 0);
		} else if (what == 5) {
			put(DWELL_TAG_WINDOW, 0x7f00);
		} else if (what == 6) {
			put(DWELL_TAG_ENTRY, 0x9000);
		} else if (what == 7) {
			put(0x5555, (uint32_t)now); /* an exit of nobody */
		} else if (what == 8) {
			put(999, 1); /* a tag that nobody knows */
		}
		if (depth < 64 && (!depth || pick(2))) {
			stack[depth] = 0x10000 + pick(functions) * 0x20;
			put(stack[depth++], (uint32_t)now);
			if (what == 9)
				put(DWELL_TAG_ARG, 1), put(DWELL_TAG_ARG_HIGH, 2);
		} else {
			put(stack[--depth] | 1, (uint32_t)now);
			if (what == 9)
				put(DWELL_TAG_RET, 5);
		}
	}
}

static struct raw_chunk pack(void)
{
	struct raw_chunk chunk = {.kind = DWELL_CHUNK_SLOTS,
		.flags = DWELL_CHUNK_PACKED,
		.frames = 1,
		.first_ticks = UINT64_C(7) << 32,
		.floor_ticks = UINT64_C(6) << 32,
		.unpacked = count * DWELL_SLOT_BYTES + DWELL_FRAME_BYTES};

	put_u64(frame + DWELL_FRAME_PLACE, FRAME_PLACE);
	packer_begin(packer, (struct bytes){frame, sizeof frame});
	packer_add(packer, (struct bytes){list, count * DWELL_SLOT_BYTES});
	CHECK(packer_end(packer, &chunk.payload));
	chunk.flags |= packer_is_in_parts(packer) ? DWELL_CHUNK_PARTS : 0;
	memcpy(copy, chunk.payload.data, chunk.payload.size);
	chunk.payload.data = copy;
	chunk.length = (uint32_t)chunk.payload.size;
	return chunk;
}

struct told {
	struct event events[SLOTS_MAX + 8];
	uint32_t count, taken; /* of those: packed */
	uint64_t first_ticks;
	bool again;
	const char *problem;
	struct slots slots;
};

/* Takes what may be taken, up to so many; some that it looked at it puts back. */
static void take(struct told *told, const struct message_packed *message, uint32_t most)
{
	struct packed_slots packed = *message->slots;
	struct packed_slot slot;
	uint64_t limit = packed.ticks | UINT32_MAX;

	while (packed_peek(&packed, &slot)) {
		uint32_t low = slot.number ? packed.names[slot.number].low : packed_expected(&packed);

		if (!most-- || packed.ticks + slot.step > limit || low < DWELL_TAG_LIMIT || (slot.number && low & 1)) {
			packed_put_back(&packed, &slot);
			break;
		}
		if (slot.number)
			packed_take_enter(&packed, &slot, low);
		else
			packed_take_exit(&packed, &slot);
		told->events[told->count++] = (struct event){packed.ticks, low & ~1u, slot.number ? EVENT_ENTER : EVENT_EXIT};
		told->taken++;
	}
	*message->slots = packed;
}

static void read_chunk(struct told *told, const struct raw_chunk *chunk, bool wants_packed, uint32_t most)
{
	struct message message;

	told->count = told->taken = 0;
	told->again = false;
	told->slots.wants_packed = wants_packed;
	told->problem = slots_begin(&told->slots, chunk, DWELL_PLACE_LOW32);
	while (!told->problem && slots_next(&told->slots, &message)) {
		if (message.kind == MESSAGE_RESTART) {
			CHECK(!told->again);
			told->again = true;
			told->count = 0;
		} else if (message.kind == MESSAGE_PACKED) {
			take(told, &message.packed, most ? pick(most) : UINT32_MAX);
		} else if (message.kind == MESSAGE_EVENTS) {
			memcpy(told->events + told->count, message.events.events, message.events.count * sizeof *told->events);
			told->count += message.events.count;
		} else {
			CHECK_EQ(message.kind, MESSAGE_CHECKPOINT);
			told->first_ticks = message.checkpoint.ticks;
			CHECK_EQ(message.checkpoint.count, 1);
		}
	}
	if (!told->problem)
		told->problem = slots_problem(&told->slots);
}

static struct told whole, some;

static void check_same(void)
{
	CHECK_EQ(some.count, whole.count);
	for (uint32_t i = 0; i < whole.count && !tap_bad; i++) {
		CHECK_EQ(some.events[i].ticks, whole.events[i].ticks);
		CHECK_EQ(some.events[i].value, whole.events[i].value);
		CHECK_EQ(some.events[i].kind, whole.events[i].kind);
	}
	CHECK_EQ(some.first_ticks, whole.first_ticks);
	CHECK_EQ(some.slots.events, whole.slots.events);
	CHECK_EQ(some.slots.holes, whole.slots.holes);
	CHECK_EQ(some.slots.late_stamps, whole.slots.late_stamps);
	CHECK_EQ(some.slots.unknown_tags, whole.slots.unknown_tags);
}

static void check_program(uint32_t slots, uint32_t functions, uint32_t odd, uint32_t step)
{
	static const uint32_t most[] = {0, 1, 2, 5, 300};

	make_program(slots, functions, odd, step);
	for (size_t i = 0; i < sizeof most / sizeof *most && !tap_bad; i++) {
		struct raw_chunk chunk = pack();

		read_chunk(&whole, &chunk, false, 0);
		read_chunk(&some, &chunk, true, most[i]);
		CHECK(!whole.problem && !some.problem && !some.again);
		check_same();
		if (!odd && !most[i] && slots > 1000 && functions < DWELL_PACK_NUMBERS)
			CHECK(some.taken > whole.count * 9 / 10);
	}
}

TEST(usual)
{
	check_program(10000, 20, 0, 50);
	check_program(10000, 20, 0, 1000);
	check_program(10000, 3000, 0, 300);
	check_program(17, 3, 0, 50);
	check_program(16, 3, 0, 50);
	check_program(1, 3, 0, 50);
}

TEST(what_is_not)
{
	for (uint32_t round = 0; round < 40 && !tap_bad; round++)
		check_program(3000, 5 + pick(400), 10 + pick(300), 20 + pick(600));
}

TEST(more_functions_than_numbers) { check_program(19000, 30000, 0, 50); }

TEST(late_stamps)
{
	uint32_t late = 0;

	make_program(5000, 20, 0, 50);
	for (uint32_t at = 0; at < count && !tap_bad; at += 97) {
		uint64_t slot = get_u64(list + at * DWELL_SLOT_BYTES);
		struct raw_chunk chunk;

		if ((uint32_t)slot < DWELL_TAG_LIMIT)
			continue;
		put_u64(list + at * DWELL_SLOT_BYTES, slot + (UINT64_C(5000) << 32));
		chunk = pack();
		read_chunk(&whole, &chunk, false, 0);
		read_chunk(&some, &chunk, true, 0);
		late += whole.slots.late_stamps > 0;
		CHECK(some.again == (whole.slots.late_stamps > 0) || at < 16);
		check_same();
		put_u64(list + at * DWELL_SLOT_BYTES, slot);
	}
	CHECK(late > 30);
}

/* Token by token: what the whole says of it, the packed slots say in the end. */
TEST(damage)
{
	uint32_t wrong = 0, late = 0;

	make_program(22, 3, 0, 50);
	for (uint32_t at = DWELL_PACK_HEAD_BYTES; at < pack().length && !tap_bad; at++) {
		for (uint32_t value = 0; value < 256; value += 5) {
			struct raw_chunk chunk = pack();

			copy[at] = (uint8_t)value;
			read_chunk(&whole, &chunk, false, 0);
			read_chunk(&some, &chunk, true, 0);
			CHECK(!whole.problem == !some.problem);
			if (!whole.problem)
				check_same();
			wrong += whole.problem != NULL;
			late += some.again;
		}
	}
	CHECK(wrong > 100 && late > 100);
}

int main(void)
{
	packer = make_packer();
	RUN(usual);
	RUN(what_is_not);
	RUN(more_functions_than_numbers);
	RUN(late_stamps);
	RUN(damage);
	slots_clear(&whole.slots);
	slots_clear(&some.slots);
	free_packer(packer);
	return tap_done();
}
