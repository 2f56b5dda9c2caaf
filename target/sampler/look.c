/* SPDX-License-Identifier: MIT
 *
 * When a thread is looked at, and what a sample weighs.
 *
 * The kernel's timers on a thread's CPU time are looked at in its tick, 100 to 1000 times a second: that is how many signals they send at
 * the most, and they send them in step with the tick. A timer on the clock on the wall comes when it is asked for. So that one is used,
 * and set again at each look; what it finds running is a sample.
 *
 * It must not wake a thread that waits over and over again. A look that finds it waiting is no sample, and the longer the wait, the longer
 * it is until the next look. Beside it the timer on CPU time is set, which is quiet while the thread waits; its first signal says that the
 * thread runs again, takes no sample (it is in step with the tick), and makes the distances short.
 *
 * Distances are exponential: whatever happened before, the chance that the next moment is looked at is one in their mean. So they can be
 * made longer and shorter at any time, and a sample that weighs the mean stands for what it should. (Distances that are about even could
 * not: who shortens them after a wait looks twice at what they would have looked at anyway. To weigh by the CPU time since the last
 * sample adds up to the thread's own, but what runs right behind a wait would have too little.)
 *
 * Where the thread had no processor when its time came, waiting or not, there is no sample: it used none. And so that weights add up to the
 * thread's CPU time, by chance and where it cannot be told, each is corrected by a part of what all before were off. */
#include "port/os/linux/system.h"
#include "sampler/sampler.h"

#define IDLE_PART 2u /* of how long it has waited is the mean distance then, and not more than */
#define IDLE_MAX 64u /* periods */
#define LATE_NS 200000u
/* Of what the weights are off a sample takes so much upon itself, but keeps a part of its own. */
#define CORRECTED_PART 4
#define KEPT_PART 16
#define NAME_LOOKS 64u /* so many samples, and the thread's name is looked at; a system call */

static uint64_t draw_bits(struct sampler_thread *thread)
{
	uint64_t random = thread->random;

	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	thread->random = random;
	return random * 0x2545f4914f6cdd1du;
}

/* 0 … range − 1 */
static uint64_t draw(struct sampler_thread *thread, uint64_t range)
{
	return (uint64_t)((unsigned __int128)draw_bits(thread) * range >> 64);
}

/* Exponential: −ln of what is even in 0 … 1, without a floating point. The logarithm of the mantissa 1 + f, to base 2, is
 * f + 0.344 f (1 − f), to a hundredth. */
static uint64_t draw_exponential(struct sampler_thread *thread, uint64_t mean)
{
	uint64_t bits = draw_bits(thread) | 1, zeros = (uint64_t)__builtin_clzll(bits);
	uint64_t f = bits << zeros << 1 >> 32, log2 = f + ((f * (0x100000000u - f) >> 32) * 1477u >> 12); /* of 2^32 */
	uint64_t of = ((zeros + 1) << 32) - log2;

	return (uint64_t)((unsigned __int128)mean * of * 2977044472u >> 64); /* ln 2 */
}

static void plan_wall(struct sampler_thread *thread)
{
	uint64_t now = system_clock_ns(1); /* as the handler may have lost the processor */
	uint64_t period = sampler.shared->period_ns, wait = thread->idle_ns ? (now - thread->idle_ns) / IDLE_PART : 0;

	thread->distance_ns = wait < period ? period : wait < IDLE_MAX * period ? wait : IDLE_MAX * period;
	wait = draw_exponential(thread, thread->distance_ns);
	thread->due_ns = now + wait;
	thread_arm(thread, SAMPLER_WALL, wait + 1);
}

/* The signal comes in the first tick behind that. */
static void plan_cpu(struct sampler_thread *thread, bool begins)
{
	uint64_t period = sampler.shared->period_ns;
	uint64_t wait = period - period * 3 / 10 + draw(thread, period * 6 / 10 + 1);

	wait = begins ? draw(thread, wait) : wait;
	thread_arm(thread, SAMPLER_CPU, wait > sampler.tick_ns / 2 ? wait - sampler.tick_ns / 2 : 1);
}

static void look_name(struct sampler_thread *thread, uint64_t now)
{
	const struct tell_part part = {thread->name, sizeof thread->name};
	char name[DWELL_SAMPLER_NAME_BYTES] = {0};
	bool same = true;

	system_thread_name(name);
	for (unsigned i = 0; i < sizeof name; i++) {
		same &= name[i] == thread->name[i];
		thread->name[i] = name[i];
	}
	if (!same)
		tell(DWELL_SAMPLER_NAME, now, &part, 1);
}

static void take(struct sampler_thread *thread, uint64_t weight, uint64_t now, const void *context)
{
	maps_look(sample_get_pc(context), now);
	if (thread->samples++ % NAME_LOOKS == 0)
		look_name(thread, now);
	thread->weights_ns += weight;
	sample_take(weight, now, context);
}

/* What is off is nothing on average, also at the first sample: chance has no memory. */
static uint64_t weigh(const struct sampler_thread *thread, uint64_t cpu)
{
	int64_t distance = (int64_t)thread->distance_ns, off = (int64_t)(cpu - thread->cpu_ns - thread->weights_ns);
	int64_t weight = distance + off / CORRECTED_PART;

	return (uint64_t)(weight > distance / KEPT_PART ? weight : distance / KEPT_PART + 1);
}

static void look_by_wall(struct sampler_thread *thread, uint64_t now, const void *context)
{
	uint64_t switches = thread_switches();
	bool late = now > thread->due_ns + LATE_NS;
	/* A wait that no signal ends (for a disk, for a processor, or one that it was kept from) is over when the signal comes. */
	bool was_away = (late || thread->held) && switches != thread->switches;

	thread->switches = switches;
	thread->held = false; /* who jumps out of a wait says nothing */
	if (sample_was_waiting(context)) {
		if (!thread->idle_ns)
			thread_arm(thread, SAMPLER_CPU, 1);
		thread->idle_ns = thread->idle_ns ? thread->idle_ns : now;
	} else {
		if (!was_away)
			take(thread, weigh(thread, thread_cpu_ns()), now, context);
		thread->idle_ns = 0;
	}
	plan_wall(thread);
}

void look(int clock, void *context)
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
		look_by_wall(thread, now, context);
	} else if (sampler.by_cpu) {
		take(thread, thread_cpu_ns() - thread->cpu_ns - thread->weights_ns, now, context);
		plan_cpu(thread, false);
	} else if (thread->idle_ns) {
		thread->idle_ns = 0;
		thread->due_ns = 0;
		plan_wall(thread);
	}
}

void look_begin(struct sampler_thread *thread)
{
	if (sampler.by_cpu)
		plan_cpu(thread, true);
	else
		plan_wall(thread);
}
