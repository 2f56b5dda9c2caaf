/* What record --until waits for: the widest interval of those that count. */
#include "query/precision.h"

#include <math.h>

#include "check.h"
#include "unit/analysis/made.h"

#define KINDS 4u

/* Samples of functions a, b, c, d, so many of a thousand each, scattered: the next one knows nothing of the last. */
static void feed(uint32_t samples, const uint32_t of_thousand[KINDS])
{
	struct message_node nodes[KINDS];
	struct message_sample *list = calloc(samples, sizeof *list);
	struct message message = {.kind = MESSAGE_SAMPLES,
		.samples = {.nodes = nodes, .node_count = KINDS, .samples = list, .count = samples}};
	uint32_t state = 1;

	for (uint32_t i = 0; i < KINDS; i++)
		nodes[i] = (struct message_node){.address = 0xa00 + 0x100 * i};
	for (uint32_t i = 0; i < samples; i++) {
		uint32_t part, kind = 0;

		state = state * 1664525 + 1013904223;
		part = (uint32_t)((uint64_t)state * 1000 >> 32);
		while (kind + 1 < KINDS && part >= of_thousand[kind])
			part -= of_thousand[kind++];
		list[i] = (struct message_sample){.ticks = i + 1, .weight = 1000, .node = kind + 1, .stack = DWELL_STACK_COMPLETE};
	}
	model_feed(made_model, &message);
	free(list);
}

/* Wilson's interval of so many throws of a die: as wide as that, and a little wider, as the longest variance found counts. */
static double half_of(double share, double samples)
{
	double z = 1.96 * 1.96 / samples, center = (share + z / 2) / (1 + z), half = sqrt(share * (1 - share) * z + z * z / 4) / (1 + z);

	return 100 * fmax(center + half - share, share - (center - half));
}

/* The one nearest to a half is the widest, wherever it stands; what has less than 1 % does not count, though it is there. */
TEST(widest)
{
	static const struct {
		uint32_t of_thousand[KINDS], samples, functions;
		const char *name;
		double share;
	} cases[] = {{{700, 250, 45, 5}, 4000, 3, "0xa00", 0.7}, {{30, 480, 488, 2}, 4000, 3, NULL, 0.48}, {{2, 990, 4, 4}, 8000, 1, "0xb00", 0.99},
		{{900, 3, 3, 94}, 1000, 2, "0xa00", 0.9}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct precision_known known;
		double wanted = half_of(cases[i].share, cases[i].samples);

		made_begin();
		feed(cases[i].samples, cases[i].of_thousand);
		model_finish(made_model);
		precision_find_widest(made_model, &known);
		printf("# %s: %.3f, of independent samples %.3f\n", known.name, known.half, wanted);
		CHECK_EQ(known.samples, cases[i].samples);
		CHECK_EQ(known.functions, cases[i].functions);
		if (cases[i].name)
			CHECK_STR(known.name, cases[i].name);
		CHECK(known.half > 0.85 * wanted && known.half < 1.7 * wanted);
		made_end();
	}
}

TEST(nothing)
{
	struct precision_known known = {.functions = 9};

	made_begin();
	model_finish(made_model);
	precision_find_widest(made_model, &known);
	CHECK_EQ(known.samples + known.functions, 0);
	CHECK(known.half == 0);
	made_end();
}

int main(void)
{
	RUN(widest);
	RUN(nothing);
	return tap_done();
}
