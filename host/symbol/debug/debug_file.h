/* debug_file: finds the file with the symbols and lines that were taken out
 * of a program (strip --only-keep-debug, Debian's -dbgsym packages). */
#ifndef DWELL_HOST_SYMBOL_DEBUG_DEBUG_FILE_H
#define DWELL_HOST_SYMBOL_DEBUG_DEBUG_FILE_H

#include "symbol/elf_file.h"
#include "util/diag.h"

/* Returns the path of the separate debug file of the ELF file at path, to be freed by the caller. Searches
 * for the name in .gnu_debuglink beside the program and in .debug/ beside it. Then searches each debug
 * folder for the build-id (.build-id/xx/yyyy.debug) and for the name in .gnu_debuglink below the program's
 * folder. DWELL_DEBUG_PATH lists the debug folders, separated by :; the default is /usr/lib/debug. The
 * debug file must have the program's build-id; if either file has none, the checksum of .gnu_debuglink.
 * Null: not found; a warning is added if only files of other builds, or no ELF files, were found. */
char *make_debug_path(Elf *elf, const char *path, struct diag *diag);

#endif
