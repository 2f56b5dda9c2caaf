/* SPDX-License-Identifier: MIT
 *
 * Summary: the report of the Atari ST profiler of 1987, to the character, out of a tally. Numbers are rounded properly.
 *
 *     Profile of 'DWARFS.PRG '
 *
 *     There are 82 symbols
 *     …
 *     +-----+------------+---------+---------+-----------------------------------+
 *     |   # |   Symbol   |  Count  | Percent |             Barchart              |
 *     +-----+------------+---------+---------+-----------------------------------+
 *     |   1 |    _sleepy |     874 |   33.35 |***********************************|
 *
 * Rows are sorted by count, then by name, and end with the one at which the cutoff is reached. A symbol's percentage is of the
 * samples in the program. With +z, those that were never hit follow, whatever the cutoff; # is the place among all. Text that is
 * nobody's is the symbol "?". Longer names and numbers widen their columns.
 *
 * What the original does not have: behind its last line, how far the percentages can be trusted (dwell_summary_put_errors); and the
 * layout of one symbol's intervals, which its manual does not show.
 */
#ifndef DWELL_CORE_SUMMARY_H
#define DWELL_CORE_SUMMARY_H

#include "core/profile_options.h"
#include "core/put.h"
#include "core/tally.h"

/* What a tick is: the clock of the ST that counts at this rate. */
#define DWELL_SUMMARY_TICK_HZ 200

struct dwell_summary {
	const char *program;   /* as it was called */
	const char *arguments; /* one text, "" when there are none */
	const struct dwell_profile_options *options;
	struct dwell_tally *tally; /* after its last sample. Its order is written to */
	uintptr_t ticks;       /* how long the program ran */
	uintptr_t base;        /* what addresses are shown from: where its text begins */
	/* Null, or a sentence: what is unsure beside the intervals. It stands in place of what a symbol that was never hit may have;
	 * with is_false, as the percentages are not even near the truth, in place of the intervals. */
	const char *doubt;
	bool is_false;
	/* Null, or of who knows the order in which the samples came: between which hundredths of a percent the true share of a symbol
	 * is with 95 % certainty (tally->count: of text that is nobody's), or of an interval of the symbol in detail. False: it is not
	 * known. */
	bool (*get_interval)(const void *context, bool is_detail, size_t index, uintptr_t *low, uintptr_t *high);
	const void *context;
};

/* From "Profile of" to "End of profile", and the detail of one symbol, if tally has one.
 * Context: not for interrupts. */
void dwell_summary_put(const struct dwell_summary *summary, const struct dwell_put *put);

/* To be put behind it: between which percentages the truth is with 95 % certainty, for each row that was shown, and what an unseen
 * symbol may have at most. Without get_interval it takes samples to be independent of each other: as they are when the timer's period
 * is jittered, and the program does not stay in one function for long beside it. Where it does, the truth of this run is in the
 * interval as often, that of the next run is not. */
void dwell_summary_put_errors(const struct dwell_summary *summary, const struct dwell_put *put);

#endif
