/* ti_name: what the names in files of Texas Instruments' tools tell. The compiler, the assembler and the linker put much into symbol
 * tables that is no function, with nothing but the name to know it by. */
#ifndef DWELL_HOST_SYMBOL_TI_TI_NAME_H
#define DWELL_HOST_SYMBOL_TI_TI_NAME_H

#include <stdbool.h>

/* A compiler's own label in the middle of a function, or the assembler's pseudo-function around a file: never to be shown. */
bool ti_name_is_noise(const char *name);
/* What the linker puts where a call is too far for its instruction: $Tramp$S$$_memcpy. */
bool ti_name_is_trampoline(const char *name);
/* A place for debuggers inside of a function, as C$$EXIT. */
bool ti_name_is_stop(const char *name);
/* A section, or an end of one that the linker tells of: .text, ___text__, etext. */
bool ti_name_is_section(const char *name);
/* The name as it is written in C: of COFF, whose compiler puts an underscore before it. Points into name. */
const char *ti_name_of_c(const char *name);

#endif
