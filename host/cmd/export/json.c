#include "cmd/export/json.h"

#include "analysis/functions.h"
#include "analysis/shares.h"
#include "analysis/tree.h"
#include "query/facts.h"
#include "writer/writer.h"

bool export_write_report(const struct trace *trace, const struct table_sink *sink)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct analysis_shares shares = {
		.profile = profile, .functions = model_get_functions(trace->model), .limit = UINT64_MAX};
	const struct analysis_functions functions = {.profile = profile,
		.functions = shares.functions,
		.clock = model_get_clock(trace->model),
		.limit = UINT64_MAX};

	return model_is_sampled(trace->model) ? analysis_shares(&shares, sink) : analysis_functions(&functions, sink);
}

static bool write_tree(const struct trace *trace, const struct table_sink *sink)
{
	const struct analysis_tree tree = {.profile = model_get_profile(trace->model),
		.functions = model_get_functions(trace->model),
		.clock = model_get_clock(trace->model),
		.limit = UINT64_MAX,
		.depth_limit = UINT64_MAX,
		.sums = true,
		.places = true};

	return analysis_tree(&tree, sink);
}

void export_json_write(struct trace *trace, FILE *out, const char *name)
{
	const struct writer_options form = {.form = WRITER_JSON};
	struct table_sink sink;
	struct facts facts = {0};
	bool good;

	facts_read(&facts, trace);
	if (facts.no_memory)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: something is missing here");
	fprintf(out, "{\"dwell_export\": %d,\n\"info\": ", EXPORT_JSON_VERSION);
	facts_write_json(&facts, trace, out, name);
	facts_clear(&facts);
	sink = make_table_writer(&form, out, name, trace->diag);
	fputs(",\n\"report\": ", out);
	good = export_write_report(trace, &sink);
	fputs(",\n\"tree\": ", out);
	good = good && write_tree(trace, &sink);
	free_table_writer(&sink);
	fputs("}\n", out);
	if (!good)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
}
