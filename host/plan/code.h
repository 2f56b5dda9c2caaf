/* code: what is known of each byte of an image's code: where instructions begin, what leads there. And the entries of its unwind tables,
 * of which functions are made. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_CODE_H
#define DWELL_HOST_PLAN_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/insn.h"

enum plan_byte {
	BYTE_INSN = 1, /* an instruction begins here */
	BYTE_TARGET = 2, /* something leads here … */
	BYTE_FIXED = 4, /* … and it is not only direct jumps and branches in functions, which could be led elsewhere */
	BYTE_CALLED = 8, /* a direct call does */
	BYTE_TAKEN = 16, /* or a pointer in code */
	BYTE_FREE = 32, /* nobody runs this: padding between functions, or in one */
	BYTE_USED = 64, /* a plan moves the instruction that this is of, or changes this */
	BYTE_POINTED = 128, /* a pointer in data leads here */
};
#define BYTE_PINNED (BYTE_FIXED | BYTE_CALLED | BYTE_TAKEN | BYTE_POINTED)

struct plan_entry {
	uint32_t low, high;
	struct cfi_entry cfi;
	uint32_t group; /* index of the first entry of its group: of entries that jump into each other */
	uint32_t next; /* index of the next of its group; UINT32_MAX: it is the last */
	bool is_function; /* something calls it or points to it, or nothing leads to it; else it is a part of what jumps into it */
	bool is_candidate; /* to be one, while that is found out */
	bool is_linkage, overlaps;
	bool is_restartable; /* the kernel may start something in it again */
	bool is_code; /* instructions fill it */
	bool has_indirect; /* jumps */
	bool uses_red_zone;
	bool is_pointed; /* a relocation points to its first byte */
};

/* A jump or branch from one entry into another. */
struct plan_edge {
	uint32_t from, to; /* places */
};

/* An indirect jump, and what is known of it (value.h). */
struct plan_jump_found {
	uint32_t at;
	uint8_t kind;
};

struct plan_code {
	const struct plan_image *image;
	uint8_t *flags; /* of each byte from low on */
	uint32_t low, high;
	struct plan_entry *entries; /* in order of address */
	size_t count, capacity;
	struct plan_spans guarded; /* what is thrown there lands in the same function. Sorted */
	struct plan_spans tables; /* of jumps, in data. Sorted, once all are known */
	size_t entry_tables; /* of these, the first of the entry that is looked at */
	struct plan_jump_found *jumps; /* in order of place */
	size_t jump_count, jump_capacity;
	struct plan_edge *edges;
	size_t edge_count, edge_capacity;
	size_t direct_count; /* edges up to here are direct jumps, in order of `to` */
};

/* Reads all code of the image, which must live as long. False: no memory.
 * post: to be cleared with plan_code_clear in any case. */
bool plan_code_read(struct plan_code *code, const struct plan_image *image);
void plan_code_clear(struct plan_code *code);

/* pre: code->low ≤ at < code->high, as is every place in an entry. */
static inline uint8_t *plan_code_at(const struct plan_code *code, uint32_t at)
{
	return &code->flags[at - code->low];
}
static inline bool plan_code_has(const struct plan_code *code, uint32_t at)
{
	return at >= code->low && at < code->high;
}
/* Something leads to the place, if it is one of code. */
static inline void plan_code_mark(const struct plan_code *code, uint32_t at, unsigned how)
{
	if (plan_code_has(code, at))
		*plan_code_at(code, at) |= (uint8_t)(how | BYTE_TARGET);
}
/* Whether a direct jump or branch from another entry leads there. */
bool plan_code_is_led_to(const struct plan_code *code, uint32_t at);
bool plan_code_add_edge(struct plan_code *code, uint32_t from, uint32_t to);
/* Marks what pointers in data lead to, other than those in tables of jumps. */
void plan_code_mark_pointed(struct plan_code *code);
/* The entry that holds the place; null: none. */
struct plan_entry *plan_code_find(const struct plan_code *code, uint32_t at);

#endif
