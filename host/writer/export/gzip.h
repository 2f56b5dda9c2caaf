/* gzip: compresses bytes into a gzip file. */
#ifndef DWELL_HOST_WRITER_EXPORT_GZIP_H
#define DWELL_HOST_WRITER_EXPORT_GZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <zlib.h>

#include "util/output.h"

struct gzip {
	z_stream stream;
	struct output *output; /* borrowed */
	bool is_open;
};

/* Returns false if out of memory. Needs gzip_clear in any case. */
bool gzip_begin(struct gzip *gzip, struct output *output);
void gzip_put(struct gzip *gzip, const void *bytes, size_t count);
/* Ends the compressed data. */
void gzip_end(struct gzip *gzip);
void gzip_clear(struct gzip *gzip);

#endif
