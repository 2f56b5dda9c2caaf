/* SPDX-License-Identifier: MIT
 *
 * The sampling interrupt: by timer A of the MFP, whose period has jitter, or by the vertical blank.
 */
#ifndef DWELL_CLASSIC_TARGET_ATARI_SAMPLER_H
#define DWELL_CLASSIC_TARGET_ATARI_SAMPLER_H

#include "classic/core/tally.h"

/* The interrupt's tally. */
extern struct dwell_tally sample_tally;

/* The settings of timer A for a rate: prescale divides the timer's clock. A period is then
 * one of span numbers from base on, all equally often; a sample takes `periods` periods. */
struct sampler_rate {
	uint16_t control, prescale; /* the timer's code for the prescale, and the prescale itself */
	uint16_t base, span;
	uint16_t periods;
};

/* Returns the settings for a rate. pre: 50 <= hz <= 1500. A sample's mean time is within 1 % of
 * 1 / hz. Periods spread by 60 % to either side, or by 90 % if a sample takes two periods. */
struct sampler_rate sampler_rate(uint32_t hz);

/* Begins to sample the program with the text at text; sample_tally is ready. */
void sampler_begin(uint32_t text, uint32_t hz, int use_vblank);
/* Ends sampling. Returns the length of the run in ticks of 200 Hz. */
uint32_t sampler_end(void);

#endif
