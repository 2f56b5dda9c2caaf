/* names: makes the payload of a NAMES chunk (names.h). */
#include "writer/trace/names.h"

#include <stdlib.h>
#include <string.h>

#include "dwell/format.h"

#define PAYLOAD_MAX (DWELL_CHUNK_LENGTH_MAX / 4)
#define STRING_MAX 65535u

static size_t put_string(uint8_t *to, const char *string)
{
	size_t length = strnlen(string, STRING_MAX);

	memcpy(to, string, length);
	to[length] = 0;
	return length + 1;
}

uint8_t *make_names_payload(const struct message_names *names, uint32_t *first, struct bytes *payload)
{
	uint32_t id_bytes = names->build_id_bytes < DWELL_MODULE_BUILD_ID_MAX ? names->build_id_bytes : DWELL_MODULE_BUILD_ID_MAX;
	size_t size = DWELL_NAMES_FUNCTIONS + strnlen(names->path, STRING_MAX) + 1, at;
	uint32_t end = *first;
	uint8_t *made, *p;

	for (; end < names->count; end++) {
		size_t bytes = DWELL_NAMES_FUNCTION_BYTES + strnlen(names->names[end].name, STRING_MAX) + 1;

		if (size + bytes > PAYLOAD_MAX)
			break;
		size += bytes;
	}
	size = (size + 7) & ~(size_t)7;
	made = calloc(1, size);
	if (!made)
		return NULL;
	put_u32(made + DWELL_NAMES_COUNT, end - *first);
	put_u32(made + DWELL_NAMES_BUILD_ID_BYTES, id_bytes);
	if (id_bytes)
		memcpy(made + DWELL_NAMES_BUILD_ID, names->build_id, id_bytes);
	p = made + DWELL_NAMES_FUNCTIONS;
	at = DWELL_NAMES_FUNCTIONS + (size_t)(end - *first) * DWELL_NAMES_FUNCTION_BYTES;
	at += put_string(made + at, names->path);
	for (uint32_t i = *first; i < end; i++, p += DWELL_NAMES_FUNCTION_BYTES) {
		put_u64(p + DWELL_NAMES_FUNCTION_ADDRESS, names->names[i].address);
		put_u64(p + DWELL_NAMES_FUNCTION_SIZE, names->names[i].size);
		at += put_string(made + at, names->names[i].name);
	}
	*first = end;
	*payload = (struct bytes){made, size};
	return made;
}
