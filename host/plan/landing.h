/* landing: the landing pads of a function, where code continues when an exception passes through. From the call-site table, as
 * GCC and Clang write it (.gcc_except_table). Internal to plan/. */
#ifndef DWELL_HOST_PLAN_LANDING_H
#define DWELL_HOST_PLAN_LANDING_H

#include "plan/image.h"

/* Calls add for each landing pad of the entry: with the place of the pad (at), and the code whose exceptions land there (from, to).
 * Returns false if the table makes no sense, so that further landing pads may exist, or if add returned false. */
typedef bool plan_add_landing(void *context, uint32_t at, uint32_t from, uint32_t to);
bool plan_landings(const struct plan_image *image, const struct cfi_entry *entry, plan_add_landing *add, void *context);

#endif
