/* SPDX-License-Identifier: MIT
 *
 * Reads the symbols of the profiled program from its file.
 */
#ifndef DWELL_CLASSIC_TARGET_ATARI_CHILD_H
#define DWELL_CLASSIC_TARGET_ATARI_CHILD_H

#include <stdbool.h>

#include "classic/core/put.h"
#include "classic/core/tally.h"

enum child_state {
	CHILD_READY,  /* the tally is ready */
	CHILD_UNSURE, /* the tally is ready, but the symbol table has a problem, which went to problem */
	CHILD_NONE,   /* the tally is not usable; the reason went to problem */
};

/* Reads the symbols of the program at path into tally, in memory that is never freed;
 * intervals: see dwell_tally_bytes. A problem is a single line, without a newline. */
enum child_state child_read(const char *path, struct dwell_tally *tally, size_t intervals, const struct dwell_put *problem);

#endif
