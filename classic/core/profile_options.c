/* SPDX-License-Identifier: MIT */
#include "classic/core/profile_options.h"

#include <stddef.h>

#include "classic/core/letter.h"

enum limits {
	HZ_MIN = 50,
	HZ_MAX = DWELL_PROFILE_HZ_MAX,
	HZ_DEFAULT = 250,
	CUTOFF_DEFAULT = 95,
	INTERVALS_MAX = 999,
	INTERVALS_DEFAULT = 25,
};

void dwell_profile_options_init(struct dwell_profile_options *options)
{
	options->sample_hz = HZ_DEFAULT;
	options->cutoff_percent = CUTOFF_DEFAULT;
	options->intervals = INTERVALS_DEFAULT;
	options->has_intervals = false;
	options->use_vblank = false;
	options->vblank_hz = 0;
	options->has_bars = true;
	options->has_unseen = false;
	options->output = "profile.out";
	options->detail = NULL;
}

static enum dwell_profile_word complain(const struct dwell_put *problem, const char *word, const char *why)
{
	dwell_put_text(problem, word);
	dwell_put_text(problem, ": ");
	dwell_put_text(problem, why);
	return DWELL_PROFILE_BAD;
}

/* Converts text to a number. False: text is no number, or the number is above max. */
static bool read_number(const char *text, uint32_t max, uint32_t *number)
{
	uint32_t value = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return false;
		value = value * 10 + (uint32_t)(*text - '0');
		if (value > max)
			return false;
	}
	*number = value;
	return true;
}

static enum dwell_profile_word take_number(uint32_t *field, uint32_t min, uint32_t max, const char *what, const char *word,
	const struct dwell_put *problem)
{
	uint32_t number = 0;

	if (!read_number(word + 2, max, &number) || number < min) {
		complain(problem, word, what);
		dwell_put_text(problem, ", ");
		dwell_put_number(problem, min, 0);
		dwell_put_text(problem, " to ");
		dwell_put_number(problem, max, 0);
		return DWELL_PROFILE_BAD;
	}
	*field = number;
	return DWELL_PROFILE_OPTION;
}

/* Refresh rates of the ST: 50 and 60 of its colour displays, 71 of its monochrome display. */
static enum dwell_profile_word take_rate(struct dwell_profile_options *options, const char *word, const struct dwell_put *problem)
{
	uint32_t number = 0;

	if (!read_number(word + 2, 71, &number) || (number != 50 && number != 60 && number != 71))
		return complain(problem, word, "refreshes of the display per second, 50, 60 or 71");
	options->use_vblank = true;
	options->vblank_hz = number;
	return DWELL_PROFILE_OPTION;
}

static enum dwell_profile_word take_name(const char **field, const char *what, const char *word, const struct dwell_put *problem)
{
	if (!word[2])
		return complain(problem, word, what);
	*field = word + 2;
	return DWELL_PROFILE_OPTION;
}

enum dwell_profile_word dwell_profile_options_take(struct dwell_profile_options *options, const char *word,
	const struct dwell_put *problem)
{
	bool on = word[0] == '+';

	if (on || word[0] == '-') {
		bool *field = NULL;

		switch (word[1] && !word[2] ? dwell_letter_lower(word[1]) : 0) {
		case 'v': field = &options->use_vblank; break;
		case 'b': field = &options->has_bars; break;
		case 'z': field = &options->has_unseen; break;
		}
		if (!field)
			return complain(problem, word, "no such option; there are +v +b +z and -v -b -z");
		*field = on;
		return DWELL_PROFILE_OPTION;
	}
	if (!word[0] || word[1] != '=')
		return DWELL_PROFILE_PROGRAM;
	switch (dwell_letter_lower(word[0])) {
	case 'f': return take_number(&options->sample_hz, HZ_MIN, HZ_MAX, "samples per second", word, problem);
	case 'p': return take_number(&options->cutoff_percent, 1, 100, "a percentage", word, problem);
	case 'i': options->has_intervals = true; return take_number(&options->intervals, 1, INTERVALS_MAX, "a number of intervals", word, problem);
	case 'v': return take_rate(options, word, problem);
	case 'o': return take_name(&options->output, "the name of a file is missing", word, problem);
	case 'x': return take_name(&options->detail, "the name of a symbol is missing", word, problem);
	}
	return complain(problem, word, "no such option; there are f= p= o= x= i= v=");
}

void dwell_profile_options_help(const struct dwell_put *put)
{
	dwell_put_text(put,
		"  f=NNNN    samples per second, 50 to 1500 (250)\n"
		"  p=NN      the table ends where NN percent are reached (95)\n"
		"  +v -v     sample at the vertical blank, not by a timer (-v)\n"
		"  +b -b     a bar for each row (+b)\n"
		"  +z -z     symbols that were never hit, too (-z)\n"
		"  o=FILE    where the report is written (profile.out)\n"
		"  x=SYMBOL  one symbol in detail\n"
		"  i=NNN     in so many intervals, 1 to 999 (25)\n");
}
