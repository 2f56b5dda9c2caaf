/* landing: finds the landing pads of a function: the places where the code continues when an exception passes through. Reads the
 * call-site table of GCC and Clang (.gcc_except_table). Internal to plan/. */
#ifndef DWELL_HOST_PLAN_LANDING_H
#define DWELL_HOST_PLAN_LANDING_H

#include "plan/image.h"

/* Calls add for each landing pad of the entry: with the place of the pad (at), and the code [from, to) with exceptions to this pad.
 * Returns true without a table. Returns false if the table is damaged, so that further landing pads may exist, or if add returned
 * false. */
typedef bool plan_add_landing(void *context, uint32_t at, uint32_t from, uint32_t to);
bool plan_landings(const struct plan_image *image, const struct cfi_entry *entry, plan_add_landing *add, void *context);

#endif
