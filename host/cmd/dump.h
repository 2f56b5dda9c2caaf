/* dump: what the files of `dwell dump` share: a row for each record, in the order of the file. */
#ifndef DWELL_HOST_CMD_DUMP_H
#define DWELL_HOST_CMD_DUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/slot.h"
#include "io/source.h"
#include "pack/pack.h"
#include "reader/dwell/declaration.h"
#include "reader/dwell/frame.h"
#include "writer/writer.h"

enum { COLUMN_OFFSET, COLUMN_BYTES, COLUMN_RECORD, COLUMN_STREAM, COLUMN_TICKS, COLUMN_WHAT, COLUMN_COUNT };
struct dump {
	struct source *source;
	struct diag *diag;
	struct table_sink sink;
	bool layout;
	uint64_t limit, rows; /* that are shown, at most; so far */
	struct declaration declaration;
	struct unpacker unpacker;
	uint64_t end; /* of the row before */
	uint64_t regions, bytes; /* of the layout */
	bool gap; /* a row did not begin where the one before ended */
	uint64_t damage_offset, damage_bytes;
};

/* One row. Streams and ticks that are not there are UINT64_MAX. */
void dump_put(struct dump *dump, uint64_t offset, uint64_t bytes, const char *record, uint64_t stream, uint64_t ticks,
	const char *format, ...) __attribute__((format(printf, 7, 8)));
void dump_slot(struct dump *dump, uint64_t offset, uint64_t bytes, uint32_t stream, uint64_t slot, struct dwell_slot_cursor *cursor);
/* What is in a chunk; its header stands at chunk->offset, or would. */
void dump_payload(struct dump *dump, const struct frame_chunk *chunk);

/* dump_session.c: the records of a session file. */
void dump_session(struct dump *dump);

#endif
