/* SPDX-License-Identifier: MIT
 *
 * A plan: changes to the code of a file without hooks, so that dwell can record the calls of the file's functions. The host makes a
 * plan once for each build (host/plan/), from the file's unwind tables and instructions; the agent only applies the plan.
 *
 *     dwell_plan · dwell_plan_function[] · dwell_plan_site[] · fixups, uint32_t[] · code · frames
 *
 * A site is a place where the first bytes of one or more instructions become a jump into the code of the plan. The plan's code
 * holds the moved instructions, a gate, and the way back. A gate is five bytes, as at patched sites: a call of one thunk of the
 * function (control.h), or test $…, %eax, without effect.
 *
 *     at an entry   gate · moved instructions · jump back          no instruction of the function has run yet
 *     at an exit    moved instructions · gate · the return, or the tail jump
 *
 * At both, nothing is alive below the stack pointer, and no flags are alive. Any register may be alive, so a gate keeps all
 * registers.
 *
 * In a small function the moved instructions may include the exit, or even two exits. Then the code of the site has a gate for each
 * exit, and each further gate is a separate site without changed bytes. If a function's first bytes hold a call, the call is not
 * moved, but redirected into the code: gate · jump to the callee. The return address does not change.
 *
 * The agent maps, within reach of the module and in this order: stubs (one page), thunks, code, frames. The host knows all
 * distances in the mapping, so only references from the code into the module need fixups.
 *
 * Addresses are offsets from the module's base: the page of its lowest loaded address. Numbers are little-endian. A reader checks
 * everything: the file with the plan may come from an untrusted user.
 */
#ifndef DWELL_LINUX_PLAN_H
#define DWELL_LINUX_PLAN_H

#include <stdint.h>

#include "control.h" /* beside plan.h, for the host, too */

#define DWELL_PLAN_MAGIC 0x314e414c504c5744ull /* "DWLPLAN1" */
#define DWELL_PLAN_VERSION 5u                  /* rises with any change of the format */
#define DWELL_PLAN_STUB_BYTES 4096u
#define DWELL_PLAN_THUNK_BYTES 48u             /* for each function */
#define DWELL_PLAN_FUNCTIONS_MAX (1u << 20)
#define DWELL_PLAN_SITES_MAX (1u << 22)
#define DWELL_PLAN_CODE_MAX (1u << 28)
#define DWELL_PLAN_OLD_BYTES 13u

struct dwell_plan {
	uint64_t magic;
	uint32_t version;
	uint32_t machine; /* ELF e_machine */
	uint64_t bytes;   /* size of the whole plan */
	uint64_t image_bytes; /* from the module's base to the end of its last loaded byte */
	uint32_t build_id_bytes; /* 0: the file has no build-id, and only the path identifies the file */
	uint8_t build_id[20];
	/* Bytes of code in the file, and of timed functions. For the host only. */
	uint64_t text_bytes, timed_bytes;
	/* Each array begins at a multiple of 8 from the beginning of the plan. */
	uint32_t function_count, site_count, fixup_count, code_bytes, frames_bytes;
	/* Number of functions, changed or not, that can jump out of their callers without libc's longjmp: the recorder does not
	 * notice the landing. For the host only. */
	uint32_t leaving_count;
	uint64_t functions, sites, fixups, code, frames;
};

/* In order of address. Functions left alone are not listed. */
struct dwell_plan_function {
	uint32_t start; /* start of the function's unwind entry: the identity in recordings */
	uint32_t flags;
};
#define DWELL_PLAN_COUNTED 1u /* only the entry is changed: calls are counted, without durations */

enum dwell_plan_kind {
	DWELL_PLAN_ENTRY = 1,
	DWELL_PLAN_RETURN = 2,
	DWELL_PLAN_TAIL = 3, /* the function leaves by a jump */
	/* A jump in unused bytes (filler between functions, an unreachable nop), or in the moved instructions of one site, behind
	 * the site's own jump: the target of another site's short jump. No gate. */
	DWELL_PLAN_ROOM = 4,
	/* Instructions moved because one jumps into the moved instructions of another site or to the function's entry, or only to
	 * leave room behind the site's jump. No gate. */
	DWELL_PLAN_DETOUR = 5,
	DWELL_PLAN_CALL = 6, /* an entry whose first call is redirected into the code: five bytes, still call rel32 */
};

/* In order of `at`; no two share a byte. */
struct dwell_plan_site {
	uint32_t at;       /* first changed byte; without changed bytes: the address of the moved exit */
	/* Destination of the jump, in the code of the plan; for a short jump, the `at` of its room. */
	uint32_t code;
	uint32_t gate;     /* offset of the gate in the code */
	uint32_t function; /* index of the function */
	uint8_t kind;      /* enum dwell_plan_kind */
	/* Number of changed bytes: 5, jmp or call rel32; 2, jmp rel8; or 0. With 0, the site is only a gate at a moved exit. Either
	 * the gate is a further one in the code of the site whose moved instructions hold `at`; then the next site may have the
	 * same `at`. Or all jumps lead to the moved exit, and none to the old address. */
	uint8_t changed;
	/* 0: nothing changes; else the size of the moved instructions and of the changed bytes behind the instructions. old holds
	 * at most the first DWELL_PLAN_OLD_BYTES. */
	uint8_t old_bytes;
	/* The bytes in the file: if memory differs, the module is left alone. */
	uint8_t old[DWELL_PLAN_OLD_BYTES];
};
_Static_assert(sizeof(struct dwell_plan_site) == 32, "plan: site");

/* A fixup stands for four bytes of the code that depend on the module's address: the offset in the code and, in the two high bits,
 * the kind. */
#define DWELL_PLAN_FIXUP_AT(fixup) ((fixup)&0x3fffffffu)
#define DWELL_PLAN_FIXUP_KIND(fixup) ((fixup) >> 30)
enum dwell_plan_fixup {
	DWELL_PLAN_RELATIVE = 0, /* a displacement, computed as if the code began at the module's base */
	DWELL_PLAN_LOW = 1,      /* an offset in the module: becomes the low half of the address … */
	DWELL_PLAN_HIGH = 2,     /* … or the high half */
};

/* The last bytes of the page of stubs, in every mapping of stubs. The bytes lead a sampling process to the unwind tables of the
 * plan's code, which is in no file. */
struct dwell_mapped {
	uint64_t magic;
	uint64_t bytes;  /* size of the mapping, including the page */
	/* Offset of the plan's frames from the page's first byte. 0: no frames, and the return address is on top of the stack
	 * everywhere in the mapping. */
	uint64_t frames;
	uint64_t frames_bytes;
};
#define DWELL_MAPPED_MAGIC 0x50414d4c4c455744ull /* "DWELLMAP" */
#define DWELL_MAPPED_AT (DWELL_PLAN_STUB_BYTES - sizeof(struct dwell_mapped))

/* The frames are an index as linkers write it (.eh_frame_hdr), sorted, followed by an .eh_frame section that ends with four zeros.
 * The frames start at the first multiple of 8 behind the code. All addresses are relative, of four bytes: in the section to the
 * address's own position (DW_EH_PE_pcrel | DW_EH_PE_sdata4), in the index to the index. The frames cover the code, and the stubs
 * and thunks in front of the code. In stubs and thunks, the return address is on top of the stack. */
static inline uint64_t dwell_plan_bytes_in_front(uint32_t function_count)
{
	return DWELL_PLAN_STUB_BYTES + (function_count + 1ull) * DWELL_PLAN_THUNK_BYTES;
}

#endif
