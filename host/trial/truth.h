/* truth: what a program knows of itself, to be compared with what a sampler found. A line for each function: its name and its nanoseconds;
 * the last one is "total" and the CPU time of the process. */
#ifndef DWELL_HOST_TRIAL_TRUTH_H
#define DWELL_HOST_TRIAL_TRUTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TRUTH_FUNCTIONS_MAX 8u
#define TRUTH_NAME_BYTES 32u

/* Zero it before the first use. */
struct truth {
	struct truth_function {
		char name[TRUTH_NAME_BYTES];
		double ns;
	} functions[TRUTH_FUNCTIONS_MAX];
	uint32_t count;
	double total_ns;
};

/* pre: there are fewer than TRUTH_FUNCTIONS_MAX. */
void truth_add(struct truth *truth, const char *name, double ns);
double truth_percent(const struct truth *truth, uint32_t function);

void truth_write(const struct truth *truth, FILE *out);
/* False: it is not whole. */
bool truth_read(struct truth *truth, FILE *in);

#endif
