#include "util/progress.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "util/term.h"
#include "util/units.h"
#include "util/utf8.h"

#define QUIET_NS 1000000000u /* what is done by then needs no line */
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

	*progress = (struct progress){out, what, total == UINT64_MAX ? 0 : total, now, now + QUIET_NS, false};
}

void progress_begin(struct progress *progress, const char *what, uint64_t total)
{
	progress_begin_on(progress, term_is_terminal(stderr) ? stderr : NULL, what, total);
}

/* Escaped, and no longer than the line: what wraps cannot be cleared. */
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

static void draw(struct progress *progress, uint64_t done, uint64_t now)
{
	char done_text[UNITS_TEXT_BYTES], rate_text[UNITS_TEXT_BYTES], percent[16] = "", line[128];
	double seconds = (double)(now - progress->begin_ns) * 1e-9;
	int width = term_width(progress->out), bytes;

	units_format_bytes(done_text, done);
	units_format_bytes(rate_text, (uint64_t)((double)done / seconds));
	if (progress->total)
		snprintf(percent, sizeof percent, "%3.0f %%  ", floor(100.0 * (double)done / (double)progress->total));
	bytes = snprintf(line, sizeof line, "%s%s, %s/s  ", percent, done_text, rate_text);
	putc('\r', progress->out);
	put_text(progress->out, line, width ? width - 1 : bytes);
	put_text(progress->out, progress->what, width ? width - 1 - bytes : 100);
	fputs("\033[K", progress->out);
	fflush(progress->out);
	progress->shown = true;
}

void progress_update(struct progress *progress, uint64_t done)
{
	uint64_t now;

	if (!progress->out)
		return;
	now = now_ns();
	if (now < progress->next_ns)
		return;
	progress->next_ns = now + REDRAW_NS;
	draw(progress, done, now);
}

void progress_end(struct progress *progress)
{
	if (progress->shown) {
		fputs("\r\033[K", progress->out);
		fflush(progress->out);
	}
	progress->out = NULL;
	progress->shown = false;
}
