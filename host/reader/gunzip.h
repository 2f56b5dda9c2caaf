/* gunzip: reads a whole source into memory, and unpacks it if it is a gzip file. For readers of formats that may be packed. */
#ifndef DWELL_HOST_READER_GUNZIP_H
#define DWELL_HOST_READER_GUNZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/source.h"
#include "util/bytes.h"

#define GUNZIP_BYTES_MAX (UINT64_C(1) << 30) /* packed or unpacked, for callers without a limit of their own */
/* Gzip can expand a byte to a thousand. Traces expand 10 to 40 times; a file
 * that expands more than this limit, and is large, was made to fill memory. */
#define GUNZIP_RATIO_MAX 200u
#define GUNZIP_DENSE_BYTES (UINT64_C(16) << 20) /* unpacked bytes up to which the ratio is not checked */
#define GUNZIP_TOO_DENSE_TEXT "becomes more than 200 times as large when it is unpacked (gzip): no trace does, so it is not read"

enum gunzip_end {
	GUNZIP_WHOLE,     /* all of the source is in data */
	GUNZIP_CUT,       /* ends too early or is damaged; data has the bytes before */
	GUNZIP_TOO_LARGE, /* more bytes than the limit */
	GUNZIP_TOO_DENSE, /* expands more than GUNZIP_RATIO_MAX allows */
	GUNZIP_STARVED,   /* memory ran out */
};

/* The contents of a source. */
struct gunzip {
	uint8_t *data; /* to be freed by the caller; null if nothing was read */
	size_t size;
	uint64_t source_bytes; /* read from the source: packed, if it is packed */
	enum gunzip_end end;
};

/* Reads from the start of the source, and stops with GUNZIP_TOO_LARGE beyond limit bytes. */
struct gunzip gunzip_source(struct source *source, uint64_t limit);

/* Writes the first bytes of start to `to`, unpacked if they are packed, size at most. Returns how many it wrote. */
size_t gunzip_start(struct bytes start, uint8_t *to, size_t size);

#endif
