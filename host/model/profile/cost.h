/* cost: what it cost to record calls, taken out of a profile: its times are net then, of functions, paths and threads alike, and
 *
 *     self + recording + held + lost + outside  =  last − first        to the tick, for each thread
 *
 * Each call costs its own function so much, between its two stamps (inner), and its caller the rest (outer): a reading of the clock each.
 * What a thread's calls of a function and those that it made cost is worked out first, from how long the pieces of its self time are
 * (cost.c), and is never more than that function's time on the CPU there; so what is left is no less than nothing. Then it is shared out
 * to the function's paths, as much of it as their calls cost, and never more than they took: sums by function, by path and by thread are
 * the same, whichever view asks.
 *
 * Calls that were recorded and then left out of the file (--depth, …) cost as much, and nobody knows any more who made them: that stays
 * in, and is in how far any function's times may be off. So does what it cost to count calls. */
#ifndef DWELL_HOST_MODEL_PROFILE_COST_H
#define DWELL_HOST_MODEL_PROFILE_COST_H

#include <stdbool.h>
#include <stdint.h>

#include "model/profile/overhead.h"
#include "model/profile/profile.h"

/* Of calls that are not there to be looked at, such a part of what was measured is unsure, beside its spread. */
#define COST_UNSEEN 0.75
/* A call that is counted only costs this part of one that is recorded, at the most: it reads no clock and stores no slot (a tenth was
 * measured). */
#define COST_COUNTED 0.25

/* pre: the profile is complete, and of calls with times. counted: calls that were counted in place of being recorded (--throttle).
 * False when there is no memory: then nothing is taken. */
bool cost_take(struct profile *profile, const struct overhead *overhead, uint64_t counted);

/* What calls that were left out cost, and at the most those that were counted: ticks, which are in the times of functions still. */
double cost_left_out(const struct overhead *overhead);
double cost_counted(const struct overhead *overhead, uint64_t counted);

#endif
