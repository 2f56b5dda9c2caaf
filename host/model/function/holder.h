/* holder: finds the function ("holder") that contains an address of a file, by the recording's names, the file's symbols and its
 * unwind tables. For function.c. */
#ifndef DWELL_HOST_MODEL_FUNCTION_HOLDER_H
#define DWELL_HOST_MODEL_FUNCTION_HOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/module.h"
#include "util/lookup.h"

/* A cache. The compiler may place a part of a function elsewhere, under a symbol such as f.cold: symbol of a part → whole function.
 * Zero before the first use; parts_clear after the last. */
struct parts {
	struct symbol_part {
		uint32_t file;
		uint64_t address, whole_address;
	} * list;
	size_t count, capacity;
	struct lookup index; /* (file, address) → position in list */
};
void parts_clear(struct parts *parts);

enum holder_kind {
	HOLDER_SYMBOL,
	HOLDER_EXTENT, /* a function without a symbol */
	HOLDER_NONE, /* no known function */
};
struct holder {
	enum holder_kind kind;
	uint64_t address; /* beginning of the whole function, even if the address is in a part */
	uint64_t own_address; /* beginning of the symbol or extent that contains the address: for a part, of the part */
	bool opens; /* the recording has no name for the address, so the file was read */
};
/* Addresses are link-time addresses of the file. */
struct holder find_holder(struct modules *modules, struct parts *parts, uint32_t file, uint64_t address);
/* The same for an address whose two low bits are unknown: the function that begins at the address or two bytes later, else the
 * function around the address. */
struct holder find_word_holder(struct modules *modules, struct parts *parts, uint32_t file, uint64_t address);
/* The function with this symbol name. HOLDER_NONE: none, or several. */
struct holder find_named_holder(struct modules *modules, uint32_t file, const char *name);

/* The symbol at a holder's address; does not open the file. Null: the recording's names or the opened file no longer have it. */
const struct symbol *get_holder_symbol(struct modules *modules, uint32_t file, uint64_t address);
/* The extent of the code of the holder that begins there. False: unknown. */
bool get_holder_code(struct modules *modules, uint32_t file, uint64_t address, struct symbol_extent *code);

#endif
