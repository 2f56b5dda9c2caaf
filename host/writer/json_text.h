/* json_text: any bytes as a string of JSON. */
#ifndef DWELL_HOST_WRITER_JSON_TEXT_H
#define DWELL_HOST_WRITER_JSON_TEXT_H

#include <stddef.h>

#include "util/output.h"

/* Zeroed: empty. */
struct json_text {
	char *valid; /* room to replace what is not UTF-8 */
	size_t valid_bytes;
};

/* With its quotes. Bytes that are not UTF-8 become U+FFFD; null where there is no memory. */
void json_text_put(struct json_text *room, struct output *output, const char *text);
void json_text_clear(struct json_text *room);

#endif
