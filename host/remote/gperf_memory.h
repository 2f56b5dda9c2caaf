/* gperf memory: the histograms of a target that serves no link, out of its memory, through a GDB stub. */
#ifndef DWELL_HOST_REMOTE_GPERF_MEMORY_H
#define DWELL_HOST_REMOTE_GPERF_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/image.h"
#include "util/diag.h"

/* An image of them, for the reader; to be freed in any case. False and a diag: there is none, it is another program, or the connection
 * failed. The target stands meanwhile. */
bool gperf_memory_read(const char *where, uint64_t wait_ns, const char *program, const struct symbol_image *image, uint8_t **bytes,
	size_t *size, struct diag *diag);

#endif
