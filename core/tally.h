/* SPDX-License-Identifier: MIT
 *
 * Tally: which function was the program in when the timer interrupted it? A sorted table of the program's text symbols, a counter
 * for each, and one for all that is not the program. The caller's memory; compiled into the target and into the host.
 *
 *     memory = …dwell_tally_bytes(symbols, intervals)…;
 *     dwell_tally_init(&tally, memory, symbols, intervals, text_bytes);
 *     for each text symbol:
 *             dwell_tally_add(&tally, value, name);
 *     dwell_tally_finish(&tally);
 *     dwell_tally_split(&tally, dwell_tally_name(&tally, "sleepy"), 25);          if somebody asked for it
 *     start the timer, run the program; in each interrupt:
 *             dwell_tally_sample(&tally, pc - text);
 *     stop the timer; then core/summary.h
 *
 * Values and offsets are relative to the start of the program's text. A symbol reaches up to the next one, the last up to the end
 * of the text.
 */
#ifndef DWELL_CORE_TALLY_H
#define DWELL_CORE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No symbol. */
#define DWELL_TALLY_NONE SIZE_MAX

struct dwell_tally {
	uintptr_t text_bytes;
	size_t count, capacity;  /* symbols */
	uintptr_t *starts;       /* count of them, rising */
	const char **names;      /* the caller's; null: from here on it is nobody's */
	uintptr_t *counts;       /* count + 1 of them: the last is of text that is nobody's */
	uintptr_t *order;        /* count + 1 of them: for whoever sorts by count */
	uintptr_t system;        /* samples outside of the text */
	/* One symbol in detail. */
	size_t split;            /* its index, or DWELL_TALLY_NONE */
	size_t split_count, split_capacity;
	uintptr_t *split_starts; /* where its intervals begin; relative to the text, too */
	uintptr_t *split_counts;
};

/* How much memory for so many symbols and so many intervals of one; 0: more than can be. */
size_t dwell_tally_bytes(size_t symbols, size_t intervals);

/* pre: memory is aligned for a pointer and of dwell_tally_bytes(symbols, intervals). Later dwell_tally_* calls use it. */
void dwell_tally_init(struct dwell_tally *tally, void *memory, size_t symbols, size_t intervals, uintptr_t text_bytes);

/* In any order. A null name says that what begins at start is nobody's: a hole between two sections. False: start is not in the
 * text, or there are more symbols than was said; it is not added. */
bool dwell_tally_add(struct dwell_tally *tally, uintptr_t start, const char *name);

/* Sorts. Of several names of one start, the shortest is kept, then the first in byte order. */
void dwell_tally_finish(struct dwell_tally *tally);

/* Symbols that have a name. */
size_t dwell_tally_symbols(const struct dwell_tally *tally);

/* The symbol with this name, else the one that has an underscore before it (compilers put it there), else the same without regard
 * to upper and lower case (TOS makes upper case of what is typed on its desktop); or DWELL_TALLY_NONE. */
size_t dwell_tally_name(const struct dwell_tally *tally, const char *name);

/* Where the symbol ends. */
uintptr_t dwell_tally_end(const struct dwell_tally *tally, size_t index);

/* Divides the symbol into so many intervals, as equal as bytes allow, no more than it has bytes and no more than there is memory
 * for; samples in it are counted for these, too. DWELL_TALLY_NONE: none. */
void dwell_tally_split(struct dwell_tally *tally, size_t index, size_t intervals);

/* The symbol that holds offset; DWELL_TALLY_NONE before the first. pre: starts rise.
 * Context: anywhere; log2(count) + 1 rounds of 12 instructions on a 68000. */
size_t dwell_tally_find(const uintptr_t *starts, size_t count, uintptr_t offset);

/* Counts one interruption at offset bytes from the start of the text; below it wraps around, and so is outside, too.
 * Context: the sampling interrupt alone; never blocks; 80 instructions on a 68000 with 9 symbols, 12 more
 * each time that they are twice as many. */
void dwell_tally_sample(struct dwell_tally *tally, uintptr_t offset);

#endif
