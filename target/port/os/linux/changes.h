/* SPDX-License-Identifier: MIT
 *
 * Code that somebody else changes, who has stopped all threads, and changes back in the end (control.h).
 */
#ifndef DWELL_LINUX_CHANGES_H
#define DWELL_LINUX_CHANGES_H

#include "port/os/linux/agent.h"

/* Room for so many; base: of the file that they are in. Null: no memory. */
struct dwell_changes *changes_make(uint64_t base, uint32_t room) HIDDEN;
/* One more: the bytes there become these. */
void changes_add(struct dwell_changes *changes, const uint8_t *at, const uint8_t *bytes, uint32_t count, uint8_t flags) HIDDEN;
/* All of them are there. */
void changes_tell(struct dwell_changes *changes) HIDDEN;

#endif
