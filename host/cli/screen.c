#include "cli/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "util/term.h"

/* Replaces a standard file that is a terminal by nowhere. Returns a copy of the terminal's descriptor that the program does not
 * inherit; −1: fd is no terminal, or cannot be copied. */
static int hide_terminal(int fd, int nowhere)
{
	int saved = isatty(fd) ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : -1;

	if (saved >= 0)
		dup2(nowhere, fd);
	return saved;
}

void screen_begin(struct screen *screen, bool hide)
{
	int nowhere;

	*screen = (struct screen){.out = stdout, .saved = {-1, -1, -1}, .is_terminal = term_is_terminal(stdout)};
	if (!screen->is_terminal || !hide)
		return;
	nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (nowhere < 0)
		return;
	fflush(stdout);
	for (int fd = 0; fd <= 2; fd++)
		screen->saved[fd] = hide_terminal(fd, nowhere);
	close(nowhere);
	screen->out = screen->saved[1] >= 0 ? fdopen(screen->saved[1], "w") : NULL;
	if (!screen->out)
		screen->out = stdout;
}

int screen_get_keys(const struct screen *screen)
{
	return screen->saved[0] >= 0 ? screen->saved[0] : isatty(STDIN_FILENO) ? STDIN_FILENO : -1;
}

unsigned screen_lines(const struct screen *screen)
{
	struct winsize size;

	return ioctl(fileno(screen->out), TIOCGWINSZ, &size) == 0 && size.ws_row ? size.ws_row : 24;
}

void screen_show(struct screen *screen, const char *text, size_t bytes)
{
	errno = 0;
	if (screen->has_text)
		putc('\n', screen->out);
	fwrite(text, 1, bytes, screen->out);
	screen->has_text = true;
	fflush(screen->out);
	/* An earlier write may already have found the pipe closed, if the text exceeded the stream's buffer. */
	if (ferror(screen->out) && errno == EPIPE) {
		screen->is_unread = true;
		__fpurge(screen->out);
		clearerr(screen->out); /* the reader who closed the pipe needs no error message */
	}
}

void screen_end(struct screen *screen)
{
	fflush(screen->out);
	for (int fd = 0; fd <= 2; fd++) {
		if (screen->saved[fd] < 0)
			continue;
		dup2(screen->saved[fd], fd);
		if (fd != STDOUT_FILENO || screen->out == stdout)
			close(screen->saved[fd]);
		screen->saved[fd] = -1;
	}
	if (screen->out != stdout)
		fclose(screen->out);
	screen->out = stdout;
}
