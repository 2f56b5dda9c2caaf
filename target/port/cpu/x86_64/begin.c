/* SPDX-License-Identifier: MIT
 *
 * Whether the C library has registered threads for restartable sequences, and where.
 */
#include "port/port.h"

/* Of libc, and optional. */
extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned __rseq_size __attribute__((weak));

int64_t dwell_rseq_offset;

void port_begin(void)
{
	if (&__rseq_size && __rseq_size && &__rseq_offset)
		dwell_rseq_offset = __rseq_offset;
}
