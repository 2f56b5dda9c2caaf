/* format: the slot that each input format fills. A new one is a file with one of these and a row in probe.c. */
#ifndef DWELL_HOST_READER_FORMAT_H
#define DWELL_HOST_READER_FORMAT_H

#include <stddef.h>

#include "io/source.h"
#include "reader/message.h"
#include "reader/reader_types.h"
#include "util/bytes.h"
#include "util/diag.h"

/* What every format is given. */
struct reader_input {
	struct source *source; /* at its start; borrowed */
	struct diag *diag;     /* may change between calls: after a rewind nothing is said twice */
	struct reader_health *health; /* to be filled */
	enum reader_order order; /* as the user knows it */
	bool places_are_names, places_are_returns; /* likewise */
	bool is_bare; /* for open to set, as in message_header; who knows the program and the clock's rate is asked then */
};

struct reader_format {
	const char *name;     /* "dwell trace" */
	const char *expected; /* for the message when nothing fits: "a dwell trace (89 64 77 …)"; null: nobody expects it */
	const char *option;   /* the name that it is asked for by, in READER_FORMATS; null: its first bytes always tell it */
	/* Whether the source can be this: judged by its first bytes, up to 4096; whole: there are no others. */
	bool (*probe)(struct bytes start, bool whole);
	/* Of formats that stand somewhere in an image of memory: whether the source, which is seekable, holds any. Asked where nobody
	 * knows the first bytes; null: those tell. */
	bool (*find)(struct source *source);
	size_t state_bytes;
	/* The state is zeroed. False and a diag: it cannot be read; what was taken so far is freed by close. input outlives the state. */
	bool (*open)(void *state, struct reader_input *input);
	void (*close)(void *state); /* frees what the state has, not the state */
	void (*next)(void *state, struct message *message);
	void (*rewind)(void *state); /* the source is at its start again, the health is empty */

	bool (*skip_events)(void *state);   /* false, or null: there is no short way */

	bool (*has_switches)(const void *state, reader_is_meant *is_meant, const void *context); /* null: only reading tells */

	/* For formats with chunks, else null: as in reader.h. */
	uint64_t (*chunk_count)(const void *state);
	struct reader_chunk (*get_chunk)(const void *state, uint64_t chunk);
	void *(*make_decoder)(const void *state);
	void (*free_decoder)(void *decoder);
	bool (*decoder_load)(void *decoder, uint64_t chunk);
	void (*decoder_want_runs)(void *decoder);
	void (*decoder_next)(void *decoder, struct message *message);
	struct reader_counts (*decoder_get_counts)(const void *decoder);
	bool (*survey)(void *state);
	bool (*begin_decoding)(void *state);
	bool (*end_decoding)(void *state, const struct reader_counts *counts);
};

extern const struct reader_format reader_dwell, reader_session, reader_folded, reader_ccs, reader_c6000, reader_pprof,
	reader_perf_data, reader_gmon;

/* Found inside of images. */
extern const struct reader_format reader_lines;
extern const struct reader_format reader_histogram;

/* The format of the source. Where none is found it is otherwise, or, when that is null, null and a diag that says what was found and
 * what was expected. What people give by mistake is not otherwise, either. */
const struct reader_format *probe_format(struct source *source, const struct reader_format *otherwise, struct diag *diag);
/* The format of that name, or null. */
const struct reader_format *find_format(const char *option);

#endif
