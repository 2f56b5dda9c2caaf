/* callgrind.out, version 1: costs of functions, and of the calls between them.
 *
 * It is a graph, not a tree: all calls from one function to another are one line, whoever called the first one. Its readers add the
 * calls' costs to the function's own, so a recursive function's inclusive cost is counted more than once there, as in files of valgrind's.
 * Functions, files and objects are told by number, `(3) name` when it comes first, so no name can be taken for one. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "writer/export/export.h"
#include "writer/export/paths.h"
#include "writer/form.h"

struct cost {
	uint64_t wall, cpu;
};

struct edge {
	uint32_t caller, callee;
	uint64_t calls;
	struct cost cost;
};

struct callgrind {
	struct exporter exporter;
	struct paths paths;
	bool is_table;
	struct cost *own; /* by index of the function */
	size_t own_capacity;
	struct edge *edges;
	size_t edge_count, edge_capacity;
	bool *told[3]; /* names that were written: of objects, of files, by string; of functions, by index */
	struct cost sum;
};

enum { OBJECT, SOURCE, FUNCTION };

static void add(struct cost *to, uint64_t wall, uint64_t cpu)
{
	if (__builtin_add_overflow(to->wall, wall, &to->wall))
		to->wall = UINT64_MAX;
	if (__builtin_add_overflow(to->cpu, cpu, &to->cpu))
		to->cpu = UINT64_MAX;
}

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct callgrind *callgrind = context;

	(void)name;
	callgrind->is_table = paths_begin(&callgrind->paths, columns, count);
}

static bool take(struct callgrind *callgrind, const struct cell *cells)
{
	size_t had = callgrind->own_capacity;
	struct paths_row row;

	if (!paths_take(&callgrind->paths, cells, &row) ||
		!array_reserve(&callgrind->own, &callgrind->own_capacity, callgrind->paths.count, sizeof *callgrind->own) ||
		!array_reserve(&callgrind->edges, &callgrind->edge_capacity, callgrind->edge_count + 1, sizeof *callgrind->edges))
		return false;
	memset(callgrind->own + had, 0, (callgrind->own_capacity - had) * sizeof *callgrind->own);
	add(&callgrind->own[row.function], row.self, row.self_cpu);
	add(&callgrind->sum, row.self, row.self_cpu);
	if (row.caller != STRINGS_NONE)
		callgrind->edges[callgrind->edge_count++] =
			(struct edge){row.caller, row.function, row.calls, {row.total, row.total_cpu}};
	return true;
}

static void row(void *context, const struct cell *cells)
{
	struct callgrind *callgrind = context;

	if (callgrind->is_table && !callgrind->exporter.starved && !take(callgrind, cells))
		export_starve(&callgrind->exporter);
}

static int by_functions(const void *a, const void *b)
{
	const struct edge *left = a, *right = b;

	if (left->caller != right->caller)
		return left->caller < right->caller ? -1 : 1;
	return left->callee < right->callee ? -1 : left->callee > right->callee;
}

/* Calls between the same two functions become one. */
static void join_edges(struct callgrind *callgrind)
{
	size_t kept = 0;

	if (callgrind->edge_count)
		qsort(callgrind->edges, callgrind->edge_count, sizeof *callgrind->edges, by_functions);
	for (size_t i = 0; i < callgrind->edge_count; i++) {
		struct edge *last = kept ? &callgrind->edges[kept - 1] : NULL, *edge = &callgrind->edges[i];

		if (!last || by_functions(last, edge)) {
			callgrind->edges[kept++] = *edge;
			continue;
		}
		add(&last->cost, edge->cost.wall, edge->cost.cpu);
		if (__builtin_add_overflow(last->calls, edge->calls, &last->calls))
			last->calls = UINT64_MAX;
	}
	callgrind->edge_count = kept;
}

static void put_number(struct callgrind *callgrind, uint64_t number, char behind)
{
	writer_put_decimal(&callgrind->exporter.output, number);
	output_put_char(&callgrind->exporter.output, behind);
}

/* `key=(number) text`, or without the text where it was told. */
static void put_name(struct callgrind *callgrind, const char *key, int kind, uint32_t number, uint32_t string)
{
	struct output *output = &callgrind->exporter.output;
	bool *told = &callgrind->told[kind][number];

	output_put_text(output, key);
	output_put_text(output, "=(");
	writer_put_decimal(output, number + UINT64_C(1));
	output_put_char(output, ')');
	if (!*told) {
		output_put_char(output, ' ');
		output_put_safe(output, string == STRINGS_NONE ? "???" : callgrind->paths.strings.texts[string], 0);
	}
	*told = true;
	output_put_char(output, '\n');
}

static void put_function(struct callgrind *callgrind, uint32_t index, bool is_callee)
{
	const struct paths_function *function = &callgrind->paths.functions[index];
	uint32_t none = (uint32_t)callgrind->paths.strings.count; /* what is not known is behind all strings */

	put_name(callgrind, is_callee ? "cob" : "ob", OBJECT, function->file == STRINGS_NONE ? none : function->file, function->file);
	put_name(callgrind, is_callee ? "cfi" : "fl", SOURCE, function->source == STRINGS_NONE ? none : function->source, function->source);
	put_name(callgrind, is_callee ? "cfn" : "fn", FUNCTION, index, function->name);
}

static void put_cost(struct callgrind *callgrind, uint64_t line, const struct cost *cost)
{
	put_number(callgrind, line, ' ');
	put_number(callgrind, cost->wall, callgrind->paths.has_cpu ? ' ' : '\n');
	if (callgrind->paths.has_cpu)
		put_number(callgrind, cost->cpu, '\n');
}

static void put_head(struct callgrind *callgrind)
{
	struct output *output = &callgrind->exporter.output;
	const struct paths *paths = &callgrind->paths;

	output_put_text(output, "# callgrind format\nversion: 1\ncreator: dwell " DWELL_VERSION "\ncmd: ");
	output_put_safe(output, callgrind->exporter.target.title, 0);
	output_put_text(output, "\npositions: line\n");
	if (paths->has_cpu)
		output_put_text(output, "event: wall_ns : wall time in nanoseconds\nevent: cpu_ns : time on the CPU in nanoseconds\n"
					"events: wall_ns cpu_ns\n");
	else if (paths->is_ns)
		output_put_text(output, "event: ns : time in nanoseconds\nevents: ns\n");
	else
		output_put_text(output, "event: weight : what the file counts\nevents: weight\n");
	output_put_text(output, "summary: ");
	put_number(callgrind, callgrind->sum.wall, paths->has_cpu ? ' ' : '\n');
	if (paths->has_cpu)
		put_number(callgrind, callgrind->sum.cpu, '\n');
}

static void put_all(struct callgrind *callgrind)
{
	size_t edge = 0;

	put_head(callgrind);
	for (uint32_t i = 0; i < callgrind->paths.count; i++) {
		const struct paths_function *function = &callgrind->paths.functions[i];

		output_put_char(&callgrind->exporter.output, '\n');
		put_function(callgrind, i, false);
		put_cost(callgrind, function->line, &callgrind->own[i]);
		for (; edge < callgrind->edge_count && callgrind->edges[edge].caller == i; edge++) {
			const struct edge *call = &callgrind->edges[edge];

			put_function(callgrind, call->callee, true);
			output_put_text(&callgrind->exporter.output, "calls=");
			/* Nobody counted those of samples: once at least. With 0 readers take the costs for the caller's own. */
			put_number(callgrind, call->calls ? call->calls : 1, ' ');
			put_number(callgrind, callgrind->paths.functions[call->callee].line, '\n');
			put_cost(callgrind, function->line, &call->cost);
		}
	}
}

static void end(void *context)
{
	struct callgrind *callgrind = context;
	const size_t counts[] = {callgrind->paths.strings.count + 1, callgrind->paths.strings.count + 1, callgrind->paths.count + 1};

	for (int i = 0; i < 3; i++) {
		callgrind->told[i] = calloc(counts[i], sizeof *callgrind->told[i]);
		if (!callgrind->told[i])
			export_starve(&callgrind->exporter);
	}
	join_edges(callgrind);
	if (!callgrind->exporter.starved)
		put_all(callgrind);
	output_end(&callgrind->exporter.output, callgrind->exporter.target.name, callgrind->exporter.target.diag);
}

static struct table_sink make_callgrind(const struct export_target *target)
{
	struct callgrind *callgrind = make_exporter(target, sizeof *callgrind);

	return callgrind ? (struct table_sink){callgrind, begin, row, end} : export_swallow();
}

static void free_callgrind(struct table_sink *sink)
{
	struct callgrind *callgrind = sink->context;

	if (!callgrind)
		return;
	paths_clear(&callgrind->paths);
	free(callgrind->own);
	free(callgrind->edges);
	for (int i = 0; i < 3; i++)
		free(callgrind->told[i]);
	free(callgrind);
}

const struct export_format export_callgrind = {"callgrind", EXPORT_PATHS, false, make_callgrind, free_callgrind};
