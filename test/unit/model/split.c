/* One function by parts of its code: random samples in a function of this program, against a count by hand. */
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "model/model.h"
#include "model/sums/split.h"
#include "symbol/symbol.h"

#define LOW UINT64_C(0x7f0000000000)
#define SAMPLES 20000u
#define STREAMS 2u

static char self[4096];

/* Something that has some bytes. */
int victim(int n);
__attribute__((noinline)) int victim(int n)
{
	for (int i = 0; i < n; i++) {
		n ^= i * 17;
		if (n % 7 == 3)
			printf("%d\n", n);
	}
	return n + (int)strlen(self);
}

static int find_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
	(void)size;
	*(uint64_t *)bias = info->dlpi_addr;
	return 1; /* the program is the first */
}

static uint64_t linked(int (*function)(int))
{
	uint64_t bias = 0;

	dl_iterate_phdr(find_bias, &bias);
	return (uint64_t)(uintptr_t)function - bias;
}

static const struct symbol *find(const struct symbol_table *symbols, uint64_t address)
{
	const struct symbol *symbol = symbol_find(symbols, address);

	return symbol && symbol->address == address ? symbol : NULL;
}

static struct model *make(const char *name, uint32_t intervals, struct diag *diag)
{
	const struct model_options options = {.want_profile = true, .split = name, .split_intervals = intervals};
	struct model *model = make_model(&options, diag);
	struct message module = {.kind = MESSAGE_MODULE,
		.module = {.low = LOW, .high = LOW + 0x10000000, .bias = LOW, .path = self, .load_ticks = 0}};

	model_feed(model, &module);
	return model;
}

/* One sample a chunk; weight as its number says. */
static void feed(struct model *model, uint32_t stream, uint64_t address, uint64_t ticks, uint64_t weight)
{
	const struct message_node node = {.address = LOW + address};
	const struct message_sample sample = {ticks, weight, 1, DWELL_STACK_LEAF};
	struct message message = {.kind = MESSAGE_SAMPLES,
		.samples = {.stream = stream, .nodes = &node, .node_count = 1, .samples = &sample, .count = 1}};

	model_feed(model, &message);
}

static void compare(uint32_t intervals, const struct symbol *symbol, struct diag *diag)
{
	struct model *model = make("victim", intervals, diag);
	uint32_t count = symbol->size < intervals ? (uint32_t)symbol->size : intervals;
	uint64_t *samples = calloc(count, sizeof *samples), *weights = calloc(count, sizeof *weights), all = 0;
	const struct split *split;

	srand(intervals);
	for (uint32_t i = 0; i < SAMPLES; i++) {
		uint64_t offset = (uint64_t)rand() % symbol->size, weight = 1 + (uint64_t)rand() % 9;
		uint32_t interval = 0;

		/* The last one that begins there or before, by looking at all. */
		for (uint32_t k = 0; k < count; k++)
			if (symbol->size * k / count <= offset)
				interval = k;
		feed(model, i % STREAMS, symbol->address + offset, i + 1, weight);
		feed(model, i % STREAMS, symbol->address + symbol->size, i + 1, 100); /* of another function, or none */
		samples[interval]++;
		weights[interval] += weight;
		all += weight;
	}
	model_finish(model);
	split = model_get_split(model);
	CHECK_EQ(split->count, 1);
	if (split->count == 1) {
		const struct split_symbol *found = split->symbols;

		CHECK_EQ(found->start, symbol->address);
		CHECK_EQ(found->bytes, symbol->size);
		CHECK_EQ(found->interval_count, count);
		CHECK_EQ(found->weight, all);
		CHECK_EQ(found->elsewhere, 0);
		CHECK_EQ(found->estimates.samples, SAMPLES);
		CHECK_EQ(split_begin(found, count), symbol->size);
		for (uint32_t k = 0; k < count; k++) {
			struct estimate_share share = estimates_get_share(&found->estimates, k, (double)found->weights[k]);
			double true_share =
				(double)(symbol->size * (k + 1) / count - symbol->size * k / count) / (double)symbol->size;

			CHECK_EQ(found->weights[k], weights[k]);
			CHECK_EQ(found->estimates.functions[k].samples, samples[k]);
			/* Far outside of its interval the truth is never. */
			CHECK(true_share > share.low - (share.high - share.low) &&
				true_share < share.high + (share.high - share.low));
		}
	}
	free_model(model);
	free(samples);
	free(weights);
}

TEST(intervals)
{
	const struct symbol_request want = {0};
	struct diag *diag = make_diag();
	struct symbol_table *symbols = make_symbol_table(self, &want, diag);
	const struct symbol *symbol = find(symbols, linked(victim));

	CHECK(symbol && symbol->size > 30 && !strcmp(symbol->name, "victim"));
	if (symbol) {
		compare(1, symbol, diag);
		compare(2, symbol, diag);
		compare(7, symbol, diag);
		compare(25, symbol, diag);
		compare(999, symbol, diag); /* more than it has bytes, or nearly */
	}
	CHECK_EQ(diag_status(diag), 0);
	free_symbol_table(symbols);
	free_diag(diag);
}

TEST(nobody_and_several)
{
	const struct symbol_request want = {0};
	struct diag *diag = make_diag();
	struct symbol_table *symbols = make_symbol_table(self, &want, diag);
	struct model *model = make("no_such_function", 25, diag);

	feed(model, 0, linked(victim), 1, 1);
	model_finish(model);
	CHECK_EQ(model_get_split(model)->count, 0);
	free_model(model);

	/* As many as are kept, and no more. */
	model = make("*", 25, diag);
	for (size_t i = 0; i < symbol_count(symbols); i++)
		feed(model, 0, symbol_at(symbols, i)->address, i + 1, 1);
	model_finish(model);
	CHECK(symbol_count(symbols) > SPLIT_SYMBOLS_MAX);
	CHECK_EQ(model_get_split(model)->count, SPLIT_SYMBOLS_MAX);
	CHECK_EQ(model_get_profile(model)->total, symbol_count(symbols));
	free_model(model);
	free_symbol_table(symbols);
	free_diag(diag);
}

int main(void)
{
	if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
		return 1;
	RUN(intervals);
	RUN(nobody_and_several);
	return tap_done();
}
