/* Diagnostics: what went wrong or is uncertain, said once, beside the data.
 *
 * Anyone may append; nobody but main prints or sets the exit status. Form on the terminal:
 *     dwell: run.dwell:0x1a40: chunk 812 (thread 3): length 24 exceeds file
 */
#ifndef DWELL_HOST_UTIL_DIAG_H
#define DWELL_HOST_UTIL_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum diag_level {
	DIAG_NOTE,  /* worth knowing; exit status stays 0 */
	DIAG_WARN,  /* something was lost, skipped or is unsure; exit status 1 */
	DIAG_ERROR, /* could not be done; exit status 2 */
};

#define DIAG_NO_OFFSET UINT64_MAX

struct diag;

/* Never fails: when memory is short, messages are counted instead of kept. */
struct diag *make_diag(void);
void free_diag(struct diag *diag);

/* file may be null (no file is meant); offset may be DIAG_NO_OFFSET. After 20 messages with the same format string further ones are
 * only counted ("and 4711 more like this"). The same words of the same place are kept once. */
void diag_add(struct diag *diag, enum diag_level level, const char *file, uint64_t offset, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Adds what take_from holds, as if it had been said here, and frees it. */
void diag_move(struct diag *diag, struct diag *take_from);

/* 0 nothing above NOTE, 1 warnings, 2 errors. */
int diag_status(const struct diag *diag);
bool diag_has_error(const struct diag *diag);

/* What was said: index from 0 on, in order. False: no more. Borrowed until the next diag_add. */
struct diag_message {
	enum diag_level level;
	const char *file; /* null: none */
	const char *text;
	uint64_t offset;
};
bool diag_get(const struct diag *diag, size_t index, struct diag_message *message);

/* main's, and of commands that go on for long: prints what was added since the last call. */
void diag_print(struct diag *diag, FILE *out);

#endif
