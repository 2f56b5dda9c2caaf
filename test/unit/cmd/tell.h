/* All that is known of a trace once it was read, as text: by one thread, or by several. */
#ifndef DWELL_TEST_TELL_H
#define DWELL_TEST_TELL_H

#include <stdlib.h>
#include <string.h>

#include "analysis/tree.h"
#include "check.h"
#include "model/model.h"
#include "query/parallel/parallel.h"
#include "writer/export/folded.h"

static inline void tell_off(const struct off_cpu_ticks *off, FILE *out)
{
	fprintf(out, " off %ju %ju %ju, %ju", off->ticks, off->preempted_ticks, off->unknown_ticks, off->faults);
}

static inline void tell_functions(const struct model *model, FILE *out)
{
	const struct profile *profile = model_get_profile(model);
	struct functions *functions = model_get_functions(model);

	for (uint32_t id = 0; id < profile->function_count; id++) {
		const struct profile_function *row = &profile->functions[id];
		struct histogram_bucket bucket;

		if (!row->calls && !row->total)
			continue;
		fprintf(out, "%u %s: %ju %ju %ju %ju %ju, %d %ju %ju %ju %ju:", id, functions_get_name(functions, id), row->calls,
			row->open_calls, row->untimed_calls, row->total, row->self, row->complete, row->min, row->max, row->sum,
			row->durations.count);
		tell_off(&row->self_off, out);
		tell_off(&row->total_off, out);
		for (uint32_t at = 0; histogram_next(&row->durations, &at, &bucket);)
			fprintf(out, " %ju:%ju", bucket.low, bucket.count);
		fputs("\n", out);
	}
	fprintf(out, "%u functions, total %ju\n", functions_count(functions), profile->total);
}

/* Of each function, what recording cost depends on. */
static inline void tell_by_thread(const struct profile *profile, FILE *out)
{
	const struct by_thread *table = &profile->by_thread;

	for (uint32_t id = 0; id < profile->function_count; id++) {
		struct by_thread_row sum = {0};

		for (size_t i = 0; i < table->count; i++) {
			const struct by_thread_row *row = &table->rows[i];

			if (row->function != id)
				continue;
			sum.calls += row->calls;
			sum.made += row->made;
			sum.self += row->self;
			sum.outermost += row->outermost;
			sum.below += row->below;
		}
		if (sum.calls || sum.made || sum.self)
			fprintf(out, "%u: %ju made %ju, %ju; %ju with %ju below\n", id, sum.calls, sum.made, sum.self, sum.outermost, sum.below);
	}
}

static inline void tell_threads(const struct model *model, FILE *out)
{
	const struct profile *profile = model_get_profile(model);

	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct profile_thread *t = &profile->threads[i];

		fprintf(out, "%u %u %s: %ju %ju %ju, %ju..%ju, %ju + %ju + %ju, %ju %ju %ju %ju %ju %ju %ju %ju, %u %d %d\n", t->stream,
			t->tid, t->name, t->events, t->calls, t->open_calls, t->first_ticks, t->last_ticks, t->self_ticks,
			t->lost_ticks, t->outside_ticks, t->lost_events, t->unmatched_exits, t->unwound_calls, t->no_entry_calls,
			t->gap_calls, t->beyond_calls, t->backward_events, t->lost_unwinds, t->deepest, t->ended, t->balanced);
		CHECK(t->balanced && t->off_cpu_balanced);
		tell_off(&t->off, out);
		tell_off(&t->off_self, out);
		tell_off(&t->off_lost, out);
		tell_off(&t->off_outside, out);
		fprintf(out, " %ju\n", t->switches);
	}
	fprintf(out, "%d %d\n", profile->has_off_cpu, profile->off_cpu_is_partial);
	tell_by_thread(profile, out);
}

/* Weights of all paths, by the column. */
static inline void tell_paths(const struct model *model, const char *key, FILE *out, struct diag *diag)
{
	const struct analysis_tree tree = {.profile = model_get_profile(model),
		.functions = model_get_functions(model),
		.clock = model_get_clock(model),
		.limit = UINT64_MAX,
		.depth_limit = UINT64_MAX};
	struct table_sink sink = make_folded_writer(key, out, "memory", diag);

	analysis_tree(&tree, &sink);
	free_folded_writer(&sink);
}

static inline char *tell(const struct model *model, const struct reader *reader, struct diag *diag)
{
	const struct reader_health *health = reader_get_health(reader);
	struct functions_health symbols = functions_get_health(model_get_functions(model), 0);
	const struct profile *profile = model_get_profile(model);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	tell_functions(model, out);
	tell_threads(model, out);
	tell_paths(model, "self_ns", out, diag);
	tell_paths(model, "total_ns", out, diag);
	if (profile->has_off_cpu) {
		tell_paths(model, "self_cpu_ns", out, diag);
		tell_paths(model, "total_cpu_ns", out, diag);
	}
	fprintf(out, "%ju folded\n", profile->tree.folded_calls);
	fprintf(out, "%ju %ju %ju %ju %ju, %ju %ju %ju %ju %d %d\n", health->bytes_total, health->bytes_skipped, health->chunks,
		health->chunks_damaged, health->chunks_missing, health->events, health->holes, health->late_stamps,
		health->unknown_tags, health->ended_well, health->cut);
	fprintf(out, "%u %u %u %u %u\n", symbols.functions, symbols.unsymbolised, symbols.homeless, symbols.modules,
		symbols.modules_unreadable);
	diag_print(diag, out);
	fclose(out);
	return text;
}

/* workers 0: in order. Null: no trace, or not in parallel. */
static uint32_t tell_fed_again; /* segments, of all that were read in parallel */
static inline char *tell_source(struct source *take_source, const struct model_options *options, uint32_t workers,
	uint32_t segment_chunks, struct diag *diag)
{
	struct reader *reader = make_reader(take_source, diag);
	struct model *model = reader ? make_model(options, diag) : NULL;
	struct parallel how = {.reader = reader, .model = model, .workers = workers, .segment_chunks = segment_chunks,
		.refed_count = &tell_fed_again};
	struct message message;
	char *text = NULL;
	bool good = true;

	if (!reader)
		return NULL;
	if (workers) {
		good = parallel_read(&how);
	} else {
		for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message))
			model_feed(model, &message);
		model_finish(model);
	}
	if (good)
		text = tell(model, reader, diag);
	free_model(model);
	free_reader(reader);
	return text;
}

static inline void tell_difference(const char *a, const char *b)
{
	size_t at = 0, line = 0;

	for (; a[at] && a[at] == b[at]; at++)
		line = a[at] == '\n' ? at + 1 : line;
	printf("# one thread: %.*s\n# several:    %.*s\n", (int)strcspn(a + line, "\n"), a + line, (int)strcspn(b + line, "\n"), b + line);
}

#endif
