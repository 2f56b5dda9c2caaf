/* mini_debug: the section .gnu_debugdata of stripped files (all of Fedora's): an ELF file, packed by xz, with the symbols that
 * .dynsym lacks. */
#ifndef DWELL_HOST_SYMBOL_DEBUG_MINI_DEBUG_H
#define DWELL_HOST_SYMBOL_DEBUG_MINI_DEBUG_H

#include <gelf.h>
#include <stddef.h>

#include "symbol/format.h"

/* The largest unpacked file; a small section may unpack to less (cfi/packed.h). Fedora's have at most some MiB. */
#define MINI_DEBUG_BYTES_MAX (64u << 20)

/* Returns the unpacked file, *bytes long, to be freed by the caller. Null: there is no such section; or, with a diag, the section
 * is damaged or too large. */
char *make_mini_debug(Elf *elf, const struct symbol_input *input, size_t *bytes);

#endif
