/* gperf files: finds the program file of each segment of a target. The sum of a text
 * (classic/core/wire.h) identifies it, so another build of the program is recognised. */
#ifndef DWELL_CLASSIC_HOST_REMOTE_GPERF_FILES_H
#define DWELL_CLASSIC_HOST_REMOTE_GPERF_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "classic/host/io/wire_client.h"
#include "symbol/build_id.h"
#include "symbol/image.h"
#include "util/diag.h"

struct gperf_file {
	const char *path; /* borrowed from the program's name, or from the segment; null: no known file has this text */
	uint64_t bias;    /* run-time address − address in the symbol table */
	uint8_t build_id[BUILD_ID_BYTES_MAX]; /* of code that is in no file */
	size_t build_id_bytes; /* 0: unknown */
};

/* Returns one element for each segment; to be freed. Null and a diag: no segment
 * is of the program, or no memory. Texts of no file are reported as a diag. */
struct gperf_file *make_gperf_files(
	const struct wire_client *client, const char *program, const struct symbol_image *image, struct diag *diag);

#endif
