/* gunzip: a whole source in memory, unpacked where it is packed by gzip. */
#ifndef DWELL_HOST_READER_GUNZIP_H
#define DWELL_HOST_READER_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "util/bytes.h"

#define GUNZIP_BYTES_MAX (UINT64_C(1) << 30) /* packed or unpacked: a thousandth of it can ask for it */

enum gunzip_end {
	GUNZIP_WHOLE,
	GUNZIP_CUT,       /* it ends too early, or is damaged behind what is there */
	GUNZIP_TOO_LARGE, /* what is there is GUNZIP_BYTES_MAX */
	GUNZIP_STARVED,
};

struct gunzip {
	uint8_t *data; /* whoever has it frees it */
	size_t size;
	uint64_t source_bytes;
	enum gunzip_end end;
};

/* From the start of the source on. */
struct gunzip gunzip_source(struct source *source);

/* As much of the beginning as fits, of bytes that may be packed. Returns how much. */
size_t gunzip_start(struct bytes start, uint8_t *to, size_t size);

#endif
