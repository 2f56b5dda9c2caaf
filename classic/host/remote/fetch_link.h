/* fetch link: fetches the memory that a running program shares over the wire (classic/core/wire.h). */
#ifndef DWELL_CLASSIC_HOST_REMOTE_FETCH_LINK_H
#define DWELL_CLASSIC_HOST_REMOTE_FETCH_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "classic/host/remote/fetched.h"
#include "symbol/image.h"
#include "util/diag.h"

struct fetch_link {
	const char *where;   /* the link, as for dwell gperf */
	const char *program; /* null, or the path of the program that runs there */
	const struct symbol_image *image; /* the program's image, which is compared with the target */
	uint64_t wait_ns;
};

/* Fetches all shared memory, one part for each area, and prints a line for each. *requests:
 * frames that were sent. False and a diag: the program shares none, or the link failed. */
bool fetch_link(const struct fetch_link *link, struct fetched *fetched, uint64_t *requests, struct diag *diag);

#endif
