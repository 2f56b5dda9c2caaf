/* Counting by binary search, against a count that looks at each symbol; and what is done with names and odd tables. */
#include "check.h"

#include <stdlib.h>

#include "classic/core/tally.h"

static struct dwell_tally make_tally(size_t symbols, size_t intervals, uintptr_t text_bytes)
{
	struct dwell_tally tally;

	dwell_tally_init(&tally, malloc(dwell_tally_bytes(symbols, intervals)), symbols, intervals, text_bytes);
	return tally;
}

/* names is where its memory begins. */
static void free_tally(struct dwell_tally *tally)
{
	free(tally->names);
}

struct naive {
	uintptr_t start, count;
	char name[32];
};

TEST(counts_like_a_naive_count)
{
	for (unsigned seed = 1; seed <= 300; seed++) {
		enum { MOST = 200 };
		struct naive naive[MOST];
		uintptr_t text = 1 + (uintptr_t)(seed * 7919 % 4000), nobodys = 0, system = 0, bad = 0;
		size_t count = 0, wanted = seed % MOST;
		struct dwell_tally tally = make_tally(MOST, 40, text);

		srand(seed);
		for (size_t i = 0; i < wanted; i++) {
			struct naive *row = &naive[count];

			*row = (struct naive){.start = (uintptr_t)rand() % text};
			snprintf(row->name, sizeof row->name, "f%zu", i);
			count++;
			for (size_t j = 0; j + 1 < count; j++)
				if (naive[j].start == row->start) { /* each start once: aliases have a test of their own */
					count--;
					break;
				}
		}
		for (size_t i = 0; i < count; i++)
			CHECK(dwell_tally_add(&tally, naive[i].start, naive[i].name));
		dwell_tally_finish(&tally);
		CHECK_EQ(tally.count, count);
		if (count)
			dwell_tally_split(&tally, seed % count, seed % 40);
		for (int sample = 0; sample < 3000; sample++) {
			uintptr_t offset = (uintptr_t)rand() % (text + text / 4 + 1) - (sample % 50 == 0 ? 10 : 0);
			struct naive *best = NULL;

			for (size_t i = 0; i < count; i++)
				if (naive[i].start <= offset && (!best || naive[i].start > best->start))
					best = &naive[i];
			system += offset >= text;
			if (offset < text && best)
				best->count++;
			else if (offset < text)
				nobodys++;
			dwell_tally_sample(&tally, offset);
		}
		for (size_t i = 0; i < count; i++)
			bad += tally.counts[dwell_tally_name(&tally, naive[i].name, 0)] != naive[i].count;
		CHECK_EQ(bad, 0);
		CHECK_EQ(tally.counts[count], nobodys);
		CHECK_EQ(tally.system, system);
		if (count && seed % 40) {
			uintptr_t sum = 0;

			for (size_t i = 0; i < tally.split_count; i++)
				sum += tally.split_counts[i];
			CHECK_EQ(sum, tally.counts[tally.split]);
		}
		free_tally(&tally);
	}
}

TEST(aliases_and_what_is_outside)
{
	struct dwell_tally tally = make_tally(6, 0, 100);

	CHECK(!dwell_tally_add(&tally, 100, "behind"));
	CHECK(dwell_tally_add(&tally, 40, "longer"));
	CHECK(dwell_tally_add(&tally, 40, "_b"));
	CHECK(dwell_tally_add(&tally, 40, "_a"));
	CHECK(dwell_tally_add(&tally, 40, NULL));
	CHECK(dwell_tally_add(&tally, 60, NULL));
	CHECK(dwell_tally_add(&tally, 10, "first"));
	CHECK(!dwell_tally_add(&tally, 20, "one too many"));
	dwell_tally_finish(&tally);
	CHECK_EQ(tally.count, 3);
	CHECK_EQ(dwell_tally_symbols(&tally), 2);
	CHECK_STR(tally.names[0], "first");
	CHECK_STR(tally.names[1], "_a");
	CHECK(!tally.names[2]);
	CHECK_EQ(dwell_tally_end(&tally, 1), 60);
	CHECK_EQ(dwell_tally_end(&tally, 2), 100);
	dwell_tally_sample(&tally, 9);
	dwell_tally_sample(&tally, 10);
	dwell_tally_sample(&tally, 39);
	dwell_tally_sample(&tally, 59);
	dwell_tally_sample(&tally, 60);
	dwell_tally_sample(&tally, 99);
	dwell_tally_sample(&tally, 100);
	dwell_tally_sample(&tally, (uintptr_t)-1);
	CHECK_EQ(tally.counts[0], 2);
	CHECK_EQ(tally.counts[1], 1);
	CHECK_EQ(tally.counts[2], 2);
	CHECK_EQ(tally.counts[3], 1);
	CHECK_EQ(tally.system, 2);
	free_tally(&tally);
}

TEST(names_as_people_type_them)
{
	struct dwell_tally tally = make_tally(5, 0, 100);

	dwell_tally_add(&tally, 0, "_main");
	dwell_tally_add(&tally, 10, "main_loop");
	dwell_tally_add(&tally, 20, "Draw");
	dwell_tally_add(&tally, 30, "_Draw");
	dwell_tally_add(&tally, 40, "__draw");
	dwell_tally_finish(&tally);
	CHECK_EQ(dwell_tally_name(&tally, "_main", 0), 0);
	CHECK_EQ(dwell_tally_name(&tally, "main", 0), 0);
	CHECK_EQ(dwell_tally_name(&tally, "MAIN", 0), 0);
	CHECK_EQ(dwell_tally_name(&tally, "Draw", 0), 2);
	CHECK_EQ(dwell_tally_name(&tally, "DRAW", 0), 2);
	CHECK_EQ(dwell_tally_name(&tally, "_draw", 0), 4);
	CHECK_EQ(dwell_tally_name(&tally, "mai", 0), DWELL_TALLY_NONE);
	CHECK_EQ(dwell_tally_name(&tally, "main_", 0), DWELL_TALLY_NONE);
	CHECK_EQ(dwell_tally_name(&tally, "", 0), DWELL_TALLY_NONE);
	free_tally(&tally);
}

/* As the ST's compilers write them, on Linux; as Mark Williams writes them. */
TEST(underscores_of_other_compilers)
{
	struct dwell_tally tally = make_tally(4, 0, 100);

	dwell_tally_add(&tally, 0, "sleepy");
	dwell_tally_add(&tally, 10, "_sleepy_");
	dwell_tally_add(&tally, 20, "happy_");
	dwell_tally_add(&tally, 30, "_");
	dwell_tally_finish(&tally);
	CHECK_EQ(dwell_tally_name(&tally, "_sleepy", 0), 0);
	CHECK_EQ(dwell_tally_name(&tally, "_SLEEPY", 0), 0);
	CHECK_EQ(dwell_tally_name(&tally, "happy", 0), 2);
	CHECK_EQ(dwell_tally_name(&tally, "Happy", 0), 2);
	CHECK_EQ(dwell_tally_name(&tally, "_happy", 0), DWELL_TALLY_NONE);
	CHECK_EQ(dwell_tally_name(&tally, "_", 0), 3);
	free_tally(&tally);
}

/* A table cuts names, and then has two of one name. */
TEST(names_that_are_cut)
{
	struct dwell_tally tally = make_tally(4, 0, 100);

	dwell_tally_add(&tally, 0, "_calc");
	dwell_tally_add(&tally, 10, "_calcula");
	dwell_tally_add(&tally, 26, "_calcula");
	dwell_tally_add(&tally, 40, "_draw");
	dwell_tally_finish(&tally);
	CHECK_EQ(dwell_tally_name(&tally, "calculate_sum", 0), DWELL_TALLY_NONE);
	tally.name_bytes_max = 8;
	CHECK_EQ(dwell_tally_name(&tally, "calculate_sum", 0), 1);
	CHECK_EQ(dwell_tally_name(&tally, "_calculate_sum", 0), 1);
	CHECK_EQ(dwell_tally_name(&tally, "CALCULATE_SUM", 0), 1);
	CHECK_EQ(dwell_tally_name(&tally, "calcul", 0), DWELL_TALLY_NONE);
	CHECK_EQ(dwell_tally_name(&tally, "drawing", 0), DWELL_TALLY_NONE);
	CHECK_EQ(dwell_tally_name(&tally, "_calcula@101a", 0x1000), 2);
	CHECK_EQ(dwell_tally_name(&tally, "calculate_sum@1A", 0), 2);
	CHECK_EQ(dwell_tally_name(&tally, "calculate_sum@a", 0), 1);
	CHECK_EQ(dwell_tally_name(&tally, "_draw@1a", 0), DWELL_TALLY_NONE);
	CHECK_EQ(dwell_tally_name(&tally, "_calcula@", 0), DWELL_TALLY_NONE);
	CHECK_EQ(dwell_tally_name(&tally, "_calcula@1ag", 0), DWELL_TALLY_NONE);
	CHECK_EQ(dwell_tally_name(&tally, "_calcula@123456789012345678901", 0), DWELL_TALLY_NONE);
	CHECK(dwell_tally_is_alone(&tally, 0) && dwell_tally_is_alone(&tally, 3));
	CHECK(!dwell_tally_is_alone(&tally, 1) && !dwell_tally_is_alone(&tally, 2));
	free_tally(&tally);
}

TEST(intervals_are_as_equal_as_bytes_allow)
{
	struct dwell_tally tally = make_tally(2, 25, 1000);
	uintptr_t small = 0, large = 0;

	dwell_tally_add(&tally, 100, "f");
	dwell_tally_add(&tally, 178, "g");
	dwell_tally_finish(&tally);
	dwell_tally_split(&tally, 0, 25);
	CHECK_EQ(tally.split_count, 25);
	CHECK_EQ(tally.split_starts[0], 100);
	for (size_t i = 0; i < 25; i++) {
		uintptr_t end = i < 24 ? tally.split_starts[i + 1] : 178, bytes = end - tally.split_starts[i];

		small += bytes == 3;
		large += bytes == 4;
		dwell_tally_sample(&tally, end - 1);
		CHECK_EQ(tally.split_counts[i], 1);
	}
	CHECK_EQ(small, 22);
	CHECK_EQ(large, 3);
	dwell_tally_split(&tally, 1, 5000); /* no more than there is memory for */
	CHECK_EQ(tally.split_count, 25);
	dwell_tally_split(&tally, DWELL_TALLY_NONE, 25);
	CHECK_EQ(tally.split_count, 0);
	dwell_tally_sample(&tally, 999);
	free_tally(&tally);

	tally = make_tally(1, 25, 3); /* fewer bytes than intervals */
	dwell_tally_add(&tally, 0, "tiny");
	dwell_tally_finish(&tally);
	dwell_tally_split(&tally, 0, 25);
	CHECK_EQ(tally.split_count, 3);
	CHECK_EQ(tally.split_starts[2], 2);
	free_tally(&tally);
}

TEST(no_symbols_at_all)
{
	struct dwell_tally tally = make_tally(0, 0, 10);

	CHECK(!dwell_tally_add(&tally, 0, "none"));
	dwell_tally_finish(&tally);
	dwell_tally_sample(&tally, 5);
	CHECK_EQ(tally.counts[0], 1);
	CHECK_EQ(dwell_tally_bytes(SIZE_MAX / 8, 1), 0);
	CHECK_EQ(dwell_tally_bytes(1, SIZE_MAX / 8), 0);
	free_tally(&tally);
}

int main(void)
{
	RUN(counts_like_a_naive_count);
	RUN(aliases_and_what_is_outside);
	RUN(names_as_people_type_them);
	RUN(underscores_of_other_compilers);
	RUN(names_that_are_cut);
	RUN(intervals_are_as_equal_as_bytes_allow);
	RUN(no_symbols_at_all);
	return tap_done();
}
