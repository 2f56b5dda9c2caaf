/* progress: a line on standard error during a task of more than a second: on a terminal only, cleared at the end.
 *
 *     struct progress progress;
 *     progress_begin(&progress, NULL, "reading app.dwell", size);
 *     while (…)
 *             progress_update(&progress, done);
 *     progress_end(&progress);
 */
#ifndef DWELL_HOST_UTIL_PROGRESS_H
#define DWELL_HOST_UTIL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Receives the progress instead of the terminal. */
struct progress_watch {
	/* Called at most every 100 ms; total UINT64_MAX: unknown. Returns 0 to cancel the task. May be null. */
	int (*tell)(void *context, uint64_t done, uint64_t total);
	void *context;
	bool *is_cancelled; /* true: the task ends soon. The caller of the task may set it at any time. Not null */
};

struct progress {
	const struct progress_watch *watch; /* null: the terminal */
	FILE *out; /* null: no line is written to a stream */
	bool is_shown_by_owner; /* the owner of the terminal shows the line (progress_set_owner) */
	const char *what;
	uint64_t total;
	uint64_t begin_ns, next_ns; /* when the task began; when the line is due next */
	bool shown; /* the line is on the terminal */
	bool is_count; /* done and total are not bytes */
};

/* what and watch are borrowed until the end. watch null: the terminal.
 * total: bytes to process; 0 or UINT64_MAX: unknown (a pipe). */
void progress_begin(struct progress *progress, const struct progress_watch *watch, const char *what, uint64_t total);
/* Returns whether the receiver of the progress has cancelled the task. */
static inline bool progress_is_cancelled(const struct progress *progress)
{
	return progress->watch && *progress->watch->is_cancelled;
}
/* As progress_begin, but done and total count other things than bytes: shows the percentage, and no rate. */
void progress_begin_count(struct progress *progress, const struct progress_watch *watch, const char *what, uint64_t total);
/* done: bytes so far. Cheap (25 ns): call it for every chunk, but not for every event. */
void progress_update(struct progress *progress, uint64_t done);
/* Clears the line. Also call it before printing anything else to the same terminal. */
void progress_end(struct progress *progress);

/* From now on, progress calls show with each line, since a screen program owns the terminal (host/cmd/tui/browser.c). show null:
 * the owner has ended. Do not call this while a line is shown. */
typedef void progress_show_fn(void *context, const char *line);
void progress_set_owner(progress_show_fn *show, void *context);

/* Like progress_begin, on any stream: for tests. */
void progress_begin_on(struct progress *progress, FILE *out, const char *what, uint64_t total);

#endif
