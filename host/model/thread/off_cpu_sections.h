/* off_cpu_sections: time off the CPU in each function's outermost calls that ended in the present section (struct stack). If an
 * exit shows a call without a begin around them, account.c subtracts these sums again. For account.c. */
#ifndef DWELL_HOST_MODEL_THREAD_OFF_CPU_SECTIONS_H
#define DWELL_HOST_MODEL_THREAD_OFF_CPU_SECTIONS_H

#include "model/thread/stack_state.h"

/* The first function subtracts the function's sum for the section from *from, and zeroes the sum. The second adds *total to it. */
void off_cpu_take_section_total(struct stack *stack, uint32_t function, struct off_cpu_ticks *from);
void off_cpu_add_section_total(struct stack *stack, uint32_t function, const struct off_cpu_ticks *total);

#endif
