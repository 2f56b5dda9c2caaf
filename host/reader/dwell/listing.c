#include "reader/dwell/listing.h"

#include "dwell/format.h"
#include "reader/dwell/load.h"

/* last: of each stream, its last chunk in the index as next_sequence, counted from 1. */
static bool add(struct index *index, const struct overview_chunk *listed, struct streams *last, struct streams *streams)
{
	const struct frame_chunk chunk = {
		.offset = listed->offset, .stream = listed->stream, .first_ticks = listed->first_ticks, .last_ticks = UINT64_MAX};
	struct stream *stream = streams_find(last, listed->stream);
	const struct stream *known = streams_find(streams, listed->stream);

	if (!stream || !known)
		return false;
	if (listed->kind == DWELL_CHUNK_SWITCHES)
		return index_add_switches(index, &chunk, stream);
	stream->place_kind = known->place_kind;
	return index_add_listed(index, &chunk, stream);
}

/* A stream's last chunk has no next one to tell where it ends. */
static void read_ends(struct index *index, struct source *source)
{
	struct load load = {0};

	for (size_t i = 0; i < index->count; i++) {
		struct reader_chunk *chunk = &index->entries[i].chunk;

		if (chunk->last_ticks == UINT64_MAX && load_header(&load, source, chunk->offset))
			chunk->last_ticks = load.chunk.last_ticks;
	}
	load_clear(&load);
}

bool listing_make(struct index *index, const struct overview *overview, struct streams *streams, struct source *source)
{
	struct streams last = {0};
	bool good = true;

	for (size_t i = 0; good && i < overview->chunk_count; i++)
		good = add(index, &overview->chunks[i], &last, streams);
	if (good)
		read_ends(index, source);
	streams_clear(&last);
	return good;
}
