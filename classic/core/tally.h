/* SPDX-License-Identifier: MIT
 *
 * Tally: counts in which function the timer interrupted the program. It has a sorted table of the program's text symbols, a counter
 * for each, and one counter for everything outside the program. The memory is the caller's; target and host compile this file.
 *
 *     memory = …dwell_tally_bytes(symbols, intervals)…;
 *     dwell_tally_init(&tally, memory, symbols, intervals, text_bytes);
 *     for each text symbol:
 *             dwell_tally_add(&tally, value, name);
 *     dwell_tally_finish(&tally);
 *     dwell_tally_split(&tally, dwell_tally_name(&tally, "sleepy", 0), 25);          if the user chose a symbol
 *     start the timer, run the program; in each interrupt:
 *             dwell_tally_sample(&tally, pc - text);
 *     stop the timer; then classic/core/summary.h
 *
 * Values and offsets are relative to the start of the program's text. A
 * symbol reaches up to the next symbol, the last one to the end of the text.
 */
#ifndef DWELL_CLASSIC_CORE_TALLY_H
#define DWELL_CLASSIC_CORE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No symbol. */
#define DWELL_TALLY_NONE SIZE_MAX

struct dwell_tally {
	uintptr_t text_bytes;
	size_t count, capacity;  /* symbols */
	size_t name_bytes_max;   /* a name of so many bytes may be cut: the symbol table had no room for more. 0: none is cut */
	uintptr_t *starts;       /* count of them, rising */
	const char **names;      /* the caller's strings; null: a hole, text without a symbol */
	uintptr_t *counts;       /* count + 1 of them: the last is for text without a symbol */
	uintptr_t *order;        /* count + 1 of them: room for a caller that sorts by count */
	uintptr_t system;        /* samples outside the text */
	/* One symbol in detail. */
	size_t split;            /* its index, or DWELL_TALLY_NONE */
	size_t split_count, split_capacity;
	uintptr_t *split_starts; /* starts of its intervals, also relative to the text */
	uintptr_t *split_counts;
};

/* Returns the bytes of memory for a number of symbols and a number of intervals of one symbol; 0: the size overflows. */
size_t dwell_tally_bytes(size_t symbols, size_t intervals);

/* pre: memory is aligned for a pointer and has dwell_tally_bytes(symbols, intervals). Later dwell_tally_* calls use it. */
void dwell_tally_init(struct dwell_tally *tally, void *memory, size_t symbols, size_t intervals, uintptr_t text_bytes);

/* Adds a symbol; in any order. A null name marks a hole between two sections, which
 * begins at start. False, and not added: start is outside the text, or the table is full. */
bool dwell_tally_add(struct dwell_tally *tally, uintptr_t start, const char *name);

/* Sorts the symbols. Of several names with one start, the shortest stays, then the first in byte order. */
void dwell_tally_finish(struct dwell_tally *tally);

/* Returns the number of symbols with a name. */
size_t dwell_tally_symbols(const struct dwell_tally *tally);

/* Returns the symbol with the name, or else the first with a name that differs least: by an underscore in front of either name, or
 * behind the symbol's (compilers add underscores); by the case of letters (TOS makes upper case of words typed on its desktop);
 * by the end that the symbol table cut. DWELL_TALLY_NONE: no such symbol. name may end with @ and the symbol's address in hex.
 * base: the address of the text. */
size_t dwell_tally_name(const struct dwell_tally *tally, const char *name, uintptr_t base);

/* Whether no other symbol has the symbol's name. pre: the symbol has a name. */
bool dwell_tally_is_alone(const struct dwell_tally *tally, size_t index);

/* Returns the end of the symbol. */
uintptr_t dwell_tally_end(const struct dwell_tally *tally, size_t index);

/* Divides the symbol into intervals, as equal as bytes allow: at most one for each byte, and at most as many as the
 * memory has room for. Samples in the symbol count for the intervals, too. DWELL_TALLY_NONE: no symbol is divided. */
void dwell_tally_split(struct dwell_tally *tally, size_t index, size_t intervals);

/* Returns the symbol that contains offset, or DWELL_TALLY_NONE before the first. pre: starts rise.
 * Context: anywhere; log2(count) + 1 rounds of 12 instructions on a 68000. */
size_t dwell_tally_find(const uintptr_t *starts, size_t count, uintptr_t offset);

/* Counts one interrupt at offset bytes from the start of the text. A
 * program counter below the text wraps around, so it counts as outside.
 * Context: the sampling interrupt alone; never blocks; 80 instructions on
 * a 68000 with 9 symbols, 12 more each time the number of symbols doubles. */
void dwell_tally_sample(struct dwell_tally *tally, uintptr_t offset);

#endif
