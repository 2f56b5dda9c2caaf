/* SPDX-License-Identifier: MIT
 *
 * Copies of the stubs of stub.S within reach of a module, filled in. Made at start and when a module is adopted, by one thread at a time.
 */
#ifndef DWELL_X86_64_STUBS_H
#define DWELL_X86_64_STUBS_H

#include <stdbool.h>
#include <stdint.h>

#include "port/os/linux/agent.h"

#define PAGE 4096ull

struct stubs {
	uint8_t *page;
	uint64_t bytes; /* of the page and what was asked for behind it */
	void *enter, *exit;         /* of -finstrument-functions */
	void *site, *site_keeping;  /* of patched sites */
	uint8_t *thunks;            /* room behind the stubs */
};

/* Stubs, and more bytes of room behind them, that [low, high) reaches with 32-bit displacements, and that reach it. Writable, not yet
 * executable. Where there is a filter, hooks look into its map first. False: there is no place. */
bool stubs_make(uint64_t low, uint64_t high, uint64_t more, struct stubs *stubs) HIDDEN;
/* Where the unwind tables of what is behind the page are (struct dwell_mapped), if it needs any. Before stubs_seal. */
void stubs_tell_frames(const struct stubs *stubs, uint64_t frames, uint64_t frames_bytes) HIDDEN;
/* Executable from now on, and switched with all others. False: the system refuses; they are gone. */
bool stubs_seal(struct stubs *stubs) HIDDEN;
/* The stubs that were made first, for who can do with any; null fields before that. */
struct stubs stubs_general(void) HIDDEN;

/* Writing of code. */
static inline void put32(uint8_t *to, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		to[i] = (uint8_t)(value >> 8 * i);
}

#define CODE_RET 0xc3

#endif
