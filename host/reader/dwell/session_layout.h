/* session_layout: finds and checks the parts of a session file, field by field as in FORMAT.md. For the reader and for `dump`. */
#ifndef DWELL_HOST_READER_DWELL_SESSION_LAYOUT_H
#define DWELL_HOST_READER_DWELL_SESSION_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/extent.h"
#include "dwell/session.h"
#include "io/source.h"
#include "reader/message.h"
#include "util/bytes.h"

/* The header of a session file. Offsets are in the file. A "slot" here is an entry of the slot table: one per ring. */
struct session_layout {
	uint32_t version, mode, slot_count, slots_used;
	uint64_t bytes; /* size according to the header: the file may be shorter */
	uint64_t slots_offset, journal_offset, journal_bytes, rings_offset, slot_bytes;
	uint64_t ring_bytes; /* of data in a ring */
	bool closed; /* recording has ended */
	/* Numbers for MESSAGE_LOSS (enum dwell_loss_reason). lost_entries: modules without room in the journal. */
	uint64_t lost_threads, lost_events, lost_setup, lost_entries, given_up, unseen, moved;
	struct message_header message; /* for the reader's first message */
};

/* An entry of the slot table. */
struct session_slot {
	uint32_t state; /* enum dwell_session_slot_state */
	uint32_t process, pid, tid;
	bool is_copy; /* a fork copied the thread */
	char name[DWELL_SESSION_SLOT_NAME_BYTES + 1];
};

/* An entry of the journal. */
struct session_entry {
	uint64_t offset; /* in the file */
	uint32_t kind, process, bytes;
	bool ready;      /* the payload, `bytes` behind the entry's header, is valid */
};

/* Decodes the header at the front of the bytes. Null, or an error message. */
const char *session_layout_parse(struct bytes start, struct session_layout *layout);

uint64_t session_layout_ring(const struct session_layout *layout, uint32_t slot); /* offset in the file */

/* Returns the number of used slots, as far as the file has room for them. */
uint32_t session_layout_slots_in_file(const struct session_layout *layout, const struct source *source);

/* The next three read the file. False: the part is missing or impossible. */
bool session_layout_slot(const struct session_layout *layout, struct source *source, uint32_t index, struct session_slot *slot);
/* Reads the journal's entry at offset *at of the journal, and moves *at
 * behind it. False: the journal has ended; *damaged: early, by damage. */
bool session_layout_entry(const struct session_layout *layout, struct source *source, uint64_t *at, struct session_entry *entry,
	bool *damaged);
/* Reads a ring's header: lost events, and which part of the data is readable. */
bool session_layout_extent(const struct session_layout *layout, struct source *source, uint32_t slot, struct dwell_extent *extent,
	uint64_t *lost_events);

#endif
