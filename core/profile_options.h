/* SPDX-License-Identifier: MIT
 *
 * The options of the profiler that began on the Atari ST in 1987, in the words of its own manual:
 *
 *     f=NNNN    samples per second, 50 to 1500; 250 unless told
 *     p=NN      the table ends with the symbol at which NN percent of the program's samples are reached, 1 to 100; 95 unless told
 *     +v -v     sample at the display's vertical blank in place of the timer (f= is ignored then), or not; -v unless told
 *     v=NN      +v, of a display that is refreshed 50, 60 or 71 times a second, where there is none of the program's own. Not in the manual
 *     +b -b     a bar for each row, or not; +b unless told
 *     +z -z     symbols that were never hit, too, or not; -z unless told
 *     o=FILE    where the report is written; profile.out unless told
 *     x=SYMBOL  one symbol in detail: divided into intervals
 *     i=NNN     how many intervals, 1 to 999; 25 unless told
 *
 * Letters may be upper case, as TOS makes them on its desktop. Of an option that is given twice the last one holds. The program's
 * name and its arguments follow.
 */
#ifndef DWELL_CORE_PROFILE_OPTIONS_H
#define DWELL_CORE_PROFILE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/put.h"

#define DWELL_PROFILE_HZ_MAX 1500

struct dwell_profile_options {
	uint32_t sample_hz;
	uint32_t cutoff_percent;
	uint32_t intervals;
	uint32_t vblank_hz; /* 0: not told */
	bool has_intervals; /* i= was told */
	bool use_vblank, has_bars, has_unseen;
	const char *output;
	const char *detail; /* symbol, or null */
};

enum dwell_profile_word {
	DWELL_PROFILE_OPTION,  /* an option, taken */
	DWELL_PROFILE_PROGRAM, /* no option: the program; what follows is the program's */
	DWELL_PROFILE_BAD,     /* an option with a value that it cannot have, or none that is known: problem was told why */
};

/* Nothing given. */
void dwell_profile_options_init(struct dwell_profile_options *options);

/* One word of the command line, which must stay where it is. A problem is one line without its end, which begins with the word:
 * "f=20: samples per second, 50 to 1500". */
enum dwell_profile_word dwell_profile_options_take(struct dwell_profile_options *options, const char *word,
	const struct dwell_put *problem);

/* The options, one a line, as a help text. */
void dwell_profile_options_help(const struct dwell_put *put);

#endif
