/* off_cpu_columns: how a time divides: on the CPU, waiting, preempted, and not known to be on or off the CPU; and how many page
 * faults were in it. All tables of times take these columns and cells from here. */
#ifndef DWELL_HOST_ANALYSIS_OFF_CPU_COLUMNS_H
#define DWELL_HOST_ANALYSIS_OFF_CPU_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/known.h"
#include "analysis/table.h"
#include "model/clock.h"
#include "model/profile/off_cpu_ticks.h"

/* The columns for scripts, last in a table. */
enum off_cpu_column {
	OFF_CPU_TOTAL_WAITING,
	OFF_CPU_TOTAL_PREEMPTED,
	OFF_CPU_TOTAL_UNKNOWN,
	OFF_CPU_SELF_WAITING,
	OFF_CPU_SELF_PREEMPTED,
	OFF_CPU_SELF_UNKNOWN,
	OFF_CPU_TOTAL_FAULTS, /* this column and the next: recordings of page faults only */
	OFF_CPU_SELF_FAULTS,
	OFF_CPU_COLUMNS
};
/* What a profile must have for the column. */
static inline enum known off_cpu_needs(int which)
{
	return which >= OFF_CPU_TOTAL_FAULTS ? KNOWN_FAULTS : KNOWN_CPU;
}
extern const struct column off_cpu_columns[OFF_CPU_COLUMNS];
/* Their keys, for the help of a command. */
#define OFF_CPU_KEYS "total_waiting_ns,total_preempted_ns,total_unknown_ns,self_waiting_ns,self_preempted_ns,self_unknown_ns," FAULT_KEYS
#define FAULT_KEYS "total_page_faults,page_faults"

/* The same column for people, if a row has such a time. */
struct column off_cpu_for_people(enum off_cpu_column which, uint8_t spare);
/* The two columns of page faults for people, total first; hidden if page faults are not recorded. */
#define FAULT_COLUMNS 2
void faults_for_people(struct column columns[FAULT_COLUMNS], bool has_faults, uint8_t spare);

/* Parts of a time off the CPU, in nanoseconds, each rounded by itself; and page faults. */
struct off_cpu_ns {
	uint64_t not_on_cpu, off, preempted; /* off or not known; off; part of off */
	uint64_t faults;
};
struct off_cpu_ns off_cpu_round(const struct clock_map *clock, const struct off_cpu_ticks *ticks);
/* Adds ticks to sum, and rounds the step so that the rounded steps add up to the rounded sum. */
struct off_cpu_ns off_cpu_round_step(const struct clock_map *clock, struct off_cpu_ticks *sum, const struct off_cpu_ticks *ticks);

/* cpu + off + unknown = the time, and waiting + preempted = off, whatever the rounding. cpu is a lower bound. */
struct off_cpu_parts {
	uint64_t cpu, off, waiting, preempted, unknown;
	uint64_t faults;   /* number of page faults */
	bool is_undivided; /* unknown is all of the time, and the other times have no value */
};
struct off_cpu_parts off_cpu_divide(uint64_t time_ns, struct off_cpu_ns ns);
/* Of a single call, which is not divided if the state of any part of it is unknown, or is_unknown is set. */
struct off_cpu_parts off_cpu_divide_call(
	uint64_t time_ns, const struct off_cpu_ticks *ticks, bool is_unknown, const struct clock_map *clock);

void off_cpu_set_cells(struct cell cells[OFF_CPU_COLUMNS], const struct off_cpu_parts *total, const struct off_cpu_parts *self);

#endif
