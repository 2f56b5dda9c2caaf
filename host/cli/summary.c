#include "cli/output.h"
#include "cli/summary.h"
#include "cli/summary_samples.h"
#include "cli/summary_throttled.h"

#include <inttypes.h>
#include <string.h>

#include "model/profile/throttled.h"
#include "util/units.h"
#include "util/utf8.h"

#define REPLACEMENTS_SHOWN 3u
static const char unsampled_text[] =
	"% of the CPU time is in no sample, such as that of threads and processes that end before their first one: shares are of the rest";

static const char excess_text[] =
	"% more CPU time is in the samples than the system counts: many task switches, or processes that ended and nobody waited for";

/* All threads together. */
struct sums {
	uint64_t events, calls, functions;
	uint64_t first_ticks, last_ticks;
	uint64_t sums_ticks; /* the most that was added up elsewhere: of no moments */
	uint64_t self_ticks, recording_ticks, lost_ticks, held_ticks, outside_ticks, elapsed_ticks;
	uint64_t lost_events, unmatched_exits, unwound_calls, lost_unwinds, open_calls, no_entry_calls, beyond_calls,
		backward_events;
	uint64_t replaced_calls; /* were open when exec put another program in the place of theirs */
	uint64_t lost_unplaced; /* by the recorders' own count, and no record says where: often behind the last one */
	uint64_t left_out;      /* likewise, of threads whose memory was full: it is known where, behind the last one, and was asked for */
	struct profile_off off;
	uint32_t threads, wrapped, full, unbalanced;
};

static struct sums add_up(const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	struct sums sums = {.first_ticks = UINT64_MAX};

	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];

		sums.wrapped += thread->wrapped;
		sums.full += thread->full;
		sums.lost_events += thread->lost_events;
		if (thread->told_lost_events > thread->lost_events)
			*(thread->full ? &sums.left_out : &sums.lost_unplaced) += thread->told_lost_events - thread->lost_events;
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
		sums.unmatched_exits += thread->unmatched_exits;
		sums.unwound_calls += thread->unwound_calls;
		sums.lost_unwinds += thread->lost_unwinds;
		*(model_process_is_replaced(trace->model, thread->process) ? &sums.replaced_calls : &sums.open_calls) += thread->open_calls;
		sums.no_entry_calls += thread->no_entry_calls;
		sums.beyond_calls += thread->beyond_calls;
		sums.backward_events += thread->backward_events;
		sums.unbalanced += !thread->balanced || !thread->off_balanced;
		profile_add_off(&sums.off, &thread->off);
	}
	for (size_t id = 0; id < profile->function_count; id++)
		sums.functions += profile->functions[id].calls || profile->functions[id].total;
	return sums;
}

#define WARN(...) diag_add(trace->diag, DIAG_WARN, trace->path, DIAG_NO_OFFSET, __VA_ARGS__)

static void format_ticks(const struct trace *trace, char text[UNITS_TEXT_BYTES], uint64_t ticks)
{
	const struct clock_map *clock = model_get_clock(trace->model);

	clock_format_ns(text, clock, clock_duration_ns(clock, ticks));
}

void summary_warn(const struct trace *trace)
{
	struct sums sums = add_up(trace);
	uint64_t threads = model_get_loss(trace->model, DWELL_LOSS_THREADS);
	uint64_t unseen = model_get_loss(trace->model, DWELL_LOSS_EVENTS);
	uint64_t setup = model_get_loss(trace->model, DWELL_LOSS_SETUP);
	uint64_t unwritten = model_get_loss(trace->model, DWELL_LOSS_BYTES_UNWRITTEN);
	uint64_t starved = model_get_loss(trace->model, DWELL_LOSS_BYTES_STARVED);
	uint64_t modules = model_get_loss(trace->model, DWELL_LOSS_MODULES);
	uint64_t given_up = model_get_loss(trace->model, DWELL_LOSS_GIVEN_UP);
	uint64_t overwritten = model_get_loss(trace->model, DWELL_LOSS_OVERWRITTEN);
	uint64_t privileged = model_get_loss(trace->model, DWELL_LOSS_PRIVILEGED);
	uint64_t lost_samples = model_get_loss(trace->model, DWELL_LOSS_SAMPLES);
	uint64_t throttled = model_get_loss(trace->model, DWELL_LOSS_THROTTLED);
	uint64_t damaged = model_get_loss(trace->model, DWELL_LOSS_DAMAGED);
	uint64_t moved = model_get_loss(trace->model, DWELL_LOSS_MOVED);
	uint64_t unseen_unwinds = model_get_loss(trace->model, DWELL_LOSS_UNSEEN);
	const struct tree *tree = &model_get_profile(trace->model)->tree;
	const struct message_sampling *sampling = model_get_sampling(trace->model);
	unsigned unsampled = summary_get_unsampled(trace), excess = summary_get_excess(trace);
	char time[UNITS_TEXT_BYTES];

	if (sums.lost_events || (sums.lost_ticks && !trace->is_part)) {
		format_ticks(trace, time, sums.lost_ticks);
		if (sums.lost_events)
			WARN("events lost: %" PRIu64 " known of, in %s that no function is charged for", sums.lost_events, time);
		else
			WARN("events are missing, nobody counted how many, in %s that no function is charged for", time);
	}
	if (sums.lost_unplaced)
		WARN("events lost by the recorder's count, of which no record tells the place: %" PRIu64, sums.lost_unplaced);
	if (given_up)
		WARN("ended threads whose data was given up, since later ones needed the room: %" PRIu64, given_up);
	if (moved)
		WARN("times a coroutine went on on another thread, where calls that were open on it count once more: %" PRIu64, moved);
	if (unseen_unwinds)
		WARN("calls of longjmp, vfork, or for catches, that were not seen where the agent is linked: %" PRIu64, unseen_unwinds);
	if (sums.wrapped)
		WARN("threads whose beginning was overwritten, it is not known how many events: %" PRIu32, sums.wrapped);
	if (sums.full)
		WARN("threads that stopped recording when their memory was full: %" PRIu32 ", with %" PRIu64 " events behind that", sums.full,
			sums.left_out);
	if (threads)
		WARN("threads that had no memory to record into: %" PRIu64 ", with %" PRIu64 " events", threads, unseen);
	if (setup)
		WARN("events lost while their thread was being set up: %" PRIu64, setup);
	if (unwritten)
		WARN("bytes that could not be written when it was recorded: %" PRIu64, unwritten);
	if (starved)
		WARN("bytes that there was no memory to write when it was recorded: %" PRIu64, starved);
	if (modules)
		WARN("modules missing from its map: %" PRIu64, modules);
	if (overwritten)
		WARN("parts of the recording that a program wrote over, so that losses are not all known: %" PRIu64, overwritten);
	if (privileged)
		WARN("programs that were not recorded, as they have rights of their own (set-uid): %" PRIu64, privileged);
	if (lost_samples)
		WARN("samples lost, there was no room for them: %" PRIu64 "; what was running then counts for less", lost_samples);
	if (throttled)
		WARN("the operating system stopped sampling %" PRIu64 " time%s, as it cost too much", throttled, throttled == 1 ? "" : "s");
	if (damaged)
		WARN("times that what the operating system told of samples made no sense, and was left out: %" PRIu64, damaged);
	if (*model_get_in_step(trace->model))
		WARN("samples are in step with the program: %s; shares may be far off", model_get_in_step(trace->model));
	else if (model_is_rhythm_unknown(trace->model))
		diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET, "whether samples are in step with the program is %s",
			model_get_rhythm(trace->model));
	if (model_get_profile(trace->model)->full_counts)
		WARN("counters that were full: %" PRIu64 "; their functions may have been found more often than is said",
			model_get_profile(trace->model)->full_counts);
	if (unsampled && sampling->engine != DWELL_ENGINE_TIMERS)
		WARN("%u %% of the CPU time is in no sample: shares are of the rest; record --engine=timer sees what lives shortly", unsampled);
	else if (unsampled)
		WARN("%u %% of the CPU time is in no sample: shares are of the rest", unsampled);
	if (excess)
		WARN("samples stand for %u %% more CPU time than the system counts: with many task switches, functions that wait have too much of it; or "
		     "processes ended that nobody waited for, which the system leaves out", excess);
	if (sums.unmatched_exits)
		WARN("exits that fit no open call, skipped: %" PRIu64, sums.unmatched_exits);
	if (tree->folded_calls && !trace->options.no_tree && !trace->hides_tree)
		WARN("%s that are not in the tree and count where they were called from, as it is full: %" PRIu64,
			model_get_profile(trace->model)->has_times ? "calls of paths" : "paths", tree->folded_calls);
	if (sums.beyond_calls)
		WARN("calls nested too deep to be told apart: %" PRIu64, sums.beyond_calls);
	if (sums.unbalanced)
		WARN("threads whose times do not add up: %" PRIu32, sums.unbalanced);
}

void summary_print_name(FILE *out, const char *text)
{
	size_t left = strlen(text);

	while (left) {
		char escaped[UTF8_ESCAPE_BYTES];
		size_t written, taken;
		int columns;

		taken = utf8_escape(text, left, escaped, &written, &columns);
		fwrite(escaped, 1, written, out);
		text += taken;
		left -= taken;
	}
}

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

/* exec puts another program in the place of one: the process is the same. Says what the first one became; returns how many other
 * processes there are. */
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

static void print_program(const struct trace *trace, FILE *out)
{
	const struct message_header *header = model_get_header(trace->model);
	uint32_t processes = model_process_count(trace->model);
	const char *path = processes ? model_get_process(trace->model, 0)->path : NULL;
	uint32_t others;

	summary_print_name(out, trace->path);
	fprintf(out, ": %s", header ? header->format : "");
	if (path) {
		fputs(", of ", out);
		summary_print_name(out, path);
	}
	others = print_replacements(trace->model, out);
	if (others)
		print_count(out, " and ", others, "other process", "other processes");
	putc('\n', out);
}

/* One line for each thing that a reader of the report should know; false when none of them is missing data or unsure. */
static bool print_remarks(const struct trace *trace, const struct sums *sums, FILE *out)
{
	const struct reader_health *reader = reader_get_health(trace->reader);
	const struct functions_health symbols = functions_get_health(model_get_functions(trace->model));
	bool is_hidden = trace->options.no_tree || trace->hides_tree;
	uint64_t folded = is_hidden ? 0 : model_get_profile(trace->model)->tree.folded_calls;
	bool has_times = model_get_profile(trace->model)->has_times;
	const struct remark {
		uint64_t count;
		const char *one, *many;
		bool is_of_names; /* all that was recorded is there nevertheless */
	} remarks[] = {
		{sums->lost_events, "event was lost; the time around it is nobody's",
			"events were lost; the time around them is nobody's"},
		{sums->left_out, "event came after its thread's memory was full", "events came after their thread's memory was full"},
		{sums->lost_unplaced, "more event was lost, it is not known where", "more events were lost, it is not known where"},
		{model_get_loss(trace->model, DWELL_LOSS_SAMPLES), "sample was lost: there was no room for it",
			"samples were lost: there was no room for them"},
		{model_get_loss(trace->model, DWELL_LOSS_THROTTLED), "time the operating system stopped sampling for a while",
			"times the operating system stopped sampling for a while"},
		{model_get_loss(trace->model, DWELL_LOSS_DAMAGED), "time what the operating system told of samples made no sense: it was left out",
			"times what the operating system told of samples made no sense: it was left out"},
		{summary_get_unsampled(trace), unsampled_text, unsampled_text},
		{summary_get_excess(trace), excess_text, excess_text},
		{model_get_profile(trace->model)->full_counts, "counter was full: its function may have been found more often than is said",
			"counters were full: their functions may have been found more often than is said"},
		{*model_get_in_step(trace->model) != 0, "rhythm of the program is that of the samples: shares may be far off", ""},
		{model_get_loss(trace->model, DWELL_LOSS_EVENTS), "event was lost in threads that were not recorded",
			"events were lost in threads that were not recorded"},
		{model_get_loss(trace->model, DWELL_LOSS_SETUP), "event was lost while its thread was being set up",
			"events were lost while their thread was being set up"},
		{model_get_loss(trace->model, DWELL_LOSS_BYTES_UNWRITTEN), "byte is missing: the disk did not take it, nor the calls in it",
			reader->ended_well ? "bytes are missing: the disk did not take them, nor the calls in them"
					   : "bytes or more are missing: the disk did not take them, nor the calls in them"},
		{model_get_loss(trace->model, DWELL_LOSS_BYTES_STARVED), "byte is missing: there was no memory to write it, nor the calls in it",
			"bytes are missing: there was no memory to write them, nor the calls in them"},
		{model_get_loss(trace->model, DWELL_LOSS_GIVEN_UP), "ended thread was given up for a later one",
			"ended threads were given up for later ones"},
		{reader->chunks_missing, "chunk is missing", "chunks are missing"},
		{reader->chunks_damaged, "chunk is damaged", "chunks are damaged"},
		{reader->chunks_starved, "chunk was left out, as there was no memory for it", "chunks were left out, as there was no memory for them"},
		{reader->bytes_skipped, "byte was skipped", "bytes were skipped"},
		{reader->chunks_unknown, "chunk is of a kind this version does not know",
			"chunks are of kinds this version does not know"},
		{reader->cut, "time cut: the file ends in the middle of a chunk", ""},
		{!reader->ended_well && !reader->cut, "end is missing: the recording was cut off", ""},
		{sums->wrapped, "thread has lost its beginning: how many events that was is not known",
			"threads have lost their beginnings: how many events that were is not known"},
		{sums->full, "thread stopped recording when its memory was full",
			"threads stopped recording when their memory was full"},
		{model_get_loss(trace->model, DWELL_LOSS_THREADS), "thread was not recorded", "threads were not recorded"},
		{model_get_loss(trace->model, DWELL_LOSS_MODULES), "module is not in the trace: its functions have no names",
			"modules are not in the trace: their functions have no names"},
		{model_get_loss(trace->model, DWELL_LOSS_OVERWRITTEN), "part of the recording was written over by a program: losses are not all known",
			"parts of the recording were written over by a program: losses are not all known"},
		{model_get_loss(trace->model, DWELL_LOSS_PRIVILEGED), "program was not recorded, as it has rights of its own (set-uid)",
			"programs were not recorded, as they have rights of their own (set-uid)"},
		{sums->unmatched_exits, "exit fits no open call", "exits fit no open call"},
		{sums->beyond_calls, "call was nested too deep", "calls were nested too deep"},
		{sums->lost_unwinds, "longjmp or catch landed in a function without hooks",
			"longjmps or catches landed in functions without hooks"},
		{model_get_loss(trace->model, DWELL_LOSS_UNSEEN), "place leaves functions unseen (longjmp, catch, vfork): calls may be open too long",
			"places leave functions unseen (longjmp, catch, vfork): calls may be open too long"},
		{model_get_loss(trace->model, DWELL_LOSS_MOVED), "time a coroutine went on on another thread: its open calls count on both",
			"times a coroutine went on on another thread: its open calls count on both"},
		{sums->backward_events, "event had an earlier time than the one before",
			"events had earlier times than those before"},
		{has_times ? folded : 0, "call has no path of its own in the tree", "calls have no path of their own in the tree"},
		{has_times ? 0 : folded, "path is not in the tree: it counts where it was called from",
			"paths are not in the tree: they count where they were called from"},
		{sums->open_calls, "call was still running at the end", "calls were still running at the end"},
		{symbols.unsymbolised, "function has no symbol", "functions have no symbols", true},
		{symbols.late, "name came behind what it is of, and too late, as this is no file that can be read twice",
			"names came behind what they are of, and too late, as this is no file that can be read twice", true},
		{symbols.homeless, "function is in no known module", "functions are in no known module", true},
		{symbols.modules_unreadable, "module could not be read", "modules could not be read"},
		{symbols.modules_mismatched, "module was built anew since", "modules were built anew since"},
	};
	bool any = false;

	for (size_t i = 0; i < sizeof remarks / sizeof *remarks; i++) {
		if (!remarks[i].count)
			continue;
		print_count(out, "  ", remarks[i].count, remarks[i].one, remarks[i].many);
		putc('\n', out);
		any |= !remarks[i].is_of_names;
	}
	return any;
}

/* The same time, by whether the threads were on a CPU. */
static void print_cpu(const struct trace *trace, const struct sums *sums, FILE *out)
{
	const struct profile_off *off = &sums->off;

	if (model_get_profile(trace->model)->has_off) {
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

/* "calls shorter than 10 us are counted, not listed: 1,234"; "": all are listed. */
static void say_counted(const struct trace *trace, char *text, size_t size)
{
	struct model_counted counted = model_get_counted(trace->model);
	const struct clock_map *clock = model_get_clock(trace->model);
	char limit[UNITS_TEXT_BYTES], calls[UNITS_TEXT_BYTES];

	*text = 0;
	units_format_count(calls, counted.calls);
	if (clock->basis == CLOCK_UNKNOWN)
		units_format_ticks(limit, counted.limit_ticks);
	else
		units_format_ns_short(limit, (uint64_t)((double)counted.limit_ticks * clock->ns_per_tick + 0.5));
	if (counted.all)
		snprintf(text, size, "calls were counted while they were recorded, and are not listed: %s", calls);
	else if (counted.any)
		snprintf(text, size, "calls shorter than %s are counted, not listed: %s", limit, calls);
}

void summary_note_counted(const struct trace *trace)
{
	char text[200];

	say_counted(trace, text, sizeof text);
	if (*text && !model_get_counted(trace->model).all)
		diag_add(trace->diag, DIAG_NOTE, trace->path, DIAG_NO_OFFSET, "%s; their time is that of the calls around them here", text);
}

/* What the calls are of that are in the trace, and what the others were. */
static void print_kept(const struct trace *trace, FILE *out)
{
	const struct chosen *kept = model_get_chosen(trace->model);

	for (size_t i = 0; i < kept->count; i++) {
		const struct chosen_function *function = &kept->functions[i];

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

void summary_print(const struct trace *trace, FILE *out)
{
	const struct profile *profile = model_get_profile(trace->model);
	struct sums sums = add_up(trace);
	uint64_t untimed = profile_count_untimed(profile);
	char text[UNITS_TEXT_BYTES], counted[200];

	print_program(trace, out);
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
		putc('\n', out);
	}
	say_counted(trace, counted, sizeof counted);
	if (*counted)
		fprintf(out, "%s\n", counted);
	if (!print_remarks(trace, &sums, out)) {
		fputs("complete: nothing was lost", out);
		if (sums.no_entry_calls) /* turned on when it ran already */
			print_count(out, "; ", sums.no_entry_calls, "call had begun before the recording", "calls had begun before the recording");
		if (sums.replaced_calls)
			print_count(out, "; ", sums.replaced_calls, "call was ended by exec", "calls were ended by exec");
		if (sums.unwound_calls)
			print_count(out, "; ", sums.unwound_calls, "call was left by longjmp or an exception", "calls were left by longjmp or exceptions");
		else if (profile->has_times && !sums.no_entry_calls && !sums.replaced_calls && !untimed &&
			 !model_get_throttled(trace->model)->count)
			fputs(", and each call has its entry and its exit", out);
		putc('\n', out);
	}
	summary_print_throttled(trace, sums.first_ticks, out);
	if (untimed && !profile->is_untimed)
		print_count(out, "", untimed, "function has its entry alone recorded: counted, not timed\n",
			"functions have their entries alone recorded: counted, not timed\n");
	putc('\n', out);
}
