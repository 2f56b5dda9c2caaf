/* profile_symbols: a program's text symbols, to be counted as in 1987. */
#ifndef DWELL_HOST_CMD_PROFILE_SYMBOLS_H
#define DWELL_HOST_CMD_PROFILE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/profile_options.h"
#include "core/tally.h"
#include "util/diag.h"

/* Zero it before the first use, clear it after the last. */
struct profile_symbols {
	uint64_t low, high;       /* link-time addresses of what is not written to */
	struct dwell_tally tally; /* relative to low; the symbol of x= is split */
	struct symbol_table *table;
	void *memory;
	char **shown; /* display names, to be freed */
	size_t shown_count;
};

/* False and a diag (an error): it is no program, or has not the symbol of x=. */
bool profile_symbols_read(
	struct profile_symbols *symbols, const char *path, const struct dwell_profile_options *options, struct diag *diag);
/* Names that will be printed become as people write them. */
void profile_symbols_show(struct profile_symbols *symbols, bool unseen);
void profile_symbols_clear(struct profile_symbols *symbols);

#endif
