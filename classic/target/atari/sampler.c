/* SPDX-License-Identifier: MIT */
#include "classic/target/atari/sampler.h"

#include "classic/target/atari/tos.h"

/* Vectors and TOS' variables; a program may access them in supervisor mode only. */
#define VECTOR_BLANK ((volatile uint32_t *)0x70)
#define VECTOR_TIMER_A ((volatile uint32_t *)0x134)
#define TICKS_200_HZ ((volatile uint32_t *)0x4BA)

struct dwell_tally sample_tally;

/* sample.S */
extern uint32_t sample_text, sample_next;
extern uint16_t sample_random, sample_span, sample_base, sample_left, sample_periods;
void sample_timer(void);
void sample_blank(void);

static uint32_t ticks, old_timer;
static int uses_vblank;

static void begin_supervised(void)
{
	old_timer = *VECTOR_TIMER_A;
	if (uses_vblank) {
		sample_next = *VECTOR_BLANK;
		*VECTOR_BLANK = (uint32_t)sample_blank;
	}
	ticks = *TICKS_200_HZ;
	sample_random = (uint16_t)ticks; /* each run has other periods */
}

static void end_supervised(void)
{
	ticks = *TICKS_200_HZ - ticks;
	if (uses_vblank)
		*VECTOR_BLANK = sample_next;
	else
		*VECTOR_TIMER_A = old_timer;
}

void sampler_begin(uint32_t text, uint32_t hz, int use_vblank)
{
	struct sampler_rate rate = sampler_rate(hz);

	sample_text = text;
	sample_span = rate.span;
	sample_base = rate.base;
	sample_left = sample_periods = rate.periods;
	uses_vblank = use_vblank;
	tos_supervise(begin_supervised);
	if (!use_vblank)
		tos_set_timer(rate.control, rate.base + rate.span / 2u, sample_timer);
}

uint32_t sampler_end(void)
{
	if (!uses_vblank) {
		tos_set_timer(0, 0, sample_timer);
		tos_disable_timer();
	}
	tos_supervise(end_supervised);
	return ticks;
}
