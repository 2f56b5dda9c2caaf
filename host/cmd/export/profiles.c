#include "cmd/export/profiles.h"

#include "analysis/calls/thread_label.h"
#include "analysis/tree.h"
#include "analysis/whole.h"
#include "analysis/with_lines.h"
#include "cmd/export/target.h"
#include "query/ask/profile.h"
#include "query/health.h"
#include "query/questions.h"

struct profiles {
	struct trace *trace;
	const struct export_format *format;
	struct table_sink *writer, *sink; /* sink: the writer, or what adds lines in front of it */
	bool has_cpu;                     /* CPU time is known */
	uint64_t whole;                   /* of percentages of wall-clock time */
};

static void write_thread(const struct profiles *profiles, const struct tree *tree)
{
	const struct model *model = profiles->trace->model;
	const struct analysis_tree analysis = {.profile = model_get_profile(model),
		.tree = tree,
		.functions = model_get_functions(model),
		.clock = model_get_clock(model),
		.limit = UINT64_MAX,
		.depth_limit = UINT64_MAX,
		.by = BY_WALL,
		.whole = profiles->whole,
		.places = true};

	if (!analysis_tree(&analysis, profiles->sink))
		question_report_no_memory(profiles->trace);
}

/* tree: of a thread; null: all threads. */
static void write_profile(const struct profiles *profiles, const struct export_profile *profile, const struct tree *tree)
{
	if (profiles->format->begin_profile)
		profiles->format->begin_profile(profiles->writer, profile);
	if (tree)
		write_thread(profiles, tree);
	else
		profile_answer(&question_tree, true, profiles->trace, profiles->sink);
}

static void write_each_time(const struct profiles *profiles, const char *thread, const struct tree *tree)
{
	write_profile(profiles, &(struct export_profile){.thread = thread}, tree);
	if (profiles->format->begin_profile && profiles->has_cpu)
		write_profile(profiles, &(struct export_profile){.thread = thread, .by_cpu = true}, tree);
}

static void write_threads(const struct profiles *profiles)
{
	const struct model *model = profiles->trace->model;
	const struct thread_trees *trees = &model_get_profile(model)->thread_trees;

	for (uint32_t i = 0; trees->count > 1 && i < model_thread_count(model); i++) {
		const struct tree *tree = thread_trees_find(trees, model_get_thread(model, i).stream);

		if (tree)
			write_each_time(profiles, make_thread_label(model, i).text, tree);
	}
}

void export_profiles(struct trace *trace, const struct export_format *format, bool lines, const struct result_file *file)
{
	struct export_target target = export_make_target(trace, file);
	char lacks[HEALTH_TEXT_BYTES];
	struct lines *of = lines ? make_lines(model_get_functions(trace->model), trace->diag) : NULL;
	struct table_sink writer, sink;
	const struct profile *profile = model_get_profile(trace->model);
	const struct profiles profiles = {.trace = trace,
		.format = format,
		.writer = &writer,
		.sink = &sink,
		.has_cpu = profile_knows_cpu(profile),
		.whole = whole_of(profile, false)};

	health_format_folded(trace, lacks);
	target.lacks = lacks;
	writer = format->make(&target);
	sink = make_lines_sink(of, &writer);
	write_each_time(&profiles, NULL, NULL);
	if (format->begin_profile)
		write_threads(&profiles);
	if (format->finish)
		format->finish(&writer);
	free_lines_sink(&sink);
	format->free(&writer);
	free_lines(of);
}
