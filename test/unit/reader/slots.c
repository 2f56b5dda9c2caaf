/* One chunk of slots → events: late stamps, epochs, holes, windows, cuts. */
#include "check.h"
#include "reader/dwell/slots.h"
#include "util/bytes.h"

#define SLOT(low, high) dwell_slot_make(low, high)
#define ENTER(place, stamp) dwell_slot_enter(place, stamp)

static uint8_t payload[1 << 17];
static struct event events[1 << 14];

/* Decodes slots as one chunk; returns the events, all messages together. */
static uint32_t decode(struct slots *slots, const uint64_t *list, uint32_t count, uint64_t first_ticks, uint64_t floor_ticks)
{
	struct raw_chunk chunk = {.kind = DWELL_CHUNK_SLOTS,
		.length = count * DWELL_SLOT_BYTES,
		.first_ticks = first_ticks,
		.floor_ticks = floor_ticks,
		.payload = {payload, count * (size_t)DWELL_SLOT_BYTES}};
	struct message message;
	uint32_t total = 0;

	for (uint32_t i = 0; i < count; i++)
		put_u64(payload + i * (size_t)DWELL_SLOT_BYTES, list[i]);
	CHECK(!slots_begin(slots, &chunk, DWELL_PLACE_LOW32));
	CHECK(slots_next(slots, &message) && message.kind == MESSAGE_CHECKPOINT);
	while (slots_next(slots, &message)) {
		CHECK_EQ(message.kind, MESSAGE_EVENTS);
		CHECK(message.events.count > 0 && message.events.count <= SLOTS_BATCH);
		memcpy(events + total, message.events.events, message.events.count * sizeof *events);
		total += message.events.count;
	}
	return total;
}

#define DECODE(list, first, floor) decode(&slots, list, sizeof list / sizeof *list, first, floor)

TEST(late_stamps_are_lowered)
{
	const uint64_t list[] = {SLOT(DWELL_TAG_TIME, 1), ENTER(0x5000, 10), ENTER(0x5000, 50), ENTER(0x5000, 40),
		ENTER(0x5000, 20), ENTER(0x5000, 30)};
	const uint64_t ticks[] = {10, 20, 20, 20, 30};
	struct slots slots = {0};

	CHECK_EQ(DECODE(list, 0, 0), 5);
	for (int i = 0; i < 5; i++)
		CHECK_EQ(events[i].ticks, (UINT64_C(1) << 32) + ticks[i]);
	CHECK_EQ(slots.late_stamps, 2);
	slots_clear(&slots);
}

/* Block by block the same TIME stands again: that is no border for lateness. */
TEST(late_across_blocks_of_one_epoch)
{
	const uint64_t list[] = {SLOT(DWELL_TAG_TIME, 1), ENTER(0x5000, 50), SLOT(DWELL_TAG_TIME, 1), ENTER(0x5000, 40)};
	struct slots slots = {0};

	CHECK_EQ(DECODE(list, 0, 0), 2);
	CHECK_EQ(events[0].ticks, (UINT64_C(1) << 32) + 40);
	CHECK_EQ(slots.late_stamps, 1);
	slots_clear(&slots);
}

/* The clock was set back: all that came before cannot have been late. Times stand still instead. */
TEST(epoch_that_goes_back)
{
	const uint64_t list[] = {
		SLOT(DWELL_TAG_TIME, 9), ENTER(0x5000, 50), ENTER(0x5000, 60), SLOT(DWELL_TAG_TIME, 3), ENTER(0x5000, 70)};
	struct slots slots = {0};

	CHECK_EQ(DECODE(list, 0, 0), 3);
	CHECK_EQ(events[0].ticks, (UINT64_C(9) << 32) + 50);
	CHECK_EQ(events[1].ticks, (UINT64_C(9) << 32) + 60);
	CHECK_EQ(events[2].ticks, (UINT64_C(9) << 32) + 60);
	CHECK_EQ(slots.late_stamps, 1);
	slots_clear(&slots);
}

/* The low half turned between the claim and the stamp, before the TIME that says so. */
TEST(stamp_of_the_next_turn)
{
	const uint64_t list[] = {
		SLOT(DWELL_TAG_TIME, 1), ENTER(0x5000, 0xfffffff0), ENTER(0x5000, 5), SLOT(DWELL_TAG_TIME, 2), ENTER(0x5000, 9)};
	struct slots slots = {0};

	CHECK_EQ(DECODE(list, 0, 0), 3);
	CHECK_EQ(events[0].ticks, UINT64_C(0x1fffffff0));
	CHECK_EQ(events[1].ticks, UINT64_C(0x200000005));
	CHECK_EQ(events[2].ticks, UINT64_C(0x200000009));
	CHECK_EQ(slots.late_stamps, 0);
	slots_clear(&slots);
}

/* A long sleep inside one turn is no wrap. */
TEST(half_a_turn_of_silence)
{
	const uint64_t list[] = {SLOT(DWELL_TAG_TIME, 1), ENTER(0x5000, 1), ENTER(0x5000, 0xf0000000), ENTER(0x5000, 0xefffffff)};
	struct slots slots = {0};

	CHECK_EQ(DECODE(list, 0, 0), 3);
	CHECK_EQ(events[0].ticks, UINT64_C(0x100000001));
	CHECK_EQ(events[1].ticks, UINT64_C(0x1efffffff));
	CHECK_EQ(events[2].ticks, UINT64_C(0x1efffffff));
	slots_clear(&slots);
}

TEST(floor)
{
	const uint64_t list[] = {
		SLOT(DWELL_TAG_TIME, 1), SLOT(DWELL_TAG_LOST, 3), ENTER(0x5000, 10), ENTER(0x5000, 20), ENTER(0x5000, 90)};
	struct slots slots = {0};

	CHECK_EQ(DECODE(list, (UINT64_C(1) << 32) + 10, (UINT64_C(1) << 32) + 50), 4);
	CHECK_EQ(events[0].ticks, (UINT64_C(1) << 32) + 50);
	CHECK_EQ(events[1].ticks, (UINT64_C(1) << 32) + 50);
	CHECK_EQ(events[2].ticks, (UINT64_C(1) << 32) + 50);
	CHECK_EQ(events[3].ticks, (UINT64_C(1) << 32) + 90);
	CHECK_EQ(slots.late_stamps, 2);
	slots_clear(&slots);
}

/* Tags without a time of their own have that of the event before; at the start, of the first there is. */
TEST(tags_take_their_neighbours_time)
{
	const uint64_t list[] = {
		SLOT(DWELL_TAG_TIME, 1), SLOT(DWELL_TAG_LOST, 3), ENTER(0x5000, 10), SLOT(DWELL_TAG_LOST, 4), ENTER(0x5000, 20)};
	const uint64_t late[] = {
		SLOT(DWELL_TAG_TIME, 1), SLOT(DWELL_TAG_LOST, 3), ENTER(0x5000, 30), SLOT(DWELL_TAG_LOST, 4), ENTER(0x5000, 20)};
	struct slots slots = {0};

	CHECK_EQ(DECODE(list, 0, 0), 4);
	CHECK_EQ(events[0].ticks, UINT64_C(0x10000000a));
	CHECK_EQ(events[2].ticks, UINT64_C(0x10000000a));
	CHECK_EQ(DECODE(late, 0, 0), 4);
	CHECK_EQ(events[0].ticks, UINT64_C(0x100000014));
	CHECK_EQ(events[2].ticks, UINT64_C(0x100000014));
	slots_clear(&slots);
}

TEST(holes_and_windows)
{
	const uint64_t list[] = {SLOT(DWELL_TAG_TIME, 1), SLOT(DWELL_TAG_HOLE, 0), SLOT(DWELL_TAG_HOLE, 0), ENTER(0x5000, 1),
		SLOT(DWELL_TAG_WINDOW, 0x7f), SLOT(DWELL_TAG_HOLE, 0), ENTER(0x5000, 2), SLOT(DWELL_TAG_WINDOW, 0x7f),
		ENTER(0x5000, 3), ENTER(0x5000, 4), SLOT(500, 0)};
	struct slots slots = {0};

	CHECK_EQ(DECODE(list, 0, 0), 6);
	CHECK(events[0].kind == EVENT_LOST && events[0].value == 2);
	CHECK(events[2].kind == EVENT_LOST && events[2].value == 1);
	CHECK_EQ(events[3].value, 0x5000); /* the window was for the event that is missing */
	CHECK_EQ(events[4].value, UINT64_C(0x7f00005000));
	CHECK_EQ(events[5].value, 0x5000);
	CHECK_EQ(slots.holes, 3);
	CHECK_EQ(slots.unknown_tags, 1);
	CHECK_EQ(slots.events, 4);
	slots_clear(&slots);
}

/* What is behind an ENTRY has no exit: that enter alone, in whatever form, and none when it is missing. */
TEST(entries)
{
	const uint64_t list[] = {SLOT(DWELL_TAG_TIME, 1), SLOT(DWELL_TAG_ENTRY, 0x6008), ENTER(0x5000, 1), ENTER(0x5000, 2),
		SLOT(DWELL_TAG_ENTRY, 0), SLOT(DWELL_TAG_WINDOW, 0x7f), ENTER(0x5000, 3), SLOT(DWELL_TAG_WINDOW, 0x7f),
		SLOT(DWELL_TAG_ENTRY, 0), ENTER(0x5000, 4), SLOT(DWELL_TAG_ENTRY, 0), SLOT(DWELL_TAG_HOLE, 0), ENTER(0x5000, 5),
		SLOT(DWELL_TAG_ENTRY, 0), SLOT(0x5001, 6)};
	struct slots slots = {0};

	CHECK_EQ(DECODE(list, 0, 0), 8);
	CHECK(events[0].kind == EVENT_CALLER && events[0].value == 0x6008);
	CHECK(events[1].kind == EVENT_ENTRY && events[1].value == 0x5000 && events[1].ticks == UINT64_C(0x100000001));
	CHECK(events[2].kind == EVENT_ENTER && events[2].value == 0x5000);
	CHECK(events[3].kind == EVENT_ENTRY && events[3].value == UINT64_C(0x7f00005000));
	CHECK(events[4].kind == EVENT_ENTRY && events[4].value == UINT64_C(0x7f00005000));
	CHECK(events[5].kind == EVENT_LOST);
	CHECK(events[6].kind == EVENT_ENTER);
	CHECK(events[7].kind == EVENT_EXIT);
	CHECK_EQ(slots.events, 6);
	slots_clear(&slots);
}

/* Without its TIME, a chunk has the high half of its header. */
TEST(first_slot_missing)
{
	const uint64_t list[] = {SLOT(DWELL_TAG_HOLE, 0), ENTER(0x5000, 1)};
	struct slots slots = {0};

	CHECK_EQ(DECODE(list, UINT64_C(0x700000001), 0), 2);
	CHECK_EQ(events[1].ticks, UINT64_C(0x700000001));
	slots_clear(&slots);
}

/* Any slots at all: times never go back, and each event is given once, in batches. */
TEST(random_slots)
{
	static uint64_t list[1 << 13];
	struct slots slots = {0};
	uint64_t x = 88172645463325252u;

	for (int round = 0; round < 60; round++) {
		uint32_t count = sizeof list / sizeof *list, total, events_in = 0;
		uint64_t floor_ticks = round % 3 ? 0 : x >> (round % 40);
		for (uint32_t i = 0; i < count; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			list[i] = x;
			if (x >> 40 & 7 ? round % 2 == 0 : true) /* many tags */
				list[i] = SLOT((uint32_t)(x % 18), (uint32_t)(x >> (20 + round % 12)));
			events_in += !dwell_slot_is_tag(list[i]);
		}
		total = decode(&slots, list, count, x, floor_ticks);
		CHECK_EQ(slots.events, events_in);
		for (uint32_t i = 0; i < total; i++) {
			CHECK(events[i].ticks >= floor_ticks);
			CHECK(!i || events[i].ticks >= events[i - 1].ticks);
		}
	}
	slots_clear(&slots);
}

/* Arguments follow their enter, what was returned its exit; anything else of them is of nobody. */
TEST(values)
{
	const uint64_t list[] = {SLOT(DWELL_TAG_TIME, 1), SLOT(DWELL_TAG_ARG, 9), ENTER(0x5000, 10), SLOT(DWELL_TAG_ARG, 1),
		SLOT(DWELL_TAG_ARG, 2), SLOT(DWELL_TAG_ARG_HIGH, 3), SLOT(DWELL_TAG_ARG, 4), SLOT(DWELL_TAG_ARG, 5),
		SLOT(DWELL_TAG_ARG, 6), SLOT(DWELL_TAG_ARG, 7), SLOT(DWELL_TAG_ARG, 8 /* the seventh */),
		dwell_slot_exit(0x5000, 20), SLOT(DWELL_TAG_RET, 1), SLOT(DWELL_TAG_RET_HIGH, 2), SLOT(DWELL_TAG_RET, 3),
		dwell_slot_exit(0x5000, 30), SLOT(DWELL_TAG_ARG, 1), ENTER(0x5000, 40), SLOT(DWELL_TAG_RET, 1),
		SLOT(DWELL_TAG_ARG_HIGH, 1), ENTER(0x5000, 50), SLOT(DWELL_TAG_TIME, 1), SLOT(DWELL_TAG_ARG, 1)};
	const uint64_t args[] = {1, UINT64_C(0x300000002), 4, 5, 6, 7};
	struct slots slots = {0};

	CHECK_EQ(DECODE(list, 0, 0), 12);
	for (int i = 0; i < 6; i++)
		CHECK(events[1 + i].kind == EVENT_ARG && events[1 + i].value == args[i] && events[1 + i].ticks == events[0].ticks);
	CHECK(events[7].kind == EVENT_EXIT);
	CHECK(events[8].kind == EVENT_RET && events[8].value == UINT64_C(0x200000001));
	CHECK(events[9].kind == EVENT_EXIT && events[10].kind == EVENT_ENTER && events[11].kind == EVENT_ENTER);
	CHECK_EQ(slots.unknown_tags, 7);
	CHECK_EQ(slots.late_stamps, 0);
	slots_clear(&slots);
}

/* Wherever a batch ends: in order, and with a late stamp in front, which takes the other way. */
TEST(values_come_with_their_exits)
{
	static uint64_t list[3 * SLOTS_BATCH];
	struct raw_chunk chunk = {.kind = DWELL_CHUNK_SLOTS};
	struct slots slots = {0};
	struct message message;

	for (uint32_t late = 0; late < 2; late++) {
		for (uint32_t lead = 1; lead < 4; lead++) {
			uint32_t count = 0, pairs = 0, last = EVENT_RET;

			list[count++] = SLOT(DWELL_TAG_TIME, 1);
			for (uint32_t i = 0; i < lead; i++)
				list[count++] = ENTER(0x5000, late ? 9 - i : i);
			for (; count + 2 <= sizeof list / sizeof *list; pairs++) {
				list[count++] = dwell_slot_exit(0x5000, 10);
				list[count++] = SLOT(DWELL_TAG_RET, pairs);
			}
			for (uint32_t i = 0; i < count; i++)
				put_u64(payload + i * (size_t)DWELL_SLOT_BYTES, list[i]);
			chunk.length = count * DWELL_SLOT_BYTES;
			chunk.payload = (struct bytes){payload, chunk.length};
			CHECK(!slots_begin(&slots, &chunk, DWELL_PLACE_LOW32));
			CHECK(slots_next(&slots, &message));
			while (slots_next(&slots, &message)) {
				CHECK(message.events.count <= SLOTS_BATCH);
				CHECK(message.events.events[0].kind != EVENT_RET);
				for (uint32_t i = 0; i < message.events.count; i++)
					pairs -= message.events.events[i].kind == EVENT_RET;
				last = message.events.events[message.events.count - 1].kind;
				CHECK_EQ(last, EVENT_RET);
			}
			CHECK_EQ(pairs, 0);
		}
	}
	slots_clear(&slots);
}

/* Of a cut chunk the whole slots; of a cut checkpoint nothing. */
TEST(cut)
{
	struct slots slots = {0};
	struct raw_chunk chunk = {.kind = DWELL_CHUNK_SLOTS, .length = 80, .frames = 1};
	struct message message;

	memset(payload, 0, 80);
	put_u64(payload + DWELL_FRAME_BYTES, SLOT(DWELL_TAG_TIME, 1));
	for (uint32_t i = 5; i < 10; i++)
		put_u64(payload + i * 8, ENTER(0x5000, i));
	for (size_t size = 0; size <= 80; size++) {
		uint32_t expected = size < 40 ? 0 : (uint32_t)(size - 40) / 8;
		chunk.payload = (struct bytes){payload, size};
		if (size < DWELL_FRAME_BYTES) {
			CHECK(slots_begin(&slots, &chunk, DWELL_PLACE_LOW32));
			continue;
		}
		CHECK(!slots_begin(&slots, &chunk, DWELL_PLACE_LOW32));
		CHECK(slots_next(&slots, &message) && message.checkpoint.count == 1);
		CHECK_EQ(slots_next(&slots, &message) ? message.events.count : 0, expected);
		CHECK(!slots_next(&slots, &message));
	}
	chunk.frames = UINT32_MAX;
	CHECK(slots_begin(&slots, &chunk, DWELL_PLACE_LOW32));
	slots_clear(&slots);
}

int main(void)
{
	RUN(late_stamps_are_lowered);
	RUN(late_across_blocks_of_one_epoch);
	RUN(epoch_that_goes_back);
	RUN(stamp_of_the_next_turn);
	RUN(half_a_turn_of_silence);
	RUN(floor);
	RUN(tags_take_their_neighbours_time);
	RUN(holes_and_windows);
	RUN(entries);
	RUN(first_slot_missing);
	RUN(random_slots);
	RUN(values);
	RUN(values_come_with_their_exits);
	RUN(cut);
	return tap_done();
}
