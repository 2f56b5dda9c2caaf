/* How sure it is who called, by samples made by hand. */
#include "analysis/relative_shares.h"

#include <math.h>

#include "check.h"
#include "made.h"

static uint32_t function(char name)
{
	const struct place place = {DWELL_PLACE_ADDRESS, (uint64_t)(name - 'a' + 10) * 0x100};

	return functions_find(model_get_functions(made_model), 0, place, 0);
}

/* path: "abc" is a, which called b, which called c. */
static void take(struct relative_shares *shares, uint32_t stream, const char *path, uint64_t weight)
{
	uint32_t functions[16];
	struct model_sample sample = {.stream = stream, .weight = weight, .functions = functions, .count = strlen(path)};

	for (size_t i = 0; i < sample.count; i++)
		functions[i] = function(path[i]);
	relative_shares_take(shares, &sample);
}

static struct relative_shares begin(const char *name, enum relatives_side side)
{
	made_begin();
	return (struct relative_shares){.pattern = make_pattern(name, model_get_functions(made_model)), .side = side};
}

static void end(struct relative_shares *shares)
{
	CHECK(!shares->has_failed);
	free_pattern(shares->pattern);
	relative_shares_clear(shares);
	made_end();
}

static uint64_t samples_of(const struct relative_shares *shares, uint32_t row)
{
	return row < shares->rows.count ? shares->rows.functions[row].samples : 0;
}

static double random_share(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (double)(*state >> 33) / 2147483648.0;
}

static double width_of(const struct estimates *estimates, uint32_t row, double weight)
{
	struct estimate_share share = estimates_get_share(estimates, row, weight);

	return share.high - share.low;
}

/* A third of f's samples came from b: as sure as of so many throws of a die where each is for itself, and less where they come in
 * runs. A thread that is not in f all the time says nothing more. */
TEST(runs)
{
	double width[2];

	for (int runs = 0; runs < 2; runs++) {
		struct relative_shares shares = begin("0xf00", RELATIVES_CALLERS);
		uint64_t state = 7, from_b = 0;
		const char *path = "";

		for (int i = 0; i < 12000; i++) {
			if (!runs || i / 3 % 20 == 0)
				path = random_share(&state) < 1.0 / 3 ? "abf" : "acf";
			from_b += path[1] == 'b' && i % 2;
			take(&shares, (uint32_t)(i % 3), i % 2 ? path : "ac", 10);
		}
		relative_shares_finish(&shares, false);
		CHECK_EQ(shares.all.samples, 12000);
		CHECK_EQ(shares.rows.samples, 6000);
		CHECK_EQ(shares.all.functions[0].samples, 6000);
		CHECK_EQ(samples_of(&shares, function('b') + 1), from_b);
		CHECK_EQ(samples_of(&shares, function('c') + 1), 6000 - from_b);
		width[runs] = width_of(&shares.rows, function('b') + 1, 10.0 * (double)from_b);
		end(&shares);
	}
	printf("# %.4f and %.4f\n", width[0], width[1]);
	CHECK(fabs(width[0] / (2 * 1.96 * sqrt(2.0 / 9 / 6000)) - 1) < 0.25);
	CHECK(width[1] > 2 * width[0]);
}

/* Each row once in a sample, however often f is on its path: shares may be more than one together, none is more than one. */
TEST(recursion)
{
	struct relative_shares shares = begin("0xf00", RELATIVES_CALLERS);

	for (int i = 0; i < 100; i++) {
		take(&shares, 1, "afffbf", 1);
		take(&shares, 1, "ab", 1);
		take(&shares, 1, "", 1);
	}
	relative_shares_finish(&shares, false);
	CHECK_EQ(shares.all.samples, 300);
	CHECK_EQ(shares.rows.samples, 100);
	for (const char *caller = "abf"; *caller; caller++) {
		CHECK_EQ(samples_of(&shares, function(*caller) + 1), 100);
		CHECK_EQ((uint64_t)(100 * estimates_get_share(&shares.rows, function(*caller) + 1, 100).high), 100);
	}
	CHECK_EQ(samples_of(&shares, 0), 0);
	CHECK_EQ(shares.all.functions[0].samples, 100);
	CHECK_EQ(shares.all.functions[1].samples, 100);
	end(&shares);
}

TEST(callees)
{
	struct relative_shares shares = begin("0xf00", RELATIVES_CALLEES);

	take(&shares, 1, "f", 1);
	take(&shares, 1, "fg", 2);
	take(&shares, 2, "afgfh", 3);
	take(&shares, 2, "fgf", 3);
	relative_shares_finish(&shares, false);
	CHECK_EQ(samples_of(&shares, 0), 2); /* itself */
	CHECK_EQ(samples_of(&shares, function('g') + 1), 3);
	CHECK_EQ(samples_of(&shares, function('h') + 1), 1);
	CHECK_EQ(shares.all.functions[1].samples, 2);
	end(&shares);
	/* One at the root. */
	shares = begin("0xf00", RELATIVES_CALLERS);
	take(&shares, 1, "fg", 2);
	CHECK_EQ(samples_of(&shares, 0), 1);
	end(&shares);
}

int main(void)
{
	RUN(runs);
	RUN(recursion);
	RUN(callees);
	return tap_done();
}
