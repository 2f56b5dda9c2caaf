/* diff: what changed between two programs, function by function, from one or several runs of each. For `dwell diff`. compare.h has
 * the statistics; match.h finds corresponding functions.
 *
 *     diff = make_diff(); diff_add() for each run; diff_finish(); then the results, such as diff_write() */
#ifndef DWELL_HOST_ANALYSIS_DIFF_DIFF_H
#define DWELL_HOST_ANALYSIS_DIFF_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/diff/compare.h"
#include "analysis/table.h"
#include "analysis/table_rest.h"
#include "model/clock.h"
#include "model/profile/profile.h"

/* The quantities measured, for the function itself, without its callees, except DIFF_TOTAL. */
enum diff_measure {
	DIFF_SHARE, /* part of all time */
	DIFF_TIME,
	DIFF_CALLS, /* for traces */
	DIFF_TOTAL, /* time of the function with all that it calls */
	DIFF_MEASURES,
};

struct diff;
/* Null: memory ran out. */
struct diff *make_diff(void);
void free_diff(struct diff *diff);

/* Whether a profile has only samples. */
bool diff_is_sampled(const struct profile *profile);
/* Whether a profile has only sums, of time or of another unit, without calls. A profile that is neither sampled nor sums has
 * calls. */
bool diff_profile_is_sums(const struct profile *profile);

/* One execution of a program. */
struct diff_run {
	const struct profile *profile; /* everything needed is copied */
	struct functions *functions;
	const struct clock_map *clock;
	bool as_sums; /* uses only the sums by function name, because another run of the diff has nothing more */
};
/* Adds a run. pre: all runs are sampled, or all runs are traced, or all runs are as_sums; weights have equal units. diff compares
 * traces by CPU time if all traces contain CPU time, otherwise by wall-clock time. False: memory ran out. */
bool diff_add(struct diff *diff, enum compare_side side, const struct diff_run *run);

/* No more runs follow. level as in compare.h. False: memory ran out. */
bool diff_finish(struct diff *diff, double level);

/* All functions below need a finished diff. diff_has_measure: whether a measure exists: time only if the runs have
 * times, calls only for traces. */
bool diff_has_measure(const struct diff *diff, enum diff_measure measure);
uint32_t diff_runs(const struct diff *diff, enum compare_side side);
/* Whether the variance between runs is known. */
bool diff_knows_runs(const struct diff *diff);
/* Whether the error of the change is known for at least one function. */
bool diff_knows_errors(const struct diff *diff, enum diff_measure measure);
/* Whether the runs were added as_sums. */
bool diff_is_of_sums(const struct diff *diff);
/* For traces: times are CPU times. */
bool diff_is_on_cpu(const struct diff *diff);

/* For a side with one run: sets rows[id] to the row of each function with id below count, plus 1, as in the name's cell in
 * diff_write. Functions without time and calls have no row; their rows[id] stays unchanged. */
void diff_map_functions(const struct diff *diff, enum compare_side side, uint32_t *rows, size_t count);

/* The whole time of the program, in ns, tested by itself. Its is_known is false with fewer than four runs in all. */
struct compared diff_get_whole(const struct diff *diff);

struct diff_counts {
	uint32_t functions;
	uint32_t looked_at; /* of these: the runs could have proven a change */
	uint32_t rose, fell;
	uint32_t unchanged; /* rows without a proven change; where nothing can be proven, rows that are equal in both */
};
struct diff_counts diff_count(const struct diff *diff, enum diff_measure measure);

/* The limit for failing a build. */
struct diff_limit {
	double part;    /* such as 0.05 */
	bool is_points; /* part refers to the whole time; else to the function's time in the old program */
};
/* Whether differences are facts: the measure is calls, which dwell counts, and each side has a single trace. With more traces a
 * difference is uncertain by the variance between them. */
bool diff_is_exact(const struct diff *diff, enum diff_measure measure);
/* The number of functions, plus 1 for the whole program, with a proven or exact increase by more than the limit. */
uint32_t diff_count_over(const struct diff *diff, enum diff_measure measure, const struct diff_limit *limit);

struct diff_table {
	enum diff_measure by; /* the measure of the verdict and the order */
	uint64_t limit;       /* number of rows; UINT64_MAX: all */
	bool changed_only;    /* without the functions that show no change */
	struct table_rest *rest; /* null, or zeroed: receives the number of rows beyond limit */
};
/* Finds functions whose total rose mostly in what they call, largest rise first: of the functions that hold less than nearly all
 * time, by at least one percent of all time. rows: up to max numbers of rows. Returns how many. */
size_t diff_find_risen(const struct diff *diff, uint32_t *rows, size_t max);
/* The name of a row, and its comparison by a measure; valid as long as the diff. */
const char *diff_get_name(const struct diff *diff, uint32_t row);
const struct compared *diff_get_compared(const struct diff *diff, enum diff_measure measure, uint32_t row);

/* One row for each function: proven changes first, then the others, larger ones first. A cell's function is the number of the row,
 * not an id of either side. False: memory ran out, and no row was written. */
bool diff_write(const struct diff *diff, const struct diff_table *table, const struct table_sink *sink);

#endif
