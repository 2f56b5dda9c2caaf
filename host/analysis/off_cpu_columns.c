#include "analysis/off_cpu_columns.h"

const struct column off_cpu_columns[OFF_CPU_COLUMNS] = {
	[OFF_CPU_TOTAL_WAITING] = {.key = "total_waiting_ns", .title = "total waiting", .unit = UNIT_NS, .data_only = true},
	[OFF_CPU_TOTAL_PREEMPTED] = {.key = "total_preempted_ns", .title = "total preempted", .unit = UNIT_NS, .data_only = true},
	[OFF_CPU_TOTAL_UNKNOWN] = {.key = "total_unknown_ns", .title = "total unknown", .unit = UNIT_NS, .data_only = true},
	[OFF_CPU_SELF_WAITING] = {.key = "self_waiting_ns", .title = "waiting", .unit = UNIT_NS, .data_only = true},
	[OFF_CPU_SELF_PREEMPTED] = {.key = "self_preempted_ns", .title = "preempted", .unit = UNIT_NS, .data_only = true},
	[OFF_CPU_SELF_UNKNOWN] = {.key = "self_unknown_ns", .title = "self unknown", .unit = UNIT_NS, .data_only = true},
	[OFF_CPU_TOTAL_FAULTS] = {.key = "total_page_faults", .title = "total faults", .unit = UNIT_COUNT, .data_only = true},
	[OFF_CPU_SELF_FAULTS] = {.key = "page_faults", .title = "page faults", .unit = UNIT_COUNT, .data_only = true},
};

struct column off_cpu_for_people(enum off_cpu_column which, uint8_t spare)
{
	struct column column = off_cpu_columns[which];

	column.data_only = false;
	column.text_only = column.optional = true;
	column.spare = spare;
	return column;
}

void faults_for_people(struct column columns[FAULT_COLUMNS], bool has_faults, uint8_t spare)
{
	for (int i = 0; i < FAULT_COLUMNS; i++) {
		columns[i] = off_cpu_columns[OFF_CPU_TOTAL_FAULTS + i];
		columns[i].text_only = true;
		columns[i].data_only = !has_faults;
		columns[i].spare = spare;
	}
}

struct off_cpu_ns off_cpu_round(const struct clock_map *clock, const struct off_cpu_ticks *ticks)
{
	return (struct off_cpu_ns){clock_duration_ns(clock, profile_off_cpu(ticks)), clock_duration_ns(clock, ticks->ticks),
		clock_duration_ns(clock, ticks->preempted_ticks), ticks->faults};
}

struct off_cpu_ns off_cpu_round_step(const struct clock_map *clock, struct off_cpu_ticks *sum, const struct off_cpu_ticks *ticks)
{
	struct off_cpu_ns before = off_cpu_round(clock, sum), after;

	profile_add_off_cpu(sum, ticks);
	after = off_cpu_round(clock, sum);
	return (struct off_cpu_ns){
		after.not_on_cpu - before.not_on_cpu, after.off - before.off, after.preempted - before.preempted, ticks->faults};
}

static uint64_t at_most(uint64_t part, uint64_t whole)
{
	return part < whole ? part : whole;
}

struct off_cpu_parts off_cpu_divide(uint64_t time_ns, struct off_cpu_ns ns)
{
	uint64_t not_on_cpu = at_most(ns.not_on_cpu, time_ns), off = at_most(ns.off, not_on_cpu);
	uint64_t preempted = at_most(ns.preempted, off);

	return (struct off_cpu_parts){.cpu = time_ns - not_on_cpu,
		.off = off,
		.waiting = off - preempted,
		.preempted = preempted,
		.unknown = not_on_cpu - off,
		.faults = ns.faults};
}

struct off_cpu_parts off_cpu_divide_call(
	uint64_t time_ns, const struct off_cpu_ticks *ticks, bool is_unknown, const struct clock_map *clock)
{
	if (is_unknown || ticks->unknown_ticks)
		return (struct off_cpu_parts){.unknown = time_ns, .faults = ticks->faults, .is_undivided = true};
	return off_cpu_divide(time_ns, off_cpu_round(clock, ticks));
}

static void set_side(struct cell *waiting, struct cell *preempted, struct cell *unknown, const struct off_cpu_parts *parts)
{
	*waiting = (struct cell){.count = parts->waiting, .absent = parts->is_undivided};
	*preempted = (struct cell){.count = parts->preempted, .absent = parts->is_undivided};
	*unknown = (struct cell){.count = parts->unknown};
}

void off_cpu_set_cells(struct cell cells[OFF_CPU_COLUMNS], const struct off_cpu_parts *total, const struct off_cpu_parts *self)
{
	set_side(&cells[OFF_CPU_TOTAL_WAITING], &cells[OFF_CPU_TOTAL_PREEMPTED], &cells[OFF_CPU_TOTAL_UNKNOWN], total);
	set_side(&cells[OFF_CPU_SELF_WAITING], &cells[OFF_CPU_SELF_PREEMPTED], &cells[OFF_CPU_SELF_UNKNOWN], self);
	cells[OFF_CPU_TOTAL_FAULTS] = (struct cell){.count = total->faults};
	cells[OFF_CPU_SELF_FAULTS] = (struct cell){.count = self->faults};
}
