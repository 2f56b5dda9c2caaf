/* Counts of pieces of code: which functions they are of, where a piece is of several. */
#include <link.h>
#include <stdlib.h>

#include "check.h"
#include "model/model.h"
#include "model/sums/pc_counts.h"
#include "model/profile/estimate.h"
#include "model/sums/split.h"

#define LOW UINT64_C(0x7f0000000000)

/* Functions that begin where they like. first: 6 bytes, second: 7, behind that nothing, third: 2, fourth: 1, fifth: 16. */
__asm__(".pushsection .text\n"
	".balign 64\n"
	".globl counts_begin\n"
	"counts_begin:\n"
	".macro piece name, bytes\n"
	".globl \\name\n.type \\name, @function\n\\name: .fill \\bytes, 1, 0xc3\n.size \\name, \\bytes\n"
	".endm\n"
	"piece counts_first, 6\n"
	"piece counts_second, 7\n"
	".fill 3, 1, 0xcc\n" /* up to 16 */
	"piece counts_third, 2\n"
	"piece counts_fourth, 1\n"
	"piece counts_fifth, 16\n"
	".popsection\n");
extern char counts_begin[];

static char self[4096];

static int find_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
	(void)size;
	*(uint64_t *)bias = info->dlpi_addr;
	return 1;
}

static uint64_t base(void)
{
	uint64_t bias = 0;

	dl_iterate_phdr(find_bias, &bias);
	return (uint64_t)(uintptr_t)counts_begin - bias + LOW;
}

static struct model *feed(const struct message_counts *counts, const char *split, struct diag *diag)
{
	const struct model_options options = {.want_profile = true, .split = split, .split_intervals = 4};
	struct model *model = make_model(&options, diag);
	const struct message messages[] = {
		{.kind = MESSAGE_MODULE, .module = {.low = LOW, .high = LOW + 0x10000000, .bias = LOW, .path = self}},
		{.kind = MESSAGE_SAMPLING, .sampling = {.engine = DWELL_ENGINE_INTERRUPT}},
		{.kind = MESSAGE_COUNTS, .counts = *counts},
	};

	for (size_t i = 0; i < 3; i++)
		model_feed(model, &messages[i]);
	model_finish(model);
	return model;
}

static uint64_t self_of(struct model *model, const char *name)
{
	const struct profile *profile = model_get_profile(model);

	for (uint32_t id = 0; id < profile->function_count; id++)
		if (!strcmp(functions_get_name(model_get_functions(model), id), name))
			return profile->functions[id].self;
	return 0;
}

static struct message_counts message(const struct message_count *list, uint32_t count)
{
	return (struct message_counts){.bytes = 4, .weight = 10, .counts = list, .count = count, .until_ticks = 1};
}

TEST(shared_by_bytes)
{
	struct diag *diag = make_diag();
	const struct message_count list[] = {
		{base(), 5},         /* first */
		{base() + 4, 100},   /* first and second, half and half */
		{base() + 12, 7},    /* a byte of second, and nobody's */
		{base() + 16, 1000}, /* third: 2, fourth: 1, fifth: 1 */
		{base() + 20, 3},    /* fifth */
	};
	struct message_counts counts = message(list, 5);
	struct model *model;
	const struct profile *profile;

	counts.outside = 11;
	counts.beyond = 2;
	counts.full = 1;
	model = feed(&counts, NULL, diag);
	profile = model_get_profile(model);
	CHECK_EQ(self_of(model, "counts_first"), 10 * (5 + 50));
	CHECK_EQ(self_of(model, "counts_second"), 10 * (50 + 7));
	CHECK_EQ(self_of(model, "counts_third"), 10 * 500);
	CHECK_EQ(self_of(model, "counts_fourth"), 10 * 250);
	CHECK_EQ(self_of(model, "counts_fifth"), 10 * 253);
	CHECK_EQ(self_of(model, PC_COUNTS_OUTSIDE), 110);
	CHECK_EQ(self_of(model, PC_COUNTS_FULL), 20);
	CHECK_EQ(profile->total, 10 * (5 + 100 + 7 + 1000 + 3 + 11 + 2));
	CHECK_EQ(profile->estimates.samples, 5 + 100 + 7 + 1000 + 3 + 11 + 2);
	CHECK_EQ(profile->full_counts, 1);
	CHECK_EQ(profile->thread_count, 1);
	CHECK_EQ(profile->threads[0].sampled, profile->total);
	CHECK_EQ(diag_status(diag), 0);
	free_model(model);
	free_diag(diag);
}

/* What cannot be shared evenly is not lost. */
TEST(nothing_is_lost)
{
	for (uint64_t count = 0; count < 50; count++) {
		struct diag *diag = make_diag();
		const struct message_count list[] = {{base() + 16, count}};
		struct message_counts counts = message(list, 1);
		struct model *model = feed(&counts, NULL, diag);

		CHECK_EQ(self_of(model, "counts_third") + self_of(model, "counts_fourth") + self_of(model, "counts_fifth"), 10 * count);
		CHECK_EQ(self_of(model, "counts_third"), 10 * (count * 2 / 4));
		free_model(model);
		free_diag(diag);
	}
}

/* What a full counter could not take may all be that function's: the interval reaches as far, and that of others does not. */
TEST(full_counter)
{
	struct diag *diag = make_diag();
	const struct message_count list[] = {{base(), 65535}, {base() + 20, 60000}};
	struct message_counts counts = message(list, 2);
	struct model *model;
	const struct profile *profile;

	counts.beyond = 20000;
	counts.full = 1;
	model = feed(&counts, NULL, diag);
	profile = model_get_profile(model);
	for (uint32_t id = 0; id < profile->function_count; id++) {
		struct estimate_share share = estimates_get_share(&profile->estimates, id, (double)profile->functions[id].self);
		const char *name = functions_get_name(model_get_functions(model), id);

		if (!strcmp(name, "counts_first"))
			CHECK(share.low < 0.4505 && share.low > 0.44 && share.high > 0.5877 && share.high < 0.6);
		if (!strcmp(name, "counts_fifth"))
			CHECK(share.high < 0.42);
	}
	free_model(model);
	free_diag(diag);
}

/* Wilson's interval, of so many throws of a die. */
TEST(interval)
{
	struct diag *diag = make_diag();
	const struct message_count list[] = {{base(), 300}, {base() + 20, 100}};
	struct message_counts counts = message(list, 2);
	struct model *model = feed(&counts, NULL, diag);
	const struct profile *profile = model_get_profile(model);

	for (uint32_t id = 0; id < profile->function_count; id++) {
		struct estimate_share share = estimates_get_share(&profile->estimates, id, (double)profile->functions[id].self);

		if (strcmp(functions_get_name(model_get_functions(model), id), "counts_first"))
			continue;
		CHECK(share.share > 0.7499 && share.share < 0.7501);
		CHECK(share.low > 0.7045 && share.low < 0.7060); /* 0.7053 to 0.7900 with 1.96 */
		CHECK(share.high > 0.7890 && share.high < 0.7905);
		CHECK(share.independent > 398 && share.independent < 401);
	}
	free_model(model);
	free_diag(diag);
}

/* Addresses at their end, and more counts than there is room for. */
TEST(hostile)
{
	struct diag *diag = make_diag();
	const struct message_count list[] = {
		{UINT64_MAX - 20, 3}, {UINT64_MAX - 2, UINT64_C(1) << 40}, {UINT64_MAX, UINT64_C(1) << 40}};
	struct message_counts counts = message(list, 3);
	struct model *model;

	counts.weight = UINT64_C(1) << 40;
	counts.bytes = 16;
	model = feed(&counts, NULL, diag);
	CHECK_EQ(model_get_profile(model)->total, UINT64_MAX);
	free_model(model);
	free_diag(diag);
}

TEST(by_parts)
{
	struct diag *diag = make_diag();
	const struct message_count list[] = {{base() + 16, 40}, {base() + 20, 5}, {base() + 28, 1}};
	struct message_counts counts = message(list, 3);
	struct model *model = feed(&counts, "counts_fifth", diag);
	const struct split *split = model_get_split(model);

	CHECK_EQ(split->count, 1);
	if (split->count == 1) {
		CHECK_EQ(split->symbols[0].bytes, 16);
		CHECK_EQ(split->symbols[0].weights[0], 10 * 10 + 10 * 5); /* bytes 0 to 3 of it: 19 is the first */
		CHECK_EQ(split->symbols[0].weights[2], 10);
		CHECK_EQ(split->symbols[0].weight, 160);
		CHECK_EQ(split->symbols[0].estimates.samples, 16);
	}
	free_model(model);
	free_diag(diag);
}

int main(int argc, char **argv)
{
	(void)argc;
	if (!realpath(argv[0], self))
		return 1;
	RUN(shared_by_bytes);
	RUN(nothing_is_lost);
	RUN(full_counter);
	RUN(interval);
	RUN(hostile);
	RUN(by_parts);
	return tap_done();
}
