/* session: prints the records of a session file for dwell dump. Each unused region is a single row of any size. */
#include <inttypes.h>
#include <stdlib.h>

#include "cmd/dump.h"
#include "dwell/format.h"
#include "reader/dwell/session_layout.h"

#define NONE UINT64_MAX

static const char *const states[] = {"free", "being taken", "in use", "ended"};
static const char *const modes[] = {"stream", "ring", "linear"};

/* Prints the bytes from the previous row up to offset as unused. */
static void put_unused(struct dump *dump, uint64_t offset)
{
	uint64_t size = source_size(dump->source);

	if (offset > size)
		offset = size;
	if (offset > dump->end)
		dump_put(dump, dump->end, offset - dump->end, "unused", NONE, NONE, "%s", "");
}

/* Whether the file has these bytes. If the end of the file cuts them, prints the rest as cut. */
static bool has_bytes(struct dump *dump, uint64_t offset, uint64_t bytes)
{
	uint64_t size = source_size(dump->source);

	if (offset <= size && bytes <= size - offset)
		return true;
	if (offset < size)
		dump_put(dump, offset, size - offset, "cut", NONE, NONE, "the file ends inside of this record");
	return false;
}

static void put_slots(struct dump *dump, const struct session_layout *layout)
{
	struct session_slot slot;

	for (uint32_t i = 0; i < layout->slots_used && session_layout_slot(layout, dump->source, i, &slot); i++)
		dump_put(dump, layout->slots_offset + (uint64_t)i * DWELL_SESSION_SLOT_BYTES, DWELL_SESSION_SLOT_BYTES, "slot", i, NONE,
			"%s, tid %u of process %u, \"%s\"", slot.state < 4 ? states[slot.state] : "of an unknown state", slot.tid, slot.process,
			slot.name);
}

static void put_entry(struct dump *dump, const struct session_entry *entry)
{
	uint64_t offset = entry->offset + DWELL_SESSION_ENTRY_BYTES;
	/* The payload's offset is as if after a chunk header. */
	struct raw_chunk chunk = {.offset = offset - DWELL_CHUNK_HEADER_BYTES,
		.kind = (uint16_t)entry->kind,
		.stream = entry->process,
		.length = entry->bytes,
		.unpacked = entry->bytes};
	uint8_t *payload = malloc((size_t)entry->bytes + 1);

	dump_put(dump, entry->offset, DWELL_SESSION_ENTRY_BYTES, "entry", NONE, NONE, "kind %u, process %u, payload %u bytes%s", entry->kind,
		entry->process, entry->bytes, entry->ready ? "" : ", never filled in");
	if (!payload || !entry->bytes || dump->layout || !entry->ready || entry->kind > UINT16_MAX ||
		entry->kind == DWELL_CHUNK_SLOTS) {
		if (entry->bytes)
			dump_put(dump, offset, entry->bytes, "payload", NONE, NONE, "%s", "");
	} else {
		source_read_at(dump->source, offset, payload, entry->bytes);
		chunk.payload = (struct bytes){payload, entry->bytes};
		dump_payload(dump, &chunk);
	}
	free(payload);
}

static void put_journal(struct dump *dump, const struct session_layout *layout)
{
	struct session_entry entry;
	uint64_t at = 0;
	bool damaged;

	while (session_layout_entry(layout, dump->source, &at, &entry, &damaged)) {
		if (!has_bytes(dump, entry.offset, DWELL_SESSION_ENTRY_BYTES + (uint64_t)entry.bytes))
			return;
		put_entry(dump, &entry);
	}
	if (damaged)
		diag_add(dump->diag, DIAG_WARN, source_name(dump->source), layout->journal_offset + at, "the journal is damaged or cut here");
}

/* Prints a block of a ring, from position on: the slots up to the end of the extent. */
static void put_block(struct dump *dump, uint64_t offset, uint64_t position, const struct dwell_extent *extent, uint32_t stream)
{
	struct dwell_slot_cursor cursor = {0};
	uint8_t block[DWELL_BLOCK_BYTES];
	uint64_t bytes = extent->end - position < sizeof block ? extent->end - position : sizeof block;

	if (!has_bytes(dump, offset, bytes))
		return;
	put_unused(dump, offset);
	if (dump->layout) {
		dump_put(dump, offset, bytes, "block", stream, NONE, "position %" PRIu64, position);
		return;
	}
	source_read_at(dump->source, offset, block, (size_t)bytes);
	for (size_t at = 0; at < bytes; at += DWELL_SLOT_BYTES)
		dump_slot(dump, offset + at, DWELL_SLOT_BYTES, stream, get_u64(block + at), &cursor);
}

static void put_ring(struct dump *dump, const struct session_layout *layout, uint32_t index)
{
	uint64_t offset = session_layout_ring(layout, index), lost, data = offset + DWELL_RING_HEADER_BYTES;
	struct session_slot slot;
	struct dwell_extent extent;

	if (!session_layout_slot(layout, dump->source, index, &slot) ||
		(slot.state != DWELL_SESSION_LIVE && slot.state != DWELL_SESSION_ENDED) || offset >= source_size(dump->source))
		return;
	put_unused(dump, offset);
	if (!session_layout_extent(layout, dump->source, index, &extent, &lost)) {
		diag_add(dump->diag, DIAG_WARN, source_name(dump->source), offset, "the ring of thread %u says what cannot be", slot.tid);
		return;
	}
	if (!has_bytes(dump, offset, DWELL_RING_HEADER_BYTES))
		return;
	dump_put(dump, offset, DWELL_RING_HEADER_BYTES, "ring", index, NONE, "positions %" PRIu64 " to %" PRIu64 ", %" PRIu64 " events lost",
		extent.begin, extent.end, lost);
	/* Blocks follow in the order of the file. In a ring that wrapped, the newest blocks come first. */
	for (uint64_t at = 0; at < layout->ring_bytes && data + at < source_size(dump->source); at += DWELL_BLOCK_BYTES) {
		uint64_t position = extent.begin / layout->ring_bytes * layout->ring_bytes + at;

		if (position < extent.begin)
			position += layout->ring_bytes;
		if (position < extent.end)
			put_block(dump, data + at, position, &extent, index);
	}
}

void dump_session(struct dump *dump)
{
	uint8_t start[DWELL_SESSION_HEADER_BYTES_MIN];
	struct session_layout layout;
	const char *problem = session_layout_parse((struct bytes){start, source_peek(dump->source, start, sizeof start)}, &layout);

	if (!source_is_seekable(dump->source))
		problem = "cannot be read from a pipe";
	else if (!problem && layout.version != DWELL_SESSION_VERSION)
		problem = "is of another version";
	if (problem) {
		diag_add(dump->diag, DIAG_ERROR, source_name(dump->source), 0, "is a dwell session, and %s", problem);
		return;
	}
	layout.slots_used = session_layout_slots_in_file(&layout, dump->source);
	if (!has_bytes(dump, 0, layout.slots_offset))
		return;
	dump_put(dump, 0, layout.slots_offset, "header", NONE, NONE, "session of version %u, %s, %u rings of %" PRIu64 " bytes, %u used%s",
		layout.version, layout.mode < 3 ? modes[layout.mode] : "unknown mode", layout.slot_count, layout.ring_bytes, layout.slots_used,
		layout.closed ? ", ended" : "");
	put_slots(dump, &layout);
	put_unused(dump, layout.journal_offset);
	put_journal(dump, &layout);
	put_unused(dump, layout.rings_offset);
	for (uint32_t i = 0; i < layout.slots_used; i++)
		put_ring(dump, &layout, i);
	put_unused(dump, source_size(dump->source));
	if (source_size(dump->source) < layout.bytes)
		diag_add(dump->diag, DIAG_WARN, source_name(dump->source), source_size(dump->source),
			"the file ends here; %" PRIu64 " bytes were expected", layout.bytes);
}
