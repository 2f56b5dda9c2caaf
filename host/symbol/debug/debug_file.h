/* debug_file: where the symbols and lines are that were taken out of a program: strip --only-keep-debug, Debian's -dbgsym packages. */
#ifndef DWELL_HOST_SYMBOL_DEBUG_DEBUG_FILE_H
#define DWELL_HOST_SYMBOL_DEBUG_DEBUG_FILE_H

#include "symbol/elf_file.h"
#include "util/diag.h"

/* The separate debug file of the ELF file at path: by build-id below each debug folder (.build-id/xx/yyyy.debug), then by the name in
 * .gnu_debuglink: beside it, in .debug/ beside it, below each debug folder. Debug folders are those of DWELL_DEBUG_PATH, with : between
 * them; /usr/lib/debug when that is not set. What is found must have the same build-id; where one of the two has none, the checksum of
 * .gnu_debuglink. To be freed. Null: none; where only such of other builds were found, or no ELF files, that is a
 * diag (a warning). */
char *make_debug_path(Elf *elf, const char *path, struct diag *diag);

#endif
