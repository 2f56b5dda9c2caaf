/* symbol_sites: prints which functions of a file `dwell record --trace` can record, for `dwell symbols --sites`. */
#ifndef DWELL_HOST_CMD_SYMBOL_SITES_H
#define DWELL_HOST_CMD_SYMBOL_SITES_H

#include "symbol/symbol.h"
#include "writer/writer.h"

/* Makes the plan of the file, and writes a row for each function; for people, also sums. */
void symbol_sites_write(const char *path, const struct symbol_table *table, const struct writer_options *form, uint64_t limit,
	bool mangled, struct diag *diag);

#endif
