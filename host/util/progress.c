/* progress: draws or reports the progress of a task (progress.h). */
#include "util/progress.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "util/real.h"
#include "util/term.h"
#include "util/units.h"
#include "util/utf8.h"

/* Function of the terminal's owner, and its context; null: no owner. */
static progress_show_fn *owner_show;
static void *owner_context;

#define QUIET_NS 1000000000u /* shorter tasks need no line */
#define REDRAW_NS 100000000u

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void progress_begin_on(struct progress *progress, FILE *out, const char *what, uint64_t total)
{
	uint64_t now = now_ns();

	*progress = (struct progress){
		.out = out, .what = what, .total = total == UINT64_MAX ? 0 : total, .begin_ns = now, .next_ns = now + QUIET_NS};
}

void progress_set_owner(progress_show_fn *show, void *context)
{
	owner_show = show;
	owner_context = context;
}

void progress_begin(struct progress *progress, const struct progress_watch *watch, const char *what, uint64_t total)
{
	progress_begin_on(progress, !watch && !owner_show && term_is_terminal(stderr) ? stderr : NULL, what, total);
	progress->is_shown_by_owner = !watch && owner_show;
	progress->watch = watch;
	if (watch)
		progress->next_ns = 0;
}

void progress_begin_count(struct progress *progress, const struct progress_watch *watch, const char *what, uint64_t total)
{
	progress_begin(progress, watch, what, total);
	progress->is_count = true;
}

/* Escapes the text and cuts it at the line's end: a wrapped line could not be cleared. */
static void put_text(FILE *out, const char *text, int columns)
{
	size_t bytes = strlen(text);

	while (bytes) {
		char escaped[UTF8_ESCAPE_BYTES];
		size_t written, taken;
		int wide;

		taken = utf8_escape(text, bytes, escaped, &written, &wide);
		columns -= wide;
		if (columns < 0)
			return;
		fwrite(escaped, 1, written, out);
		text += taken;
		bytes -= taken;
	}
}

/* Writes the line, or passes it to the owner of the terminal. */
static void draw(struct progress *progress, uint64_t done, uint64_t now)
{
	char done_text[UNITS_TEXT_BYTES], rate_text[UNITS_TEXT_BYTES], percent[16] = "", line[128];
	double seconds = (double)(now - progress->begin_ns) * 1e-9;
	int width = progress->out ? term_width(progress->out) : 0, bytes;

	units_format_bytes(done_text, done);
	units_format_bytes(rate_text, real_to_u64((double)done / seconds));
	if (progress->total)
		snprintf(percent, sizeof percent, "%3.0f %%  ", floor(100.0 * (double)done / (double)progress->total));
	bytes = progress->is_count ? snprintf(line, sizeof line, "%s", percent)
				   : snprintf(line, sizeof line, "%s%s, %s/s  ", percent, done_text, rate_text);
	if (!progress->out) {
		snprintf(line + bytes, sizeof line - (size_t)bytes, "%s", progress->what);
		owner_show(owner_context, line);
		return;
	}
	putc('\r', progress->out);
	put_text(progress->out, line, width ? width - 1 : bytes);
	put_text(progress->out, progress->what, width ? width - 1 - bytes : 100);
	fputs("\033[K", progress->out);
	fflush(progress->out);
	progress->shown = true;
}

void progress_update(struct progress *progress, uint64_t done)
{
	const struct progress_watch *watch = progress->watch;
	uint64_t now;

	if (!progress->out && !progress->is_shown_by_owner && !watch)
		return;
	now = now_ns();
	if (now < progress->next_ns)
		return;
	progress->next_ns = now + REDRAW_NS;
	if (!watch)
		draw(progress, done, now);
	else if (watch->tell && !watch->tell(watch->context, done, progress->total ? progress->total : UINT64_MAX))
		*watch->is_cancelled = true;
}

void progress_end(struct progress *progress)
{
	if (progress->shown) {
		fputs("\r\033[K", progress->out);
		fflush(progress->out);
	}
	progress->out = NULL;
	progress->is_shown_by_owner = false;
	progress->shown = false;
}
