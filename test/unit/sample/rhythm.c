/* Programs in step with samples at even distances, and others. */
#include <string.h>

#include "check.h"
#include "sample/rhythm.h"

static uint64_t seed = 7;

static double draw(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (double)(seed >> 11) / 9007199254740992.0;
}

/* even: the share that samples at even distances see; phases: so many windows in which the program is in other functions. */
static bool try(double even, double random, unsigned windows, unsigned phases, double shares[RHYTHM_KINDS])
{
	static const char file[] = "file";
	const struct rhythm_place *place = NULL;
	struct rhythm rhythm = {0};
	bool found;

	for (unsigned i = 0; i < windows; i++) {
		uint64_t phase = phases ? i / phases % 3 * 100 : 0;

		for (int k = 0; k < 20; k++)
			rhythm_add(&rhythm, file, phase + (draw() < even), RHYTHM_EVEN);
		for (int k = draw() < 0.5 ? 1 : 2; k >= 0; k--)
			rhythm_add(&rhythm, file, phase + (draw() < random), RHYTHM_RANDOM);
		rhythm_end_window(&rhythm);
	}
	found = rhythm_find(&rhythm, &place, shares) == RHYTHM_IN_STEP;
	CHECK(!found || place->file == file);
	rhythm_clear(&rhythm);
	return found;
}

TEST(in_step)
{
	double shares[RHYTHM_KINDS];
	unsigned found = 0;

	for (int i = 0; i < 100; i++)
		found += try(0, 0.1, 150, 0, shares);
	CHECK(found >= 98);
	CHECK(try(0.465, 0.06, 100, 0, shares));
	CHECK((shares[RHYTHM_EVEN] > 0.4 && shares[RHYTHM_RANDOM] < 0.2) || (shares[RHYTHM_EVEN] < 0.6 && shares[RHYTHM_RANDOM] > 0.8));
	CHECK(try(0, 0.3, 90, 10, shares));
}

/* Three seconds at 500 Hz: what the even samples never see is seen by ten of the others. */
TEST(never_seen)
{
	double shares[RHYTHM_KINDS];
	unsigned found = 0, rare = 0;

	for (int i = 0; i < 100; i++) {
		found += try(0, 0.1, 60, 0, shares);
		rare += try(0.01, 0.01, 60, 0, shares);
	}
	CHECK(found >= 80);
	CHECK(rare <= 1);
}

/* Chance alone, with and without phases that are long beside a window. */
TEST(not_in_step)
{
	double shares[RHYTHM_KINDS];
	unsigned found = 0;

	for (int i = 0; i < 500; i++)
		found += try(0.1, 0.1, 150, 0, shares) + try(0.3, 0.3, 150, 25, shares) + try(0.005, 0.005, 150, 1, shares) +
			try(0.5, 0.5, 40, 1, shares);
	CHECK(found <= 8); /* of 2000: two are to be expected, and a machine draws the same each time */
}

/* A difference below the sight is no rhythm, one above it is; more samples see more, long phases less. */
TEST(sight)
{
	static const char file[] = "file";
	double before = 1;

	for (unsigned windows = 40; windows <= 640; windows *= 4) {
		const struct rhythm_place *place;
		struct rhythm rhythm = {0}, other = {0}, phases = {0};
		double shares[RHYTHM_KINDS], sight;

		/* Each window as the others, so that the shares are exact: 2 of 20 and of 10, and what is about to differ. */
		for (unsigned i = 0; i < windows; i++) {
			for (unsigned k = 0; k < 20; k++)
				rhythm_add(&rhythm, file, k < 2, RHYTHM_EVEN);
			for (unsigned k = 0; k < 10; k++)
				rhythm_add(&rhythm, file, k < 1, RHYTHM_RANDOM);
			rhythm_end_window(&rhythm);
		}
		CHECK_EQ(rhythm_find(&rhythm, &place, shares), RHYTHM_NONE);
		sight = rhythm_find_sight(&rhythm);
		CHECK(sight > 0.02 - 1e-6 && sight < before);
		before = sight;
		for (int above = 0; above < 2; above++) {
			double even = 0.1 + sight * (above ? 1.1 : 0.9), due = 0;

			for (unsigned i = 0; i < windows; i++) {
				for (unsigned k = 0; k < 20; k++) {
					due += even;
					rhythm_add(&other, file, due >= 1, RHYTHM_EVEN);
					due -= due >= 1;
				}
				for (unsigned k = 0; k < 10; k++)
					rhythm_add(&other, file, k < 1, RHYTHM_RANDOM);
				rhythm_end_window(&other);
			}
			CHECK_EQ(rhythm_find(&other, &place, shares), above ? RHYTHM_IN_STEP : RHYTHM_NONE);
			rhythm_clear(&other);
		}
		for (unsigned i = 0; i < windows; i++) {
			for (unsigned k = 0; k < 20; k++)
				rhythm_add(&phases, file, i % 10 == 0, RHYTHM_EVEN);
			for (unsigned k = 0; k < 10; k++)
				rhythm_add(&phases, file, i % 10 == 0, RHYTHM_RANDOM);
			rhythm_end_window(&phases);
		}
		CHECK(rhythm_find_sight(&phases) > 1.5 * sight);
		rhythm_clear(&phases);
		rhythm_clear(&rhythm);
	}
}

/* Too little to say anything; and samples of one kind only. */
TEST(little)
{
	const struct rhythm_place *place;
	double shares[RHYTHM_KINDS];
	struct rhythm rhythm = {0};

	CHECK_EQ(rhythm_find(&rhythm, &place, shares), RHYTHM_NOT_KNOWN);
	CHECK(!try(0, 1, 10, 0, shares));
	for (unsigned i = 0; i < RHYTHM_WINDOWS_MIN; i++) {
		CHECK_EQ(rhythm_find(&rhythm, &place, shares), RHYTHM_NOT_KNOWN);
		rhythm_add(&rhythm, NULL, 0, RHYTHM_EVEN);
		rhythm_add(&rhythm, NULL, 0, RHYTHM_RANDOM);
		rhythm_end_window(&rhythm);
	}
	CHECK_EQ(rhythm_find(&rhythm, &place, shares), RHYTHM_NONE);
	rhythm_clear(&rhythm);
	for (int i = 0; i < 1000; i++) {
		rhythm_add(&rhythm, NULL, 0, RHYTHM_EVEN);
		rhythm_end_window(&rhythm);
	}
	CHECK_EQ(rhythm.windows, 0);
	CHECK_EQ(rhythm_find(&rhythm, &place, shares), RHYTHM_NOT_KNOWN);
	rhythm_clear(&rhythm);
}

int main(void)
{
	RUN(in_step);
	RUN(never_seen);
	RUN(not_in_step);
	RUN(sight);
	RUN(little);
	return tap_done();
}
