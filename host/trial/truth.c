/* truth: see truth.h. */
#include "trial/truth.h"

#include <string.h>

void truth_add(struct truth *truth, const char *name, double ns)
{
	struct truth_function *function = &truth->functions[truth->count++];

	snprintf(function->name, sizeof function->name, "%s", name);
	function->ns = ns;
}

double truth_percent(const struct truth *truth, uint32_t function)
{
	return truth->total_ns > 0 ? 100 * truth->functions[function].ns / truth->total_ns : 0;
}

void truth_write(const struct truth *truth, FILE *out)
{
	for (uint32_t i = 0; i < truth->count; i++)
		fprintf(out, "%s %.0f\n", truth->functions[i].name, truth->functions[i].ns);
	fprintf(out, "total %.0f\n", truth->total_ns);
	fflush(out);
}

bool truth_read(struct truth *truth, FILE *in)
{
	char name[TRUTH_NAME_BYTES];
	double ns;

	*truth = (struct truth){0};
	while (fscanf(in, "%31s %lf", name, &ns) == 2) {
		if (!strcmp(name, "total")) {
			truth->total_ns = ns;
			return true;
		}
		if (truth->count == TRUTH_FUNCTIONS_MAX)
			return false;
		truth_add(truth, name, ns);
	}
	return false;
}
