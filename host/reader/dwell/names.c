/* names: decodes NAMES chunks, field by field as in FORMAT.md. */
#include "reader/dwell/names.h"

#include <stdlib.h>
#include <string.h>

#include "dwell/format.h"
#include "util/array.h"

static const char *take_functions(struct names_chunk *names, uint64_t count, size_t at, size_t end)
{
	const uint8_t *p = names->text + DWELL_NAMES_FUNCTIONS;

	for (uint64_t i = 0; i < count; i++, p += DWELL_NAMES_FUNCTION_BYTES) {
		struct message_name *name = &names->names[i];

		*name = (struct message_name){get_u64(p + DWELL_NAMES_FUNCTION_ADDRESS), get_u64(p + DWELL_NAMES_FUNCTION_SIZE),
			(const char *)names->text + at};
		if (at >= end)
			return "has fewer names than functions";
		if (!name->size || name->address > UINT64_MAX - name->size)
			return "has a function that ends before it begins";
		at += strlen(name->name) + 1;
	}
	return NULL;
}

const char *names_chunk_take(struct names_chunk *names, const struct raw_chunk *chunk)
{
	struct bytes payload = chunk->payload;
	const char *problem;
	uint64_t count, at;
	uint32_t id_bytes;

	if (chunk->flags & DWELL_CHUNK_PACKED) {
		problem = plain_unpack(&names->unpacker, chunk->payload, chunk->unpacked, &payload);
		if (problem)
			return problem;
	}
	if (payload.size < DWELL_NAMES_FUNCTIONS)
		return "is shorter than its fixed part";
	count = get_u32(payload.data + DWELL_NAMES_COUNT);
	id_bytes = get_u32(payload.data + DWELL_NAMES_BUILD_ID_BYTES);
	at = DWELL_NAMES_FUNCTIONS + count * DWELL_NAMES_FUNCTION_BYTES;
	if (id_bytes > DWELL_MODULE_BUILD_ID_MAX)
		return "has a build-id of more than 20 bytes";
	if (at > payload.size)
		return "has fewer functions than it says";
	if (!array_reserve(&names->names, &names->capacity, count + 1, sizeof *names->names) ||
		!array_reserve(&names->text, &names->text_capacity, payload.size + 1, 1))
		return "cannot be decoded: out of memory";
	memcpy(names->text, payload.data, payload.size);
	names->text[payload.size] = 0;
	names->message = (struct message_names){
		.path = (const char *)names->text + at,
		.build_id = names->text + DWELL_NAMES_BUILD_ID,
		.build_id_bytes = id_bytes,
		.names = names->names,
		.count = (uint32_t)count,
	};
	return take_functions(names, count, at + strlen(names->message.path) + 1, payload.size);
}

void names_chunk_clear(struct names_chunk *names)
{
	plain_unpacker_clear(&names->unpacker);
	free(names->names);
	free(names->text);
	*names = (struct names_chunk){0};
}
