/* nops: finds patchable code that neither a table nor a symbol marks: room for calls that only nops show (hooked.c uses it). */
#ifndef DWELL_HOST_RECORD_PROGRAM_NOPS_H
#define DWELL_HOST_RECORD_PROGRAM_NOPS_H

#include <libelf.h>
#include <stdbool.h>

/* Whether functions of an x86-64 program begin with nops to patch: the unmistakable nops of mk/gcc-sites.s, or
 * those of -mnop-mcount, if the function is in the unwind tables and has another nop in front of a return. */
bool nops_are_sites(Elf *elf);

#endif
