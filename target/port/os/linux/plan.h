/* SPDX-License-Identifier: MIT
 *
 * A plan: what is changed in the code of one file so that the calls of its functions are recorded, although nobody compiled it for that.
 * The host makes it (host/plan/), from the file's unwind tables and instructions, once for each build; the agent only applies it.
 *
 *     dwell_plan · dwell_plan_function[] · dwell_plan_site[] · fixups, uint32_t[] · code · frames
 *
 * A site is a place where the first bytes of one or more instructions become a jump into the code of the plan. There stand the
 * instructions that were moved, a gate, and the way back. A gate is five bytes, as those of patched sites are: a call of one of the three
 * thunks of its function (control.h), or test $…, %eax, which does nothing.
 *
 *     at an entry   gate · moved instructions · jump back          nothing of the function has run yet
 *     at an exit    moved instructions · gate · the return, or the tail jump
 *
 * At both, nothing is alive below the stack pointer, and no flags are. All registers may be, and are kept.
 *
 * The moved instructions of a small function hold its exit, too, and those of other places two exits: the code of a site has a gate for
 * each, and a further gate is a site of its own that changes no byte. Where a call stands in a function's first bytes it is not moved,
 * but leads into the code: gate · jump to who is called; its return address is what it was.
 *
 * What the agent maps within reach of the module, in this order: stubs (one page), thunks, code, frames. Distances within that are known
 * to whoever makes the plan, so only what leads from the code into the module has to be fixed.
 *
 * Addresses are offsets from the module's base: the page of its lowest loaded address.
 * Numbers are little-endian. Everything is checked by who reads it: a plan comes from a file that anybody may have written.
 */
#ifndef DWELL_LINUX_PLAN_H
#define DWELL_LINUX_PLAN_H

#include <stdint.h>

#include "control.h" /* beside this one, for the host, too */

#define DWELL_PLAN_MAGIC 0x314e414c504c5744ull /* "DWLPLAN1" */
#define DWELL_PLAN_VERSION 3u                  /* goes up with any change of what is described here */
#define DWELL_PLAN_STUB_BYTES 4096u
#define DWELL_PLAN_THUNK_BYTES 48u             /* of a function */
#define DWELL_PLAN_FUNCTIONS_MAX (1u << 20)
#define DWELL_PLAN_SITES_MAX (1u << 22)
#define DWELL_PLAN_CODE_MAX (1u << 28)
#define DWELL_PLAN_OLD_BYTES 13u

struct dwell_plan {
	uint64_t magic;
	uint32_t version;
	uint32_t machine; /* ELF e_machine */
	uint64_t bytes;   /* of the whole plan */
	uint64_t image_bytes; /* from the module's base to the end of its last loaded byte */
	uint32_t build_id_bytes; /* 0: the file has none, and its path alone tells */
	uint8_t build_id[20];
	/* Each array begins at a multiple of 8, from the beginning of the plan. */
	uint32_t function_count, site_count, fixup_count, code_bytes, frames_bytes;
	uint32_t leaving_count; /* functions of the file, also such as are left alone, that can jump out of their callers, and not by
	                           libc's longjmp: where that lands, the recorder does not see. Only the host asks */
	uint64_t functions, sites, fixups, code, frames;
};

/* In order of address. Functions that are left alone are not in here. */
struct dwell_plan_function {
	uint32_t start; /* as its unwind entry has it: what the recording calls it by */
	uint32_t flags;
};
#define DWELL_PLAN_COUNTED 1u /* only its entry is changed: calls are counted, without durations */

enum dwell_plan_kind {
	DWELL_PLAN_ENTRY = 1,
	DWELL_PLAN_RETURN = 2,
	DWELL_PLAN_TAIL = 3, /* what the function leaves by is a jump */
	DWELL_PLAN_ROOM = 4, /* a jump in what nobody runs, between functions: the short jump of another site leads here. No gate */
	DWELL_PLAN_DETOUR = 5, /* instructions that had to be moved since they jump into those of another site. No gate */
	DWELL_PLAN_CALL = 6, /* an entry whose first call becomes one of the code: five bytes, call rel32 as before */
};

/* In order of `at`; no two have a byte in common. */
struct dwell_plan_site {
	uint32_t at;       /* the first byte that changes */
	uint32_t code;     /* where the jump leads, in the code of the plan; of a short jump: the `at` of its room */
	uint32_t gate;     /* in the code */
	uint32_t function; /* its index */
	uint8_t kind;      /* enum dwell_plan_kind */
	uint8_t changed;   /* bytes that change: 5, jmp rel32; 2, jmp rel8; or 0: one more gate: in the code of the site whose moved
	                      instructions hold `at`, which may be that of the next site, too; or of an exit that nothing
	                      leads to any more, since that was moved */
	uint8_t old_bytes; /* 0 where nothing changes; else of the instructions that were moved, and of what changes behind them; of
	                      more than DWELL_PLAN_OLD_BYTES only the first are here */
	uint8_t old[DWELL_PLAN_OLD_BYTES]; /* these, as they are in the file: where memory differs the module is left alone */
};
_Static_assert(sizeof(struct dwell_plan_site) == 32, "plan: site");

/* A fixup is the offset in the code of four bytes that depend on where the module is, with what they are in the two high bits. */
#define DWELL_PLAN_FIXUP_AT(fixup) ((fixup)&0x3fffffffu)
#define DWELL_PLAN_FIXUP_KIND(fixup) ((fixup) >> 30)
enum dwell_plan_fixup {
	DWELL_PLAN_RELATIVE = 0, /* a displacement, as it would be if the code began at the module's base */
	DWELL_PLAN_LOW = 1,      /* an offset in the module, to become the low half of its address … */
	DWELL_PLAN_HIGH = 2,     /* … or the high half */
};

/* The last bytes of the page of stubs, whatever is behind it: by them somebody who samples the process finds the tables of this code, which
 * is in no file. */
struct dwell_mapped {
	uint64_t magic;
	uint64_t bytes;  /* that are mapped, the page included */
	uint64_t frames; /* where the frames of the plan are, from the page's first byte on. 0: there are none, and the return address is on
	                    top of the stack everywhere in here */
	uint64_t frames_bytes;
};
#define DWELL_MAPPED_MAGIC 0x50414d4c4c455744ull /* "DWELLMAP" */
#define DWELL_MAPPED_AT (DWELL_PLAN_STUB_BYTES - sizeof(struct dwell_mapped))

/* The frames are an index as linkers write it (.eh_frame_hdr), sorted, and behind it an .eh_frame section that ends with four zeros. They
 * stand at the first multiple of 8 behind the code; all addresses in them are relative, of four bytes: those of the section to where they
 * stand (DW_EH_PE_pcrel | DW_EH_PE_sdata4), those of the index to the index. They cover the code, and what stands in front of it, where the
 * return address is on top. */
static inline uint64_t dwell_plan_bytes_in_front(uint32_t function_count)
{
	return DWELL_PLAN_STUB_BYTES + (function_count + 1ull) * DWELL_PLAN_THUNK_BYTES;
}

#endif
