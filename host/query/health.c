#include "query/health.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "query/sampled_time.h"
#include "util/code_share.h"
#include "util/units.h"

/* Sums over all threads. */
struct sums {
	uint64_t lost_events, lost_unplaced, left_out, wrapped, full, unmatched_exits, unwound_calls, lost_unwinds, no_entry_calls;
	uint64_t gap_calls, open_calls, replaced_calls, beyond_calls, backward_events, unbalanced, off_unknown, with_gaps;
};

static struct sums add_threads(const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	struct sums sums = {0};

	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];
		bool is_replaced = thread->open_calls && model_process_is_replaced(trace->model, thread->process);

		sums.lost_events += thread->lost_events;
		if (thread->recorder_lost_events > thread->lost_events)
			*(thread->full ? &sums.left_out : &sums.lost_unplaced) +=
				thread->recorder_lost_events - thread->lost_events;
		sums.with_gaps += thread->lost_ticks != 0;
		sums.wrapped += thread->wrapped;
		sums.full += thread->full;
		sums.unmatched_exits += thread->unmatched_exits;
		sums.unwound_calls += thread->unwound_calls;
		sums.lost_unwinds += thread->lost_unwinds;
		sums.no_entry_calls += thread->no_entry_calls;
		sums.gap_calls += thread->gap_calls;
		*(is_replaced ? &sums.replaced_calls : &sums.open_calls) += thread->open_calls;
		sums.beyond_calls += thread->beyond_calls;
		sums.backward_events += thread->backward_events;
		sums.unbalanced += !thread->balanced || !thread->off_cpu_balanced;
		sums.off_unknown += thread->off.unknown_ticks != 0;
	}
	return sums;
}

static void add(struct health *health, struct health_finding finding)
{
	bool is_loss = finding.count && finding.severity == HEALTH_LOSS;

	health->findings[health->count++] = finding;
	health->is_complete &= !(is_loss && finding.shown & HEALTH_IN_HEAD);
	health->is_well &= !finding.count || finding.severity == HEALTH_NOTE;
}

#define HEAD HEALTH_IN_HEAD
#define WARNED (HEALTH_IN_HEAD | HEALTH_WARNED)
#define LOSS(key, shown, count, ...) add(health, (struct health_finding){key, HEALTH_LOSS, shown, count, __VA_ARGS__})
#define NAMES(key, count, ...) add(health, (struct health_finding){key, HEALTH_NAMES, HEAD, count, __VA_ARGS__})
#define NOTE(key, shown, count, ...) add(health, (struct health_finding){key, HEALTH_NOTE, shown, count, __VA_ARGS__})

#define HALF 50u /* percent */
#define HEALTH_WRAPPED_ONE "thread's ring was full and keeps the last events; dwell does not know how many came before"
#define HEALTH_WRAPPED_MANY "threads' rings were full and keep the last events; dwell does not know how many came before"
#define UNTIMED_CODE_MIN 10u /* percent: padding between functions is about half of this … */
#define UNTIMED_CODE_BYTES_MIN 65536u /* … and in a small program the compiler's startup code alone is a larger part */

/* The first finding: the recorded functions' share of the CPU time. All later findings are about recorded functions. */
static void find_coverage(struct health *health, const struct trace *trace)
{
	struct coverage coverage;
	unsigned missing;

	coverage_find(trace, &coverage);
	missing = coverage_get_missing(&coverage);
	snprintf(health->coverage, sizeof health->coverage, "recorded functions hold nearly all of the CPU time");
	if (missing)
		coverage_format(trace, &coverage, health->coverage);
	health->is_partial = missing || *model_get_cpu_problem(trace->model);
	if (missing >= HALF)
		LOSS("unrecorded_percent", HEAD, missing, NULL, health->coverage);
	else
		NOTE("unrecorded_percent", HEAD, missing, NULL, health->coverage);
	coverage_clear(&coverage);
}

static void find_code(struct health *health, const struct trace *trace)
{
	struct code_share timed = model_get_timed_code(trace->model), hooked = model_get_hooked_code(trace->model);
	unsigned untimed = code_share_get_others(&timed, 0);
	unsigned unhooked = code_share_get_others(&hooked, CODE_SHARE_UNHOOKED_BYTES_MIN);

	NOTE("untimed_code_percent", untimed >= UNTIMED_CODE_MIN && timed.bytes >= UNTIMED_CODE_BYTES_MIN ? HEAD : 0, untimed,
		"% of the recorded files' code is in no function that can be timed; dwell symbols --sites shows why",
		"% of the recorded files' code is in no function that can be timed; dwell symbols --sites shows why");
	NOTE("unhooked_percent", unhooked >= CODE_SHARE_UNHOOKED_PERCENT_MIN ? HEAD : 0, unhooked, CODE_SHARE_UNHOOKED_TEXT,
		CODE_SHARE_UNHOOKED_TEXT);
}

static void find_lost_events(struct health *health, const struct trace *trace, const struct sums *sums)
{
	const struct model *model = trace->model;
	const struct message_header *header = model_get_header(model);
	const struct reader_health *reader = reader_get_health(trace->reader);

	LOSS("lost_events", WARNED, sums->lost_events, "event was lost; the time around it counts as lost",
		"events were lost; the time around them counts as lost");
	if (header && header->is_bare) /* a bare dump has no count of lost events */
		LOSS("holes", 0, reader->holes, "record of the dump is invalid or has an impossible time",
			"records of the dump are invalid or have impossible times");
	else
		LOSS("holes", 0, reader->holes, "of the lost events was begun but never written",
			"of the lost events were begun but never written");
	LOSS("threads_with_gaps", WARNED, sums->lost_events ? 0 : sums->with_gaps,
		"thread has lost an unknown number of events; the time around them counts as lost",
		"threads have lost an unknown number of events; the time around them counts as lost");
	LOSS("left_out_events", WARNED, sums->left_out, "event came after its thread's memory was full",
		"events came after their thread's memory was full");
	LOSS("lost_unplaced", WARNED, sums->lost_unplaced, "more event was lost at an unknown place",
		"more events were lost at unknown places");
	LOSS("unrecorded_events", WARNED, model_get_loss(model, DWELL_LOSS_EVENTS), "event was lost in threads that were not recorded",
		"events were lost in threads that were not recorded");
	LOSS("setup_events", WARNED, model_get_loss(model, DWELL_LOSS_SETUP), "event was lost while its thread was being set up",
		"events were lost while their thread was being set up");
	LOSS("lost_switches", 0, model_get_loss(model, DWELL_LOSS_SWITCHES), "context switch was not recorded",
		"context switches were not recorded");
	LOSS("lost_page_faults", 0, model_get_loss(model, DWELL_LOSS_FAULTS), "page fault was not recorded: the kernel's buffer was full",
		"page faults were not recorded: the kernel's buffer was full");
}

static void find_samples(struct health *health, const struct trace *trace)
{
	static const char missing[] = "% of the CPU time is in no sample, for example of threads and bursts shorter than the time between two samples; "
				      "shares are of the rest";
	static const char excess[] = "% more CPU time is in the samples than the system counts: the program switches tasks very often, or "
				     "has processes that nobody waited for; shares may be off";
	static const char left_out[] = "% of the CPU time is left out, as the kernel handled interrupts: other programs switch tasks very "
				       "often; shares are of the rest";
	const struct model *model = trace->model;
	const struct message_sampling *sampling = model_get_sampling(model);

	LOSS("lost_samples", WARNED, model_get_loss(model, DWELL_LOSS_SAMPLES), "sample was lost: there was no room for it",
		"samples were lost: there was no room for them");
	LOSS("throttled", WARNED, model_get_loss(model, DWELL_LOSS_THROTTLED), "time the operating system stopped sampling for a while",
		"times the operating system stopped sampling for a while");
	LOSS("damaged_samples", WARNED, model_get_loss(model, DWELL_LOSS_DAMAGED),
		"record of the kernel about samples was damaged and is left out",
		"records of the kernel about samples were damaged and are left out");
	LOSS("unsampled_percent", WARNED, sampled_time_get_missing(trace), missing, missing,
		sampling && sampling->engine != DWELL_ENGINE_TIMERS ? "dwell record --engine=timer samples short-lived threads, too" : NULL);
	LOSS("left_out_percent", WARNED, sampled_time_get_left_out(trace), left_out, left_out);
	LOSS("excess_percent", WARNED, sampled_time_get_excess(trace), excess, excess);
	LOSS("full_counters", WARNED, model_get_profile(model)->full_counts,
		"counter was full: its function may have more samples than shown",
		"counters were full: their functions may have more samples than shown");
}

/* The share of the CPU time that the system hides: nothing of what could be sampled is missing. */
static void find_kernel(struct health *health, const struct trace *trace)
{
	static const char text[] = "% of the CPU time is in the kernel and in no sample: the system lets this user sample only the program's own code "
				   "(root, or kernel.perf_event_paranoid 1 or less, has all); shares are of the rest";
	unsigned missing = sampled_time_get_unsampled_kernel(trace);

	NOTE("unsampled_kernel_percent", HEALTH_IN_HEAD | HEALTH_ON_TOP, missing, text, text);
	health->is_of_program = missing;
}

/* Damage to the file. The reader has already added a diag for each place; these findings have the numbers. */
static void find_damage(struct health *health, const struct trace *trace)
{
	const struct model *model = trace->model;
	const struct reader_health *reader = reader_get_health(trace->reader);

	LOSS("unwritten_bytes", WARNED, model_get_loss(model, DWELL_LOSS_BYTES_UNWRITTEN),
		"byte could not be written to disk: the calls in it are missing",
		reader->ended_well ? "bytes could not be written to disk: the calls in them are missing"
				   : "bytes or more could not be written to disk: the calls in them are missing");
	LOSS("starved_bytes", WARNED, model_get_loss(model, DWELL_LOSS_BYTES_STARVED),
		"byte could not be written for lack of memory: the calls in it are missing",
		"bytes could not be written for lack of memory: the calls in them are missing");
	LOSS("chunks_missing", HEAD, reader->chunks_missing, "chunk is missing", "chunks are missing");
	LOSS("chunks_damaged", HEAD, reader->chunks_damaged, "chunk is damaged", "chunks are damaged");
	LOSS("chunks_starved", HEAD, reader->chunks_starved, "chunk was skipped for lack of memory",
		"chunks were skipped for lack of memory");
	LOSS("bytes_skipped", HEAD, reader->bytes_skipped, "byte was skipped", "bytes were skipped");
	LOSS("entries_left_out", HEAD, reader->entries_left_out, "entry of the file was left out: a message says why",
		"entries of the file were left out: messages say why");
	LOSS("being_counted", HEAD, reader->being_counted, "buffer was being counted into statistics: one call may be in both, or its time",
		"buffers were being counted into statistics: one call of each may be in both, or its time");
	LOSS("chunks_unknown", HEAD, reader->chunks_unknown, "chunk is of a kind this version does not know",
		"chunks are of kinds this version does not know");
	LOSS("unknown_tags", 0, reader->unknown_tags, "record is of a kind this version does not know",
		"records are of kinds this version does not know");
	LOSS("cut", HEAD, reader->cut, NULL, "the file ends in the middle of a chunk");
	LOSS("no_end", reader->cut ? 0 : HEAD, !reader->ended_well, NULL, "the file has no end: the recording was cut off");
}

static void find_threads(struct health *health, const struct trace *trace, const struct sums *sums)
{
	const struct model *model = trace->model;

	/* A ring keeps no more than that: nothing that was promised is missing. */
	NOTE("threads_wrapped", HEAD, sums->wrapped, HEALTH_WRAPPED_ONE, HEALTH_WRAPPED_MANY);
	health->of_rings = sums->wrapped;
	LOSS("threads_full", WARNED, sums->full, "thread stopped recording when its memory was full",
		"threads stopped recording when their memory was full");
	LOSS("threads_given_up", WARNED, model_get_loss(model, DWELL_LOSS_GIVEN_UP), "ended thread was given up for a later one",
		"ended threads were given up for later ones");
	LOSS("threads_unrecorded", WARNED, model_get_loss(model, DWELL_LOSS_THREADS), "thread was not recorded: there was no memory for it",
		"threads were not recorded: there was no memory for them");
	LOSS("threads_cpu_unknown", 0, sums->off_unknown, "thread has times for which dwell does not know whether it was on a CPU",
		"threads have times for which dwell does not know whether they were on a CPU");
	LOSS("unbalanced_threads", WARNED, sums->unbalanced, "thread has times that do not add up", "threads have times that do not add up");
	LOSS("modules_unrecorded", WARNED, model_get_loss(model, DWELL_LOSS_MODULES),
		"module is not in the trace: its functions have no names", "modules are not in the trace: their functions have no names");
	LOSS("overwritten", WARNED, model_get_loss(model, DWELL_LOSS_OVERWRITTEN),
		"part of the recording was overwritten by a program: more may be lost than dwell knows",
		"parts of the recording were overwritten by a program: more may be lost than dwell knows");
	LOSS("privileged_programs", WARNED, model_get_loss(model, DWELL_LOSS_PRIVILEGED),
		"program was not recorded, as it has rights of its own (set-uid)",
		"programs were not recorded, as they have rights of their own (set-uid)");
	LOSS("unreached_programs", WARNED, model_get_loss(model, DWELL_LOSS_UNREACHED),
		"program was not recorded, as it could not reach dwell from its container or root folder",
		"programs were not recorded, as they could not reach dwell from their containers or root folders");
	LOSS("programs_without_agent", WARNED, model_get_loss(model, DWELL_LOSS_UNLOADED),
		"program was not recorded, as its environment had no agent (LD_PRELOAD, DWELL_SESSION)",
		"programs were not recorded, as their environments had no agent (LD_PRELOAD, DWELL_SESSION)");
	LOSS("confined_processes", WARNED, model_get_loss(model, DWELL_LOSS_CONFINED),
		"process was not recorded any more after it forbade itself the clock or system calls (PR_SET_TSC, seccomp's strict mode)",
		"processes were not recorded any more after they forbade themselves the clock or system calls (PR_SET_TSC, seccomp's strict mode)");
	LOSS("unpatched_modules", WARNED, model_get_loss(model, DWELL_LOSS_UNPATCHED),
		"module was not recorded: its code could not be changed, or --trace found it behind dlmopen",
		"modules were not recorded: their code could not be changed, or --trace found them behind dlmopen");
	LOSS("unseen_forks", WARNED, model_get_loss(model, DWELL_LOSS_FORKS),
		"fork was not seen: up to 511 events of the child count for its parent's thread",
		"forks were not seen: up to 511 events of each child count for its parent's thread");
}

/* Sums of weights stay at the largest number (util/saturate.h). No sum is larger than the total. */
static void find_overflow(struct health *health, const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);

	LOSS("overflow", WARNED, !profile->has_times && profile->total == UINT64_MAX, NULL,
		"the counts of this file add up to 2^64 or more: sums and shares are wrong");
}

static void find_folded(struct health *health, const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	uint64_t folded = trace->options.no_tree || trace->skips_tree_warning ? 0 : profile->tree.folded_calls;
	uint64_t ticks = folded ? tree_sum_others(&profile->tree) : 0;
	char text[UNITS_TEXT_BYTES];

	if (!profile->has_times) {
		units_format_count(text, ticks);
		snprintf(health->folded_text, sizeof health->folded_text, "together %s %s", text, *profile->unit ? profile->unit : "weight");
		LOSS("folded_calls", WARNED, folded, "path has no room in the tree: its share is in (other)",
			"paths have no room in the tree: their shares are in (other)", health->folded_text);
		return;
	}
	units_format_ns(text, clock_duration_ns(model_get_clock(trace->model), ticks));
	snprintf(health->folded_text, sizeof health->folded_text, "together %s", text);
	LOSS("folded_calls", WARNED, folded, "call is on a path that the tree has no room for: its time is in (other)",
		"calls are on paths that the tree has no room for: their time is in (other)", health->folded_text);
}

static void find_calls(struct health *health, const struct trace *trace, const struct sums *sums)
{
	const struct model *model = trace->model;

	LOSS("unmatched_exits", WARNED, sums->unmatched_exits, "exit matches no open call", "exits match no open call");
	LOSS("beyond_calls", WARNED, sums->beyond_calls, "call was nested too deep", "calls were nested too deep");
	LOSS("lost_unwinds", HEAD, sums->lost_unwinds, "longjmp or catch landed in a function without hooks",
		"longjmps or catches landed in functions without hooks");
	LOSS("unseen_unwinds", WARNED, model_get_loss(model, DWELL_LOSS_UNSEEN),
		"place in the program leaves functions unseen (longjmp, catch, vfork): calls may end too late",
		"places in the program leave functions unseen (longjmp, catch, vfork): calls may end too late");
	LOSS("unseen_jump_functions", HEAD, model_get_unseen_jumps(model),
		"function can jump out of its callers unseen: callers and times behind such a jump are wrong; dwell symbols --sites shows it",
		"functions can jump out of their callers unseen: callers and times behind such a jump are wrong; dwell symbols --sites shows them");
	LOSS("moved_coroutines", WARNED, model_get_loss(model, DWELL_LOSS_MOVED),
		"time a coroutine moved to another thread: its open calls count on both",
		"times a coroutine moved to another thread: its open calls count on both");
	LOSS("backward_events", HEAD, sums->backward_events, "event had an earlier time than the one before",
		"events had earlier times than those before");
	find_folded(health, trace);
	LOSS("gap_calls", 0, sums->gap_calls, "call ended where events are missing", "calls ended where events are missing");
}

static void find_names(struct health *health, const struct trace *trace)
{
	const struct functions_health symbols =
		functions_get_health(model_get_functions(trace->model), model_get_clock(trace->model)->origin_unix_ns);

	LOSS("modules_unreadable", HEAD, symbols.modules_unreadable, "module could not be read", "modules could not be read");
	LOSS("modules_mismatched", HEAD, symbols.modules_mismatched, "module was rebuilt since", "modules were rebuilt since");
	NAMES("modules_changed", symbols.modules_changed, "module has no build-id and was written to since: names may be wrong",
		"modules have no build-id and were written to since: names may be wrong");
	NAMES("unsymbolised_functions", symbols.unsymbolised, "function has no symbol", "functions have no symbols");
	NAMES("late_names", symbols.late, "name came too late: this input cannot be read twice",
		"names came too late: this input cannot be read twice");
	NAMES("homeless_functions", symbols.homeless, "function is in no known module", "functions are in no known module");
}

/* How calls began and ended. The texts depend on is_complete, so call this last. */
static void find_notes(struct health *health, const struct trace *trace, const struct sums *sums)
{
	const struct profile *profile = model_get_profile(trace->model);
	bool whole = health->is_complete;

	LOSS("no_entry_calls", HEALTH_IF_COMPLETE, sums->no_entry_calls,
		trace->window ? "call had begun before that time"
		: whole       ? "call had begun before the recording"
			      : "call has no entry",
		trace->window ? "calls had begun before that time"
		: whole       ? "calls had begun before the recording"
			      : "calls have no entry");
	NOTE("replaced_calls", HEALTH_IF_COMPLETE, sums->replaced_calls, "call was ended by exec", "calls were ended by exec");
	NOTE("unwound_calls", HEALTH_IF_COMPLETE, sums->unwound_calls,
		whole ? "call was left by longjmp or an exception" : "call was left by longjmp, an exception, or without an exit",
		whole ? "calls were left by longjmp or exceptions" : "calls were left by longjmp, exceptions, or without an exit");
	NOTE("open_calls", HEAD, sums->open_calls, "call was still running at the end", "calls were still running at the end");
	NOTE("untimed_functions", HEAD, profile->is_untimed ? 0 : profile_count_untimed(profile), /* else no function has times */
		"function was recorded only at its entry: counted, not timed", "functions were recorded only at their entries: counted, not timed");
	NOTE("tail_call_functions", HEAD, model_get_tail_calls(trace->model),
		"function may end by jumping to another one, whose time then shows under its caller; dwell symbols --sites names it",
		"functions may end by jumping to another one, whose time then shows under their caller; dwell symbols --sites names them");
	NOTE("late_stamps", 0, reader_get_health(trace->reader)->late_stamps, "time stamp was taken late and corrected",
		"time stamps were taken late and corrected");
}

void health_find(const struct trace *trace, struct health *health)
{
	struct sums sums = add_threads(trace);

	*health = (struct health){.is_complete = true, .is_well = true};
	find_coverage(health, trace);
	find_code(health, trace);
	find_lost_events(health, trace, &sums);
	find_kernel(health, trace);
	find_samples(health, trace);
	find_damage(health, trace);
	find_overflow(health, trace);
	find_threads(health, trace, &sums);
	find_calls(health, trace, &sums);
	find_names(health, trace);
	find_notes(health, trace, &sums);
}

const char *health_get_text(const struct health_finding *finding)
{
	return finding->count == 1 && finding->one ? finding->one : finding->many;
}

const char *health_format(const struct health_finding *finding, char text[static HEALTH_TEXT_BYTES])
{
	char count[UNITS_TEXT_BYTES] = "";

	if (finding->one)
		units_format_count(count, finding->count);
	snprintf(text, HEALTH_TEXT_BYTES, "%s%s%s", count, *count ? " " : "", health_get_text(finding));
	return text;
}

static void format_with_detail(const struct health_finding *finding, char text[static HEALTH_TEXT_BYTES])
{
	bool has_detail = finding->detail && *finding->detail;
	size_t used;

	health_format(finding, text);
	used = strlen(text);
	if (has_detail)
		snprintf(text + used, HEALTH_TEXT_BYTES - used, " (%s)", finding->detail);
}

void health_format_folded(const struct trace *trace, char text[static HEALTH_TEXT_BYTES])
{
	struct health health = {0};

	find_folded(&health, trace);
	*text = 0;
	if (health.findings[0].count)
		format_with_detail(&health.findings[0], text);
}

void health_warn_of_counts(const struct trace *trace)
{
	struct sums sums = add_threads(trace);

	if (sums.wrapped)
		diag_add(trace->diag, DIAG_WARN, trace->path, DIAG_NO_OFFSET, "%" PRIu64 " %s", sums.wrapped,
			sums.wrapped == 1 ? HEALTH_WRAPPED_ONE : HEALTH_WRAPPED_MANY);
}

void health_warn(const struct trace *trace)
{
	char text[HEALTH_TEXT_BYTES];
	struct health health;

	health_find(trace, &health);
	for (size_t i = 0; i < health.count; i++) {
		const struct health_finding *finding = &health.findings[i];
		enum diag_level level = finding->severity == HEALTH_NOTE ? DIAG_NOTE : DIAG_WARN;

		if (!finding->count || !(finding->shown & HEALTH_WARNED))
			continue;
		format_with_detail(finding, text);
		diag_add(trace->diag, level, trace->path, DIAG_NO_OFFSET, "%s", text);
	}
}
