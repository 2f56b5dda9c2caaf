/* off_cpu_ticks: what the system says about a part of a thread's time: how long the thread was off the CPU and why, and the number
 * of page faults. For functions, paths, threads and single calls. */
#ifndef DWELL_HOST_MODEL_PROFILE_OFF_CPU_TICKS_H
#define DWELL_HOST_MODEL_PROFILE_OFF_CPU_TICKS_H

#include <stdbool.h>
#include <stdint.h>

/* Time off the CPU, in ticks, and page faults. */
struct off_cpu_ticks {
	uint64_t ticks;           /* certainly off the CPU … */
	uint64_t preempted_ticks; /* … part of ticks: able to run, but another thread ran */
	uint64_t unknown_ticks;   /* on or off the CPU: unknown */
	uint64_t held_ticks;      /* time in a call during which the recorder held the thread up; no total includes it */
	uint64_t faults;          /* number of page faults */
};

/* The part of a time that is not certainly on the CPU. */
static inline uint64_t profile_off_cpu(const struct off_cpu_ticks *off)
{
	return off->ticks + off->unknown_ticks;
}

/* Whether there is neither time off the CPU, held time apart, nor a page fault. */
static inline bool profile_off_cpu_is_none(const struct off_cpu_ticks *off)
{
	return !profile_off_cpu(off) && !off->faults;
}

static inline void profile_add_off_cpu(struct off_cpu_ticks *to, const struct off_cpu_ticks *from)
{
	to->ticks += from->ticks;
	to->preempted_ticks += from->preempted_ticks;
	to->unknown_ticks += from->unknown_ticks;
	to->held_ticks += from->held_ticks;
	to->faults += from->faults;
}

/* pre: from contains part. */
static inline void profile_subtract_off_cpu(struct off_cpu_ticks *from, const struct off_cpu_ticks *part)
{
	from->ticks -= part->ticks;
	from->preempted_ticks -= part->preempted_ticks;
	from->unknown_ticks -= part->unknown_ticks;
	from->held_ticks -= part->held_ticks;
	from->faults -= part->faults;
}

#endif
