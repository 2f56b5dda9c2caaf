#include "query/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "util/array.h"
#include "util/progress.h"

static char *join_arguments(const struct message_process *process)
{
	size_t bytes = 1, used = 0;
	char *line;

	for (uint32_t i = 0; i < process->argc; i++)
		bytes += strlen(process->argv[i]) + 1;
	line = malloc(bytes);
	if (!line)
		return NULL;
	line[0] = 0;
	for (uint32_t i = 0; i < process->argc; i++)
		used += (size_t)sprintf(line + used, "%s%s", i ? " " : "", process->argv[i]);
	return line;
}

static char *format_id(const struct message_module *module)
{
	char text[2 * DWELL_MODULE_BUILD_ID_MAX + 1] = "";

	for (uint32_t i = 0; i < module->build_id_bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", module->build_id[i]);
	return strdup(text);
}

static void add_process(struct facts *facts, const struct message_process *process)
{
	size_t at = facts->process_count;

	if (!array_reserve(&facts->processes, &facts->process_capacity, at + 1, sizeof *facts->processes)) {
		facts->no_memory = true;
		return;
	}
	facts->processes[at] = (struct fact_process){process->process, process->pid, process->parent_pid, process->ended,
		process->status, at, strdup(process->path), join_arguments(process)};
	facts->no_memory |= !facts->processes[at].path || !facts->processes[at].command_line;
	facts->process_count++;
}

static int by_process(const void *a, const void *b)
{
	const struct fact_process *left = a, *right = b;

	if (left->process != right->process)
		return left->process < right->process ? -1 : 1;
	return left->order < right->order ? -1 : left->order > right->order;
}

/* An empty text says nothing new. */
static char *choose_text(char *old, char *new)
{
	bool keeps_old = !new || !*new;

	free(keeps_old ? new : old);
	return keeps_old ? old : new;
}

/* What is said of one process several times becomes one: the last word counts. */
void facts_finish(struct facts *facts)
{
	struct fact_process *list = facts->processes;
	size_t kept = 0;

	if (facts->process_count)
		qsort(list, facts->process_count, sizeof *list, by_process);
	for (size_t i = 0; i < facts->process_count; i++) {
		if (!kept || list[kept - 1].process != list[i].process) {
			list[kept++] = list[i];
			continue;
		}
		list[i].path = choose_text(list[kept - 1].path, list[i].path);
		list[i].command_line = choose_text(list[kept - 1].command_line, list[i].command_line);
		list[kept - 1] = list[i];
	}
	facts->process_count = kept;
}

static void add_module(struct facts *facts, const struct message_module *module)
{
	if (!array_reserve(&facts->modules, &facts->module_capacity, facts->module_count + 1, sizeof *facts->modules)) {
		facts->no_memory = true;
		return;
	}
	facts->modules[facts->module_count++] = (struct fact_module){module->process, module->low, module->high, module->bias,
		module->hooked, module->unmapped, strdup(module->path), format_id(module)};
	facts->no_memory |= !facts->modules[facts->module_count - 1].path || !facts->modules[facts->module_count - 1].build_id;
}

static void add_fact(struct facts *facts, const struct message_info *info)
{
	if (!array_reserve(&facts->facts, &facts->fact_capacity, facts->fact_count + 1, sizeof *facts->facts)) {
		facts->no_memory = true;
		return;
	}
	facts->facts[facts->fact_count++] = (struct fact){strdup(info->key), strdup(info->value)};
	facts->no_memory |= !facts->facts[facts->fact_count - 1].key || !facts->facts[facts->fact_count - 1].value;
}

void facts_add(struct facts *facts, const struct message *message)
{
	switch (message->kind) {
	case MESSAGE_PROCESS:
		add_process(facts, &message->process);
		break;
	case MESSAGE_MODULE:
		add_module(facts, &message->module);
		break;
	case MESSAGE_INFO:
		add_fact(facts, &message->info);
		break;
	case MESSAGE_CLOCK:
		if (!facts->clock_points++)
			facts->first_clock = message->clock;
		facts->last_clock = message->clock;
		break;
	default:
		break;
	}
}

void facts_read(struct facts *facts, struct trace *trace)
{
	struct progress progress;
	struct message message;

	progress_begin(&progress, trace->watch, "reading", trace->bytes);
	do {
		reader_next(trace->reader, &message);
		facts_add(facts, &message);
		model_feed(trace->model, &message);
		progress_update(&progress, message.offset);
	} while (message.kind != MESSAGE_END);
	progress_end(&progress);
	facts_finish(facts);
	model_finish(trace->model);
}

void facts_clear(struct facts *facts)
{
	for (size_t i = 0; i < facts->fact_count; i++) {
		free(facts->facts[i].key);
		free(facts->facts[i].value);
	}
	for (size_t i = 0; i < facts->process_count; i++) {
		free(facts->processes[i].path);
		free(facts->processes[i].command_line);
	}
	for (size_t i = 0; i < facts->module_count; i++) {
		free(facts->modules[i].path);
		free(facts->modules[i].build_id);
	}
	free(facts->facts);
	free(facts->processes);
	free(facts->modules);
	*facts = (struct facts){0};
}

double facts_measured_hz(const struct facts *facts)
{
	uint64_t ticks = facts->last_clock.ticks - facts->first_clock.ticks;
	uint64_t ns = facts->last_clock.monotonic_ns - facts->first_clock.monotonic_ns;

	if (facts->clock_points < 2 || facts->last_clock.ticks <= facts->first_clock.ticks ||
		facts->last_clock.monotonic_ns <= facts->first_clock.monotonic_ns)
		return 0;
	return (double)ticks / (double)ns * 1e9;
}

/* Of all threads. */
struct sums {
	uint64_t lost_events, lost_unplaced, left_out, wrapped, full, unmatched_exits, unwound_calls, lost_unwinds, no_entry_calls;
	uint64_t gap_calls, open_calls, beyond_calls, backward_events, unbalanced, off_unknown;
};

static struct sums add_threads(const struct profile *profile)
{
	struct sums sums = {0};

	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];
		sums.lost_events += thread->lost_events;
		if (thread->told_lost_events > thread->lost_events)
			*(thread->full ? &sums.left_out : &sums.lost_unplaced) += thread->told_lost_events - thread->lost_events;
		sums.wrapped += thread->wrapped;
		sums.full += thread->full;
		sums.unmatched_exits += thread->unmatched_exits;
		sums.unwound_calls += thread->unwound_calls;
		sums.lost_unwinds += thread->lost_unwinds;
		sums.no_entry_calls += thread->no_entry_calls;
		sums.gap_calls += thread->gap_calls;
		sums.open_calls += thread->open_calls;
		sums.beyond_calls += thread->beyond_calls;
		sums.backward_events += thread->backward_events;
		sums.unbalanced += !thread->balanced || !thread->off_balanced;
		sums.off_unknown += thread->off.unknown_ticks != 0;
	}
	return sums;
}

size_t facts_get_health(const struct trace *trace, struct health_item items[HEALTH_ITEMS_MAX])
{
	bool is_untimed = model_get_profile(trace->model)->is_untimed; /* then none has times */
	const struct message_header *header = model_get_header(trace->model);
	bool is_dump = header && header->is_bare; /* no recorder has counted what it lost */
	const struct reader_health *reader = reader_get_health(trace->reader);
	const struct functions_health symbols = functions_get_health(model_get_functions(trace->model));
	const struct sums sums = add_threads(model_get_profile(trace->model));
	const struct model *model = trace->model;
	const struct health_item all[] = {
		{"bytes_skipped", "bytes of the file that are damaged or not known", reader->bytes_skipped, false},
		{"chunks_damaged", "chunks whose content is damaged", reader->chunks_damaged, false},
		{"chunks_starved", "chunks that were left out now, as there was no memory for them", reader->chunks_starved, false},
		{"chunks_missing", "chunks that sequence numbers show to be missing", reader->chunks_missing, false},
		{"chunks_unknown", "chunks of a kind that this version does not know", reader->chunks_unknown, false},
		{"cut", "the file ends inside of a chunk", reader->cut, false},
		{"no_end", "the file has no end: the recording was cut off", !reader->ended_well, false},
		{"lost_events", "events that were not recorded", sums.lost_events, false},
		{"holes", is_dump ? "records of the dump that are invalid, or of a time that cannot be" : "of those: begun and never written", reader->holes, false},
		{"lost_unplaced", "events that were not recorded beside those: it is not known where", sums.lost_unplaced, false},
		{"threads_wrapped", "threads whose beginning was overwritten", sums.wrapped, false},
		{"threads_full", "threads that stopped when their memory was full", sums.full, false},
		{"left_out_events", "events that came after that", sums.left_out, false},
		{"threads_given_up", "ended threads whose data was given up for later ones",
			model_get_loss(model, DWELL_LOSS_GIVEN_UP), false},
		{"threads_unrecorded", "threads that had no memory to record into", model_get_loss(model, DWELL_LOSS_THREADS),
			false},
		{"unrecorded_events", "events of such threads", model_get_loss(model, DWELL_LOSS_EVENTS), false},
		{"setup_events", "events that came while a thread was being set up", model_get_loss(model, DWELL_LOSS_SETUP),
			false},
		{"unwritten_bytes", "bytes that the disk refused", model_get_loss(model, DWELL_LOSS_BYTES_UNWRITTEN), false},
		{"starved_bytes", "bytes that there was no memory to write", model_get_loss(model, DWELL_LOSS_BYTES_STARVED), false},
		{"modules_unrecorded", "modules that are missing from the map", model_get_loss(model, DWELL_LOSS_MODULES), false},
		{"overwritten", "parts of the recording that a program wrote over", model_get_loss(model, DWELL_LOSS_OVERWRITTEN), false},
		{"privileged_programs", "programs that were not recorded, as they have rights of their own (set-uid)",
			model_get_loss(model, DWELL_LOSS_PRIVILEGED), false},
		{"lost_switches", "context switches that were not recorded", model_get_loss(model, DWELL_LOSS_SWITCHES), false},
		{"lost_samples", "samples that there was no room for", model_get_loss(model, DWELL_LOSS_SAMPLES), false},
		{"throttled", "times that sampling was stopped by the operating system", model_get_loss(model, DWELL_LOSS_THROTTLED), false},
		{"damaged_samples", "times that what the operating system told of samples made no sense", model_get_loss(model, DWELL_LOSS_DAMAGED), false},
		{"in_step", "samples are in step with a rhythm of the program: shares may be far off", *model_get_in_step(model) != 0, false},
		{"in_step_unknown", "whether samples at even distances are in step with the program is not known",
			model_is_rhythm_unknown(model), true},
		{"threads_cpu_unknown", "threads whose CPU time is not known for some of the time", sums.off_unknown, false},
		{"unmatched_exits", "exits that fit no open call", sums.unmatched_exits, false},
		{"no_entry_calls", "calls whose entry is missing", sums.no_entry_calls, false},
		{"gap_calls", "calls that ended where events are missing", sums.gap_calls, false},
		{"beyond_calls", "calls that were nested too deep", sums.beyond_calls, false},
		{"lost_unwinds", "longjmps and catches that landed where no hook is", sums.lost_unwinds, false},
		{"unseen_unwinds", "longjmps, catches and vforks in the program that the agent linked to it cannot see",
			model_get_loss(model, DWELL_LOSS_UNSEEN), false},
		{"moved_coroutines", "times that a coroutine went on on another thread: its open calls count on both",
			model_get_loss(model, DWELL_LOSS_MOVED), false},
		{"backward_events", "events with an earlier time than the one before", sums.backward_events, false},
		{"unbalanced_threads", "threads whose times do not add up", sums.unbalanced, false},
		{"unknown_tags", "records that this version does not know", reader->unknown_tags, false},
		{"unsymbolised_functions", "functions without a symbol", symbols.unsymbolised, false},
		{"late_names", "names that came behind what they are of, and too late: this is no file that can be read twice", symbols.late, false},
		{"homeless_functions", "functions in no known module", symbols.homeless, false},
		{"modules_unreadable", "modules whose file cannot be read", symbols.modules_unreadable, false},
		{"modules_mismatched", "modules whose file is of another build", symbols.modules_mismatched, false},
		{"late_stamps", "stamps that were taken late and put right", reader->late_stamps, true},
		{"unwound_calls", "calls left by longjmp, exception or without an exit", sums.unwound_calls, true},
		{"open_calls", "calls still running at the end", sums.open_calls, true},
		{"untimed_functions", "functions whose entries alone are recorded: counted, not timed",
			is_untimed ? 0 : profile_count_untimed(model_get_profile(trace->model)), true},
	};

	_Static_assert(sizeof all / sizeof *all <= HEALTH_ITEMS_MAX, "room for all");
	memcpy(items, all, sizeof all);
	return sizeof all / sizeof *all;
}

const char *facts_end_of_process(const struct fact_process *process, char buffer[static 48])
{
	if (!process->ended)
		return "not recorded";
	if (WIFSIGNALED(process->status))
		snprintf(buffer, 48, "killed by signal %d", WTERMSIG(process->status));
	else
		snprintf(buffer, 48, "exited with %d", WEXITSTATUS(process->status));
	return buffer;
}

const char *facts_time(uint64_t unix_ns, char buffer[static 40])
{
	time_t seconds = (time_t)(unix_ns / 1000000000u);
	struct tm tm;

	if (!unix_ns || !gmtime_r(&seconds, &tm) || !strftime(buffer, 40, "%Y-%m-%d %H:%M:%S UTC", &tm))
		return "";
	return buffer;
}
