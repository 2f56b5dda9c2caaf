/* load: reads and checks one chunk at an offset. */
#include <stdlib.h>
#include <zlib.h>

#include "dwell/format.h"
#include "reader/dwell/load.h"
#include "util/array.h"

bool load_header(struct load *load, struct source *source, uint64_t offset)
{
	uint8_t header[DWELL_CHUNK_HEADER_BYTES];

	if (source_read_at(source, offset, header, sizeof header) < sizeof header ||
		!split_parse_header((struct bytes){header, sizeof header}, &load->chunk))
		return false;
	load->chunk.offset = offset;
	return true;
}

bool load_chunk(struct load *load, struct source *source, uint64_t offset)
{
	struct raw_chunk *chunk = &load->chunk;

	if (!load_header(load, source, offset) || !array_reserve(&load->payload, &load->capacity, (size_t)chunk->length + 1, 1))
		return false;
	chunk->payload.data = load->payload;
	chunk->payload.size = source_read_at(source, offset + DWELL_CHUNK_HEADER_BYTES, load->payload, chunk->length);
	chunk->payload_crc_found = (uint32_t)crc32(0, load->payload, (uInt)chunk->payload.size);
	return chunk->payload.size < chunk->length || chunk->payload_crc_found == chunk->payload_crc;
}

void load_clear(struct load *load)
{
	free(load->payload);
	*load = (struct load){0};
}
