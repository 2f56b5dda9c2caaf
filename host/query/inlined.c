/* inlined: see inlined.h. */
#include "query/inlined.h"

bool inlined_read_open(
	struct trace *trace, const struct model_options *options, void (*begin)(void *context, struct trace *trace), void *context)
{
	if (options->inlines) /* parts do not know them */
		trace->jobs = 1;
	if (!trace_make_model(trace, options, false))
		return false;
	if (begin)
		begin(context, trace);
	if (!trace_read(trace))
		return false;
	if (!options->inlines || model_get_profile(trace->model)->has_samples || model_get_sampling(trace->model))
		return true;
	diag_add(trace->diag, DIAG_ERROR, trace->path, DIAG_NO_OFFSET,
		"--inlines is of samples, and it has none: what was inlined is no call; record with --sample");
	return false;
}

bool inlined_read(struct trace *trace, const char *path, const struct model_options *options)
{
	return trace_open(trace, path, trace->diag) && inlined_read_open(trace, options, NULL, NULL);
}
