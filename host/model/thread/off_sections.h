/* off_sections: what time off the CPU ended in outermost calls of each function, since the section of pairing began. For account.c. */
#ifndef DWELL_HOST_MODEL_THREAD_OFF_SECTIONS_H
#define DWELL_HOST_MODEL_THREAD_OFF_SECTIONS_H

#include "model/thread/thread_state.h"

/* What outermost calls of the function that ended since the section began were charged with: takes all of it from a sum; and more of it. */
void off_take_section_total(struct thread *thread, uint32_t function, struct profile_off *from);
void off_add_section_total(struct thread *thread, uint32_t function, const struct profile_off *total);

#endif
