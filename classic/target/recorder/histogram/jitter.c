/* SPDX-License-Identifier: MIT */
#include "classic/target/recorder/histogram/jitter.h"

void dwell_histogram_jitter(struct histogram_jitter *jitter, uint32_t mean, uint32_t least, bool fixed)
{
	uint32_t room = !fixed && mean > least ? mean - least : 0, half = 0;

	if (!jitter->state)
		jitter->state = 0x2545f491;
	while (half < room / 2 + 1 && (half ? half * 2 : 1) <= room)
		half = half ? half * 2 : 1;
	jitter->mask = half ? half * 2 - 1 : 0;
	jitter->base = mean - half;
}

uint32_t dwell_histogram_resume(
	struct histogram_jitter *jitter, struct histogram_pause *pause, uint32_t mean, uint32_t least, bool fixed)
{
	bool resumes = pause->left && mean == pause->mean && fixed == pause->fixed;

	dwell_histogram_jitter(jitter, mean, least, fixed);
	pause->mean = mean;
	pause->fixed = fixed;
	return resumes ? pause->left : dwell_histogram_period(jitter);
}
