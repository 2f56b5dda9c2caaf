/* format: the interface that each input format implements. A new format
 * is a file that defines a struct reader_format, and a row in probe.c. */
#ifndef DWELL_HOST_READER_FORMAT_H
#define DWELL_HOST_READER_FORMAT_H

#include <stddef.h>

#include "io/source.h"
#include "reader/message.h"
#include "reader/reader_types.h"
#include "reader/unwinder.h"
#include "util/bytes.h"
#include "util/diag.h"

/* What the reader gives each format at open. */
struct reader_input {
	struct source *source; /* positioned at its start; borrowed */
	struct diag *diag;     /* may change between calls: after a rewind its diags
			          are not printed, so no problem is reported twice */
	struct reader_health *health; /* to be filled by the format */
	enum reader_order order; /* the user's option */
	bool places_are_names, places_are_returns; /* the user's options: see struct reader_options */
	const char *event; /* the user's option: the event to read, of several in the file; null: the format chooses */
	const struct reader_unwinder *unwinder; /* finds the callers in copies of stacks; null: nobody does */
	bool has_events; /* set by open: the format can read any of several events */
	bool is_bare; /* set by open, as in message_header: then the user may give the program and the clock's rate */
};

struct reader_format {
	const char *name;     /* "dwell trace" */
	const char *expected; /* for the message when no format fits: "a dwell trace (89 64 77 …)"; null: not listed there */
	const char *option;   /* name in READER_FORMATS, by which the user can force the
			         format; null: the content always identifies the format */
	/* Returns whether the source can be of this format. start: its
	 * first bytes, up to 4096; whole: start is all of the source. */
	bool (*probe)(struct bytes start, bool whole);
	/* For formats that may lie anywhere in an image of memory: returns whether the seekable source contains
	 * one. Called where no format matched the first bytes. Null: the first bytes always identify the format. */
	bool (*find)(struct source *source);
	size_t state_bytes;
	/* The state is zeroed. False and a diag: the source cannot be read;
	 * close then frees what open allocated. input outlives the state. */
	bool (*open)(void *state, struct reader_input *input);
	void (*close)(void *state); /* frees what the state owns, not the state */
	/* As reader_next. The first message is MESSAGE_HEADER; after the last comes MESSAGE_END, whenever it is called. */
	void (*next)(void *state, struct message *message);
	void (*rewind)(void *state); /* pre: the source is at its start again, the health is empty */

	bool (*skip_events)(void *state);   /* as reader_skip_events. False, or null: events cannot be skipped */

	/* As reader_has_switches. Null: only a full pass shows whether there are any. */
	bool (*has_switches)(const void *state, reader_is_wanted *is_wanted, const void *context);

	/* For formats with chunks, as in reader.h; null for all others. */
	uint64_t (*chunk_count)(const void *state);
	struct reader_chunk (*get_chunk)(const void *state, uint64_t chunk);
	void *(*make_decoder)(const void *state);
	void (*free_decoder)(void *decoder);
	bool (*decoder_load)(void *decoder, uint64_t chunk);
	void (*decoder_want_packed)(void *decoder);
	void (*decoder_next)(void *decoder, struct message *message);
	struct reader_counts (*decoder_get_counts)(const void *decoder);
	bool (*survey)(void *state);
	bool (*begin_decoding)(void *state);
	bool (*end_decoding)(void *state, const struct reader_counts *counts);
};

extern const struct reader_format reader_dwell, reader_session, reader_folded, reader_pprof, reader_perf_data,
	reader_gmon, reader_valgrind;

/* Finds the format of the source by its content. If no format matches, returns otherwise; if
 * otherwise is null, returns null and adds a diag with the bytes found and the formats expected.
 * A file that users often give by mistake, such as a program, never counts as otherwise. */
const struct reader_format *probe_format(struct source *source, const struct reader_format *otherwise, struct diag *diag);
/* Returns the format with this option name, or null. */
const struct reader_format *find_format(const char *option);

#endif
