/* diff: what changed between two programs, function by function, from one run of each or several. compare.h says by which reckoning,
 * match.h which function is which. */
#ifndef DWELL_HOST_ANALYSIS_DIFF_DIFF_H
#define DWELL_HOST_ANALYSIS_DIFF_DIFF_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/diff/compare.h"
#include "analysis/table.h"
#include "analysis/table_rest.h"
#include "model/clock.h"
#include "model/profile/profile.h"

/* What is measured of a function: all are of the function itself, without those that it calls. */
enum diff_measure {
	DIFF_SHARE, /* part of all time */
	DIFF_TIME,
	DIFF_CALLS, /* of traces */
	DIFF_MEASURES,
};

struct diff;
/* Null: no memory. */
struct diff *make_diff(void);
void free_diff(struct diff *diff);

/* Whether what is known are samples; or sums of time, or of something else, without calls; or else calls. */
bool diff_is_sampled(const struct profile *profile);
bool diff_is_sums(const struct profile *profile);

struct diff_run {
	const struct profile *profile; /* all of it is copied */
	struct functions *functions;
	const struct clock_map *clock;
	bool as_sums; /* only what each function took, by its name: where others know no more */
};
/* pre: all runs are sampled, or all are traced, or all as_sums; weights have the same unit. The time of traces is that on the CPU where
 * all of them know it, else by the clock. False: no memory. */
bool diff_add(struct diff *diff, enum compare_side side, const struct diff_run *run);

/* No more runs; level as in compare.h. False: no memory. */
bool diff_finish(struct diff *diff, double level);

/* Below: when it is finished. Which measures say more than what those runs were: share and time once samples or three runs tell how far
 * they may be off; time and calls only where there are any. */
bool diff_has(const struct diff *diff, enum diff_measure measure);
uint32_t diff_runs(const struct diff *diff, enum compare_side side);
/* Whether how runs differ is known. */
bool diff_knows_runs(const struct diff *diff);
/* Whether it is known of any function how far its change may be off. */
bool diff_knows_errors(const struct diff *diff, enum diff_measure measure);
bool diff_is_of_sums(const struct diff *diff);
/* Of traces: times are those on the CPU. */
bool diff_is_on_cpu(const struct diff *diff);

/* Of a side that has one run: rows[id] becomes the row of each function whose id is below count, plus 1, as the cell of
 * its name in diff_write has it. Functions without time and calls are in no row: theirs stay as they were. */
void diff_map_functions(const struct diff *diff, enum compare_side side, uint32_t *rows, size_t count);

/* Of the whole program, in ns; looked at by itself. is_known: false with few runs. */
struct compared diff_get_whole(const struct diff *diff);

struct diff_counts {
	uint32_t functions;
	uint32_t looked_at; /* of those: a change could be proven */
	uint32_t rose, fell;
};
struct diff_counts diff_count(const struct diff *diff, enum diff_measure measure);

/* What a build fails over. */
struct diff_limit {
	double part;    /* 0.05 */
	bool is_points; /* of the whole time; else of what the function took before */
};
/* Calls of one trace of each: they are counted, not estimated, so that a difference is a fact. Of more traces, how they differ counts. */
bool diff_is_exact(const struct diff *diff, enum diff_measure measure);
/* Whether a function, or the whole program, takes more by more than the limit: and that is proven, or exact. */
uint32_t diff_count_over(const struct diff *diff, enum diff_measure measure, const struct diff_limit *limit);

struct diff_table {
	enum diff_measure by; /* what the verdict and the order are of */
	uint64_t limit;       /* rows; UINT64_MAX: all */
	struct table_rest *rest; /* null, or zeroed: what limit leaves out */
};
/* One row for each function: proven changes first, then the others, the larger ones first. Ids of functions are numbers of
 * rows, not the ids of either side. False: no memory, nothing was written. */
bool diff_write(const struct diff *diff, const struct diff_table *table, const struct table_sink *sink);

#endif
