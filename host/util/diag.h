/* diag: diagnostics, each reported once, separately from the data.
 *
 * Any code may add one; only main prints them and sets the exit status. Form on the terminal:
 *     dwell: run.dwell:0x1a40: chunk 812 (thread 3): length 24 exceeds file
 */
#ifndef DWELL_HOST_UTIL_DIAG_H
#define DWELL_HOST_UTIL_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum diag_level {
	DIAG_NOTE,  /* informative; exit status stays 0 */
	DIAG_WARN,  /* something was lost, skipped or is uncertain; exit status 1 */
	DIAG_ERROR, /* a task failed; exit status 2 */
};

#define DIAG_NO_OFFSET UINT64_MAX

struct diag;

/* Never fails: without memory, messages are counted instead of kept. */
struct diag *make_diag(void);
void free_diag(struct diag *diag);

/* file null: no file; offset may be DIAG_NO_OFFSET. Of each format string 20 messages are kept; further messages are only counted
 * ("and 4711 more like this"). A repeated text about the same place is kept once. */
void diag_add(struct diag *diag, enum diag_level level, const char *file, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Moves all messages of take_from here, and frees take_from. */
void diag_move(struct diag *diag, struct diag *take_from);

/* Returns 0: nothing above NOTE, 1: warnings, 2: errors. */
int diag_status(const struct diag *diag);
bool diag_has_error(const struct diag *diag);

/* Gets a kept message by index, from 0, in order. Returns false after the last. Borrowed until the next diag_add. */
struct diag_message {
	enum diag_level level;
	const char *file; /* null: none */
	const char *text;
	uint64_t offset;
};
bool diag_get(const struct diag *diag, size_t index, struct diag_message *message);

/* Prints the messages added since the last call. For main, and for commands that run for long. */
void diag_print(struct diag *diag, FILE *out);

#endif
