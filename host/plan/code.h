/* code: facts about each byte of an image's code: where instructions begin, and what leads there. Also the entries of the
 * unwind tables, of which functions consist. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_CODE_H
#define DWELL_HOST_PLAN_CODE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "plan/insn.h"

enum plan_byte {
	BYTE_INSN = 1, /* an instruction begins here */
	BYTE_TARGET =
		2, /* a jump, a call, a pointer or a symbol leads to the byte. If none of BYTE_PINNED is set, only direct jumps and
			    branches of entries lead to the byte; a plan can redirect them */
	BYTE_FIXED = 4, /* a jump table, a landing pad, a label or code outside of entries leads to the byte; or an entry begins */
	BYTE_CALLED = 8, /* a direct call, a global symbol or the program's entry leads to the byte */
	BYTE_CODE_POINTER = 16, /* an instruction computes the address of the byte */
	BYTE_FREE = 32, /* this byte never runs: padding between or inside functions */
	BYTE_USED = 64, /* a region of a plan changes the byte or moves the instruction */
	BYTE_DATA_POINTER = 128, /* a pointer in data leads here */
};
/* Something leads to the byte that a plan cannot redirect. */
#define BYTE_PINNED (BYTE_FIXED | BYTE_CALLED | BYTE_CODE_POINTER | BYTE_DATA_POINTER)

/* An entry of the unwind tables: the code from low to high. */
struct plan_entry {
	uint32_t low, high; /* places */
	struct cfi_entry cfi; /* the record in the unwind tables */
	uint32_t group; /* index of the first entry of the group; entries of a group jump into each other */
	uint32_t next; /* index of the group's next entry; UINT32_MAX: the last one */
	bool is_function; /* something calls or points to this entry, or nothing leads there; otherwise the
	                     entry is a part of the functions that jump into it */
	bool is_candidate; /* may become a function; used while grouping */
	bool is_linkage, overlaps; /* consists of the linker's stubs (PLT); shares bytes with another entry */
	bool is_restartable; /* the kernel may restart a sequence in it */
	bool is_code; /* it consists of instructions only */
	bool has_indirect_jump; /* contains indirect jumps */
	bool uses_red_zone; /* uses memory below the stack pointer; a gate would overwrite the memory */
	bool is_timed;   /* the entry is recorded with times, or is a part of a function that is */
	bool is_pointed; /* a relocation points to its first byte */
	bool leaves_callers; /* its code can jump out of the function's callers (leave.h) */
	/* Only in the first entry of a group (flags.h): */
	bool reads_caller_flags; /* reads flags set by a caller */
	bool returns_flags; /* a caller reads the returned flags */
	bool flags_passed_on; /* jumps to a function with reads_caller_flags */
};

/* A jump or branch from one entry into another. */
struct plan_edge {
	uint32_t from, to; /* places */
};

/* An indirect jump, and the kind of the target. */
struct plan_classified_jump {
	uint32_t at;
	uint8_t kind; /* enum plan_jump */
};

/* The facts about all code of one image. Planning collects the facts step by step (make.c). */
struct plan_code {
	const struct plan_image *image;
	uint8_t *flags; /* for each byte from low to high: bits of enum plan_byte */
	uint32_t low, high; /* places: the first byte of all code, and the end of the last code */
	struct plan_entry *entries; /* sorted by address */
	size_t count, capacity;
	struct plan_spans guarded; /* code with landing pads in the same function; sorted */
	struct plan_spans tables; /* jump tables in data; sorted once all are found */
	size_t first_entry_table; /* index of the first table of the entry under examination */
	struct plan_classified_jump *jumps; /* sorted by place */
	size_t jump_count, jump_capacity;
	pthread_mutex_t edges_lock; /* protects the next three members while threads read code */
	struct plan_edge *edges;
	size_t edge_count, edge_capacity;
	size_t direct_edge_count; /* edges before this index are direct jumps, sorted by `to` */
};

/* Reads all code of the image, which must outlive the code. Returns false if out of memory.
 * post: needs plan_code_clear in any case. */
bool plan_code_read(struct plan_code *code, const struct plan_image *image);
void plan_code_clear(struct plan_code *code);

/* pre: code->low ≤ at < code->high, which holds for every place in an entry. */
static inline uint8_t *plan_code_at(const struct plan_code *code, uint32_t at)
{
	return &code->flags[at - code->low];
}
static inline bool plan_code_has(const struct plan_code *code, uint32_t at)
{
	return at >= code->low && at < code->high;
}
/* Marks a byte; several threads may mark it. pre: that of plan_code_at. */
static inline void plan_code_set(const struct plan_code *code, uint32_t at, unsigned flags)
{
	__atomic_fetch_or(plan_code_at(code, at), (uint8_t)flags, __ATOMIC_RELAXED);
}
/* Marks a place as a target, if it is in the code; several threads may mark it. */
static inline void plan_code_mark(const struct plan_code *code, uint32_t at, unsigned how)
{
	if (plan_code_has(code, at))
		plan_code_set(code, at, how | BYTE_TARGET);
}
/* Returns whether a direct jump or branch from another entry leads there. */
bool plan_code_has_jump_to(const struct plan_code *code, uint32_t at);
bool plan_code_add_edge(struct plan_code *code, uint32_t from, uint32_t to);
/* Marks the targets of pointers in data, except those in jump tables. */
void plan_code_mark_data_pointers(struct plan_code *code);
/* Returns the entry that contains the place; null: none. */
struct plan_entry *plan_code_find(const struct plan_code *code, uint32_t at);

#endif
