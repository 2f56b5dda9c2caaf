/* Writes callgrind.out, version 1: costs of functions, and of the calls between functions.
 *
 * The format is a graph, not a tree: one line stands for all calls from one function to another, whatever path led
 * there. Readers add the cost of the calls to the function's own cost, and so count a recursive function's inclusive
 * cost several times, as in files from valgrind. The cost in a line equals the cost in `dwell callers`, where a call
 * inside another call of the line does not count again. Functions, files and objects have numbers, with the name at
 * first use: `(3) name`. So no name is mistaken for a number. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/saturate.h"
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
	bool is_table; /* the table is one of paths; rows of any other table are ignored */
	struct cost *own; /* indexed by function */
	size_t own_capacity;
	struct edge *edges;
	size_t edge_count, edge_capacity;
	bool *names_written[3]; /* whether a name was written: of objects and source files, by string; of functions, by function */
	struct cost sum;
};

enum { OBJECT, SOURCE, FUNCTION };

static void add(struct cost *to, uint64_t wall, uint64_t cpu)
{
	saturate_add(&to->wall, wall);
	saturate_add(&to->cpu, cpu);
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
		export_out_of_memory(&callgrind->exporter);
}

static int by_caller(const void *a, const void *b)
{
	const struct edge *left = a, *right = b;

	if (left->caller != right->caller)
		return left->caller < right->caller ? -1 : 1;
	return left->callee < right->callee ? -1 : left->callee > right->callee;
}

static void put_number(struct callgrind *callgrind, uint64_t number, char behind)
{
	writer_put_decimal(&callgrind->exporter.output, number);
	output_put_char(&callgrind->exporter.output, behind);
}

/* Writes `key=(number) text`, without the text after the first time. */
static void put_name(struct callgrind *callgrind, const char *key, int kind, uint32_t number, uint32_t string)
{
	struct output *output = &callgrind->exporter.output;
	bool *names_written = &callgrind->names_written[kind][number];

	output_put_text(output, key);
	output_put_text(output, "=(");
	writer_put_decimal(output, number + UINT64_C(1));
	output_put_char(output, ')');
	if (!*names_written) {
		output_put_char(output, ' ');
		output_put_safe(output, string == STRINGS_NONE ? "???" : callgrind->paths.strings.texts[string], 0);
	}
	*names_written = true;
	output_put_char(output, '\n');
}

static void put_function(struct callgrind *callgrind, uint32_t index, bool is_callee)
{
	const struct paths_function *function = &callgrind->paths.functions[index];
	uint32_t none = (uint32_t)callgrind->paths.strings.count; /* the number for unknown names follows those of all strings */

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
	if (callgrind->exporter.target.lacks && *callgrind->exporter.target.lacks) {
		output_put_text(output, "\ndesc: Note: ");
		output_put_safe(output, callgrind->exporter.target.lacks, 0);
	}
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
			/* Sampled calls have no count: at least one. With 0, readers add the cost to the caller's own. */
			put_number(callgrind, call->calls ? call->calls : 1, ' ');
			put_number(callgrind, callgrind->paths.functions[call->callee].line, '\n');
			put_cost(callgrind, function->line, &call->cost);
		}
	}
}

static void end(void *context)
{
	struct callgrind *callgrind = context;
	const size_t counts[] = {
		callgrind->paths.strings.count + 1, callgrind->paths.strings.count + 1, callgrind->paths.count + 1};

	for (int i = 0; i < 3; i++) {
		callgrind->names_written[i] = calloc(counts[i], sizeof *callgrind->names_written[i]);
		if (!callgrind->names_written[i])
			export_out_of_memory(&callgrind->exporter);
	}
	if (callgrind->edge_count)
		qsort(callgrind->edges, callgrind->edge_count, sizeof *callgrind->edges, by_caller);
	if (!callgrind->exporter.starved)
		put_all(callgrind);
	output_end(&callgrind->exporter.output, callgrind->exporter.target.name, callgrind->exporter.target.diag);
}

static struct table_sink make_callgrind(const struct export_target *target)
{
	struct callgrind *callgrind = make_exporter(target, sizeof *callgrind);

	return callgrind ? (struct table_sink){callgrind, begin, row, end} : export_null_sink();
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
		free(callgrind->names_written[i]);
	free(callgrind);
}

const struct export_format export_callgrind = {.name = "callgrind",
	.source = EXPORT_PAIRS,
	.make = make_callgrind,
	.free = free_callgrind};
