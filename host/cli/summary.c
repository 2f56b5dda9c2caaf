#include "cli/output.h"
#include "cli/summary.h"
#include "cli/summary_counted.h"
#include "cli/summary_samples.h"
#include "cli/summary_throttled.h"

#include <inttypes.h>
#include <string.h>

#include "model/profile/throttled.h"
#include "query/health.h"
#include "util/real.h"
#include "util/units.h"
#include "util/utf8.h"

#define REPLACEMENTS_SHOWN 3u
/* Sums over all threads. */
struct sums {
	uint64_t events, calls, functions;
	uint64_t first_ticks, last_ticks;
	uint64_t sums_ticks; /* the longest thread of another tool's sums, which has a duration but no moments */
	uint64_t self_ticks, recording_ticks, lost_ticks, held_ticks, outside_ticks, elapsed_ticks;
	struct off_cpu_ticks off;
	uint32_t threads;
	bool unbalanced;
};

static struct sums sum_threads(const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	struct sums sums = {.first_ticks = UINT64_MAX};

	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];

		if (!thread->events && !thread->calls)
			continue;
		sums.threads++;
		sums.events += thread->events;
		sums.calls += thread->calls;
		if (thread->is_sums) {
			sums.sums_ticks = thread->last_ticks > sums.sums_ticks ? thread->last_ticks : sums.sums_ticks;
		} else {
			sums.first_ticks = thread->first_ticks < sums.first_ticks ? thread->first_ticks : sums.first_ticks;
			sums.last_ticks = thread->last_ticks > sums.last_ticks ? thread->last_ticks : sums.last_ticks;
		}
		sums.self_ticks += thread->self_ticks;
		sums.recording_ticks += thread->recording_ticks;
		sums.lost_ticks += thread->lost_ticks;
		sums.held_ticks += thread->held_ticks;
		sums.outside_ticks += thread->outside_ticks;
		sums.elapsed_ticks += thread->last_ticks - thread->first_ticks;
		sums.unbalanced |= !thread->balanced || !thread->off_cpu_balanced;
		profile_add_off_cpu(&sums.off, &thread->off);
	}
	for (size_t id = 0; id < profile->function_count; id++)
		sums.functions += profile->functions[id].calls || profile->functions[id].total;
	return sums;
}

static void format_ticks(const struct trace *trace, char text[UNITS_TEXT_BYTES], uint64_t ticks)
{
	const struct clock_map *clock = model_get_clock(trace->model);

	clock_format_ns(text, clock, clock_duration_ns(clock, ticks));
}

/* Prints before, the number, and its noun. */
static void print_count(FILE *out, const char *before, uint64_t count, const char *one, const char *many)
{
	char text[UNITS_TEXT_BYTES];

	units_format_count(text, count);
	fprintf(out, "%s%s %s", before, text, count == 1 ? one : many);
}

static void print_ns(FILE *out, const char *before, const struct trace *trace, uint64_t ticks)
{
	char text[UNITS_TEXT_BYTES];

	format_ticks(trace, text, ticks);
	fprintf(out, "%s%s", before, text);
}

/* exec replaces a process's program by another program. Prints what the first process became, and returns the
 * number of other processes. */
static uint32_t print_replacements(const struct model *model, FILE *out)
{
	uint32_t count = model_process_count(model), others = 0, said = 0;

	for (uint32_t i = 1, before = 0; i < count; i++) {
		const struct model_process *process = model_get_process(model, i);

		if (process->pid == model_get_process(model, before)->pid && model_is_replaced(model, before)) {
			before = i;
			said++;
			if (said <= REPLACEMENTS_SHOWN)
				fputs(said == 1 ? ", which became " : ", then ", out);
			if (said <= REPLACEMENTS_SHOWN)
				summary_print_name(out, process->path ? process->path : "?");
		} else {
			others += !model_is_replaced(model, i);
		}
	}
	if (said > REPLACEMENTS_SHOWN)
		print_count(out, ", then ", said - REPLACEMENTS_SHOWN, "more", "more");
	fputs(said ? " (exec)" : "", out);
	return others;
}

/* Prints the name under which the program was started, if its file has another name: `dot` is a link to libgvc6-config-update. */
static void print_called(const struct model_process *process, FILE *out)
{
	const char *called = process->called ? strrchr(process->called, '/') : NULL, *file = strrchr(process->path, '/');

	called = called ? called + 1 : process->called;
	if (!called || !*called || !strcmp(called, file ? file + 1 : process->path))
		return;
	fputs(", called as ", out);
	summary_print_name(out, called);
}

static void print_program(const struct trace *trace, FILE *out)
{
	const struct message_header *header = model_get_header(trace->model);
	uint32_t processes = model_process_count(trace->model);
	const char *path = processes ? model_get_process(trace->model, 0)->path : NULL;
	uint32_t others;

	summary_print_name(out, trace->path);
	fprintf(out, ": %s", header && header->version ? "recording" : header ? header->format : "");
	if (path) {
		fputs(header && header->version ? " of " : ", of ", out);
		summary_print_name(out, path);
		print_called(model_get_process(trace->model, 0), out);
	}
	others = print_replacements(trace->model, out);
	if (others)
		print_count(out, " and ", others, "other process", "other processes");
	if (header && header->version)
		fprintf(out, " (format %s)", header->version); /* the format of the file, not the version of dwell */
	putc('\n', out);
}

/* Prints a line for each finding in the head that is on top, or for each that is not. */
static void print_findings(const struct health *health, bool on_top, FILE *out)
{
	char text[HEALTH_TEXT_BYTES];

	for (size_t i = 0; i < health->count; i++) {
		const struct health_finding *finding = &health->findings[i];

		if (finding->count && finding->shown & HEALTH_IN_HEAD && on_top == !!(finding->shown & HEALTH_ON_TOP))
			fprintf(out, "  %s\n", health_format(finding, text));
	}
}

/* Prints a line for each finding; at the end, if nothing is missing, that the recording is complete. */
static void print_health(const struct trace *trace, const struct health *health, FILE *out)
{
	char text[HEALTH_TEXT_BYTES];
	bool has_notes = model_get_throttled(trace->model)->count;

	print_findings(health, false, out);
	if (!health->is_complete)
		return;
	fputs(health->is_partial     ? "complete as to the recorded functions: nothing of them was lost"
	      : health->of_rings      ? "complete as to what the rings keep: nothing of it was lost"
	      : health->is_of_program ? "complete as to the program's own code: nothing of it was lost"
				      : "complete: nothing was lost",
		out);
	for (size_t i = 0; i < health->count; i++) {
		const struct health_finding *finding = &health->findings[i];

		if (!finding->count)
			continue;
		has_notes |= (finding->severity == HEALTH_NOTE && finding->shown) || finding->shown & HEALTH_IF_COMPLETE;
		if (finding->shown & HEALTH_IF_COMPLETE)
			fprintf(out, "; %s", health_format(finding, text));
	}
	if (model_get_profile(trace->model)->has_times && !has_notes)
		fputs(", and each call has its entry and its exit", out);
	putc('\n', out);
}

/* Prints the elapsed time once more, divided by whether threads were on a CPU. */
static void print_cpu(const struct trace *trace, const struct sums *sums, FILE *out)
{
	const struct off_cpu_ticks *off = &sums->off;

	if (model_get_profile(trace->model)->has_off_cpu) {
		print_ns(out, "on CPU ", trace, sums->elapsed_ticks - sums->held_ticks - off->ticks - off->unknown_ticks);
		print_ns(out, " + waiting ", trace, off->ticks - off->preempted_ticks);
		print_ns(out, " + preempted ", trace, off->preempted_ticks);
		if (off->unknown_ticks)
			print_ns(out, " + not known ", trace, off->unknown_ticks);
		if (sums->held_ticks)
			print_ns(out, " + held up by recording ", trace, sums->held_ticks);
		print_ns(out, " = elapsed ", trace, sums->elapsed_ticks);
		putc('\n', out);
	} else if (*model_get_cpu_problem(trace->model)) {
		fputs("CPU time is not known: ", out);
		summary_print_name(out, model_get_cpu_problem(trace->model));
		putc('\n', out);
	}
}

/* Divides the recorded page faults like the time, those of threads while they recorded nothing being outside, too. */
static void print_faults(const struct trace *trace, FILE *out)
{
	const struct profile *profile = model_get_profile(trace->model);
	bool is_whole = !trace->thread && !trace->window;
	uint64_t self = 0, outside = is_whole ? model_get_faults_elsewhere(trace->model) : 0,
		 lost = is_whole ? model_get_loss(trace->model, DWELL_LOSS_FAULTS) : 0;
	char texts[4][UNITS_TEXT_BYTES];

	if (!profile->has_faults)
		return;
	for (size_t i = 0; i < profile->thread_count; i++) {
		self += profile->threads[i].off_self.faults;
		outside += profile->threads[i].off_outside.faults;
		lost += profile->threads[i].off_lost.faults;
	}
	units_format_count(texts[0], self);
	units_format_count(texts[1], outside);
	units_format_count(texts[2], lost);
	units_format_count(texts[3], self + outside + lost);
	fprintf(out, "page faults: in functions %s + outside %s + lost %s = %s%s\n", texts[0], texts[1], texts[2], texts[3],
		model_misses_kernel_faults(trace->model) ? "; those in system calls are not recorded" : "");
}

static void print_times(const struct trace *trace, const struct sums *sums, FILE *out)
{
	bool is_untimed = model_get_profile(trace->model)->is_untimed;
	uint64_t between = sums->last_ticks > sums->first_ticks ? sums->last_ticks - sums->first_ticks : 0;

	if (!is_untimed)
		print_ns(out, "", trace, between > sums->sums_ticks ? between : sums->sums_ticks);
	print_count(out, is_untimed ? "" : ", ", sums->threads, "thread", "threads");
	print_count(out, ", ", sums->events, "event", "events");
	print_count(out, ", ", sums->calls, "call", "calls");
	print_count(out, " of ", sums->functions, "function", "functions");
	if (is_untimed) {
		fputs("\nno times were recorded, only what was called, and by whom\n", out);
		return;
	}
	print_ns(out, "\nself ", trace, sums->self_ticks);
	if (model_get_profile(trace->model)->is_net || sums->held_ticks)
		print_ns(out, " + recording ", trace, sums->recording_ticks + sums->held_ticks);
	print_ns(out, " + lost ", trace, sums->lost_ticks);
	print_ns(out, " + outside ", trace, sums->outside_ticks);
	print_ns(out, sums->unbalanced ? " IS NOT elapsed " : " = elapsed ", trace, sums->elapsed_ticks);
	fputs(sums->threads > 1 ? ", all threads\n" : "\n", out);
	print_cpu(trace, sums, out);
	print_faults(trace, out);
	switch (model_get_clock(trace->model)->basis) {
	case CLOCK_UNKNOWN:
		fputs("the clock's rate is unknown: times are its ticks", out);
		fputs(model_get_header(trace->model)->is_bare ? "; --hz N tells how many there are in a second\n" : "\n", out);
		break;
	case CLOCK_NOMINAL:
		fputs("the clock was not calibrated: times are by its nominal rate\n", out);
		break;
	case CLOCK_CALIBRATED:
		break;
	}
}

/* "calls shorter than 10 us are counted, not listed: 1,234"; "" if all calls are listed. */
static void format_counted(const struct trace *trace, char *text, size_t size)
{
	struct model_counted_calls counted = model_get_counted_calls(trace->model);
	const struct clock_map *clock = model_get_clock(trace->model);
	char limit[UNITS_TEXT_BYTES], calls[UNITS_TEXT_BYTES];

	*text = 0;
	units_format_count(calls, counted.calls);
	if (clock->basis == CLOCK_UNKNOWN)
		units_format_ticks(limit, counted.limit_ticks);
	else
		units_format_ns_short(limit, real_to_u64((double)counted.limit_ticks * clock->ns_per_tick + 0.5));
	if (counted.all)
		snprintf(text, size, "calls were counted while they were recorded, and are not listed: %s", calls);
	else if (counted.any)
		snprintf(text, size, "calls shorter than %s are counted, not listed: %s", limit, calls);
}

void summary_note_counted(const struct trace *trace)
{
	char text[200];

	format_counted(trace, text, sizeof text);
	if (*text && !model_get_counted_calls(trace->model).all)
		diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET, "%s; their time is that of the calls around them here", text);
}

/* Prints, for each function of --keep-slowest, the calls in the trace and the sums of all its calls. */
static void print_kept(const struct trace *trace, FILE *out)
{
	const struct kept_slowest *kept = model_get_kept_slowest(trace->model);

	for (size_t i = 0; i < kept->count; i++) {
		const struct kept_slowest_function *function = &kept->functions[i];

		print_count(out, "kept: ", function->kept, "", "");
		print_count(out, "of ", function->calls, "call of ", "calls of ");
		summary_print_name(out, function->name);
		print_ns(out, ", which took ", trace, function->total_ticks);
		print_ns(out, " in all, p50 ", trace, histogram_percentile(&function->histogram, 0.5));
		print_ns(out, ", p99 ", trace, histogram_percentile(&function->histogram, 0.99));
		if (function->open)
			print_count(out, "; ", function->open, "had not ended", "had not ended");
		if (function->cut)
			print_count(out, "; ", function->cut, "is too large to be kept whole: the rest of it is lost",
				"are too large to be kept whole: the rest of them is lost");
		putc('\n', out);
	}
	if (kept->count)
		fputs("all else was left out as asked; it is in outside\n", out);
}

/* Prints which part of the recording's time all that follows is of. */
static void print_span(const struct trace *trace, FILE *out)
{
	const struct window_span *span = &trace->span;
	char from[UNITS_TEXT_BYTES] = "the start", to[UNITS_TEXT_BYTES] = "the end";

	if (!span->is_given)
		return;
	if (span->from_ns != INT64_MIN)
		clock_format_moment(from, model_get_clock(trace->model), span->from_ns);
	if (span->to_ns != INT64_MAX)
		clock_format_moment(to, model_get_clock(trace->model), span->to_ns);
	fprintf(out, "of the time from %s to %s only\n", from, to);
}

void summary_print(const struct trace *trace, FILE *out)
{
	const struct profile *profile = model_get_profile(trace->model);
	struct sums sums = sum_threads(trace);
	char text[UNITS_TEXT_BYTES], counted[200];
	struct health health;

	health_find(trace, &health);
	print_program(trace, out);
	print_span(trace, out);
	print_findings(&health, true, out);
	if (*model_get_snapshot_reason(trace->model)) {
		fputs("too slow: ", out);
		summary_print_name(out, model_get_snapshot_reason(trace->model));
		putc('\n', out);
	}
	if (profile->has_times) {
		print_times(trace, &sums, out);
		print_kept(trace, out);
	} else if (model_is_sampled(trace->model)) {
		summary_print_samples(trace, out);
	} else if (model_get_header(trace->model) && model_get_header(trace->model)->has_events) {
		fputs("no calls: nothing was recorded, or nothing of it is left\n", out);
	} else {
		units_format_count(text, profile->total);
		fprintf(out, "%s %s", text, *profile->unit ? profile->unit : "units");
		print_count(out, " in ", sums.functions, "function", "functions");
		summary_print_counted(trace, out);
		putc('\n', out);
	}
	format_counted(trace, counted, sizeof counted);
	if (*counted)
		fprintf(out, "%s\n", counted);
	print_health(trace, &health, out);
	summary_print_throttled(trace, sums.first_ticks, out);
	putc('\n', out);
}
