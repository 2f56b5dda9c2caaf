/* The header of a dwell trace: for the reader and for `dump`. */
#ifndef DWELL_HOST_READER_DWELL_H
#define DWELL_HOST_READER_DWELL_H

#include "reader/message.h"
#include "util/bytes.h"

/* Decodes the file header at the front of the bytes. Null, or what is wrong with it; the fields then have the usual values.
 * *header_bytes: where the first chunk is, by the header's word. Version and incompatible bits are the caller's to judge. */
const char *dwell_parse_header(struct bytes start, struct message_header *header, uint32_t *header_bytes);

#endif
