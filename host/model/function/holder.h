/* holder: which function of a file holds an address, by what the recording tells of the file, and by the file. For function.c. */
#ifndef DWELL_HOST_MODEL_FUNCTION_HOLDER_H
#define DWELL_HOST_MODEL_FUNCTION_HOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/module.h"
#include "model/index.h"

/* Which symbols are parts of which others. Zero it before the first use, clear it after the last. */
struct parts {
	struct part {
		uint32_t file;
		uint64_t address, whole_address;
	} * list;
	size_t count, capacity;
	struct index index; /* (file, address) → position in list */
};
void parts_clear(struct parts *parts);

enum holder_kind {
	HOLDER_SYMBOL,
	HOLDER_EXTENT, /* a function without a symbol */
	HOLDER_NONE, /* nobody tells of one */
};
struct holder {
	enum holder_kind kind;
	uint64_t address; /* where it begins, all of it: of a part, the function that it is a part of */
	uint64_t own_address; /* where what holds the address begins: of a part, the part */
	bool opens; /* the file had to be read */
};
struct holder find_holder(struct modules *modules, struct parts *parts, uint32_t file, uint64_t address);
/* The same of an address whose two low bits are not known: a function that begins there, or two bytes behind, else one that is around
 * it. */
struct holder find_word_holder(struct modules *modules, struct parts *parts, uint32_t file, uint64_t address);
/* The function that has this symbol; HOLDER_NONE, too, where several have. */
struct holder find_named_holder(struct modules *modules, uint32_t file, const char *name);

/* The symbol of a holder that is one; the file is not read for it. Null: who told of it has changed his mind since. */
const struct symbol *get_holder_symbol(struct modules *modules, uint32_t file, uint64_t address);
/* The code of the holder that begins there. False: nobody tells how far it goes. */
bool get_holder_code(struct modules *modules, uint32_t file, uint64_t address, struct symbol_extent *code);

#endif
