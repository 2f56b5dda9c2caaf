/* header: decodes the file header of a dwell trace. For the reader and for `dump`. */
#ifndef DWELL_HOST_READER_DWELL_HEADER_H
#define DWELL_HOST_READER_DWELL_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "util/bytes.h"
#include "util/diag.h"

struct header {
	struct message_header message; /* usual values where the file's are missing */
	uint32_t bytes;                /* of the header, so the offset of the first chunk; 0: the header is bad */
	uint32_t incompatible;         /* bits of features that a reader must support; no bit is defined */
	uint16_t major, minor;
	const char *problem;           /* what is wrong with the header; null: the header is good */
};

/* Decodes the header at the front of the bytes. The caller judges version and features. */
struct header header_parse(struct bytes start);

/* Returns whether a reader can read what follows; else adds a diag.
 * bytes: number of header bytes there; file: name for the diag. */
bool header_check(const struct header *header, size_t bytes, const char *file, struct diag *diag);

#endif
