#include "cmd/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "util/term.h"

#define HOME "\033[H"
#define CLEAR_TO_END "\033[J"
#define CLEAR_LINE "\033[K\n"
#define OTHER_SCREEN "\033[?1049h\033[?25l"
#define FIRST_SCREEN "\033[?25h\033[?1049l"

void screen_begin(struct screen *screen, bool hide)
{
	int nowhere;

	*screen = (struct screen){.out = stdout, .saved = -1, .is_terminal = term_is_terminal(stdout)};
	if (!screen->is_terminal || !hide)
		return;
	fflush(stdout);
	screen->saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	screen->out = screen->saved >= 0 ? fdopen(screen->saved, "w") : NULL;
	nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (!screen->out || nowhere < 0) {
		screen->out = stdout;
		return;
	}
	dup2(nowhere, STDOUT_FILENO);
	close(nowhere);
}

static unsigned screen_lines(const struct screen *screen)
{
	struct winsize size;

	if (!screen->is_terminal)
		return 0;
	return ioctl(fileno(screen->out), TIOCGWINSZ, &size) == 0 && size.ws_row ? size.ws_row : 24;
}

uint64_t screen_rows(const struct screen *screen, uint64_t limit, unsigned head_lines)
{
	unsigned lines = screen_lines(screen);

	if (!lines)
		return limit;
	return lines <= head_lines ? 1 : limit < lines - head_lines ? limit : lines - head_lines;
}

void screen_show(struct screen *screen, const char *text, size_t bytes)
{
	const char *end = text + bytes;

	errno = 0;
	if (!screen->is_terminal) {
		if (screen->any)
			putc('\n', screen->out);
		fwrite(text, 1, bytes, screen->out);
	} else {
		fputs(screen->begun ? HOME : OTHER_SCREEN HOME CLEAR_TO_END, screen->out);
		screen->begun = true;
		for (const char *line = text, *next; line < end; line = next + 1) {
			next = memchr(line, '\n', (size_t)(end - line));
			if (!next)
				next = end;
			fwrite(line, 1, (size_t)(next - line), screen->out);
			/* The last line ends without a newline: the screen must not scroll. */
			fputs(next + 1 < end ? CLEAR_LINE : "\033[K", screen->out);
		}
		fputs(CLEAR_TO_END, screen->out);
	}
	if (screen->is_terminal) {
		free(screen->last);
		screen->last = strndup(text, bytes);
	}
	screen->any = true;
	fflush(screen->out);
	/* It may have been found out before, by a text larger than the stream's buffer. */
	if (ferror(screen->out) && errno == EPIPE) {
		screen->is_unread = true;
		__fpurge(screen->out);
		clearerr(screen->out); /* no news to who has closed it */
	}
}

void screen_end(struct screen *screen)
{
	if (screen->begun) {
		fputs(FIRST_SCREEN, screen->out);
		fputs(screen->last ? screen->last : "", screen->out);
	}
	free(screen->last);
	screen->last = NULL;
	fflush(screen->out);
	if (screen->saved < 0)
		return;
	if (screen->out != stdout) {
		dup2(screen->saved, STDOUT_FILENO);
		fclose(screen->out);
	}
	screen->out = stdout;
	screen->saved = -1;
}
