/* slices: the price of a hook, in bare clock reads, apart for each state of the machine.
 *
 * A virtual machine's processor has two states that change while a program runs: A, indirect calls are predicted, and B, they are
 * not. Everything costs differently in them, also the clock. So a minimum here and a minimum there mix the states, and say nothing.
 * Instead all that is compared is measured within a third of a millisecond, between two probes of the state; where these disagree,
 * it is dropped. */
#ifndef DWELL_BENCH_SLICES_H
#define DWELL_BENCH_SLICES_H

enum slices_state { SLICES_PREDICTED, SLICES_UNPREDICTED, SLICES_STATES };

/* What the hooks of leaf_hooked are, and what its price is divided by. */
enum slices_what {
	SLICES_ON,  /* recording; two clock reads */
	SLICES_OFF, /* turned off; an empty hook */
	SLICES_WHATS,
};

/* Measures for seconds at most, and stops before when both states were seen often enough. switches: turns the hooks off and on in
 * turn by dwell_stop and dwell_start; else they stay as they are, off. */
void slices_run(double seconds, int switches);

/* Prints a line for each state and what: state, what, median, 10th and 90th percentile, and of how many groups of slices. */
void slices_print(void);

#endif
