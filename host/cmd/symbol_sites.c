/* symbol_sites: prints the plan of a program file. */
#include "cmd/symbol_sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "util/file_name.h"
#include "util/units.h"

enum { COLUMN_ADDRESS, COLUMN_SIZE, COLUMN_NAME, COLUMN_STATE, COLUMN_SITES, COLUMN_TAILS, COLUMN_REASON, COLUMN_COUNT };
static const struct column columns[] = {
	[COLUMN_ADDRESS] = {.key = "address", .title = "address", .unit = UNIT_ADDRESS},
	[COLUMN_SIZE] = {.key = "size", .title = "size", .unit = UNIT_COUNT},
	[COLUMN_NAME] = {.key = "name", .title = "function", .unit = UNIT_NAME},
	[COLUMN_STATE] = {.key = "state", .title = "state", .unit = UNIT_TEXT},
	[COLUMN_SITES] = {.key = "sites", .title = "sites", .unit = UNIT_COUNT},
	[COLUMN_TAILS] = {.key = "tail_calls", .title = "tail calls", .unit = UNIT_COUNT},
	[COLUMN_REASON] = {.key = "reason", .title = "reason", .unit = UNIT_TEXT},
};

#define LEAVES_CALLERS "can jump out of its callers"

static const char *state_text(enum plan_reason reason)
{
	return reason == PLAN_TIMED ? "timed" : reason < PLAN_LEFT_ALONE ? "counted" : "left alone";
}

/* For each function of the plan: the number of its tail calls. Null: memory ran out. */
static uint32_t *make_tails(struct bytes plan)
{
	uint32_t *tails = calloc(plan_head(plan)->function_count + (size_t)1, sizeof *tails);

	for (uint32_t i = 0; tails && i < plan_head(plan)->site_count; i++)
		tails[plan_sites(plan)[i].function] += plan_sites(plan)[i].kind == DWELL_PLAN_TAIL;
	return tails;
}

static void write_row(const struct table_sink *sink, const struct plan_decision *decisions, uint32_t tails, const char *path,
	const struct symbol_table *table, bool mangled)
{
	int length;
	const char *file = file_name_shown(path, &length);
	const struct symbol *found = symbol_find(table, decisions->address);
	const struct symbol *symbol = found && found->address == decisions->address ? found : NULL;
	char *display = symbol && !mangled ? make_symbol_display_name(symbol->name) : NULL;
	struct cell cells[COLUMN_COUNT] = {0};
	char place[300], reason[200];

	snprintf(reason, sizeof reason, "%s%s%s", plan_reason_text(decisions->reason),
		decisions->leaves_callers && decisions->reason != PLAN_TIMED ? "; " : "", decisions->leaves_callers ? LEAVES_CALLERS : "");
	snprintf(place, sizeof place, "%.*s+0x%llx", length, file, (unsigned long long)decisions->address);
	cells[COLUMN_ADDRESS].count = decisions->address;
	cells[COLUMN_SIZE].count = decisions->size;
	cells[COLUMN_NAME].text = display ? display : symbol ? symbol->name : place;
	cells[COLUMN_STATE].text = state_text(decisions->reason);
	cells[COLUMN_SITES].count = decisions->sites;
	cells[COLUMN_TAILS].count = tails;
	cells[COLUMN_TAILS].absent = decisions->reason != PLAN_TIMED; /* dwell analyses exits of timed functions only */
	cells[COLUMN_REASON].text = reason;
	cells[COLUMN_REASON].absent = !*reason;
	sink->row(sink->context, cells);
	free(display);
}

/* The agent's memory in bytes, per site: code, unwind entries, the thunks of functions, and the list of sites. */
static double bytes_a_site(struct bytes plan)
{
	const struct dwell_plan *head = plan_head(plan);
	double bytes = (double)head->code_bytes + head->frames_bytes +
		       (double)head->function_count * DWELL_SITE_THUNKS * DWELL_SITE_THUNK_BYTES +
		       (double)head->site_count * sizeof(struct dwell_site);

	return head->site_count ? bytes / head->site_count : 0;
}

/* Prints how the code divides. Many functions may be little of the code, and some code has no unwind tables. */
static void write_code(const struct plan *plan)
{
	const struct dwell_plan *head = plan_head(plan->bytes);
	double text = head->text_bytes ? (double)head->text_bytes : 1, timed = 100 * (double)head->timed_bytes / text, others = 0;
	char bytes[UNITS_TEXT_BYTES];

	for (size_t i = 0; i < plan->decision_count; i++)
		others += plan->decisions[i].reason == PLAN_TIMED ? 0 : 100 * (double)plan->decisions[i].size / text;
	units_format_count(bytes, head->text_bytes);
	printf("%s bytes of code: %.1f %% in timed functions, %.1f %% in the others, %.1f %% in none (without unwind tables, or padding)\n", bytes,
		timed, others, timed + others < 100 ? 100 - timed - others : 0);
}

static void write_sums(const struct plan *plan)
{
	size_t counts[PLAN_REASONS] = {0}, states[3] = {0};

	for (size_t i = 0; i < plan->decision_count; i++) {
		counts[plan->decisions[i].reason]++;
		states[plan->decisions[i].reason == PLAN_TIMED ? 0 : plan->decisions[i].reason < PLAN_LEFT_ALONE ? 1 : 2]++;
	}
	if (!plan->decision_count)
		return;
	printf("\n%zu functions: %.1f %% timed, %.1f %% only counted, %.1f %% left alone; %.0f bytes of memory a site\n",
		plan->decision_count, 100.0 * states[0] / plan->decision_count, 100.0 * states[1] / plan->decision_count,
		100.0 * states[2] / plan->decision_count, bytes_a_site(plan->bytes));
	write_code(plan);
	for (unsigned i = 1; i < PLAN_REASONS; i++)
		if (counts[i])
			printf("  %zu %s: %s\n", counts[i], state_text(i), plan_reason_text(i));
	if (plan_head(plan->bytes)->leaving_count)
		printf("  %" PRIu32 " of all: " LEAVES_CALLERS "\n", plan_head(plan->bytes)->leaving_count);
}

void symbol_sites_write(const char *path, const struct symbol_table *table, const struct writer_options *form, uint64_t limit,
	bool mangled, struct diag *diag)
{
	struct table_sink sink;
	struct plan plan;
	uint32_t *tails;

	if (plan_make(path, &plan, diag)) {
		sink = make_table_writer(form, stdout, "standard output", diag);
		sink.begin(sink.context, "sites", columns, COLUMN_COUNT);
		tails = make_tails(plan.bytes);
		for (size_t i = 0, function = 0; i < plan.decision_count && i < limit; i++) {
			bool is_in_plan = plan.decisions[i].reason < PLAN_LEFT_ALONE;

			write_row(&sink, &plan.decisions[i], tails && is_in_plan ? tails[function] : 0, path, table, mangled);
			function += is_in_plan;
		}
		free(tails);
		sink.end(sink.context);
		free_table_writer(&sink);
		if (form->form == WRITER_TEXT)
			write_sums(&plan);
	}
	plan_free(&plan);
}
