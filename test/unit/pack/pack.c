/* What is unpacked is what was packed, whatever the slots are; what is cut is unpacked up to the cut; what is not packed slots is
 * refused; what is usual is small. */
#include <stdlib.h>
#include <zstd.h>

#include "check.h"
#include "core/slot.h"
#include "dwell/format.h"
#include "pack/pack.h"

#define SLOTS_MAX 200000u

static uint8_t slots[SLOTS_MAX * DWELL_SLOT_BYTES];
static size_t slot_count;
static uint8_t frames[5000 * DWELL_FRAME_BYTES];
static uint32_t frame_count;
static struct packer *packer;
static struct unpacker unpacker;
static bool in_parts, is_cut;
static uint64_t seed = 1;

static uint32_t random_number(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t)(seed >> 32);
}

static void add(uint64_t slot)
{
	put_u64(slots + slot_count++ * DWELL_SLOT_BYTES, slot);
}

static void add_frame(uint64_t place)
{
	memset(frames + frame_count * DWELL_FRAME_BYTES, 7, DWELL_FRAME_BYTES);
	put_u64(frames + frame_count++ * DWELL_FRAME_BYTES, place);
}

static void begin(void)
{
	slot_count = 0;
	frame_count = 0;
}

/* Packs what was added, in pieces of so many slots. */
static struct bytes pack(size_t piece)
{
	struct bytes packed = {0};

	packer_begin(packer, (struct bytes){frames, frame_count * (size_t)DWELL_FRAME_BYTES});
	for (size_t at = 0; at < slot_count; at += piece) {
		size_t count = slot_count - at < piece ? slot_count - at : piece;
		packer_add(packer, (struct bytes){slots + at * DWELL_SLOT_BYTES, count * DWELL_SLOT_BYTES});
	}
	CHECK(packer_end(packer, &packed));
	CHECK_EQ(packed.size % 8, 0);
	in_parts = packer_is_in_parts(packer);
	return packed;
}

static uint32_t unpacked_bytes(void)
{
	return (uint32_t)(frame_count * DWELL_FRAME_BYTES + slot_count * DWELL_SLOT_BYTES);
}

/* Of exactly its size, so that a sanitizer sees a byte too far. */
static const char *unpack(const uint8_t *data, size_t size, uint32_t frame_number, uint32_t unpacked, struct bytes *payload)
{
	uint8_t *copy = malloc(size + !size);
	struct packed packed = {{copy, size}, frame_number, unpacked, in_parts, is_cut};
	const char *problem;

	if (size)
		memcpy(copy, data, size);
	problem = unpacker_unpack(&unpacker, &packed, payload);
	free(copy);
	return problem;
}

/* Returns the packed size. */
static size_t check_there_and_back(size_t piece)
{
	struct bytes packed = pack(piece), payload;
	const char *problem = unpack(packed.data, packed.size, frame_count, unpacked_bytes(), &payload);

	CHECK(!problem);
	if (problem) {
		printf("# %s\n", problem);
		return 0;
	}
	CHECK_EQ(payload.size, unpacked_bytes());
	CHECK(!memcmp(payload.data, frames, frame_count * (size_t)DWELL_FRAME_BYTES));
	CHECK(!memcmp(payload.data + frame_count * (size_t)DWELL_FRAME_BYTES, slots, slot_count * DWELL_SLOT_BYTES));
	return packed.size;
}

TEST(nothing)
{
	begin();
	check_there_and_back(1);
	add_frame(0x401000);
	check_there_and_back(1);
	begin();
	add(dwell_slot_make(DWELL_TAG_TIME, 7));
	check_there_and_back(1);
}

/* A program of few functions, in steps of the clock that are noise of 5 bits. */
static void add_program(uint32_t functions, size_t count)
{
	uint32_t stack[64], depth = 0, stamp = 0;

	for (size_t i = 0; i < count; i++) {
		if (i % DWELL_BLOCK_SLOTS == 0)
			add(dwell_slot_make(DWELL_TAG_TIME, 3));
		stamp += 20 + random_number() % 32;
		if (depth == 64 || (depth && random_number() & 1)) {
			add(dwell_slot_exit(stack[--depth], stamp));
			continue;
		}
		stack[depth] = 0x401000 + random_number() % functions * 16;
		add(dwell_slot_enter(stack[depth++], stamp));
	}
}

/* Each function's words are told, as far as there are numbers for them. */
/* A chunk that was refused before it was packed asks, too. */
TEST(nothing_ever)
{
	struct packer *fresh = make_packer();
	uint32_t count = 5;

	packer_get_lows(fresh, &count);
	CHECK_EQ(count, 0);
	free_packer(fresh);
}

TEST(words)
{
	const uint32_t *lows;
	uint32_t count, seen = 0, exits = 0;

	begin();
	add(dwell_slot_make(DWELL_TAG_TIME, 1));
	for (uint32_t i = 0; i < 3000; i++) {
		add(dwell_slot_enter(0x10000 + i % 100 * 16, i * 10));
		add(dwell_slot_exit(i == 77 ? 0x20000 : 0x10000 + i % 100 * 16, i * 10 + 5));
	}
	pack(1000);
	lows = packer_get_lows(packer, &count);
	for (uint32_t i = 0; i < count; i++) {
		seen += lows[i] >= 0x10000 && lows[i] < 0x10000 + 1600 && !(lows[i] & 15);
		exits += lows[i] == 0x20001;
	}
	CHECK_EQ(seen, 100);
	CHECK_EQ(exits, 1);
	begin();
	pack(1);
	packer_get_lows(packer, &count);
	CHECK_EQ(count, 0);
}

TEST(usual)
{
	begin();
	add_program(3, 65536);
	/* 5 bits of clock, 1 of enter or exit, half of log2 3 of function: 6.8; the rest is how near to that one gets. */
	CHECK(check_there_and_back(512) < 65536);
	CHECK(check_there_and_back(65536) < 65536);
	begin();
	add_program(100000, 65536);
	check_there_and_back(1000);
}

/* Numbers run out, and the packer's table fills. */
TEST(more_functions_than_numbers)
{
	begin();
	for (uint32_t i = 0; i < 60000; i++) {
		add(dwell_slot_enter(0x401000 + (i * 7919 % 20000) * 16, i * 30));
		add(dwell_slot_exit(0x401000 + (i * 7919 % 20000) * 16, i * 30 + 9));
	}
	check_there_and_back(100000);
}

TEST(deeper_than_the_stack)
{
	begin();
	for (uint32_t i = 0; i < 10000; i++)
		add(dwell_slot_enter(0x401000 + i % 7 * 16, i));
	for (uint32_t i = 10000; i--;)
		add(dwell_slot_exit(0x401000 + i % 7 * 16, 20000 - i));
	check_there_and_back(512);
	begin();
	for (uint32_t i = 0; i < 5000; i++)
		add_frame(0x401000 + i % 5 * 16);
	for (uint32_t i = 5000; i--;)
		add(dwell_slot_exit(0x401000 + i % 5 * 16, 20000 - i));
	/* The checkpoint tells the exits. */
	CHECK(check_there_and_back(512) < 5000);
}

TEST(unwinds_and_exits_of_nothing)
{
	begin();
	for (uint32_t i = 0; i < 3000; i++) {
		for (uint32_t j = 0; j < i % 20; j++)
			add(dwell_slot_enter(0x401000 + j * 16, i * 100 + j));
		add(dwell_slot_make(DWELL_TAG_UNWIND_JUMP, i * 100 + 30));
		for (uint32_t j = i % 20 / 2; j--;)
			add(dwell_slot_exit(0x401000 + j * 16, i * 100 + 60 - j));
		add(dwell_slot_exit(0x501000 + i % 3 * 16, i * 100 + 70));
	}
	check_there_and_back(512);
}

/* Exits that are said by other places than the enters. */
TEST(exits_of_their_own)
{
	begin();
	for (uint32_t i = 0; i < 30000; i++) {
		add(dwell_slot_enter(0x401000 + i % 9 * 64, i * 40));
		add(dwell_slot_exit(0x401000 + i % 9 * 64 + 32, i * 40 + 20));
	}
	CHECK(check_there_and_back(512) < 30000);
}

TEST(stamps_that_jump)
{
	static const uint32_t steps[] = {
		0, 1, 191, 192, 447, 448, 16319, 16320, 16321, 0x7fffffff, 0x80000000, 0xffffffff, 0xffffff00};

	begin();
	for (uint32_t i = 0, stamp = 0; i < 5000; i++) {
		stamp += steps[random_number() % (sizeof steps / sizeof *steps)];
		add(dwell_slot_enter(0x401000, stamp));
	}
	check_there_and_back(512);
}

TEST(every_tag_and_noise)
{
	begin();
	for (uint32_t tag = 0; tag < DWELL_TAG_LIMIT; tag++)
		add(dwell_slot_make(tag, tag * 0x10001));
	for (uint32_t i = 0; i < 9; i++)
		add(dwell_slot_make(DWELL_TAG_TIME, i / 3));
	add(UINT64_MAX);
	add(dwell_slot_make(DWELL_TAG_LIMIT, 0));
	check_there_and_back(512);
	for (int round = 0; round < 300; round++) {
		uint32_t mask = round & 1 ? 0x3fff : UINT32_MAX;
		begin();
		for (uint32_t i = random_number() % 20; i--;)
			add_frame(random_number());
		for (uint32_t i = random_number() % 3000; i--;)
			add(dwell_slot_make(random_number() & mask, random_number()));
		check_there_and_back(1 + random_number() % 600);
	}
}

/* What is not packed slots: a problem, or the right number of bytes, and nothing else. */
static void check_hurt(const uint8_t *data, size_t size)
{
	struct bytes payload;

	if (!unpack(data, size, frame_count, unpacked_bytes(), &payload))
		CHECK_EQ(payload.size, unpacked_bytes());
}

TEST(hurt)
{
	static uint8_t copy[100000];
	struct bytes packed;

	begin();
	add_frame(0x401000);
	add_program(400, 600);
	add(dwell_slot_make(DWELL_TAG_LOST, 12));
	packed = pack(512);
	CHECK(packed.size < sizeof copy && !in_parts);
	memcpy(copy, packed.data, packed.size);
	for (size_t at = 0; at < packed.size; at++) {
		check_hurt(copy, at);
		for (int bit = 0; bit <= 8; bit++) {
			uint8_t flip = bit == 8 ? 0xff : (uint8_t)(1 << bit);
			copy[at] ^= flip;
			check_hurt(copy, packed.size);
			copy[at] ^= flip;
		}
	}
	check_there_and_back(512);
}

/* Cut at each byte: what is there is the beginning of what was packed, and more of it with each part. Returns how many cuts left
 * some slots, but not all. */
static uint32_t check_cuts(const uint8_t *data, size_t size, size_t step)
{
	size_t frame_bytes = frame_count * (size_t)DWELL_FRAME_BYTES, before = 0;
	uint32_t some = 0;
	struct bytes payload;

	is_cut = true;
	for (size_t at = 0; at <= size && !tap_bad; at += step) {
		const char *problem = unpack(data, at, frame_count, unpacked_bytes(), &payload);

		CHECK(!problem == (at >= DWELL_PACK_HEAD_BYTES));
		if (problem)
			continue;
		CHECK(payload.size >= before && payload.size <= unpacked_bytes());
		before = payload.size;
		CHECK(!payload.size || (payload.size >= frame_bytes && payload.size % DWELL_SLOT_BYTES == 0));
		if (!payload.size)
			continue;
		CHECK(!memcmp(payload.data, frames, frame_bytes));
		CHECK(!memcmp(payload.data + frame_bytes, slots, payload.size - frame_bytes));
		some += payload.size > frame_bytes && payload.size < unpacked_bytes();
	}
	is_cut = false;
	return some;
}

TEST(cut)
{
	struct bytes packed, payload;

	begin();
	add_frame(0x401000);
	add_frame(0x402000);
	add_program(400, 40000);
	packed = pack(1000);
	CHECK(in_parts);
	CHECK(check_cuts(packed.data, packed.size, 7) > packed.size / 7 / 2); /* as of the end of the first part: 16384 slots */
	CHECK(!unpack(packed.data, packed.size, frame_count, unpacked_bytes(), &payload));
	CHECK_EQ(payload.size, unpacked_bytes());
	/* As writers packed that knew of no parts: what the last stream has of it. */
	begin();
	add(dwell_slot_make(DWELL_TAG_TIME, 1));
	for (uint32_t i = 0; i < 400; i++)
		add(dwell_slot_enter((random_number() | DWELL_TAG_LIMIT) & ~1u, i));
	packed = pack(512);
	CHECK(!in_parts);
	CHECK(check_cuts(packed.data, packed.size, 1) > 50);
	/* Streams that are noise, stored as they are. */
	begin();
	for (uint32_t i = 0; i < 70000; i++)
		add(dwell_slot_enter((0x401000 + random_number() % 0x8000000) & ~1u, random_number()));
	packed = pack(70000);
	CHECK(check_cuts(packed.data, packed.size, 1009) > 50);
}

/* Parts that are not. */
TEST(hurt_parts)
{
	static uint8_t copy[200000];
	struct bytes packed;

	begin();
	add_frame(0x401000);
	for (uint32_t i = 0; i < 17000; i++)
		add(i & 1 ? dwell_slot_exit(0x401000, i * 8) : dwell_slot_enter(0x401000, i * 8));
	packed = pack(512);
	CHECK(in_parts && packed.size < sizeof copy);
	memcpy(copy, packed.data, packed.size);
	for (size_t at = 0; at < packed.size && !tap_bad; at++) {
		check_hurt(copy, at);
		for (int bit = 0; bit <= 8; bit += 2) {
			uint8_t flip = bit == 8 ? 0xff : (uint8_t)(1 << bit);
			struct bytes payload;

			copy[at] ^= flip;
			check_hurt(copy, packed.size);
			is_cut = true;
			if (!unpack(copy, packed.size, frame_count, unpacked_bytes(), &payload))
				CHECK(payload.size <= unpacked_bytes());
			is_cut = false;
			copy[at] ^= flip;
		}
	}
	check_there_and_back(512);
}

TEST(noise_is_refused_or_unpacked)
{
	static uint8_t noise[4096];
	struct bytes payload;

	in_parts = false;
	for (int round = 0; round < 2000; round++) {
		size_t size = DWELL_PACK_HEAD_BYTES + random_number() % 1000;
		uint32_t count = random_number() % 64, left = (uint32_t)size - DWELL_PACK_HEAD_BYTES;

		for (size_t i = 0; i < size; i++)
			noise[i] = (uint8_t)(random_number() & (round & 1 ? 0xff : 0x07));
		/* A head that can be: everything as it is. */
		for (uint32_t i = 0; i < DWELL_PACK_STREAMS; i++) {
			uint32_t length = i == DWELL_PACK_CHECKPOINT ? 0
					  : i == DWELL_PACK_TOKENS   ? count
								     : random_number() % (count + 1);
			length = length < left ? length : left;
			left -= length;
			put_u32(noise + 8 * i, length);
			put_u32(noise + 8 * i + 4, length);
		}
		if (!unpack(noise, size, 0, count * DWELL_SLOT_BYTES, &payload))
			CHECK_EQ(payload.size, count * DWELL_SLOT_BYTES);
	}
}

TEST(bounds)
{
	struct bytes packed, payload;
	uint8_t *copy;

	begin();
	add_program(5, 100);
	packed = pack(512);
	CHECK(!in_parts);
	CHECK(unpack(packed.data, packed.size, 0, unpacked_bytes() + 8, &payload));
	CHECK(unpack(packed.data, packed.size, 0, unpacked_bytes() - 8, &payload));
	CHECK(unpack(packed.data, packed.size, 0, unpacked_bytes() + 1, &payload));
	CHECK(unpack(packed.data, packed.size, 1, unpacked_bytes(), &payload));
	CHECK(unpack(packed.data, packed.size, UINT32_MAX, unpacked_bytes(), &payload));
	CHECK(unpack(packed.data, packed.size, 0, DWELL_CHUNK_LENGTH_MAX + 8, &payload));
	CHECK(unpack(packed.data, packed.size, 0, UINT32_MAX & ~7u, &payload));
	CHECK(unpack(NULL, 0, 0, 0, &payload));
	CHECK(!unpack(packed.data, packed.size, 0, unpacked_bytes(), &payload));
	/* A frame of zstd that holds more than the head says. */
	copy = malloc(DWELL_PACK_HEAD_BYTES + 1000);
	memset(copy, 0, DWELL_PACK_HEAD_BYTES);
	put_u32(copy + 8, 100);
	put_u32(copy + 12, (uint32_t)ZSTD_compress(copy + DWELL_PACK_HEAD_BYTES, 1000, slots, 800, 1));
	CHECK(unpack(copy, DWELL_PACK_HEAD_BYTES + 1000, 0, 800, &payload));
	free(copy);
}

int main(void)
{
	packer = make_packer();
	if (!packer)
		return 1;
	RUN(nothing);
	RUN(nothing_ever);
	RUN(words);
	RUN(usual);
	RUN(more_functions_than_numbers);
	RUN(deeper_than_the_stack);
	RUN(unwinds_and_exits_of_nothing);
	RUN(exits_of_their_own);
	RUN(stamps_that_jump);
	RUN(every_tag_and_noise);
	RUN(hurt);
	RUN(cut);
	RUN(hurt_parts);
	RUN(noise_is_refused_or_unpacked);
	RUN(bounds);
	free_packer(packer);
	unpacker_clear(&unpacker);
	return tap_done();
}
