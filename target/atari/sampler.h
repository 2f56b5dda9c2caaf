/* SPDX-License-Identifier: MIT
 *
 * The interrupt that samples: by timer A of the MFP, whose period is jittered, or by the vertical blank.
 */
#ifndef DWELL_TARGET_ATARI_SAMPLER_H
#define DWELL_TARGET_ATARI_SAMPLER_H

#include "core/tally.h"

/* What the interrupt counts in. */
extern struct dwell_tally sample_tally;

/* How timer A comes to a rate: its clock is divided by prescale, then by one of span numbers, from base on, all equally often; so
 * many of these periods are a sample. */
struct sampler_rate {
	uint16_t control, prescale; /* the timer's number for it, and what that means */
	uint16_t base, span;
	uint16_t periods;
};

/* pre: 50 <= hz <= 1500. The mean of the periods is within 1 % of 1 / hz. They spread by 60 % to either side, where two of them
 * are a sample by 90 %. */
struct sampler_rate sampler_rate(uint32_t hz);

/* Begins to sample a program whose text is at text; sample_tally is ready. */
void sampler_begin(uint32_t text, uint32_t hz, int use_vblank);
/* Ends. Returns for how many ticks of 200 Hz it went on. */
uint32_t sampler_end(void);

#endif
