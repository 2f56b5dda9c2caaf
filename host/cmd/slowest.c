/* dwell slowest: the longest calls of a function, each with its callees. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/calls/call_values.h"
#include "analysis/calls/thread_label.h"
#include "analysis/off_cpu_columns.h"
#include "cli/question_command.h"
#include "cli/summary.h"
#include "query/ask/slowest.h"
#include "query/health.h"
#include "util/fit_name.h"
#include "util/short_name.h"
#include "util/term.h"
#include "util/units.h"

#define CALLERS_SHOWN 8u

static const char about[] =
	ABOUT_FUNCTION
	"\n"
	"Without FUNC dwell shows the slowest calls of all functions. One word is FUNC,\n"
	"unless a file has that name.\n"
	"\n"
	"For each of the N slowest calls of FUNC dwell shows when it began (since the\n"
	"start of the recording), on which thread, who called it, and a tree of what it\n"
	"called, the largest total first. A call is timed from entry to exit, with all\n"
	"that was called in between. Calls of one function on the same path share a line\n"
	"with their number. The percentage is a part of the call.\n"
	"\n"
	"dwell reads the file twice, the second time only where these calls were running.\n"
	"A ~ marks lower bounds: the call began before the recording, was still running\n"
	"at its end, or a part of it is lost.\n" ABOUT_AS_RECORDED ABOUT_CLOCK_STEP;

static const struct option_row rows[] = {ROWS_QUESTION(slowest_parameters),
	ROWS_FORM("columns: rank,thread,enter_ns,depth,function,calls,total_ns,total_cpu_ns,self_ns; with --args also "
		"arg1,...,arg6,ret,lr in hex, in the row of depth 0; then self_cpu_ns," OFF_CPU_KEYS ". A cell is empty if its value is not known"),
	{0}};

/* What the printing functions need. */
struct show {
	struct trace *trace;
	const struct slowest_question *ask;
	const struct slowest *slowest; /* the result */
	bool full_names;
};

static void print_ns(const struct show *show, const char *before, bool unsure, int64_t ns)
{
	char text[UNITS_TEXT_BYTES];

	clock_format_moment(text, model_get_clock(show->trace->model), ns);
	printf("%s%s%s", before, unsure ? "~" : "", text);
}

/* Prints how a call's time divides into CPU time, waiting and preemption. */
static void print_off(const struct show *show, const struct call *call)
{
	const struct clock_map *clock = model_get_clock(show->trace->model);
	struct off_cpu_parts parts = off_cpu_divide_call(
		clock_duration_ns(clock, call->total_ticks), &call->total_off, call->off_cpu_unknown, clock);

	if (!model_has_switches(show->trace->model))
		return;
	if (parts.is_undivided) {
		fputs(" (not known how much on the CPU)", stdout);
		return;
	}
	print_ns(show, " (on CPU ", false, (int64_t)parts.cpu);
	print_ns(show, " + waiting ", false, (int64_t)parts.waiting);
	print_ns(show, " + preempted ", false, (int64_t)parts.preempted);
	putchar(')');
}

/* A name as in tables, cut to width. The caller frees the name. */
static char *make_shown_name(const struct show *show, uint32_t function, size_t width)
{
	const char *full = functions_get_name(model_get_functions(show->trace->model), function);
	char *name = show->full_names ? NULL : make_short_name(full), *cut;
	size_t bytes = strlen(name ? name : full), columns;

	cut = malloc(FIT_BYTES(bytes) + 1);
	if (cut)
		cut[fit_name(name ? name : full, bytes, width, !term_has_utf8(), cut, &columns)] = 0;
	free(name);
	return cut;
}

/* Prints "main > work > step". If there are many callers or the terminal is narrow, the outermost are left out. */
static void print_callers(const struct show *show, const struct slowest_call *slow)
{
	static const char title[] = "called by ", more[] = "... > ", between[] = " > ";
	size_t width = show->full_names || term_width(stdout) < 40 ? SIZE_MAX : (size_t)term_width(stdout);
	size_t room = width - (width == SIZE_MAX ? 0 : sizeof title + sizeof more + 2);
	char *names[CALLERS_SHOWN];
	uint32_t shown = 0;

	if (slow->has_tree && !slow->call.depth)
		fputs(", outermost", stdout);
	while (shown < slow->caller_count && shown < CALLERS_SHOWN) {
		char *name = make_shown_name(show, slow->callers[shown], shown ? SIZE_MAX : room > 24 ? room : 24);
		size_t taken = (name ? strlen(name) : 0) + sizeof between;

		if (!name || (shown && width != SIZE_MAX && taken > room)) {
			free(name);
			break;
		}
		names[shown++] = name;
		room -= width == SIZE_MAX ? 0 : taken < room ? taken : room;
	}
	if (shown)
		printf("%s%s%s", term_is_terminal(stdout) ? "\n   " : ", ", title, slow->call.depth > shown ? more : "");
	while (shown--) {
		summary_print_name(stdout, names[shown]);
		fputs(shown ? between : "", stdout);
		free(names[shown]);
	}
}

/* Prints the call with its arguments on a separate line, since values have many digits. */
static void print_values(const struct show *show, const struct slowest_call *slow)
{
	struct call_values_line line = {0};
	char *name = show->ask->args && slow->has_values ? make_shown_name(show, slow->call.function, SIZE_MAX) : NULL;

	if (name) {
		fputs("\n   ", stdout);
		summary_print_name(stdout, call_values_print(&line, show->trace->model, name, &slow->values));
	}
	call_values_line_clear(&line);
	free(name);
}

static void print_call(const struct show *show, size_t rank)
{
	const struct slowest_call *slow = slowest_get(show->slowest, rank);
	const struct clock_map *clock = model_get_clock(show->trace->model);
	bool unsure = slow->call.flags & (DWELL_CALL_NO_ENTRY | DWELL_CALL_GAP | DWELL_CALL_OPEN);
	uint32_t thread = model_find_thread(show->trace->model, slow->call.stream);

	printf("\n%zu. ", rank + 1);
	if (clock_duration_ns(clock, slow->call.total_ticks) < clock_step_ns(clock))
		print_ns(show, "<", false, clock_step_ns(clock));
	else
		print_ns(show, "", unsure, (int64_t)clock_duration_ns(clock, slow->call.total_ticks));
	print_off(show, &slow->call);
	print_ns(show, ", from ", slow->call.flags & DWELL_CALL_NO_ENTRY, clock_moment_ns(clock, slow->call.enter_ticks));
	fputs(" on, thread ", stdout);
	summary_print_name(stdout, thread == UINT32_MAX ? "?" : make_thread_label(show->trace->model, thread).text);
	fputs(slow->call.flags & DWELL_CALL_OPEN ? ", still running at the end" : "", stdout);
	print_callers(show, slow);
	print_values(show, slow);
	fputs("\n\n", stdout);
}

static bool has_values(const struct slowest *slowest)
{
	for (size_t rank = 0; rank < slowest_count(slowest); rank++)
		if (slowest_get(slowest, rank)->has_values)
			return true;
	return false;
}

/* The note of the report's head: a callee in this tree may have been jumped to by its neighbour. */
static void print_tail_calls(const struct trace *trace)
{
	char text[HEALTH_TEXT_BYTES];
	struct health health;

	health_find(trace, &health);
	for (size_t i = 0; i < health.count; i++)
		if (health.findings[i].count && !strcmp(health.findings[i].key, "tail_call_functions"))
			printf("\n%s\n", health_format(&health.findings[i], text));
}

static bool is_of_all(const struct slowest_question *ask)
{
	return !strcmp(ask->question.function, question_slowest.usual_function);
}

static bool write_all(const struct show *show, const struct table_sink *sink)
{
	const struct slowest_form form = {
		show->trace->model, show->ask->question.depth_limit, show->ask->question.percent_min, show->ask->args};
	size_t count = slowest_count(show->slowest);
	char text[UNITS_TEXT_BYTES];

	units_format_count(text, slowest_offered(show->slowest));
	summary_print_name(stdout, is_of_all(show->ask) ? "all functions" : show->ask->question.function);
	printf(": the slowest %zu of %s call%s%s\n", count, text, slowest_offered(show->slowest) == 1 ? "" : "s",
		!model_has_switches(show->trace->model) ? ""
		: show->ask->question.by == BY_CPU           ? ", by time on the CPU; --wall: by the clock"
							: ", by the clock, waiting included; --cpu: by time on the CPU");
	for (size_t rank = 0; rank < count; rank++) {
		print_call(show, rank);
		if (!slowest_write(show->slowest, &form, rank, 1, sink))
			return false;
		if (slowest_folded(show->slowest, rank)) {
			units_format_count(text, slowest_folded(show->slowest, rank));
			printf("\n  %s call%s in it without a path of %s own: more than are kept; the time is self of what called them\n", text,
				slowest_folded(show->slowest, rank) == 1 ? "" : "s", slowest_folded(show->slowest, rank) == 1 ? "its" : "their");
		}
	}
	if (show->ask->args && has_values(show->slowest))
		puts("\n" CALL_VALUES_FOOT);
	print_tail_calls(show->trace);
	return true;
}

static void print(struct answer *answer, struct trace *trace)
{
	const struct slowest_question *ask = (const struct slowest_question *)answer->question;
	const struct show show = {trace, ask, ask->slowest, answer->full_names};

	if (!write_all(&show, answer_begin_table(answer, trace, model_get_clock(trace->model))))
		question_report_no_memory(trace);
}

static void add_notes(const struct trace *trace, const struct question *question)
{
	const struct slowest_question *ask = (const struct slowest_question *)question;

	if (ask->args && !has_values(ask->slowest))
		diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET, CALL_VALUES_NONE);
}

static int run(int argc, char **argv, struct diag *diag)
{
	static const struct answer_texts texts = {.print = print, .add_notes = add_notes};

	return question_command(&command_slowest, &question_slowest, &texts, argc, argv, diag);
}

const struct command command_slowest = {"slowest", "[FUNC] [FILE]", "Shows the slowest calls, and what each of them did", rows, about, run,
	.task = TASK_LOOK,
	.examples = "  dwell slowest app.dwell                     the five slowest calls of all\n"
		    "  dwell slowest -n 1 --min 0 parse app.dwell  the slowest one, in full\n"};
