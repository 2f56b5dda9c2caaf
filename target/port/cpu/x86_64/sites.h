/* SPDX-License-Identifier: MIT
 *
 * Patched sites: places in functions where the compiler left room for a call.
 *
 *     gcc -pg -mfentry -minstrument-return=nop5      a call of __fentry__ (or a nop), and a nop before each return and tail jump
 *     gcc -specs=gcc.specs                           the same, and the assembler makes nops of the calls (mk/gcc-sites.s)
 *     clang -fxray-instrument                        sleds: a jump over nops; a return with nops behind it
 *     -fpatchable-function-entry=5                   nops at the entry, and nothing at the exits
 *     gcc -pg -mfentry                               a call of __fentry__ at the entry, and nothing at the exits
 *
 * The last two give no durations: dwell records the number of calls and their call sites (dwell_trace_entry).
 *
 * sites_find.c finds sites in the code itself: it walks through each function that has a site at its entry. It does not read
 * the tables that compilers can make of sites (__mcount_loc, __return_loc, xray_instr_map): such tables make the dynamic
 * linker change text or are thrown away by --gc-sections, name no function, and must be searched in the file, since no
 * program header points to them.
 *
 * Each function gets three thunks of 16 bytes, within reach of the function. A thunk stores the low word of the event's slot
 * and jumps to the stub. So an exit carries the same place as its enter, wherever the exit is, and the stub reads neither a
 * table nor a return address.
 *
 * When a module is adopted, its sites get their final form except for one byte, the gate: call thunk (e8), or test $…, %eax (a9)
 * with the same four bytes behind it, which changes only the flags; no flags are alive there. A sled with a return becomes call
 * thunk; ret or just ret. So one byte turns a site on or off, while other threads may run the site, and a process outside can
 * store it, too (control.h).
 */
#ifndef DWELL_X86_64_SITES_H
#define DWELL_X86_64_SITES_H

#include <stdbool.h>
#include <stdint.h>

#include "port/os/linux/control.h"
#include "port/os/linux/extents.h"
#include "port/os/linux/image.h"

/* control.h uses these numbers, too. */
enum site_kind {
	SITE_NONE,
	/* At an entry. */
	SITE_CALL,       /* 6 bytes: call *__fentry__@GOTPCREL(%rip), addr32 call __fentry__ */
	SITE_CALL_SHORT, /* 5 bytes: call __fentry__ */
	SITE_NOP,        /* 5 bytes of nop */
	SITE_SLED,       /* 11 bytes: a jump over nops */
	/* At an exit. */
	SITE_RETURN,      /* 5 bytes of nop before a return */
	SITE_TAIL,        /* before a tail jump, which may use any register that calls do not preserve */
	SITE_SLED_RETURN, /* 11 bytes: a return, nops */
	SITE_SLED_TAIL,   /* as SITE_SLED, before a jump */
	/* Also at an entry: one nop of 6 bytes, and of 7 to 10. */
	SITE_NOP_6,
	SITE_NOP_10 = SITE_NOP_6 + 4,
};

static inline bool site_is_entry(enum site_kind kind)
{
	return kind <= SITE_SLED || kind >= SITE_NOP_6;
}

/* Whether [begin, end) is code of the module. */
static inline bool site_is_code(const struct image *image, uint64_t begin, uint64_t end)
{
	for (unsigned i = 0; i < image->header_count; i++) {
		const ElfW(Phdr) *header = image->headers + i;
		uint64_t low = image->bias + header->p_vaddr;

		if (header->p_type == PT_LOAD && (header->p_flags & PF_X) && begin >= low && begin < end &&
			end <= low + header->p_filesz)
			return true;
	}
	return false;
}

/* Whether a function that starts here may have a site at its entry, by its first bytes: those of a nop, call, sled, endbr64 or push
 * of r10. */
static inline bool site_may_begin(const struct image *image, uint64_t start)
{
	const uint8_t *code = (const uint8_t *)start;
	const char *first = "\x0f\x2e\x66\x90\x67\xe8\xff\xeb\xf3";

	if (!site_is_code(image, start, start + 2) || (code[0] == 0x41 && code[1] == 0x52))
		return true;
	while (*first && (uint8_t)*first != code[0])
		first++;
	return *first;
}

#define SITE_BLOCKS_MAX 400 /* three million sites */

static inline enum site_kind site_kind(const struct dwell_site *site)
{
	return (enum site_kind)(site->function_kind & 15);
}

/* The sites of a module. */
struct sites_found {
	struct dwell_site_block *blocks[SITE_BLOCKS_MAX];
	uint32_t block_count;
	uint32_t functions; /* functions whose sites are used; their indexes rise with their addresses */
	uint32_t skipped;   /* functions left alone, since their code could not be decoded */
	uint32_t kinds;     /* bits 1 << enum site_kind */
	uint32_t entries;   /* functions used that have no site at their exits */
	uint32_t doubled;   /* functions left alone, since they call hooks, too */
};

/* Called with the start of each function, in order of index. */
typedef void sites_function(void *context, uint64_t start, bool entry_only);

/* Finds the sites in the code of a module that is not patched yet. hook: the enter hook of -finstrument-functions; functions with
 * calls of the hook are left alone; 0: no function calls hooks. The result stays until sites_forget. False: too many sites, or no
 * memory.
 * Context: any thread, one at a time; 10 to 20 ns for each byte of hooked code. */
bool sites_find(const struct image *image, uint64_t hook, struct sites_found *found, sites_function *each, void *context)
	__attribute__((visibility("hidden")));
/* Returns how many functions of a module have a site, or something like one, at their entry. 0: sites_find would find nothing. */
uint32_t sites_count(const struct image *image) __attribute__((visibility("hidden")));

/* Returns the module's last block that has room for a site; a new block has no sites, and base 0. Null: too many, or no memory.
 * Blocks stay in the list of control.h for ever, and are reused. */
struct dwell_site_block *sites_open_block(struct sites_found *found) __attribute__((visibility("hidden")));
void sites_forget(struct sites_found *found) __attribute__((visibility("hidden")));

/* Turns the entries or the exits of one function off for good (index: its index in the module); or makes them follow
 * sites_switch_all again. False: the system refuses the change. */
bool sites_mute_function(struct dwell_site_block *block, uint32_t index, bool exits, bool mute) __attribute__((visibility("hidden")));
/* Turns all sites of all modules on or off, except muted ones. Context: any thread, any signal. */
void sites_switch_all(bool on) __attribute__((visibility("hidden")));

#endif
