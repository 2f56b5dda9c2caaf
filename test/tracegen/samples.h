/* samples: invented samples of functions whose shares are known. */
#ifndef DWELL_TEST_TRACEGEN_SAMPLES_H
#define DWELL_TEST_TRACEGEN_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "tracegen/functions.h"
#include "writer/trace/dwell.h"

#define SAMPLES_PERIOD_NS 1000000u /* on average: a thousand samples a second */

struct samples_plan {
	uint64_t count;     /* all threads together */
	uint64_t seed;
	uint32_t threads, run; /* a thread stays in a function for so many samples, on average */
	bool cycles;           /* what is said of the unit; the numbers are the same */
	/* What the functions weigh, in their order; those behind have none. Null: the first as much as all others, the second as
	 * those behind it, and so on. */
	const char *shares;
	uint32_t unsampled; /* percent that the system counts beside what they stand for */
	uint32_t excess; /* percent that it counts less */
};

/* What was drawn of each function. */
struct samples_truth {
	uint64_t samples, weight;
};

/* False: shares are no numbers, or more than there are functions. */
bool samples_plan_check(const struct samples_plan *plan, uint32_t functions);

/* SAMPLING and SAMPLES, behind the declarations: streams 0 to threads − 1, from start_ticks. Function 0 calls all others. Returns
 * the time of the last sample; 0: no memory. */
uint64_t samples_write(struct trace_writer *writer, const struct samples_plan *plan, const struct functions_list *list,
	uint64_t start_ticks, struct samples_truth *truth);

#endif
