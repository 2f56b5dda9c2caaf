/* SPDX-License-Identifier: MIT
 *
 * The options of the Atari ST profiler of 1987, as its manual describes them:
 *
 *     f=NNNN    samples per second, 50 to 1500; default 250
 *     p=NN      the table ends with the symbol at which NN percent of the program's samples are reached, 1 to 100; default 95
 *     +v -v     sample at the display's vertical blank instead of by the timer, or not; default -v. With +v, f= has no effect
 *     v=NN      as +v, but a timer with 50, 60 or 71 samples a second stands for the display. Only on machines where the program
 *               has no display of its own. Not in the manual
 *     +b -b     a bar for each row, or not; default +b
 *     +z -z     also list symbols that were never hit, or not; default -z
 *     o=FILE    where to write the report; default profile.out
 *     x=SYMBOL  one symbol in detail: divided into intervals
 *     i=NNN     how many intervals, 1 to 999; default 25
 *
 * Letters may be upper case, as TOS makes them on its desktop. The last value counts if
 * an option is given twice. The program's name and its arguments follow the options.
 */
#ifndef DWELL_CLASSIC_CORE_PROFILE_OPTIONS_H
#define DWELL_CLASSIC_CORE_PROFILE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "classic/core/put.h"

#define DWELL_PROFILE_HZ_MAX 1500

struct dwell_profile_options {
	uint32_t sample_hz;
	uint32_t cutoff_percent;
	uint32_t intervals;
	uint32_t vblank_hz; /* 0: not given */
	bool has_intervals; /* i= was given */
	bool use_vblank, has_bars, has_unseen;
	const char *output;
	const char *detail; /* symbol, or null */
};

enum dwell_profile_word {
	DWELL_PROFILE_OPTION,  /* an option, stored */
	DWELL_PROFILE_PROGRAM, /* no option: the program's name; the program's arguments follow */
	DWELL_PROFILE_BAD,     /* an unknown option, or a value out of range; problem received the reason */
};

/* Sets all defaults. */
void dwell_profile_options_init(struct dwell_profile_options *options);

/* Parses one word of the command line; the word must stay in memory as long as the options. A problem
 * is one line without newline that begins with the word: "f=20: samples per second, 50 to 1500". */
enum dwell_profile_word dwell_profile_options_take(struct dwell_profile_options *options, const char *word,
	const struct dwell_put *problem);

/* Writes the options, one a line, as a help text. */
void dwell_profile_options_help(const struct dwell_put *put);

#endif
