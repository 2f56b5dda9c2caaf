/* fetch link: the memory that a running program shares over the wire (core/wire.h). */
#ifndef DWELL_HOST_REMOTE_FETCH_LINK_H
#define DWELL_HOST_REMOTE_FETCH_LINK_H

#include <stdbool.h>
#include <stdint.h>

#include "remote/fetched.h"
#include "symbol/image.h"
#include "util/diag.h"

struct fetch_link {
	const char *where;   /* the link, as for dwell gperf */
	const char *program; /* null, or what runs there, which is checked … */
	const struct symbol_image *image; /* … by this */
	uint64_t wait_ns;
};

/* All of it, a part each; prints what there is. *requests: frames that were sent. False and a diag: there is none, or it cannot be had. */
bool fetch_link(const struct fetch_link *link, struct fetched *fetched, uint64_t *requests, struct diag *diag);

#endif
