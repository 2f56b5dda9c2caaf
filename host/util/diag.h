/* diag: diagnostics, each reported once, separately from the data.
 *
 * Any code may add a diagnostic; only main prints them and sets the exit status. Threads that run at the same time
 * need a struct diag each (diag_move). Form on the terminal:
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

/* Adds a message. file null: no file; offset in the file, or DIAG_NO_OFFSET. Keeps 20 messages of each format string, and
 * only counts further messages ("and 4711 more like this"). Keeps a repeated text about the same place once. */
void diag_add(struct diag *diag, enum diag_level level, const char *file, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Moves all messages of take_from to diag, and frees take_from. Not while another thread adds messages to either. */
void diag_move(struct diag *diag, struct diag *take_from);

/* Returns the exit status. 0: notes or nothing; 1: warnings; 2: errors. */
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
