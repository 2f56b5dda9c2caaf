/* dump: shared by the files of `dwell dump`: writes a row for each record, in the order of the file. */
#ifndef DWELL_HOST_CMD_DUMP_H
#define DWELL_HOST_CMD_DUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "core/slot.h"
#include "io/source.h"
#include "pack/pack.h"
#include "reader/dwell/declaration.h"
#include "reader/dwell/split.h"
#include "writer/writer.h"

enum { COLUMN_OFFSET, COLUMN_BYTES, COLUMN_RECORD, COLUMN_STREAM, COLUMN_TICKS, COLUMN_WHAT, COLUMN_COUNT };
struct dump {
	struct source *source;
	struct diag *diag;
	struct table_sink sink;
	bool layout;
	uint64_t limit, rows; /* maximum number of rows; rows so far */
	struct declaration declaration;
	struct unpacker unpacker;
	uint64_t end; /* offset behind the previous row */
	uint64_t regions, bytes; /* number and bytes of all rows so far, to check that the rows cover the file */
	bool gap; /* a row did not begin where the previous row ended */
	uint64_t damage_offset, damage_bytes; /* damage that has no row yet; bytes 0: none */
};

/* dump/row.c: writes a row. stream and ticks: UINT64_MAX if the record has none. */
void dump_put(struct dump *dump, uint64_t offset, uint64_t bytes, const char *record, uint64_t stream, uint64_t ticks,
	const char *format, ...) __attribute__((format(printf, 7, 8)));
/* dump/payload.c: writes one slot. */
void dump_slot(
	struct dump *dump, uint64_t offset, uint64_t bytes, uint32_t stream, uint64_t slot, struct dwell_slot_cursor *cursor);
/* Writes the incomplete record at the end of a payload that the end of the file cuts. */
void dump_put_cut_record(struct dump *dump, uint64_t offset, uint64_t bytes);
/* Writes the contents of a chunk. chunk->offset: the offset of its header. */
void dump_payload(struct dump *dump, const struct raw_chunk *chunk);

/* dump/cpu_places.c: writes the places where threads were on a CPU. */
void dump_put_cpu_places(struct dump *dump, const struct raw_chunk *chunk, const struct message_cpu_places *cpu_places);
/* dump/session.c: writes the records of a session file. */
void dump_session(struct dump *dump);

#endif
