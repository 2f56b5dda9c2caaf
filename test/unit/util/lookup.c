/* One hash table, and what stands on it: numbers and strings. */
#include "check.h"

#include <stdlib.h>

#include "util/lookup.h"
#include "util/numbers.h"
#include "util/strings.h"

#define COUNT 100000u

static uint64_t key_of(uint32_t item)
{
	return item * UINT64_C(0x1000) ^ (uint64_t)(item % 7) << 60;
}

static uint32_t find(const struct lookup *lookup, uint64_t key, uint32_t hash)
{
	for (uint32_t at = hash, item; (item = lookup_next(lookup, hash, &at)) != LOOKUP_NONE;)
		if (key_of(item) == key)
			return item;
	return LOOKUP_NONE;
}

TEST(nothing_is_in_it)
{
	struct lookup lookup = {0};

	CHECK_EQ(find(&lookup, 1, hash_number(1)), LOOKUP_NONE);
	lookup_reset(&lookup);
	lookup_clear(&lookup);
}

/* All stay findable while it grows, none of the others is found, and never more than 2/3 of it are used. */
TEST(it_grows)
{
	struct lookup lookup = {0};
	unsigned missing = 0, invented = 0;

	for (uint32_t i = 0; i < COUNT; i++) {
		invented += find(&lookup, key_of(i), hash_number(key_of(i))) != LOOKUP_NONE;
		if (!lookup_put(&lookup, hash_number(key_of(i)), i))
			break;
		missing += find(&lookup, key_of(i / 2), hash_number(key_of(i / 2))) != i / 2;
	}
	for (uint32_t i = 0; i < COUNT; i++)
		missing += find(&lookup, key_of(i), hash_number(key_of(i))) != i;
	CHECK(!missing && !invented);
	CHECK_EQ(lookup.used, COUNT);
	CHECK(lookup.used <= (lookup.mask + UINT64_C(1)) / 3 * 2);
	lookup_clear(&lookup);
	CHECK(!lookup.slots && !lookup.used);
}

/* Items of one hash are found one after the other, each once, around the end of the table, and those between them are passed
 * over. */
TEST(one_hash)
{
	static const uint32_t hashes[] = {0, 15, UINT32_MAX, UINT32_MAX - 1};

	for (size_t h = 0; h < sizeof hashes / sizeof *hashes; h++) {
		struct lookup lookup = {0};
		uint32_t found = 0, other = 0, hash = hashes[h];

		for (uint32_t i = 0; i < 50; i++)
			CHECK(lookup_put(&lookup, i % 2 ? hash : hash + 16, i));
		for (uint32_t at = hash, item; (item = lookup_next(&lookup, hash, &at)) != LOOKUP_NONE; found++)
			other += item % 2 == 0;
		CHECK_EQ(found, 25);
		CHECK_EQ(other, 0);
		lookup_clear(&lookup);
	}
}

/* The largest position that can be one. */
TEST(last_item)
{
	struct lookup lookup = {0};
	uint32_t at = 7;

	CHECK(lookup_put(&lookup, 7, LOOKUP_NONE - 1));
	CHECK_EQ(lookup_next(&lookup, 7, &at), LOOKUP_NONE - 1);
	CHECK_EQ(lookup_next(&lookup, 7, &at), LOOKUP_NONE);
	lookup_clear(&lookup);
}

TEST(another_in_its_place)
{
	struct lookup lookup = {0};
	uint32_t at = UINT32_MAX;

	CHECK(lookup_put(&lookup, UINT32_MAX, 1));
	CHECK_EQ(lookup_next(&lookup, UINT32_MAX, &at), 1);
	lookup_found_slot(&lookup, at)->item = 2 + 1;
	at = UINT32_MAX;
	CHECK_EQ(lookup_next(&lookup, UINT32_MAX, &at), 2);
	CHECK_EQ(lookup.used, 1);
	lookup_clear(&lookup);
}

TEST(emptied)
{
	struct lookup lookup = {0};
	const struct lookup_slot *slots;

	for (uint32_t i = 0; i < 1000; i++)
		lookup_put(&lookup, hash_number(i), i);
	slots = lookup.slots;
	lookup_reset(&lookup);
	for (uint32_t i = 0; i < 1000; i++) {
		uint32_t at = hash_number(i);

		CHECK_EQ(lookup_next(&lookup, hash_number(i), &at), LOOKUP_NONE);
	}
	for (uint32_t i = 0; i < 1000; i++)
		lookup_put(&lookup, hash_number(i), i);
	CHECK(lookup.slots == slots);
	lookup_clear(&lookup);
}

TEST(numbers)
{
	struct numbers numbers = {0};
	unsigned wrong = 0;

	CHECK_EQ(numbers_get(&numbers, 0), 0);
	for (uint32_t i = 0; i < COUNT; i++) {
		uint32_t *value = numbers_put(&numbers, key_of(i));

		if (!CHECK(value))
			break;
		wrong += *value != 0;
		*value = i + 1;
	}
	for (uint32_t i = 0; i < COUNT; i++)
		wrong += numbers_get(&numbers, key_of(i)) != i + 1 || *numbers_put(&numbers, key_of(i)) != i + 1;
	wrong += numbers_get(&numbers, key_of(COUNT)) != 0 || numbers_get(&numbers, UINT64_MAX) != 0;
	CHECK_EQ(wrong, 0);
	CHECK_EQ(numbers.count, COUNT);
	numbers_clear(&numbers);
	CHECK(!numbers.count && !numbers_get(&numbers, key_of(1)));
}

TEST(strings)
{
	struct strings strings = {0};
	char text[32];
	unsigned wrong = 0;
	bool is_new;

	CHECK_EQ(strings_intern(&strings, "", &is_new), 0);
	CHECK(is_new);
	for (uint32_t pass = 0; pass < 2; pass++)
		for (uint32_t i = 1; i < 10000; i++) {
			snprintf(text, sizeof text, "f%u", i);
			wrong += strings_intern(&strings, text, &is_new) != i || is_new != !pass;
		}
	CHECK_EQ(wrong, 0);
	CHECK_EQ(strings_intern(&strings, "", &is_new), 0);
	CHECK(!is_new);
	CHECK_STR(strings.texts[9999], "f9999");
	CHECK_EQ(strings.count, 10000);
	strings_clear(&strings);
}

int main(void)
{
	RUN(nothing_is_in_it);
	RUN(it_grows);
	RUN(one_hash);
	RUN(last_item);
	RUN(another_in_its_place);
	RUN(emptied);
	RUN(numbers);
	RUN(strings);
	return tap_done();
}
