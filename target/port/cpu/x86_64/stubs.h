/* SPDX-License-Identifier: MIT
 *
 * Copies of the stubs of stub.S, within reach of a module and filled in. Made at the start and when a module is adopted,
 * by one thread at a time.
 */
#ifndef DWELL_X86_64_STUBS_H
#define DWELL_X86_64_STUBS_H

#include <stdbool.h>
#include <stdint.h>

#include "port/os/linux/agent.h"

#define PAGE 4096ull

struct stubs {
	uint8_t *page;
	uint64_t bytes; /* of the page and the room behind the page */
	void *enter, *exit;         /* of -finstrument-functions */
	void *site, *site_keeping;  /* of patched sites */
	uint8_t *thunks;            /* room behind the stubs */
};

/* Makes stubs, with `more` bytes of room behind the stubs, within 32-bit displacements of [low, high) in both directions. Writable,
 * not yet executable. With a filter, the stubs of hooks look functions up in its map first. False: no room within reach. */
bool stubs_make(uint64_t low, uint64_t high, uint64_t more, struct stubs *stubs) HIDDEN;
/* Stores the offset and size of the unwind tables of the code behind the page (struct dwell_mapped); 0: none
 * needed. Before stubs_seal. */
void stubs_set_frames(const struct stubs *stubs, uint64_t frames, uint64_t frames_bytes) HIDDEN;
/* Makes the page executable, and adds its gates to the switch. False: the system refuses; the page is unmapped. */
bool stubs_seal(struct stubs *stubs) HIDDEN;
/* Returns the first stubs ever made, for callers that can use any; null fields: none yet. */
struct stubs stubs_general(void) HIDDEN;

/* Helpers for writing code. */
static inline void put32(uint8_t *to, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

#define CODE_RET 0xc3

#endif
