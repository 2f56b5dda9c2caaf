/* SPDX-License-Identifier: MIT
 *
 * What is kept of a module's sites, and what sites that a compiler left room for (sites.c) and those of a plan (planned.c) have in common.
 */
#ifndef DWELL_X86_64_SITES_INNER_H
#define DWELL_X86_64_SITES_INNER_H

#include "port/cpu/x86_64/sites.h"
#include "port/cpu/x86_64/stubs.h"

#define FUNCTION_BYTES (DWELL_SITE_THUNKS * DWELL_SITE_THUNK_BYTES)
#define SLOW_JUMP_BYTES (3 * DWELL_SITE_THUNK_BYTES) /* behind the thunks */

struct sites {
	uint64_t low;
	struct sites_found found;
	struct stubs stubs;
	uint32_t room; /* functions that the thunks have room for */
	bool window;
	const uint8_t *jump; /* of a plan: one of the jumps in the module's code; null: gates are there themselves */
	uint32_t jump_distance;
	struct dwell_changes *changes; /* of a plan, where somebody is to find the code as it was; null: none */
	const struct dwell_plan *plan; /* that is needed while it runs; null: none */
	uint8_t *code;                 /* of the plan */
	uint64_t sum;                  /* of the plan's sites, to know it by */
};

struct thunk_maker {
	struct sites *sites;
	uint32_t count;
	bool keeps; /* nothing is known of what is alive at an exit: all registers are kept */
	void *slow_window, *slow_entry;
	void *slow_values; /* null: not wanted */
};

/* Zeroed; null: no memory. */
struct sites *sites_make(void) HIDDEN;
/* The stubs are there, and room for the thunks of so many functions: what the thunks go to where stubs will not do. */
struct thunk_maker sites_begin_thunks(struct sites *sites, bool keeps) HIDDEN;
/* Those of the next function, in order of address. */
void sites_make_thunks(struct thunk_maker *maker, uint64_t start, bool entry_only) HIDDEN;
/* All of them, on if recording is. Nobody runs them. */
void sites_write_gates(const struct sites *sites) HIDDEN;
/* Has the module's code be written to, or run again. alone: no other thread runs. */
bool sites_protect(const struct image *image, bool write, bool alone) HIDDEN;
/* Every processor that runs this process forgets what it has fetched. False: the kernel cannot. */
bool sites_synchronize(void) HIDDEN;
/* Of a plan: the function of that index is muted, and has its own bytes again where it can. By one thread at a time; any signal. */
void planned_take_out(struct sites *sites, uint32_t index) HIDDEN;
/* The unwind tables of a plan's code, which is mapped for good: its index. Nobody runs the code yet, or who does was stopped. */
void plan_frames_add(uint64_t low, uint64_t high, uint8_t *index, uint32_t bytes) HIDDEN;
/* What recording costs may be measured with its thunks. */
void sites_note_measured(const struct sites *sites) HIDDEN;

static inline uint32_t get32(const uint8_t *from)
{
	uint32_t value;

	__builtin_memcpy(&value, from, sizeof value);
	return value;
}

#endif
