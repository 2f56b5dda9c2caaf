/* data: variables of a program file, by name. */
#ifndef DWELL_HOST_SYMBOL_DATA_H
#define DWELL_HOST_SYMBOL_DATA_H

#include <stddef.h>
#include <stdint.h>

struct symbol_data {
	uint64_t address; /* as the file says (link-time) */
	uint64_t size;    /* 0 when it does not say */
};

/* How many variables, or labels outside of code, have that name; *data is the first one. 0 also where the file has no symbols. */
size_t symbol_find_data(const char *path, const char *name, struct symbol_data *data);

#endif
