/* nops: patchable code that no table and no symbol tells of. */
#ifndef DWELL_HOST_RECORD_PROGRAM_NOPS_H
#define DWELL_HOST_RECORD_PROGRAM_NOPS_H

#include <libelf.h>
#include <stdbool.h>

/* Whether functions of a program for x86-64 begin with nops that stand there to be patched: those of mk/gcc-sites.s, which nothing else
 * looks like, or those of -mnop-mcount, in functions that the unwind tables tell of and that have others in front of their returns. */
bool nops_are_sites(Elf *elf);

#endif
