/* vdso: the code that the kernel maps into every process ("[vdso]"). It is in no file; dwell has a copy of its own. */
#ifndef DWELL_HOST_SYMBOL_VDSO_H
#define DWELL_HOST_SYMBOL_VDSO_H

#include <stddef.h>
#include <stdint.h>

#define VDSO_NAME "[vdso]"

/* Returns a descriptor of a copy of the vdso of this process, as an ELF file, which the caller closes; −1: none. */
int open_vdso(void);

/* The same if the vdso has this build-id, as another kernel has another vdso; else −1. */
int open_vdso_of_build(const uint8_t *build_id, size_t bytes);

#endif
