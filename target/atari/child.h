/* SPDX-License-Identifier: MIT
 *
 * The program that is profiled: its symbols, read from its file.
 */
#ifndef DWELL_TARGET_ATARI_CHILD_H
#define DWELL_TARGET_ATARI_CHILD_H

#include <stdbool.h>

#include "core/put.h"
#include "core/tally.h"

enum child_state {
	CHILD_READY,  /* the tally is ready */
	CHILD_UNSURE, /* so it is, but something is wrong with the symbol table: problem was told */
	CHILD_NONE,   /* it cannot be: problem was told */
};

/* Reads the symbols of the program at path into tally, in memory that is never given back; intervals: see dwell_tally_bytes. A
 * problem is one line, without its end. */
enum child_state child_read(const char *path, struct dwell_tally *tally, size_t intervals, const struct dwell_put *problem);

#endif
