/* Any bytes as facts that a recorder tells, each line "KEY VALUE": what is taken of them can be true, and can be said in a
 * report. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model/model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int good)
{
	if (!good)
		abort();
}

static void feed(struct model *model, char *line)
{
	char *blank = strchr(line, ' ');
	struct message message = {.kind = MESSAGE_INFO, .info = {.key = line, .value = blank ? blank + 1 : ""}};

	if (blank)
		*blank = 0;
	model_feed(model, &message);
}

static void check_chosen(const struct kept_slowest *kept_slowest)
{
	must(kept_slowest->count <= KEPT_SLOWEST_MAX);
	for (size_t i = 0; i < kept_slowest->count; i++) {
		const struct kept_slowest_function *function = &kept_slowest->functions[i];

		must(function->name && function->kept <= function->calls);
		must(function->cut <= function->kept && function->open <= function->kept);
		must(function->histogram.count == function->calls);
		must(histogram_percentile(&function->histogram, 0.5) <= histogram_percentile(&function->histogram, 0.99));
	}
}

static void check_overhead(const struct overhead *overhead)
{
	if (!overhead->is_known)
		return;
	must(overhead->inner.low >= 0 && overhead->inner.low <= overhead->inner.ticks &&
		overhead->inner.ticks <= overhead->inner.high);
	must(overhead->outer.low >= 0 && overhead->outer.low <= overhead->outer.ticks &&
		overhead->outer.ticks <= overhead->outer.high);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag *diag = make_diag();
	struct model_options options = {.want_profile = true};
	struct model *model = make_model(&options, diag);
	char *text = malloc(size + 1), *rest, *line;

	must(text && model);
	memcpy(text, data, size);
	text[size] = 0;
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		feed(model, line);
	model_finish(model);
	check_chosen(model_get_kept_slowest(model));
	check_overhead(model_get_overhead(model));
	must(strlen(model_get_snapshot_reason(model)) < size + 3);
	must(strlen(model_get_cpu_problem(model)) <= size);
	free(text);
	free_model(model);
	free_diag(diag);
	return 0;
}
