/* off_cpu_sections: time off the CPU in outermost calls of each function, for calls that ended since
 * the section of the pairing began. For account.c. */
#ifndef DWELL_HOST_MODEL_THREAD_OFF_CPU_SECTIONS_H
#define DWELL_HOST_MODEL_THREAD_OFF_CPU_SECTIONS_H

#include "model/thread/stack_state.h"

/* Subtracts the function's sum for this section from *from, and zeroes the sum; adds *total to the sum. */
void off_cpu_take_section_total(struct stack *stack, uint32_t function, struct profile_off *from);
void off_cpu_add_section_total(struct stack *stack, uint32_t function, const struct profile_off *total);

#endif
