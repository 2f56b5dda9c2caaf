/* header: the file header of a dwell trace. For the reader and for `dump`. */
#ifndef DWELL_HOST_READER_DWELL_HEADER_H
#define DWELL_HOST_READER_DWELL_HEADER_H

#include <stdbool.h>
#include <stdint.h>

#include "reader/message.h"
#include "util/bytes.h"
#include "util/diag.h"

struct header {
	struct message_header message; /* the usual values where the file's cannot be had */
	uint32_t bytes;                /* of the header: where the first chunk is; 0 when the header is bad */
	uint32_t incompatible;         /* features that a reader must know; none is defined */
	uint16_t major, minor;
	const char *problem;           /* what is wrong with it, or null */
};

/* Decodes what stands at the front of the bytes. Version and features are the caller's to judge. */
struct header header_parse(struct bytes start);

/* Whether a reader may go on behind it; else a diag says why not. bytes: as many as there were; file: for the message. */
bool header_check(const struct header *header, size_t bytes, const char *file, struct diag *diag);

#endif
