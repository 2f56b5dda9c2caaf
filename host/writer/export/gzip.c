/* gzip: compresses output (gzip.h). */
#include "writer/export/gzip.h"

#define PIECE_BYTES 16384u
#define GZIP_WINDOW (15 + 16) /* makes zlib write a gzip header, which contains no time */

bool gzip_begin(struct gzip *gzip, struct output *output)
{
	*gzip = (struct gzip){.output = output};
	gzip->is_open = deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) == Z_OK;
	return gzip->is_open;
}

/* Compresses the stream's input, and writes the result. flush: as deflate() takes it. */
static void pump(struct gzip *gzip, int flush)
{
	unsigned char piece[PIECE_BYTES];

	do {
		gzip->stream.next_out = piece;
		gzip->stream.avail_out = sizeof piece;
		deflate(&gzip->stream, flush);
		output_put_bytes(gzip->output, (const char *)piece, sizeof piece - gzip->stream.avail_out);
	} while (!gzip->stream.avail_out);
}

void gzip_put(struct gzip *gzip, const void *bytes, size_t count)
{
	const unsigned char *at = bytes;

	while (gzip->is_open && count) {
		uInt step = count < (1u << 30) ? (uInt)count : 1u << 30;

		gzip->stream.next_in = (unsigned char *)at;
		gzip->stream.avail_in = step;
		pump(gzip, Z_NO_FLUSH);
		at += step;
		count -= step;
	}
}

void gzip_end(struct gzip *gzip)
{
	if (gzip->is_open)
		pump(gzip, Z_FINISH);
}

void gzip_clear(struct gzip *gzip)
{
	if (gzip->is_open)
		deflateEnd(&gzip->stream);
	gzip->is_open = false;
}
