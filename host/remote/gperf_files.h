/* gperf files: which program file each segment of a target is of. A text is known by its sum (core/wire.h), so that another build is not
 * taken for the one that runs. */
#ifndef DWELL_HOST_REMOTE_GPERF_FILES_H
#define DWELL_HOST_REMOTE_GPERF_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "io/wire_client.h"
#include "symbol/image.h"
#include "util/diag.h"

struct gperf_file {
	const char *path; /* borrowed from the program's name, or from the segment; null: no file is known to have this text */
	uint64_t bias;    /* run-time address − address in the symbol table */
};

/* One for each segment that was told; to be freed. Null and a diag: none of them is of the program, or there is no memory. What no file has
 * is a diag. */
struct gperf_file *make_gperf_files(
	const struct wire_client *client, const char *program, const struct symbol_image *image, struct diag *diag);

#endif
