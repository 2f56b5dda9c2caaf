/* SPDX-License-Identifier: MIT
 *
 * Lists of changes to code or words. record makes the changes while all threads are stopped, and undoes the changes in the end
 * (control.h).
 */
#ifndef DWELL_LINUX_CHANGES_H
#define DWELL_LINUX_CHANGES_H

#include "port/os/linux/agent.h"

/* Makes an empty list with room for so many changes. base: lowest address of the file to be changed. The list stays for ever. Null:
 * no memory. */
struct dwell_changes *changes_make(uint64_t base, uint32_t room) HIDDEN;
/* Adds a change of count bytes (at most five) at address at, from old to new. flags: DWELL_CHANGE_… group: see control.h.
 * pre: the list has room. */
void changes_add(struct dwell_changes *changes, const uint8_t *at, const uint8_t *old, const uint8_t *new, uint32_t count,
	uint8_t flags, uint32_t group) HIDDEN;
/* Publishes the list in the control block, once it is complete. */
void changes_publish(struct dwell_changes *changes) HIDDEN;

#endif
