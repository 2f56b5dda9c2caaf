/* overview: reads a trace's declarations without the events. */
#include <stdlib.h>

#include "dwell/format.h"
#include "reader/dwell/index.h"
#include "reader/dwell/overview.h"
#include "util/array.h"

static bool is_declaration(uint32_t kind)
{
	return kind != DWELL_CHUNK_SLOTS && !index_is_aside(kind) && kind != DWELL_CHUNK_SEEK && kind != DWELL_CHUNK_END &&
	       kind <= UINT16_MAX && declaration_knows((uint16_t)kind);
}

static bool add_chunk(struct overview *overview, const struct overview_chunk *chunk)
{
	if (!array_reserve(&overview->chunks, &overview->chunk_capacity, overview->chunk_count + 1, sizeof *overview->chunks))
		return false;
	overview->chunks[overview->chunk_count++] = *chunk;
	return true;
}

/* Adds a chunk to the list of its kind; ignores kinds that an overview does not need. */
static bool add(struct overview *overview, const struct overview_chunk *chunk)
{
	if (overview->only && chunk->kind != overview->only)
		return true;
	if (chunk->kind == DWELL_CHUNK_SLOTS || chunk->kind == DWELL_CHUNK_SWITCHES)
		return add_chunk(overview, chunk);
	if (!is_declaration(chunk->kind))
		return true;
	if (!array_reserve(&overview->offsets, &overview->capacity, overview->count + 1, sizeof *overview->offsets))
		return false;
	overview->offsets[overview->count++] = chunk->offset;
	return true;
}

/* Adds the entries of one SEEK chunk. Entries are in the order of the file. A table in
 * another order is refused: it could make a reader read one chunk a million times. */
static bool add_entries(struct overview *overview, const struct raw_chunk *chunk, uint64_t *last)
{
	if (chunk->kind != DWELL_CHUNK_SEEK || chunk->payload.size < chunk->length || chunk->length % DWELL_SEEK_ENTRY_BYTES)
		return false;
	for (size_t at = 0; at < chunk->payload.size; at += DWELL_SEEK_ENTRY_BYTES) {
		const uint8_t *entry = chunk->payload.data + at;
		const struct overview_chunk listed = {.offset = get_u64(entry + DWELL_SEEK_OFFSET),
			.first_ticks = get_u64(entry + DWELL_SEEK_FIRST_TICKS),
			.kind = get_u32(entry + DWELL_SEEK_KIND),
			.stream = get_u32(entry + DWELL_SEEK_STREAM)};

		if (listed.offset <= *last || !add(overview, &listed))
			return false;
		*last = listed.offset;
	}
	return true;
}

static bool find_by_table(struct overview *overview)
{
	const uint64_t end_bytes = DWELL_CHUNK_HEADER_BYTES + DWELL_END_BYTES;
	uint64_t size = source_size(overview->source), end = size - end_bytes, at, last = 0;
	struct load *load = &overview->load;

	if (size == UINT64_MAX || size < end_bytes || !load_chunk(load, overview->source, end) ||
		load->chunk.kind != DWELL_CHUNK_END || load->chunk.payload.size != DWELL_END_BYTES)
		return false;
	at = declaration_get_end(&load->chunk).seek_offset;
	if (!at || at >= end)
		return false;
	/* The table may be several chunks, up to END. */
	for (; at < end; at += DWELL_CHUNK_HEADER_BYTES + (uint64_t)load->chunk.length)
		if (!load_chunk(load, overview->source, at) || !add_entries(overview, &load->chunk, &last))
			return false;
	return at == end;
}

static bool find_by_headers(struct overview *overview, uint64_t begin)
{
	uint64_t size = source_size(overview->source), at = begin;
	struct load *load = &overview->load;

	for (; at < size; at += DWELL_CHUNK_HEADER_BYTES + (uint64_t)load->chunk.length)
		if (!load_header(load, overview->source, at) ||
			!add(overview, &(struct overview_chunk){at, load->chunk.first_ticks, load->chunk.kind, load->chunk.stream}))
			return false;
	return at == size;
}

static void begin(struct overview *overview, struct source *source, uint32_t only)
{
	overview->source = source;
	overview->only = only;
	overview->next = overview->count = overview->chunk_count = 0;
	overview->in_chunk = false;
}

bool overview_begin_kind(struct overview *overview, struct source *source, uint32_t kind)
{
	begin(overview, source, kind);
	return find_by_table(overview);
}

bool overview_begin(struct overview *overview, struct source *source, uint64_t begin_offset)
{
	begin(overview, source, 0);
	if (find_by_table(overview))
		return true;
	overview->count = overview->chunk_count = 0;
	return find_by_headers(overview, begin_offset);
}

bool overview_next(struct overview *overview, struct message *message)
{
	uint64_t behind;

	for (;;) {
		if (overview->in_chunk && declaration_next(&overview->declaration, message))
			return true;
		overview->in_chunk = false;
		if (overview->next == overview->count)
			return false;
		if (!load_chunk(&overview->load, overview->source, overview->offsets[overview->next++]))
			continue;
		overview->in_chunk = is_declaration(overview->load.chunk.kind) &&
				     (!overview->only || overview->load.chunk.kind == overview->only) &&
				     overview->load.chunk.payload.size == overview->load.chunk.length &&
				     !declaration_begin(&overview->declaration, &overview->load.chunk);
		/* Read no byte twice: skip entries that point into this chunk, as they are wrong. */
		behind = overview->load.chunk.offset + DWELL_CHUNK_HEADER_BYTES + overview->load.chunk.length;
		while (overview->next < overview->count && overview->offsets[overview->next] < behind)
			overview->next++;
	}
}

bool overview_has_switches(const struct overview *overview, reader_is_wanted *is_wanted, const void *context)
{
	bool any = false;

	for (size_t i = 0; !any && i < overview->chunk_count; i++)
		any = overview->chunks[i].kind == DWELL_CHUNK_SWITCHES && is_wanted(context, overview->chunks[i].stream);
	return any;
}

void overview_clear(struct overview *overview)
{
	free(overview->offsets);
	free(overview->chunks);
	load_clear(&overview->load);
	declaration_clear(&overview->declaration);
	*overview = (struct overview){0};
}
