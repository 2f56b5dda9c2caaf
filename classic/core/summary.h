/* SPDX-License-Identifier: MIT
 *
 * Summary: writes a tally as the report of the Atari ST profiler of 1987, character by character. Numbers are rounded to nearest.
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
 * Rows are sorted by count, then by name, and end with the row that reaches the cutoff. A symbol's percentage is its
 * share of the samples in the program. With +z, the symbols without samples follow, whatever the cutoff; # is the
 * place among all symbols. Text without a symbol is the symbol "?". Longer names and numbers widen their columns.
 *
 * The original does not have two parts: behind its last line, how far to trust the percentages
 * (dwell_summary_put_errors); and the layout of one symbol's intervals, which its manual does not show.
 */
#ifndef DWELL_CLASSIC_CORE_SUMMARY_H
#define DWELL_CLASSIC_CORE_SUMMARY_H

#include "classic/core/profile_options.h"
#include "classic/core/put.h"
#include "classic/core/tally.h"

/* The rate of the ST's clock, which counts the ticks of a run. */
#define DWELL_SUMMARY_TICK_HZ 200

struct dwell_summary {
	const char *program;   /* its name on the command line */
	const char *arguments; /* one text; "" without arguments */
	const struct dwell_profile_options *options;
	struct dwell_tally *tally; /* after its last sample. The summary writes to tally->order */
	uintptr_t ticks;       /* how long the program ran */
	uintptr_t base;        /* the start of the text: the report adds it to each offset */
	/* Null, or a sentence about an uncertainty that the intervals do not contain. The
	 * sentence replaces the line about symbols that were never hit. With is_false
	 * (the percentages are not even near the truth) it replaces the intervals, too. */
	const char *doubt;
	bool is_false;
	/* Null, or a function of a caller that recorded the order of the samples. It returns the 95 %
	 * interval of the true share, in hundredths of a percent: of a symbol (index tally->count:
	 * text without a symbol), or of an interval of the symbol in detail. False: it has no result. */
	bool (*get_interval)(const void *context, bool is_detail, size_t index, uintptr_t *low, uintptr_t *high);
	const void *context;
};

/* Writes from "Profile of" to "End of profile", with the detail of one symbol, if tally has one.
 * Context: not for interrupts. */
void dwell_summary_put(const struct dwell_summary *summary, const struct dwell_put *put);

/* Writes the part behind the report: the 95 % interval of each row's percentage, and the most that an unseen
 * symbol may have. Without get_interval the intervals assume independent samples. Samples are independent if
 * the timer's period has jitter and the program does not stay in one function for much longer than a period.
 * If it does stay, the intervals hold the truth of this run as often, but not the truth of the next run. */
void dwell_summary_put_errors(const struct dwell_summary *summary, const struct dwell_put *put);

#endif
