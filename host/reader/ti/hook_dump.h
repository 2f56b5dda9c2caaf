/* hook dump: a reader of hook records, but for how it gets at them. The first member of the state of each format that holds some. */
#ifndef DWELL_HOST_READER_TI_HOOK_DUMP_H
#define DWELL_HOST_READER_TI_HOOK_DUMP_H

#include "reader/format.h"
#include "reader/ti/hook_image.h"
#include "reader/ti/hook_records.h"

#define HOOK_NAME_BYTES_MAX 1024u

struct hook_dump {
	struct hook_records records; /* settled by open */
	struct reader_input *input;
	bool is_big; /* the recorded machine, where that is known */
	char name[64]; /* "C6000 records, big-endian" */
	void (*say)(const struct hook_dump *dump); /* what is wrong with the file beside what is with the records */
	const struct memory *memory; /* that names are in; null: their addresses are all that is known */
	uint32_t *names; /* addresses */
	size_t name_count;
	/* ---- */
	size_t name_next;
	char text[HOOK_NAME_BYTES_MAX];
	struct hook_cursor cursor;
	bool told_header;
};

/* For open: the dump is bare, its places are functions' addresses, or addresses of names where the user says so. */
void hook_dump_begin(struct hook_dump *dump, struct reader_input *input, void (*say)(const struct hook_dump *dump));
/* Its places are addresses of names, whose texts are told where the memory has them; it is borrowed. False: no memory. */
bool hook_dump_take_names(struct hook_dump *dump, const struct memory *memory, const struct hook_image *image);
/* The records are settled, and nothing but they tells what their places are: return addresses when no function is left that was entered. */
void hook_dump_guess_places(struct hook_dump *dump);
void hook_dump_clear(struct hook_dump *dump);
/* False, which open returns, and a diag. */
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
