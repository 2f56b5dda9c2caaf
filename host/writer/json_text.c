#include "writer/json_text.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "util/utf8.h"

static int take_bytes(const char *bytes, size_t count, void *context)
{
	output_put_bytes(context, bytes, count);
	return 0;
}

static bool needs_no_escape(const char *text, size_t bytes)
{
	return utf8_plain_bytes(text) == bytes && !memchr(text, '"', bytes) && !memchr(text, '\\', bytes);
}

void json_text_put(struct json_text *room, struct output *output, const char *text)
{
	size_t bytes = strlen(text), used = 0;
	json_t *value;

	if (needs_no_escape(text, bytes)) { /* most names, and each key of each row */
		output_put_char(output, '"');
		output_put_bytes(output, text, bytes);
		output_put_char(output, '"');
		return;
	}

	if (3 * bytes > room->valid_bytes) { /* one bad byte becomes three */
		free(room->valid);
		room->valid_bytes = 3 * bytes;
		room->valid = malloc(room->valid_bytes);
		if (!room->valid)
			room->valid_bytes = 0;
	}
	if (!room->valid) {
		output_put_text(output, "null");
		return;
	}
	used = utf8_make_valid(text, bytes, room->valid);
	value = json_stringn(room->valid, used);
	if (!value || json_dump_callback(value, take_bytes, output, JSON_ENCODE_ANY))
		output_put_text(output, "null");
	json_decref(value);
}

void json_text_clear(struct json_text *room)
{
	free(room->valid);
	*room = (struct json_text){0};
}
