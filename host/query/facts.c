#include "query/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "model/profile/overhead.h"
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
	facts->processes[at] = (struct fact_process){.process = process->process,
		.pid = process->pid,
		.parent_pid = process->parent_pid,
		.ended = process->ended,
		.status = process->status,
		.order = at,
		.path = strdup(process->path),
		.command_line = join_arguments(process)};
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

/* Returns the new text, or the old text if the new text is null or empty. Frees the text that is not returned. */
static char *choose_text(char *old, char *new)
{
	bool keeps_old = !new || !*new;

	free(keeps_old ? new : old);
	return keeps_old ? old : new;
}

/* Merges several messages about the same process: the last message counts. */
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

/* Removes earlier values of a key about the cost of recording, because only the last value counts. Keeps all other keys. */
static void drop_earlier_value(struct facts *facts, const char *key)
{
	size_t kept = 0;

	for (size_t i = 0; overhead_is_of_way(key) && i < facts->fact_count; i++) {
		if (facts->facts[i].key && !strcmp(facts->facts[i].key, key)) {
			free(facts->facts[i].key);
			free(facts->facts[i].value);
		} else {
			facts->facts[kept++] = facts->facts[i];
		}
	}
	facts->fact_count = overhead_is_of_way(key) ? kept : facts->fact_count;
}

static void add_fact(struct facts *facts, const struct message_info *info)
{
	drop_earlier_value(facts, info->key);
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

bool facts_read_declarations(struct facts *facts, struct trace *trace, bool *has_samples)
{
	struct message message;

	reader_skip_events(trace->reader);
	*has_samples = false;
	for (reader_next(trace->reader, &message); message.kind != MESSAGE_END; reader_next(trace->reader, &message)) {
		facts_add(facts, &message);
		*has_samples |= message.kind == MESSAGE_SAMPLES;
	}
	facts_finish(facts);
	return reader_rewind(trace->reader);
}

/* In one pass, as a pipe needs. */
static void read_in_order(struct facts *facts, struct trace *trace)
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

void facts_read(struct facts *facts, struct trace *trace)
{
	bool has_samples;

	if (!trace->is_seekable) {
		read_in_order(facts, trace);
		return;
	}
	trace->skips_check = true;
	if (facts_read_declarations(facts, trace, &has_samples))
		trace_read(trace);
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

bool facts_have_duration(const struct facts *facts, const struct reader_health *health)
{
	return facts->clock_points > 1 && health->ended_well;
}

uint64_t facts_duration_ns(const struct facts *facts)
{
	return facts->last_clock.monotonic_ns - facts->first_clock.monotonic_ns;
}

double facts_measured_hz(const struct facts *facts)
{
	uint64_t ticks = facts->last_clock.ticks - facts->first_clock.ticks;
	uint64_t ns = facts_duration_ns(facts);

	if (facts->clock_points < 2 || facts->last_clock.ticks <= facts->first_clock.ticks ||
		facts->last_clock.monotonic_ns <= facts->first_clock.monotonic_ns)
		return 0;
	return (double)ticks / (double)ns * 1e9;
}

const char *facts_format_end(const struct fact_process *process, char buffer[static 48])
{
	if (!process->ended)
		return process->threads_ended ? "ended" : "not recorded";
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

const char *facts_engine_name(enum dwell_sampling_engine engine)
{
	switch (engine) {
	case DWELL_ENGINE_TASK_CLOCK:
		return "perf events, by the CPU time of each thread";
	case DWELL_ENGINE_CYCLES:
		return "perf events, by the processor's cycles";
	case DWELL_ENGINE_TIMERS:
		return "timers from within the program";
	case DWELL_ENGINE_INTERRUPT:
		return "a timer interrupt";
	case DWELL_ENGINE_DEBUGGER:
		return "a debugger that stopped the machine each time";
	}
	return "a way that this version does not know";
}

bool facts_is_interrupt_sampling(const struct message_sampling *sampling)
{
	return sampling && sampling->engine == DWELL_ENGINE_INTERRUPT && sampling->unit == DWELL_UNIT_NS && sampling->is_wall;
}
