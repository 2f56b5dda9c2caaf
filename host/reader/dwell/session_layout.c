/* session_layout: finds and checks the parts of a session file. */
#include <string.h>

#include "dwell/format.h"
#include "reader/dwell/session_layout.h"

const char *session_layout_parse(struct bytes start, struct session_layout *layout)
{
	const uint8_t *p = start.data;
	uint64_t table;
	uint32_t flags;

	*layout = (struct session_layout){0};
	if (start.size < 8 || memcmp(p, DWELL_SESSION_MAGIC, 8))
		return "has no header";
	if (start.size < DWELL_SESSION_HEADER_BYTES_MIN)
		return "is cut inside of its header";
	layout->version = get_u32(p + DWELL_SESSION_AT_VERSION);
	if (layout->version != DWELL_SESSION_VERSION)
		return NULL; /* the caller checks the version */
	layout->slots_offset = get_u32(p + DWELL_SESSION_AT_HEADER_BYTES);
	layout->bytes = get_u64(p + DWELL_SESSION_AT_BYTES);
	layout->journal_offset = get_u64(p + DWELL_SESSION_AT_JOURNAL_OFFSET);
	layout->journal_bytes = get_u64(p + DWELL_SESSION_AT_JOURNAL_BYTES);
	layout->rings_offset = get_u64(p + DWELL_SESSION_AT_RINGS_OFFSET);
	layout->slot_bytes = get_u64(p + DWELL_SESSION_AT_SLOT_BYTES);
	layout->slot_count = get_u32(p + DWELL_SESSION_AT_SLOT_COUNT);
	layout->mode = get_u32(p + DWELL_SESSION_AT_MODE);
	layout->ring_bytes = layout->slot_bytes - DWELL_RING_HEADER_BYTES;
	table = (uint64_t)layout->slot_count * DWELL_SESSION_SLOT_BYTES;
	/* The parts must follow each other inside of the file. In this order of checks, no sum can overflow. */
	if (layout->bytes > UINT64_MAX / 4 || layout->slots_offset < DWELL_SESSION_HEADER_BYTES_MIN || layout->slots_offset % 8 ||
		layout->journal_offset % 8 || layout->journal_bytes % 8 || layout->rings_offset % 8 ||
		layout->slots_offset > layout->journal_offset || layout->journal_offset > layout->rings_offset ||
		layout->rings_offset > layout->bytes || table > layout->journal_offset - layout->slots_offset ||
		layout->journal_bytes > layout->rings_offset - layout->journal_offset)
		return "has parts that overlap";
	if (layout->slot_bytes < DWELL_RING_HEADER_BYTES + 2 * DWELL_BLOCK_BYTES || layout->ring_bytes & (layout->ring_bytes - 1) ||
		layout->ring_bytes > UINT32_MAX || (layout->bytes - layout->rings_offset) / layout->slot_bytes < layout->slot_count)
		return "has rings of an impossible size";
	layout->slots_used = get_u32(p + DWELL_SESSION_AT_SLOTS_USED);
	if (layout->slots_used > layout->slot_count)
		layout->slots_used = layout->slot_count;
	layout->closed = get_u32(p + DWELL_SESSION_AT_CLOSED);
	layout->lost_threads = get_u64(p + DWELL_SESSION_AT_LOST_THREADS);
	layout->lost_events = get_u64(p + DWELL_SESSION_AT_LOST_EVENTS);
	layout->lost_setup = get_u64(p + DWELL_SESSION_AT_LOST_SETUP);
	layout->lost_entries = get_u64(p + DWELL_SESSION_AT_LOST_ENTRIES);
	layout->given_up = get_u64(p + DWELL_SESSION_AT_GIVEN_UP);
	layout->unseen = get_u64(p + DWELL_SESSION_AT_UNSEEN);
	layout->moved = get_u64(p + DWELL_SESSION_AT_MOVED);
	layout->message = (struct message_header){
		.format = "dwell session", .has_events = true, .unit = "", .clock_bits = 64, .pointer_bytes = 8, .clock_global = true};
	layout->message.start_unix_ns = get_u64(p + DWELL_SESSION_AT_START_UNIX_NS);
	if (!get_u32(p + DWELL_SESSION_AT_MACHINE_READY))
		return NULL;
	flags = get_u32(p + DWELL_SESSION_AT_CLOCK_FLAGS);
	layout->message.machine = get_u32(p + DWELL_SESSION_AT_MACHINE);
	layout->message.clock_hz = get_u64(p + DWELL_SESSION_AT_CLOCK_HZ);
	layout->message.clock_global = flags & DWELL_CLOCK_GLOBAL;
	layout->message.clock_late = flags & DWELL_CLOCK_LATE;
	layout->message.clock_down = flags & DWELL_CLOCK_DOWN;
	if (get_u32(p + DWELL_SESSION_AT_CLOCK_BITS) - 1 < 64)
		layout->message.clock_bits = get_u32(p + DWELL_SESSION_AT_CLOCK_BITS);
	if (get_u32(p + DWELL_SESSION_AT_POINTER_BYTES) == 4)
		layout->message.pointer_bytes = 4;
	return NULL;
}

uint64_t session_layout_ring(const struct session_layout *layout, uint32_t slot)
{
	return layout->rings_offset + slot * layout->slot_bytes;
}

uint32_t session_layout_slots_in_file(const struct session_layout *layout, const struct source *source)
{
	uint64_t size = source_size(source), there = 0;

	if (size > layout->slots_offset)
		there = (size - layout->slots_offset) / DWELL_SESSION_SLOT_BYTES;
	return there < layout->slots_used ? (uint32_t)there : layout->slots_used;
}

bool session_layout_slot(const struct session_layout *layout, struct source *source, uint32_t index, struct session_slot *slot)
{
	uint8_t p[DWELL_SESSION_SLOT_BYTES];

	if (source_read_at(source, layout->slots_offset + (uint64_t)index * sizeof p, p, sizeof p) < sizeof p)
		return false;
	*slot = (struct session_slot){
		.state = get_u32(p + DWELL_SESSION_SLOT_STATE),
		.process = get_u32(p + DWELL_SESSION_SLOT_PROCESS),
		.pid = get_u32(p + DWELL_SESSION_SLOT_PID) & ~DWELL_SESSION_TASK_INNER,
		.tid = get_u32(p + DWELL_SESSION_SLOT_TID) & ~DWELL_SESSION_TASK_INNER,
		.is_copy = get_u16(p + DWELL_SESSION_SLOT_COPY),
	};
	memcpy(slot->name, p + DWELL_SESSION_SLOT_NAME, DWELL_SESSION_SLOT_NAME_BYTES);
	return true;
}

bool session_layout_entry(const struct session_layout *layout, struct source *source, uint64_t *at, struct session_entry *entry,
	bool *damaged)
{
	uint8_t p[DWELL_SESSION_ENTRY_BYTES];
	uint64_t claim, offset = layout->journal_offset + *at;

	*damaged = false;
	if (layout->journal_bytes - *at < sizeof p)
		return false;
	if (source_read_at(source, offset, p, sizeof p) < sizeof p) {
		*damaged = true;
		return false;
	}
	claim = get_u64(p + DWELL_SESSION_ENTRY_CLAIM);
	if (!claim)
		return false;
	*entry = (struct session_entry){
		.offset = offset,
		.kind = get_u32(p + DWELL_SESSION_ENTRY_KIND),
		.process = (uint32_t)claim,
		.bytes = (uint32_t)(claim >> 32),
		.ready = get_u32(p + DWELL_SESSION_ENTRY_READY),
	};
	if (entry->bytes % 8 || entry->bytes > DWELL_CHUNK_LENGTH_MAX || entry->bytes > layout->journal_bytes - *at - sizeof p) {
		*damaged = true;
		return false;
	}
	*at += sizeof p + entry->bytes;
	return true;
}

bool session_layout_extent(const struct session_layout *layout, struct source *source, uint32_t slot, struct dwell_extent *extent,
	uint64_t *lost_events)
{
	uint8_t p[DWELL_RING_FIELDS_BYTES];
	struct dwell_extent_facts facts;

	if (source_read_at(source, session_layout_ring(layout, slot), p, sizeof p) < sizeof p ||
		get_u32(p + DWELL_RING_AT_MAGIC) != DWELL_RING_MAGIC || get_u32(p + DWELL_RING_AT_VERSION) != DWELL_RING_VERSION ||
		get_u32(p + DWELL_RING_AT_HEADER_BYTES) != DWELL_RING_HEADER_BYTES ||
		get_u64(p + DWELL_RING_AT_BYTES) != layout->ring_bytes || get_u32(p + DWELL_RING_AT_MODE) != layout->mode)
		return false;
	facts = (struct dwell_extent_facts){
		.mode = layout->mode,
		.commits_last = get_u32(p + DWELL_RING_AT_COMMITS_LAST),
		.pos = get_u64(p + DWELL_RING_AT_POS),
		.consumed = get_u64(p + DWELL_RING_AT_CONSUMED),
		.ready = get_u64(p + DWELL_RING_AT_READY),
		.bytes = layout->ring_bytes,
	};
	*lost_events = get_u64(p + DWELL_RING_AT_LOST_EVENTS);
	return dwell_extent_of(&facts, extent);
}
