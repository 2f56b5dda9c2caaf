/* hook dump: a reader of hook records, without the code that reads them from a file.
 * The struct is the first member of the state of each format with hook records. */
#ifndef DWELL_CLASSIC_HOST_READER_TI_HOOK_DUMP_H
#define DWELL_CLASSIC_HOST_READER_TI_HOOK_DUMP_H

#include "reader/format.h"
#include "classic/host/reader/ti/hook_image.h"
#include "classic/host/reader/ti/hook_records.h"

#define HOOK_NAME_BYTES_MAX 1024u

struct hook_dump {
	struct hook_records records; /* settled by open */
	struct reader_input *input;
	bool is_big; /* the recorded machine, if known */
	char name[64]; /* "C6000 records, big-endian" */
	void (*say)(const struct hook_dump *dump); /* reports problems of the file, in addition to problems of the records */
	const struct memory *memory; /* contains the names; null: no names, or only their addresses are known */
	uint32_t *names; /* addresses */
	size_t name_count;
	/* ---- */
	size_t name_next;
	char text[HOOK_NAME_BYTES_MAX];
	struct hook_cursor cursor;
	bool header_written;
};

/* For open: marks the input as bare, and sets the places to addresses of functions, or what the user's options state. */
void hook_dump_begin(struct hook_dump *dump, struct reader_input *input, void (*say)(const struct hook_dump *dump));
/* Sets the places to addresses of names; the texts come from memory, which is borrowed. False: no memory. */
bool hook_dump_take_names(struct hook_dump *dump, const struct memory *memory, const struct hook_image *image);
/* Guesses the places from settled records, without other information: return addresses if no exit has the place of an entry. */
void hook_dump_guess_places(struct hook_dump *dump);
void hook_dump_clear(struct hook_dump *dump);
/* Adds the diag "out of memory". Returns false, for open to return. */
bool hook_dump_starve(const struct hook_dump *dump);

/* Members of struct reader_format. */
void hook_dump_rewind(void *dump);
void hook_dump_next(void *dump, struct message *message);
uint64_t hook_dump_chunk_count(const void *dump);
struct reader_chunk hook_dump_get_chunk(const void *dump, uint64_t chunk);
void *make_hook_decoder(const void *dump); /* freed by free */
bool hook_decoder_load(void *decoder, uint64_t chunk);
void hook_decoder_next(void *decoder, struct message *message);
struct reader_counts hook_decoder_get_counts(const void *decoder);
/* clang-format off */
#define HOOK_DUMP_MEMBERS                                                                                                          \
	.next = hook_dump_next,                                                                                                    \
	.rewind = hook_dump_rewind,                                                                                                \
	.chunk_count = hook_dump_chunk_count,                                                                                      \
	.get_chunk = hook_dump_get_chunk,                                                                                          \
	.make_decoder = make_hook_decoder,                                                                                         \
	.free_decoder = free,                                                                                                      \
	.decoder_load = hook_decoder_load,                                                                                         \
	.decoder_next = hook_decoder_next,                                                                                         \
	.decoder_get_counts = hook_decoder_get_counts
/* clang-format on */

#endif
