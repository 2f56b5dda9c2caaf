/* One hash function: known values of bytes, and that the numbers which there are spread over a table. */
#include "check.h"

#include "util/hash.h"

/* FNV-1a's own test vectors. */
TEST(bytes)
{
	CHECK_EQ(hash_text(HASH_BEGIN, ""), UINT64_C(0xcbf29ce484222325));
	CHECK_EQ(hash_text(HASH_BEGIN, "a"), UINT64_C(0xaf63dc4c8601ec8c));
	CHECK_EQ(hash_text(HASH_BEGIN, "foobar"), UINT64_C(0x85944171f73967e8));
	CHECK_EQ(hash_bytes(HASH_BEGIN, "foobar", 6), hash_text(HASH_BEGIN, "foobar"));
	CHECK_EQ(hash_bytes(HASH_BEGIN, NULL, 0), HASH_BEGIN);
	CHECK_EQ(hash_bytes(HASH_BEGIN, "\xff\0\x80", 3), hash_bytes(hash_text(HASH_BEGIN, "\xff"), "\0\x80", 2));
}

#define KNOWN_SEED UINT64_C(0xe7037ed1a0b428db)
#define NUMBERS 4096u
#define SLOTS 8192u

/* In how many slots of twice as many there are numbers. Of random ones 3,223 ± 25. */
static unsigned spread(uint64_t first, uint64_t step, unsigned pair_bits)
{
	static bool is_used[SLOTS];
	unsigned used = 0;

	memset(is_used, 0, sizeof is_used);
	for (uint32_t i = 0; i < NUMBERS; i++) {
		uint32_t hash = pair_bits ? hash_pair(i >> pair_bits, i & ((1u << pair_bits) - 1)) : hash_number(first + i * step);

		used += !is_used[hash % SLOTS];
		is_used[hash % SLOTS] = true;
	}
	return used;
}

/* Ids that follow each other, addresses, and what differs in its upper bits alone. */
TEST(numbers_spread)
{
	for (unsigned shift = 0; shift <= 52; shift++) {
		CHECK(spread(0, UINT64_C(1) << shift, 0) > 2300);
		CHECK(spread(UINT64_MAX, -(UINT64_C(1) << shift), 0) > 2300);
	}
	for (uint64_t step = 1; step < 10000; step += 1 + step / 7)
		CHECK(spread(UINT64_C(0x55d0c0a00000), step, 0) > 2900);
	for (unsigned bits = 1; bits <= 12; bits++)
		CHECK(spread(0, 0, bits) > 2900);
}

/* Keys that an attacker chose for a known seed: multiples of a number whose products are small, with that seed removed. With that
 * seed 60,000 of these keys end in one slot of 2^18. */
TEST(chosen_keys_spread)
{
	const uint64_t step = UINT64_C(0x1e0366f7) << 18;
	static bool is_used[1 << 13];
	unsigned used = 0;

	CHECK(hash_seed && hash_seed != KNOWN_SEED);
	for (uint64_t i = 0; i < NUMBERS; i++) {
		uint32_t slot = hash_number((i * step) ^ KNOWN_SEED) & ((1u << 13) - 1);

		used += !is_used[slot];
		is_used[slot] = true;
	}
	CHECK(used > 100); /* the least of 20,000 seeds had 300 */
}

TEST(order_counts)
{
	CHECK(hash_pair(1, 2) != hash_pair(2, 1));
	CHECK(hash_pair(0, 1) != hash_pair(1, 0));
	CHECK_EQ(hash_pair(0, 7), hash_number(7));
}

int main(void)
{
	RUN(bytes);
	RUN(chosen_keys_spread);
	hash_seed = KNOWN_SEED;
	RUN(numbers_spread);
	RUN(order_counts);
	return tap_done();
}
