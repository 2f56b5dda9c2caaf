/* split: prints the lines around the table of report --split. */
#include "cmd/report/split.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/summary.h"
#include "query/ask/split.h"

static void print_symbol(const struct trace *trace, const struct split *split, const struct split_symbol *symbol)
{
	const struct profile *profile = model_get_profile(trace->model);
	struct function_place place = {.path = ""};
	struct estimate_share share = estimates_get_share(
		&profile->estimates, symbol->function, (double)profile->functions[symbol->function].self);

	functions_get_place(split->functions, symbol->function, &place);
	printf("%s, in %s: %" PRIu64 " bytes in %" PRIu32 " interval%s, %" PRIu64 " sample%s; %.1f %% of all (%.1f to %.1f)\n",
		functions_get_name(split->functions, symbol->function), place.path, symbol->bytes, symbol->interval_count,
		symbol->interval_count == 1 ? "" : "s", symbol->estimates.samples, symbol->estimates.samples == 1 ? "" : "s", 100 * share.share, 100 * share.low, 100 * share.high);
	if (symbol->elsewhere)
		printf("and %" PRIu64 " sample%s in parts that the compiler put elsewhere (.cold)\n", symbol->elsewhere, symbol->elsewhere == 1 ? "" : "s");
	putchar('\n');
}

static void print_head(const struct trace *trace, const struct question *question)
{
	summary_print(trace, stdout);
	print_symbol(trace, model_get_split(trace->model), ((const struct split_question *)question)->symbol);
}

static void print_foot(const struct trace *trace, const struct question *question, const struct output_table *table)
{
	(void)trace, (void)question, (void)table;
	fputs("\n% is of the samples in the function. In 95 of 100 runs the true share is between from and to.\n", stdout);
}

const struct answer_texts report_split_texts = {.print_head = print_head, .print_foot = print_foot};
