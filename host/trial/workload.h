/* workload: programs that know where their time goes, for samplers to be tried on.
 *
 * All work is one loop of dependent multiplications, which takes as long in each of the functions that have a copy of it. How long each
 * took is measured by the program's own clocks, at the ends of pieces that are long beside a clock read (whose cost is taken out). */
#ifndef DWELL_HOST_TRIAL_WORKLOAD_H
#define DWELL_HOST_TRIAL_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "trial/truth.h"

/* share_0_1, share_1, share_5, share_20 and share_74, with that many percent, in an order that changes at random, in rounds whose length
 * does, too. */
void workload_shares(double seconds, struct truth *truth);

/* phase_tenth and phase_rest, in turns, with that period; the first takes a tenth of it. The period is one of the time in which the
 * program runs, as a sampler's is that goes by CPU time: what it was kept from running does not move it out of step. */
void workload_periodic(double seconds, double period_ns, struct truth *truth);

/* deep_bottom, which works, below that many calls of deep_down. */
void workload_deep(double seconds, uint32_t frames, struct truth *truth);

/* That many threads, eight at a time, each of which works for so long in share_74. False: one could not be started. */
bool workload_storm(uint32_t threads, double each_ns, struct truth *truth);

#endif
