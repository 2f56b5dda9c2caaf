/* json_text: any bytes as a string of JSON. */
#ifndef DWELL_HOST_WRITER_JSON_TEXT_H
#define DWELL_HOST_WRITER_JSON_TEXT_H

#include "util/output.h"

/* With its quotes. Bytes that are not UTF-8 become U+FFFD. Control characters, and the invisible ones that reverse or join
 * text, are escaped: whoever parses it gets them as they are, and a terminal that it is shown on does not. */
void json_text_put(struct output *output, const char *text);

#endif
