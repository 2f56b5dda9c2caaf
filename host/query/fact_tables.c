#include "query/fact_tables.h"

#include <stdlib.h>

#include "cpu/cpu.h"
#include "model/profile/throttled.h"
#include "util/real.h"

static struct fact_value count(uint64_t value)
{
	return (struct fact_value){.kind = FACT_COUNT, .count = value};
}

static struct fact_value count_if(bool known, uint64_t value)
{
	return known ? count(value) : (struct fact_value){0};
}

static struct fact_value address(uint64_t value)
{
	return (struct fact_value){.kind = FACT_ADDRESS, .count = value};
}

static struct fact_value real_if(bool known, double value)
{
	return (struct fact_value){.kind = known ? FACT_REAL : FACT_UNKNOWN, .real = value};
}

static struct fact_value flag(bool value)
{
	return (struct fact_value){.kind = FACT_FLAG, .flag = value};
}

static struct fact_value text(const char *value)
{
	return (struct fact_value){.kind = value ? FACT_TEXT : FACT_UNKNOWN, .text = value};
}

static void *make_rows(struct fact_table *table, size_t row_count)
{
	table->rows = calloc(row_count ? row_count : 1, table->row_bytes);
	table->row_count = table->rows ? row_count : 0;
	return table->rows;
}

static uint64_t count_events(const struct profile *profile)
{
	uint64_t events = 0;

	for (size_t i = 0; i < profile->thread_count; i++)
		events += profile->threads[i].events;
	return events;
}

static bool make_recording(struct fact_table *table, const struct facts *facts, const struct trace *trace)
{
	const struct message_header *header = model_get_header(trace->model);
	const struct reader_health *health = reader_get_health(trace->reader);
	struct recording_facts *row = make_rows(table, 1);
	uint64_t start = header->start_unix_ns ? header->start_unix_ns : facts->first_clock.unix_ns;
	double hz = facts_measured_hz(facts);

	if (!row)
		return false;
	row->file = text(trace->path);
	row->format = text(header->format);
	row->bytes = count(health->bytes_total);
	row->chunks = count(health->chunks);
	row->events = count(count_events(model_get_profile(trace->model)));
	row->start_unix_ns = count_if(start, start);
	row->duration_ns = count_if(facts_have_duration(facts, health), facts_duration_ns(facts));
	if (header->has_events) {
		row->machine = text(cpu_name(header->machine, row->machine_text));
		row->pointer_bytes = count(header->pointer_bytes);
		row->byte_order = text(header->big_endian ? "big" : "little");
		row->clock_bits = count(header->clock_bits);
		row->clock_global = flag(header->clock_global);
		row->clock_late = flag(header->clock_late);
		row->clock_down = flag(header->clock_down);
	}
	row->clock_nominal_hz = count_if(header->clock_hz, header->clock_hz);
	row->clock_measured_hz = real_if(hz > 0, hz);
	return true;
}

/* Makes one row: the way of sampling, and the number of samples. No row if the recording has no samples. */
static bool make_sampling(struct fact_table *table, const struct facts *facts, const struct trace *trace)
{
	const struct message_sampling *sampling = model_get_sampling(trace->model);
	const struct profile *profile = model_get_profile(trace->model);
	const uint64_t *stacks = profile->estimates.stacks;
	bool ns = sampling && sampling->unit == DWELL_UNIT_NS, sure = !sampling || !sampling->callers_are_unsure;
	bool interrupts = facts_is_interrupt_sampling(sampling);
	uint64_t kernel_ns = model_get_unsampled_kernel_ns(trace->model);
	uint64_t whole = interrupts ? sampling->cpu : profile->total;
	struct sampling_facts *row = make_rows(table, sampling || profile->has_samples);

	(void)facts;
	if (!row)
		return false;
	if (sampling) {
		row->engine = text(sampling->is_event ? "perf events" : facts_engine_name(sampling->engine));
		row->asked_hz = real_if(sampling->millihertz, (double)sampling->millihertz / 1000);
		row->jittered = flag(sampling->jittered);
		row->kernel = flag(sampling->has_kernel);
		row->kernel_cpu_ns = count_if(kernel_ns, kernel_ns);
		row->cpu_ns = count_if(ns && sampling->cpu && !interrupts, sampling->cpu);
	}
	row->got_hz = real_if(ns && whole, (double)profile->estimates.samples * 1e9 / (double)whole);
	row->samples = count(profile->estimates.samples);
	row->sampled_ns = count_if(ns && (whole || !interrupts), whole);
	row->stacks_complete = count_if(sure, stacks[DWELL_STACK_COMPLETE]);
	row->stacks_truncated = count_if(sure, stacks[DWELL_STACK_TRUNCATED]);
	row->stacks_broken = count_if(sure, stacks[DWELL_STACK_BROKEN]);
	return true;
}

static int by_number(const void *key, const void *process)
{
	uint32_t number = *(const uint32_t *)key, other = ((const struct fact_process *)process)->process;

	return number < other ? -1 : number > other;
}

/* Notes which processes have threads, all of which ended in order. Only a process's parent learns its exit status. */
static void find_ended(const struct facts *facts, const struct profile *profile)
{
	for (int pass = 0; facts->process_count && pass < 2; pass++)
		for (size_t i = 0; i < profile->thread_count; i++) {
			const struct profile_thread *thread = &profile->threads[i];
			struct fact_process *process = bsearch(
				&thread->process, facts->processes, facts->process_count, sizeof *facts->processes, by_number);

			if (process && (!pass || !thread->ended))
				process->threads_ended = thread->ended;
		}
}

static bool make_processes(struct fact_table *table, const struct facts *facts, const struct trace *trace)
{
	struct process_facts *row = make_rows(table, facts->process_count);

	find_ended(facts, model_get_profile(trace->model));
	for (size_t i = 0; i < table->row_count; i++, row++) {
		const struct fact_process *process = &facts->processes[i];
		bool is_replaced = model_process_is_replaced(trace->model, process->process);

		row->process = count(process->process);
		row->pid = count(process->pid);
		row->parent_pid = count(process->parent_pid);
		row->ended = flag(process->ended || (process->threads_ended && !is_replaced));
		row->end = text(is_replaced ? "became the next (exec)" : facts_format_end(process, row->end_text));
		row->path = text(process->path);
		row->command_line = text(process->command_line);
	}
	return table->rows;
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

static void put_time(struct thread_facts *row, const struct profile_thread *thread, const struct clock_map *clock)
{
	row->self_ns = count(clock_duration_ns(clock, thread->self_ticks));
	row->recording_ns = count(clock_duration_ns(clock, thread->recording_ticks + thread->held_ticks));
	row->lost_ns = count(clock_duration_ns(clock, thread->lost_ticks));
	row->held_ns = count(clock_duration_ns(clock, thread->held_ticks));
	row->outside_ns = count(clock_duration_ns(clock, thread->outside_ticks));
	row->elapsed_ns = count(clock_duration_ns(clock, thread->last_ticks - thread->first_ticks));
}

static void put_cpu(struct thread_facts *row, const struct profile_thread *thread, const struct clock_map *clock)
{
	const struct off_cpu_ticks *off = &thread->off;
	uint64_t elapsed_ticks = thread->last_ticks - thread->first_ticks - thread->held_ticks;

	row->on_cpu_ns = count(clock_duration_ns(clock, elapsed_ticks - off->ticks - off->unknown_ticks));
	row->waiting_ns = count(clock_duration_ns(clock, off->ticks - off->preempted_ticks));
	row->preempted_ns = count(clock_duration_ns(clock, off->preempted_ticks));
	row->cpu_unknown_ns = count(clock_duration_ns(clock, off->unknown_ticks));
	row->cpu_elapsed_ns = count(clock_duration_ns(clock, elapsed_ticks));
	row->off_self_ns = count(clock_duration_ns(clock, thread->off_self.ticks));
	row->off_lost_ns = count(clock_duration_ns(clock, thread->off_lost.ticks));
	row->off_outside_ns = count(clock_duration_ns(clock, thread->off_outside.ticks));
	row->switches = count(thread->switches);
	row->cpu_balanced = flag(thread->off_cpu_balanced);
}

static bool make_threads(struct fact_table *table, const struct facts *facts, const struct trace *trace)
{
	const struct profile *profile = model_get_profile(trace->model);
	const struct clock_map *clock = model_get_clock(trace->model);
	struct thread_facts *row = make_rows(table, profile->thread_count);

	(void)facts;
	for (size_t i = 0; i < table->row_count; i++, row++) {
		const struct profile_thread *thread = &profile->threads[i];

		row->stream = count(thread->stream);
		row->process = count(thread->process);
		row->tid = count(thread->tid);
		row->name = text(thread->name);
		row->events = count(thread->events);
		row->calls = count(thread->calls);
		row->samples = count(thread->samples);
		row->sampled = count(thread->sampled);
		row->deepest = count(thread->deepest);
		row->lost_events = count(thread->lost_events);
		if (!profile->is_untimed)
			put_time(row, thread, clock);
		row->balanced = flag(thread->balanced);
		if (profile->has_off_cpu)
			put_cpu(row, thread, clock);
		row->ended = flag(thread->ended);
		row->state = text(state_of(thread));
	}
	return table->rows;
}

static bool make_throttled(struct fact_table *table, const struct facts *facts, const struct trace *trace)
{
	const struct clock_map *clock = model_get_clock(trace->model);
	const struct profile *profile = model_get_profile(trace->model);
	struct functions *functions = model_get_functions(trace->model);
	size_t all;
	struct throttled_function *list = make_throttled_functions(model_get_throttled(trace->model), functions, profile, &all);
	struct throttled_facts *row = make_rows(table, all);

	(void)facts;
	for (size_t i = 0; i < table->row_count; i++, row++) {
		uint64_t recorded = profile_count_calls(profile, list[i].id);

		row->function = text(functions_get_name(functions, list[i].id));
		row->calls = count_if(list[i].is_counted, recorded + list[i].calls);
		row->recorded_calls = count(recorded);
		row->counted_calls = count(list[i].calls);
		row->cut_calls = count(list[i].cut);
		row->unrecorded_ns = count(clock_duration_ns(clock, list[i].unrecorded_ticks));
		row->unknown_ns = count(clock_duration_ns(clock, list[i].unknown_ticks));
		row->saved_ns = count(clock_duration_ns(clock, real_to_u64(list[i].cost_ticks)));
	}
	free(list);
	return table->rows;
}

static bool make_modules(struct fact_table *table, const struct facts *facts, const struct trace *trace)
{
	struct module_facts *row = make_rows(table, facts->module_count);

	(void)trace;
	for (size_t i = 0; i < table->row_count; i++, row++) {
		const struct fact_module *module = &facts->modules[i];

		row->process = count(module->process);
		row->low = address(module->low);
		row->high = address(module->high);
		row->bias = address(module->bias);
		row->hooked = flag(module->hooked);
		row->unmapped = flag(module->unmapped);
		row->build_id = text(module->build_id);
		row->path = text(module->path);
	}
	return table->rows;
}

#define KEY(key) #key,
static const char *const recording_keys[] = {FACTS_OF_RECORDING(KEY)};
static const char *const sampling_keys[] = {FACTS_OF_SAMPLING(KEY)};
static const char *const process_keys[] = {FACTS_OF_A_PROCESS(KEY)};
static const char *const thread_keys[] = {FACTS_OF_A_THREAD(KEY)};
static const char *const throttled_keys[] = {FACTS_OF_A_THROTTLED(KEY)};
static const char *const module_keys[] = {FACTS_OF_A_MODULE(KEY)};
#undef KEY

#define TYPE(title, all, row, make, alone) \
	{{.name = title, .is_alone = alone, .keys = all, .key_count = sizeof(all) / sizeof *(all), .row_bytes = sizeof(row)}, make}
static const struct {
	struct fact_table table; /* without rows */
	bool (*make)(struct fact_table *table, const struct facts *facts, const struct trace *trace);
} types[FACT_TABLES] = {
	[FACT_TABLE_RECORDING] = TYPE("recording", recording_keys, struct recording_facts, make_recording, true),
	[FACT_TABLE_SAMPLING] = TYPE("sampling", sampling_keys, struct sampling_facts, make_sampling, true),
	[FACT_TABLE_PROCESSES] = TYPE("processes", process_keys, struct process_facts, make_processes, false),
	[FACT_TABLE_THREADS] = TYPE("threads", thread_keys, struct thread_facts, make_threads, false),
	[FACT_TABLE_THROTTLED] = TYPE("throttled", throttled_keys, struct throttled_facts, make_throttled, false),
	[FACT_TABLE_MODULES] = TYPE("modules", module_keys, struct module_facts, make_modules, false),
};
#undef TYPE

bool fact_tables_make(struct fact_tables *tables, const struct facts *facts, const struct trace *trace)
{
	bool good = true;

	*tables = (struct fact_tables){0};
	for (size_t i = 0; i < FACT_TABLES && good; i++) {
		tables->tables[i] = types[i].table;
		good = types[i].make(&tables->tables[i], facts, trace);
	}
	if (!good) {
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: something is missing here");
		fact_tables_clear(tables);
	}
	return good;
}

void fact_tables_clear(struct fact_tables *tables)
{
	for (size_t i = 0; i < FACT_TABLES; i++)
		free(tables->tables[i].rows);
	*tables = (struct fact_tables){0};
}

const struct fact_value *fact_table_row(const struct fact_table *table, size_t row)
{
	return (const struct fact_value *)((const char *)table->rows + row * table->row_bytes);
}
