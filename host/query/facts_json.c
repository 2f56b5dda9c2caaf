/* facts for programs: one JSON object, or its parts as rows of a table. Integers beyond 2^63 − 1 and bytes that are not UTF-8 are put as
 * the table writer puts them. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "model/profile/throttled.h"
#include "query/facts.h"
#include "query/health.h"
#include "util/stream.h"
#include "util/utf8.h"

static json_t *number(uint64_t value)
{
	return value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value);
}

static json_t *address(uint64_t value)
{
	return json_sprintf("0x%" PRIx64, value);
}

/* Any bytes; null for a null pointer. */
static json_t *text(const char *string)
{
	json_t *value = string ? json_string(string) : json_null();
	size_t left = string ? strlen(string) : 0, used;
	char *clean;

	if (value || !(clean = malloc(3 * left + 1)))
		return value;
	used = utf8_make_valid(string, left, clean);
	value = json_stringn(clean, used);
	free(clean);
	return value;
}

static json_t *make_recording(const struct facts *facts, const struct trace *trace)
{
	const struct message_header *header = model_get_header(trace->model);
	const struct reader_health *health = reader_get_health(trace->reader);
	json_t *recording = json_object();
	char buffer[40];
	double hz = facts_measured_hz(facts);

	json_object_set_new(recording, "file", text(trace->path));
	json_object_set_new(recording, "format", text(header->format));
	json_object_set_new(recording, "bytes", number(health->bytes_total));
	json_object_set_new(recording, "chunks", number(health->chunks));
	json_object_set_new(recording, "events", number(health->events));
	json_object_set_new(recording, "start_unix_ns", number(header->start_unix_ns));
	json_object_set_new(recording, "duration_ns",
		facts_know_duration(facts, health) ? number(facts_duration_ns(facts)) : json_null());
	json_object_set_new(
		recording, "machine", header->has_events ? text(cpu_name(header->machine, buffer)) : json_null());
	json_object_set_new(recording, "pointer_bytes", header->has_events ? number(header->pointer_bytes) : json_null());
	json_object_set_new(
		recording, "byte_order", header->has_events ? text(header->big_endian ? "big" : "little") : json_null());
	json_object_set_new(recording, "clock_nominal_hz", header->clock_hz ? number(header->clock_hz) : json_null());
	json_object_set_new(recording, "clock_measured_hz", hz > 0 ? json_real(hz) : json_null());
	json_object_set_new(recording, "clock_bits", number(header->clock_bits));
	json_object_set_new(recording, "clock_global", json_boolean(header->clock_global));
	return recording;
}

/* How samples were taken, and how many; null where there are none. */
static json_t *make_sampling(const struct trace *trace)
{
	const struct message_sampling *sampling = model_get_sampling(trace->model);
	const struct profile *profile = model_get_profile(trace->model);
	const uint64_t *stacks = profile->estimates.stacks;
	bool ns = sampling && sampling->unit == DWELL_UNIT_NS, unsure = sampling && sampling->callers_are_unsure;
	bool interrupts = facts_is_of_interrupts(sampling);
	uint64_t whole = interrupts ? sampling->cpu : profile->total;
	json_t *row;

	if (!sampling && !profile->has_samples)
		return json_null();
	row = json_object();
	json_object_set_new(row, "engine", !sampling ? json_null() : text(sampling->is_event ? "perf events" : facts_engine_name(sampling->engine)));
	json_object_set_new(row, "asked_hz", sampling && sampling->millihertz ? json_real((double)sampling->millihertz / 1000) : json_null());
	json_object_set_new(row, "got_hz",
		ns && whole ? json_real((double)profile->estimates.samples * 1e9 / (double)whole) : json_null());
	json_object_set_new(row, "jittered", sampling ? json_boolean(sampling->jittered) : json_null());
	json_object_set_new(row, "kernel", sampling ? json_boolean(sampling->has_kernel) : json_null());
	json_object_set_new(row, "samples", number(profile->estimates.samples));
	json_object_set_new(row, "sampled_ns", ns && (whole || !interrupts) ? number(whole) : json_null());
	json_object_set_new(row, "cpu_ns", ns && sampling->cpu && !interrupts ? number(sampling->cpu) : json_null());
	json_object_set_new(row, "stacks_complete", unsure ? json_null() : number(stacks[DWELL_STACK_COMPLETE]));
	json_object_set_new(row, "stacks_truncated", unsure ? json_null() : number(stacks[DWELL_STACK_TRUNCATED]));
	json_object_set_new(row, "stacks_broken", unsure ? json_null() : number(stacks[DWELL_STACK_BROKEN]));
	return row;
}

static json_t *make_facts(const struct facts *facts)
{
	json_t *list = json_array();

	for (size_t i = 0; i < facts->fact_count; i++) {
		json_t *fact = json_object();
		json_object_set_new(fact, "key", text(facts->facts[i].key));
		json_object_set_new(fact, "value", text(facts->facts[i].value));
		json_array_append_new(list, fact);
	}
	return list;
}

static json_t *make_processes(const struct facts *facts, const struct trace *trace)
{
	json_t *list = json_array();
	char end[48];

	for (size_t i = 0; i < facts->process_count; i++) {
		const struct fact_process *process = &facts->processes[i];
		bool is_replaced = i < model_process_count(trace->model) && model_is_replaced(trace->model, (uint32_t)i);
		json_t *row = json_object();
		json_object_set_new(row, "process", number(process->process));
		json_object_set_new(row, "pid", number(process->pid));
		json_object_set_new(row, "parent_pid", number(process->parent_pid));
		json_object_set_new(row, "ended", json_boolean(process->ended));
		json_object_set_new(row, "end", text(is_replaced ? "became the next (exec)" : facts_end_of_process(process, end)));
		json_object_set_new(row, "path", text(process->path));
		json_object_set_new(row, "command_line", text(process->command_line));
		json_array_append_new(list, row);
	}
	return list;
}

/* on_cpu + waiting + preempted + unknown = cpu_elapsed. */
static void put_cpu(json_t *row, bool known, const struct profile_thread *thread, const struct clock_map *clock)
{
	const struct profile_off *off = &thread->off;
	uint64_t elapsed_ticks = thread->last_ticks - thread->first_ticks - thread->held_ticks;
	const struct {
		const char *key;
		uint64_t ticks;
	} parts[] = {{"on_cpu_ns", elapsed_ticks - off->ticks - off->unknown_ticks}, {"waiting_ns", off->ticks - off->preempted_ticks}, {"preempted_ns", off->preempted_ticks},
		{"cpu_unknown_ns", off->unknown_ticks}, {"cpu_elapsed_ns", elapsed_ticks}, {"off_self_ns", thread->off_self.ticks}, {"off_lost_ns", thread->off_lost.ticks},
		{"off_outside_ns", thread->off_outside.ticks}};

	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		json_object_set_new(row, parts[i].key, known ? number(clock_duration_ns(clock, parts[i].ticks)) : json_null());
	json_object_set_new(row, "switches", known ? number(thread->switches) : json_null());
	json_object_set_new(row, "cpu_balanced", known ? json_boolean(thread->off_balanced) : json_null());
}

static void put_time(json_t *row, const char *key, const struct profile *profile, uint64_t ns)
{
	json_object_set_new(row, key, profile->is_untimed ? json_null() : number(ns));
}

static const char *state_of(const struct profile_thread *thread)
{
	if (thread->given_up)
		return "ended, given up for a later one";
	if (thread->wrapped)
		return thread->ended ? "ended, beginning overwritten" : "beginning overwritten";
	if (thread->full)
		return "stopped when full";
	return thread->ended ? "ended" : "up to the end";
}

static json_t *make_threads(const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct clock_map *clock = model_get_clock(trace->model);
	json_t *list = json_array();

	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];
		json_t *row = json_object();
		json_object_set_new(row, "stream", number(thread->stream));
		json_object_set_new(row, "process", number(thread->process));
		json_object_set_new(row, "tid", number(thread->tid));
		json_object_set_new(row, "name", text(thread->name));
		json_object_set_new(row, "events", number(thread->events));
		json_object_set_new(row, "calls", number(thread->calls));
		json_object_set_new(row, "samples", number(thread->samples));
		json_object_set_new(row, "sampled", number(thread->sampled));
		json_object_set_new(row, "deepest", number(thread->deepest));
		json_object_set_new(row, "lost_events", number(thread->lost_events));
		put_time(row, "self_ns", profile, clock_duration_ns(clock, thread->self_ticks));
		put_time(row, "recording_ns", profile, clock_duration_ns(clock, thread->recording_ticks + thread->held_ticks));
		put_time(row, "lost_ns", profile, clock_duration_ns(clock, thread->lost_ticks));
		put_time(row, "held_ns", profile, clock_duration_ns(clock, thread->held_ticks));
		put_time(row, "outside_ns", profile, clock_duration_ns(clock, thread->outside_ticks));
		put_time(row, "elapsed_ns", profile, clock_duration_ns(clock, thread->last_ticks - thread->first_ticks));
		json_object_set_new(row, "balanced", json_boolean(thread->balanced));
		put_cpu(row, profile->has_off, thread, clock);
		json_object_set_new(row, "ended", json_boolean(thread->ended));
		json_object_set_new(row, "state", text(state_of(thread)));
		json_array_append_new(list, row);
	}
	return list;
}

static json_t *make_modules(const struct facts *facts)
{
	json_t *list = json_array();

	for (size_t i = 0; i < facts->module_count; i++) {
		const struct fact_module *module = &facts->modules[i];
		json_t *row = json_object();
		json_object_set_new(row, "process", number(module->process));
		json_object_set_new(row, "low", address(module->low));
		json_object_set_new(row, "high", address(module->high));
		json_object_set_new(row, "bias", address(module->bias));
		json_object_set_new(row, "hooked", json_boolean(module->hooked));
		json_object_set_new(row, "unmapped", json_boolean(module->unmapped));
		json_object_set_new(row, "build_id", text(module->build_id));
		json_object_set_new(row, "path", text(module->path));
		json_array_append_new(list, row);
	}
	return list;
}

static json_t *make_health(const struct trace *trace)
{
	json_t *row = json_object();
	struct health health;

	health_find(trace, &health);
	for (size_t i = 0; i < health.count; i++)
		json_object_set_new(row, health.findings[i].key, number(health.findings[i].count));
	json_object_set_new(row, "all_is_well", json_boolean(health.is_well));
	return row;
}

static json_t *make_throttled(const struct trace *trace)
{
	const struct clock_map *clock = model_get_clock(trace->model);
	json_t *rows = json_array();
	size_t count;
	struct throttled_function *list =
		make_throttled_functions(model_get_throttled(trace->model), model_get_functions(trace->model), &count);

	for (size_t i = 0; i < count; i++) {
		uint64_t recorded = profile_count_calls(model_get_profile(trace->model), list[i].id);
		json_t *row = json_object();

		json_object_set_new(row, "function", text(functions_get_name(model_get_functions(trace->model), list[i].id)));
		json_object_set_new(row, "calls", list[i].is_counted ? number((recorded + list[i].calls)) : json_null());
		json_object_set_new(row, "recorded_calls", number(recorded));
		json_object_set_new(row, "counted_calls", number(list[i].calls));
		json_object_set_new(row, "cut_calls", number(list[i].cut));
		json_object_set_new(row, "saved_ns", number(clock_duration_ns(clock, (uint64_t)list[i].cost_ticks)));
		json_array_append_new(rows, row);
	}
	free(list);
	return rows;
}

json_t *facts_make_json(const struct facts *facts, const struct trace *trace)
{
	json_t *info = json_object();

	json_object_set_new(info, "recording", make_recording(facts, trace));
	json_object_set_new(info, "sampling", make_sampling(trace));
	json_object_set_new(info, "facts", make_facts(facts));
	json_object_set_new(info, "processes", make_processes(facts, trace));
	json_object_set_new(info, "threads", make_threads(trace));
	json_object_set_new(info, "throttled", make_throttled(trace));
	json_object_set_new(info, "modules", make_modules(facts));
	json_object_set_new(info, "health", make_health(trace));
	return info;
}

void facts_write_json(const struct facts *facts, const struct trace *trace, FILE *out, const char *name)
{
	json_t *info = facts_make_json(facts, trace);
	int error;

	errno = 0;
	error = json_dumpf(info, out, JSON_INDENT(2)) < 0 || putc('\n', out) == EOF ? errno : 0;
	json_decref(info);
	stream_finish(out, error, name, trace->diag);
}

static const struct column row_columns[] = {{.key = "section", .unit = UNIT_TEXT}, {.key = "row", .unit = UNIT_COUNT},
	{.key = "key", .unit = UNIT_TEXT}, {.key = "value", .unit = UNIT_TEXT}};

static void write_value(const struct table_sink *sink, const char *section, size_t row, bool has_row, const char *key, const json_t *value)
{
	char *other = json_is_string(value) || json_is_null(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY);
	const struct cell cells[] = {{.text = section}, {.count = row, .absent = !has_row}, {.text = key},
		{.text = other ? other : json_is_string(value) ? json_string_value(value) : "", .absent = json_is_null(value)}};

	sink->row(sink->context, cells);
	free(other);
}

/* Of a fact, which names itself. */
static void write_fact(const struct table_sink *sink, const char *section, json_t *fact)
{
	write_value(sink, section, 0, false, json_string_value(json_object_get(fact, "key")), json_object_get(fact, "value"));
}

static void write_object(const struct table_sink *sink, const char *section, size_t row, bool has_row, json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach (object, key, value)
		write_value(sink, section, row, has_row, key, value);
}

void facts_write_rows(const struct facts *facts, const struct trace *trace, const struct table_sink *sink)
{
	json_t *info = facts_make_json(facts, trace), *value, *row;
	const char *section;
	size_t i;

	sink->begin(sink->context, "info", row_columns, sizeof row_columns / sizeof *row_columns);
	json_object_foreach (info, section, value) {
		if (json_is_array(value))
			json_array_foreach (value, i, row)
				if (!strcmp(section, "facts"))
					write_fact(sink, section, row);
				else
					write_object(sink, section, i, true, row);
		else if (json_is_object(value))
			write_object(sink, section, 0, false, value);
	}
	sink->end(sink->context);
	json_decref(info);
}
