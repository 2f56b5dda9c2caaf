/* SPDX-License-Identifier: MIT
 *
 * Patched sites: the room that compilers leave in functions for a call that is not there yet.
 *
 *     gcc -pg -mfentry -minstrument-return=nop5      a call of __fentry__ (or a nop), and a nop before each return and tail jump
 *     gcc -specs=gcc.specs                           the same, and the assembler makes nops of the calls (mk/gcc-sites.s)
 *     clang -fxray-instrument                        sleds: a jump over nops; a return with nops behind it
 *     -fpatchable-function-entry=5                   nops at the entry, and nothing at the exits
 *     gcc -pg -mfentry                               a call of __fentry__ at the entry, and nothing at the exits
 *
 * The last two give no durations: their calls are counted, and where they came from (dwell_trace_entry).
 *
 * They are found in the code itself (sites_find.c), by walking through each function that has one at its entry. The tables that compilers
 * can make of them (__mcount_loc, __return_loc, xray_instr_map) are not asked for: they make the dynamic linker change text or are thrown
 * away by --gc-sections, name no function, and have to be looked for in the file, since no program header tells of them.
 *
 * Each function gets three thunks of 16 bytes, within reach: they say which event it is, as the low word of its slot, and jump to the stub.
 * So an exit carries the same place as its enter, wherever it stands, and the stub reads neither a table nor a return address.
 *
 * When a file is adopted, its sites get their last form but for one byte, the gate: call thunk (e8), or test $…, %eax with the same four
 * bytes behind it (a9), which changes the flags and nothing else; nobody's flags are alive there. Of a sled with a return it is call thunk;
 * ret or ret. So turning a site on or off is a store of one byte, which other threads may run into at any time, and which somebody
 * outside can do, too (control.h).
 */
#ifndef DWELL_X86_64_SITES_H
#define DWELL_X86_64_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "port/os/linux/control.h"
#include "port/os/linux/extents.h"
#include "port/os/linux/image.h"

/* Numbers that control.h knows, too. */
enum site_kind {
	SITE_NONE,
	/* At the entry. */
	SITE_CALL,       /* 6 bytes: call *__fentry__@GOTPCREL(%rip), addr32 call __fentry__ */
	SITE_CALL_SHORT, /* 5 bytes: call __fentry__ */
	SITE_NOP,        /* 5 bytes of nop */
	SITE_SLED,       /* 11 bytes: a jump over nops */
	/* At an exit. */
	SITE_RETURN,      /* 5 bytes of nop before a return */
	SITE_TAIL,        /* before a jump, which may use any register that a call does not keep */
	SITE_SLED_RETURN, /* 11 bytes: a return, nops */
	SITE_SLED_TAIL,   /* as SITE_SLED, before a jump */
	/* At an entry, too: one nop of 6 bytes, and of more, up to 10. */
	SITE_NOP_6,
	SITE_NOP_10 = SITE_NOP_6 + 4,
};

static inline bool site_is_entry(enum site_kind kind)
{
	return kind <= SITE_SLED || kind >= SITE_NOP_6;
}

#define SITE_BLOCKS_MAX 400 /* three million sites */

static inline enum site_kind site_kind(const struct dwell_site *site)
{
	return (enum site_kind)(site->what & 15);
}

/* What was found in a module. */
struct sites_found {
	struct dwell_site_block *blocks[SITE_BLOCKS_MAX];
	uint32_t block_count;
	uint32_t functions;  /* with an entry that is used; their indexes are in order of address */
	uint32_t skipped;    /* functions with code that is not understood */
	uint32_t kinds;      /* 1 << enum site_kind */
	uint32_t entries;    /* of those that are used: without a site at their exits */
	uint32_t entry_only; /* functions without one whose entry may only look like a site, which are left as they are */
	uint32_t doubled;    /* functions that are not used since they call hooks, too */
};

/* Is called with the start of each function, by index. */
typedef void sites_function(void *context, uint64_t start, bool entry_only);

/* Walks through the code of a module that nobody has patched. Functions that call hook, the enter hook of -finstrument-functions, are left
 * to it; 0: none do. What was found stays until sites_forget. False: too many, or no memory.
 * Context: any thread, one at a time; 10 to 20 ns a byte of hooked code. */
bool sites_find(const struct image *image, uint64_t hook, struct sites_found *found, sites_function *each, void *context)
	__attribute__((visibility("hidden")));
/* How many functions of a module have a site at their entry: 0: no need to look further. */
uint32_t sites_count(const struct image *image) __attribute__((visibility("hidden")));

/* A block that nobody uses, its base 0; null: no memory. Blocks are in the list of control.h for ever, and used again. */
struct dwell_site_block *sites_take_block(void) __attribute__((visibility("hidden")));
void sites_forget(struct sites_found *found) __attribute__((visibility("hidden")));

/* Turns the sites of one function (its index in the module) off, and keeps them so. False: the system does not let them be changed. */
bool sites_mute_function(struct dwell_site_block *block, uint32_t index) __attribute__((visibility("hidden")));
/* Turns all sites of all modules on or off. Context: any thread, any signal. */
void sites_switch_all(bool on) __attribute__((visibility("hidden")));

#endif
