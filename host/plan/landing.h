/* landing: where code goes on when an exception passes through it: landing pads, by the call-site table of each function, as GCC and
 * Clang write it (.gcc_except_table). Internal to plan/. */
#ifndef DWELL_HOST_PLAN_LANDING_H
#define DWELL_HOST_PLAN_LANDING_H

#include "plan/image.h"

/* Calls add for each landing pad of the entry: where it is, and from where to where it is that of what is thrown there. False: the table
 * makes no sense, and there may be others; add may have said no, too. */
typedef bool plan_add_landing(void *context, uint32_t at, uint32_t from, uint32_t to);
bool plan_landings(const struct plan_image *image, const struct cfi_entry *entry, plan_add_landing *add, void *context);

#endif
