/* A line on standard error while something takes longer than a second: on a terminal only, gone at the end.
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

/* Who is told in place of the terminal. */
struct progress_watch {
	int (*tell)(void *context, uint64_t done, uint64_t total); /* returns 0 to cancel; null: nobody, but … */
	void *context;
	bool *is_cancelled; /* … this may be set */
};

struct progress {
	const struct progress_watch *watch; /* null: the terminal */
	FILE *out; /* null: nobody watches, or … */
	bool is_shown_by_other; /* … whoever has the terminal does */
	const char *what;
	uint64_t total;
	uint64_t begin_ns, next_ns;
	bool shown;
	bool is_count; /* of no bytes */
};

/* what and watch are borrowed until the end. watch: null: the terminal. total: how many bytes there are to do, 0 or UINT64_MAX when
 * unknown (a pipe). */
void progress_begin(struct progress *progress, const struct progress_watch *watch, const char *what, uint64_t total);
/* Whoever watches wants no more. */
static inline bool progress_is_cancelled(const struct progress *progress)
{
	return progress->watch && *progress->watch->is_cancelled;
}
/* The same of total things that are no bytes: a part of them is shown, and no rate. */
void progress_begin_count(struct progress *progress, const struct progress_watch *watch, const char *what, uint64_t total);
/* done: bytes so far. Cheap (25 ns), for every chunk; not for every event. */
void progress_update(struct progress *progress, uint64_t done);
/* Clears the line. Also before anything else is printed to the same terminal. */
void progress_end(struct progress *progress);

/* Who has the terminal shows the line himself, from now on; null: nobody has it any more. Not while there is a line. */
typedef void progress_show_fn(void *context, const char *line);
void progress_show_by(progress_show_fn *show, void *context);

/* As progress_begin, on any stream: for tests. */
void progress_begin_on(struct progress *progress, FILE *out, const char *what, uint64_t total);

#endif
