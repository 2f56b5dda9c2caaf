/* gunzip: a whole source in memory, unpacked where it is packed by gzip. */
#ifndef DWELL_HOST_READER_GUNZIP_H
#define DWELL_HOST_READER_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "util/bytes.h"

#define GUNZIP_BYTES_MAX (UINT64_C(1) << 30) /* packed or unpacked, for who has no limit of his own */
/* Gzip can make a thousand bytes of one. Traces become ten to forty times as large; what becomes more than this, and is large, was made to
 * fill memory. */
#define GUNZIP_RATIO_MAX 200u
#define GUNZIP_DENSE_BYTES (UINT64_C(16) << 20) /* up to here nobody asks */
#define GUNZIP_TOO_DENSE_TEXT "becomes more than 200 times as large when it is unpacked (gzip): no trace does, so it is not read"

enum gunzip_end {
	GUNZIP_WHOLE,
	GUNZIP_CUT,       /* it ends too early, or is damaged behind what is there */
	GUNZIP_TOO_LARGE, /* it has more than the limit */
	GUNZIP_TOO_DENSE, /* it becomes more of little than GUNZIP_RATIO_MAX allows */
	GUNZIP_STARVED,
};

struct gunzip {
	uint8_t *data; /* whoever has it frees it */
	size_t size;
	uint64_t source_bytes;
	enum gunzip_end end;
};

/* From the start of the source on, up to so many bytes. */
struct gunzip gunzip_source(struct source *source, uint64_t limit);

/* As much of the beginning as fits, of bytes that may be packed. Returns how much. */
size_t gunzip_start(struct bytes start, uint8_t *to, size_t size);

#endif
