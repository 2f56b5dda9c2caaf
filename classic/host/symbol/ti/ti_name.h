/* ti_name: classifies names in files of Texas Instruments' tools. Compiler, assembler and linker
 * put many symbols that are no functions into symbol tables, and only the name distinguishes them. */
#ifndef DWELL_CLASSIC_HOST_SYMBOL_TI_TI_NAME_H
#define DWELL_CLASSIC_HOST_SYMBOL_TI_TI_NAME_H

#include <stdbool.h>

/* A compiler's label inside a function, or the assembler's pseudo-function for a file: never shown. */
bool ti_name_is_noise(const char *name);
/* A trampoline, which the linker inserts if a call is too far for its instruction: $Tramp$S$$_memcpy. */
bool ti_name_is_trampoline(const char *name);
/* A place for debuggers inside a function, such as C$$EXIT. */
bool ti_name_is_stop(const char *name);
/* A section, or an end of a section that the linker defines: .text, ___text__, etext. */
bool ti_name_is_section(const char *name);
/* Returns the name as written in C, without the underscore that the compiler for COFF adds. Points into name. */
const char *ti_name_of_c(const char *name);

#endif
