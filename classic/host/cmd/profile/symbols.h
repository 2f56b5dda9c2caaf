/* profile_symbols: reads a program's text symbols into a tally, as the profiler of 1987 does. */
#ifndef DWELL_CLASSIC_HOST_CMD_PROFILE_SYMBOLS_H
#define DWELL_CLASSIC_HOST_CMD_PROFILE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "classic/core/profile_options.h"
#include "classic/core/tally.h"
#include "util/diag.h"

/* Zero it before the first use, clear it after the last. */
struct profile_symbols {
	uint64_t low, high;       /* link-time addresses of the read-only parts */
	struct dwell_tally tally; /* relative to low; the symbol of x= is split */
	struct symbol_table *table;
	void *memory;
	char **shown; /* display names, to be freed */
	size_t shown_count;
};

/* False and a diag (an error): no program, or no symbol with the name of x=. */
bool profile_symbols_read(
	struct profile_symbols *symbols, const char *path, const struct dwell_profile_options *options, struct diag *diag);
/* Demangles the names that the report will print. */
void profile_symbols_show(struct profile_symbols *symbols, bool unseen);
void profile_symbols_clear(struct profile_symbols *symbols);

#endif
