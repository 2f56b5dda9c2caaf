/* SPDX-License-Identifier: MIT
 *
 * Finds out whether the C library has registered threads for restartable sequences, and at which offset.
 */
#include "port/port.h"

/* libc's symbols, which may be missing. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));

int64_t dwell_rseq_offset;

void port_begin(void)
{
	if (&__rseq_size && __rseq_size && &__rseq_offset)
		dwell_rseq_offset = __rseq_offset;
}
