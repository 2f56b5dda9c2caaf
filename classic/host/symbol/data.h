/* data: finds variables of a program file by name. */
#ifndef DWELL_CLASSIC_HOST_SYMBOL_DATA_H
#define DWELL_CLASSIC_HOST_SYMBOL_DATA_H

#include <stddef.h>
#include <stdint.h>

struct symbol_data {
	uint64_t address; /* link-time address */
	uint64_t size;    /* 0: the file has none */
};

/* Returns how many variables, or labels outside of code, have this
 * name; *data is the first one. 0 also if the file has no symbols. */
size_t symbol_find_data(const char *path, const char *name, struct symbol_data *data);

#endif
