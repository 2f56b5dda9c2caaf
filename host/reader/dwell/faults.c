/* faults: reports and counts unusable chunks. */
#include "reader/dwell/faults.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dwell/format.h"
#include "reader/dwell/declaration.h"

#define WARN(input, offset, ...) diag_add((input)->diag, DIAG_WARN, source_name((input)->source), offset, __VA_ARGS__)

const char *fault_title(const struct reader_input *input, const struct raw_chunk *chunk, char buffer[static 64])
{
	uint64_t number = input->health->chunks - 1;

	if (chunk->kind == DWELL_CHUNK_SLOTS)
		snprintf(buffer, 64, "chunk %" PRIu64 " (stream %u)", number, chunk->stream);
	else
		snprintf(buffer, 64, "chunk %" PRIu64 " (%s)", number, declaration_kind_name(chunk->kind));
	return buffer;
}

void fault_report_cut(struct reader_input *input, const struct raw_chunk *chunk, uint64_t events)
{
	char name[64];

	WARN(input, chunk->offset, "%s: length %u exceeds file, which ends after %zu bytes of it: %" PRIu64 " of its %u events are read",
		fault_title(input, chunk, name), chunk->length, chunk->payload.size, events, chunk->events);
}

void fault_skip(struct reader_input *input, const struct split_item *item, const char *problem)
{
	bool starved = strstr(problem, "out of memory"); /* the chunk is intact */
	char name[64];

	input->health->bytes_skipped += item->bytes;
	if (!starved && item->chunk.kind == DWELL_CHUNK_SLOTS && item->chunk.payload.size < item->chunk.length) {
		fault_report_cut(input, &item->chunk, 0);
		return;
	}
	*(starved ? &input->health->chunks_starved : &input->health->chunks_damaged) += 1;
	if (starved)
		diag_add(input->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: chunks are left out");
	else
		WARN(input, item->offset, "%s %s: skipped", fault_title(input, &item->chunk, name), problem);
}

bool fault_check_known(struct reader_input *input, const struct split_item *item)
{
	struct reader_health *health = input->health;
	const struct raw_chunk *chunk = &item->chunk;
	unsigned known = DWELL_CHUNK_FRAMES_MISSING | (declaration_can_be_packed(chunk->kind) ? DWELL_CHUNK_PACKED : 0);

	known |= chunk->kind == DWELL_CHUNK_SLOTS ? DWELL_CHUNK_PARTS : 0;
	if (declaration_knows(chunk->kind) && !(chunk->flags & ~known) &&
		(chunk->unpacked == chunk->length || chunk->flags & DWELL_CHUNK_PACKED))
		return true;
	health->chunks_unknown++;
	health->bytes_skipped += item->bytes;
	WARN(input, item->offset,
		"chunk %" PRIu64 " has kind %u, flags 0x%x, %u bytes packed into %u, which this version does not know: skipped",
		health->chunks - 1, chunk->kind, chunk->flags, chunk->unpacked, chunk->length);
	return false;
}

void fault_report_bad_payload(struct reader_input *input, const struct split_item *item)
{
	const struct raw_chunk *chunk = &item->chunk;
	char name[64];

	input->health->chunks_damaged++;
	input->health->bytes_skipped += item->bytes;
	if (chunk->payload.size < chunk->length)
		WARN(input, item->offset, "%s: length %u exceeds file: skipped", fault_title(input, chunk, name), chunk->length);
	else
		WARN(input, item->offset, "%s: payload CRC is 0x%08x, expected 0x%08x: skipped", fault_title(input, chunk, name),
			chunk->payload_crc_found, chunk->payload_crc);
}
