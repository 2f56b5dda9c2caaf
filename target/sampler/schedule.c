/* SPDX-License-Identifier: MIT
 *
 * Decides when to look at a thread, whether a look is a sample, and what the sample weighs.
 *
 * The kernel checks timers on a thread's CPU time in its tick, 100 to 1000 times a second. Such timers send no more signals than
 * that, in step with the tick. A timer on the wall clock fires when due. So the sampler uses a wall timer and sets it again after
 * each look; a look that finds the thread running is a sample.
 *
 * A waiting thread must not be woken again and again. So a look at a waiting thread is no sample, and the longer the wait, the
 * longer the distance to the next look. In addition the timer on CPU time is set, which does not fire during the wait. Its first
 * signal shows that the thread runs again. This signal takes no sample, being in step with the tick, but makes the distances short.
 *
 * Distances are exponential: whatever happened before, the chance of a look at the next moment is one in the mean distance. So
 * distances may change at any time, and a sample with the mean as its weight stands for the right time. (Nearly equal distances
 * would not do: shortening them after a wait would look twice at code that is looked at anyway. Weights of the CPU time since the
 * last sample would add up to the thread's CPU time, but code right after a wait would get too little.)
 *
 * If the thread had no processor when the timer fired, waiting or not, the look is no sample: the thread used no time. By chance,
 * and in undecidable cases, weights deviate from the thread's CPU time. So each weight corrects a part of the deviation so far.
 */
#include "port/os/linux/system.h"
#include "sampler/sampler.h"

#define IDLE_PART 2u /* during a wait, the mean distance is this part (1/2) of the time waited so far … */
#define IDLE_MAX 64u /* … but at most this many periods */
#define LATE_NS 200000u /* a timer that is handled so much later may have waited for a processor */
/* A sample corrects this part of the deviation, but keeps at least a part of its own weight. */
#define CORRECTED_PART 4
#define KEPT_PART 16
#define NAME_LOOKS 64u /* samples between two reads of the thread's name, by a system call */

static uint64_t draw_bits(struct sampler_thread *thread)
{
	uint64_t random = thread->random;

	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	thread->random = random;
	return random * 0x2545f4914f6cdd1du;
}

/* Returns a random number in 0 … range − 1. */
static uint64_t draw(struct sampler_thread *thread, uint64_t range)
{
	return (uint64_t)((unsigned __int128)draw_bits(thread) * range >> 64);
}

/* Returns an exponential random number: −ln of a uniform number in 0 … 1, without floating point. The base-2 logarithm of the
 * mantissa 1 + f is f + 0.344 f (1 − f), with an error of a hundredth. */
static uint64_t draw_exponential(struct sampler_thread *thread, uint64_t mean)
{
	uint64_t bits = draw_bits(thread) | 1, zeros = (uint64_t)__builtin_clzll(bits);
	uint64_t f = bits << zeros << 1 >> 32, log2 = f + ((f * (0x100000000u - f) >> 32) * 1477u >> 12); /* in units of 2^−32 */
	uint64_t of = ((zeros + 1) << 32) - log2;

	return (uint64_t)((unsigned __int128)mean * of * 2977044472u >> 64); /* ln 2 */
}

/* Draws the distance to the next look and sets the wall timer to it. */
static void plan_wall(struct sampler_thread *thread)
{
	uint64_t now = system_clock_ns(1); /* read again: the handler may have lost the processor */
	uint64_t period = sampler.period_ns, wait = thread->idle_ns ? (now - thread->idle_ns) / IDLE_PART : 0;

	thread->distance_ns = wait < period ? period : wait < IDLE_MAX * period ? wait : IDLE_MAX * period;
	wait = draw_exponential(thread, thread->distance_ns);
	thread->due_ns = now + wait;
	thread_arm(thread, SAMPLER_WALL, wait + 1);
}

/* Sets the timer on CPU time, to a random part (70 % to 130 %) of the period; begins: to any time up to that, so that threads do
 * not keep step. The signal comes in the first tick of the kernel after that time. */
static void plan_cpu(struct sampler_thread *thread, bool begins)
{
	uint64_t period = sampler.period_ns;
	uint64_t wait = period - period * 3 / 10 + draw(thread, period * 6 / 10 + 1);

	wait = begins ? draw(thread, wait) : wait;
	thread_arm(thread, SAMPLER_CPU, wait > sampler.tick_ns / 2 ? wait - sampler.tick_ns / 2 : 1);
}

/* Reads the thread's name, and records a new one. */
static void report_new_name(struct sampler_thread *thread, uint64_t now)
{
	const struct record_part part = {thread->name, sizeof thread->name};
	char name[DWELL_SAMPLER_NAME_BYTES] = {0};
	bool same = true;

	system_thread_name(name);
	for (unsigned i = 0; i < sizeof name; i++) {
		same &= name[i] == thread->name[i];
		thread->name[i] = name[i];
	}
	if (!same)
		records_append(DWELL_SAMPLER_NAME, now, &part, 1);
}

/* Records a sample. weight: the time for which it stands, in ns. */
static void record_sample(struct sampler_thread *thread, uint64_t weight, uint64_t now, const void *context)
{
	maps_check(sample_get_pc(context), now);
	if (thread->samples++ % NAME_LOOKS == 0)
		report_new_name(thread, now);
	thread->weights_ns += weight;
	sample_take(weight, now, context);
}

/* Returns the weight of a sample: the mean distance, plus a part of the deviation of all weights from the thread's CPU time (cpu).
 * The deviation is zero on average, even at the first sample: the exponential distribution has no memory. */
static uint64_t weigh(const struct sampler_thread *thread, uint64_t cpu)
{
	int64_t distance = (int64_t)thread->distance_ns, off = (int64_t)(cpu - thread->cpu_ns - thread->weights_ns);
	int64_t weight = distance + off / CORRECTED_PART;

	return (uint64_t)(weight > distance / KEPT_PART ? weight : distance / KEPT_PART + 1);
}

/* Handles the wall timer. */
static void handle_wall_timer(struct sampler_thread *thread, uint64_t now, const void *context)
{
	uint64_t switches = thread_switches();
	bool late = now > thread->due_ns + LATE_NS;
	/* Whether the thread was off the processor when the timer fired. A wait that no signal ends (for a disk, for a processor,
	 * or one of waits.c) is over when the signal arrives. */
	bool was_unrecorded = (late || thread->in_wait) && switches != thread->switches;

	thread->switches = switches;
	thread->in_wait = false; /* a jump out of a wait does not reset this */
	if (sample_was_waiting(context)) {
		if (!thread->idle_ns)
			thread_arm(thread, SAMPLER_CPU, 1);
		thread->idle_ns = thread->idle_ns ? thread->idle_ns : now;
	} else {
		if (!was_unrecorded)
			record_sample(thread, weigh(thread, thread_cpu_ns()), now, context);
		thread->idle_ns = 0;
	}
	plan_wall(thread);
}

void schedule_on_timer(int clock, void *context)
{
	struct sampler_thread *thread = &sampler_this_thread;
	uint64_t now;

	if (!thread->tid)
		return;
	if (sampler.shared->closed) {
		thread_end();
		return;
	}
	now = system_clock_ns(1);
	if (clock == SAMPLER_WALL) {
		handle_wall_timer(thread, now, context);
	} else if (sampler.cpu_timer_suffices) {
		record_sample(thread, thread_cpu_ns() - thread->cpu_ns - thread->weights_ns, now, context);
		plan_cpu(thread, false);
	} else if (thread->idle_ns) {
		thread->idle_ns = 0;
		thread->due_ns = 0;
		plan_wall(thread);
	}
}

void schedule_begin(struct sampler_thread *thread)
{
	if (sampler.cpu_timer_suffices)
		plan_cpu(thread, true);
	else
		plan_wall(thread);
}
