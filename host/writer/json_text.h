/* json_text: writes any bytes as a JSON string. */
#ifndef DWELL_HOST_WRITER_JSON_TEXT_H
#define DWELL_HOST_WRITER_JSON_TEXT_H

#include "util/output.h"

/* Includes the quotes. Malformed UTF-8 becomes U+FFFD. Control characters and invisible characters that reverse or join text are
 * escaped: a JSON parser restores the characters, but a terminal does not interpret the escapes. */
void json_text_put(struct output *output, const char *text);

#endif
