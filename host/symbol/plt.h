/* plt: the entries of a procedure linkage table, which no symbol names: calls of other files' functions go through them, and samples fall
 * there. */
#ifndef DWELL_HOST_SYMBOL_PLT_H
#define DWELL_HOST_SYMBOL_PLT_H

#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>

/* name: of the function that the entry jumps to, until the call returns. False: no memory, do not go on. */
typedef bool plt_take(void *context, uint64_t address, uint64_t size, const char *name);

/* Of a linked file. Entries are known by their code: each jumps to where a word says that the dynamic linker has filled in. False: no
 * memory, or take said so. What is damaged has no entries. */
bool plt_read(Elf *elf, plt_take *take, void *context);

#endif
