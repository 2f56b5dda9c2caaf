/* SPDX-License-Identifier: MIT
 *
 * The state of a module's sites, shared by sites that a compiler left room for (sites.c) and sites of a plan (planned.c).
 */
#ifndef DWELL_X86_64_SITES_INNER_H
#define DWELL_X86_64_SITES_INNER_H

#include "port/cpu/x86_64/sites.h"
#include "port/cpu/x86_64/stubs.h"

#define FUNCTION_BYTES (DWELL_SITE_THUNKS * DWELL_SITE_THUNK_BYTES)
#define SLOW_JUMP_BYTES (3 * DWELL_SITE_THUNK_BYTES) /* behind the thunks */

struct sites {
	uint64_t low; /* lowest address of the module */
	struct sites_found found;
	struct stubs stubs; /* with the thunks of the module's functions behind them */
	uint32_t room; /* number of functions that the thunks have room for */
	bool window;
	const uint8_t *jump; /* of a plan: one of the jumps in the module's code; null: the gates are in the module's code */
	uint32_t jump_distance;
	struct dwell_changes *changes; /* of a plan: if the process that records must change or restore the code; null: none */
	uint8_t *code; /* of the plan */
	uint64_t sum;  /* checksum of the plan's sites, to recognise the plan */
};

/* Writes the thunks of a module, function by function. */
struct thunk_maker {
	struct sites *sites;
	uint32_t count; /* functions that have their thunks */
	bool keeps; /* thunks keep all registers, since those that are alive at an exit are unknown */
	/* Jumps to the slow path: for events with a window, for functions without exits, for events with values. slow_values null:
	 * the session records no values. */
	void *slow_window, *slow_entry;
	void *slow_values;
};

/* Returns zeroed memory; null: none. */
struct sites *sites_make(void) HIDDEN;
/* pre: the stubs are there, and room for the thunks of sites->room functions. Writes the jumps to the
 * slow paths behind that room. */
struct thunk_maker sites_begin_thunks(struct sites *sites, bool keeps) HIDDEN;
/* Writes the thunks of the next function, in order of address. */
void sites_make_thunks(struct thunk_maker *maker, uint64_t start, bool entry_only) HIDDEN;
/* Writes the gates of all sites, on if recording is on. pre: no thread runs them. */
void sites_write_gates(const struct sites *sites) HIDDEN;
/* Makes the module's code writable, or executable only again. alone: no other thread runs. */
bool sites_protect(const struct image *image, bool write, bool alone) HIDDEN;
/* Adds the unwind tables of a plan's code, which stays mapped for ever; index is their .eh_frame_hdr. pre: no thread runs the code
 * yet, or all such threads are stopped. */
void plan_frames_add(uint64_t low, uint64_t high, uint8_t *index, uint32_t bytes) HIDDEN;
/* Allows overhead.c to measure the cost of recording with these thunks. */
void sites_note_measured(const struct sites *sites) HIDDEN;

static inline uint32_t get32(const uint8_t *from)
{
	uint32_t value;

	__builtin_memcpy(&value, from, sizeof value);
	return value;
}

#endif
