/* What is shown to a pipe whose reader has gone, as in `dwell top app | head -1`. */
#include "cli/screen.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static void check_unread(size_t bytes)
{
	static char text[100000];
	struct screen screen;
	int ends[2];

	CHECK(!pipe2(ends, O_CLOEXEC));
	close(ends[0]);
	memset(text, 'x', bytes);
	text[bytes - 1] = '\n';
	screen_begin(&screen, false);
	screen.is_terminal = false;
	screen.out = fdopen(ends[1], "w");
	screen_show(&screen, text, bytes);
	CHECK(screen.is_unread);
	CHECK(!ferror(screen.out)); /* or the end of the command would call it an error of input or output */
	CHECK_EQ(fclose(screen.out), 0); /* nothing is left to be written */
	screen.out = stdout;
	screen_end(&screen);
}

/* Less than the stream's buffer holds, as much, and more. */
TEST(nobody_reads)
{
	signal(SIGPIPE, SIG_IGN);
	check_unread(100);
	check_unread(4096);
	check_unread(4097);
	check_unread(5000);
	check_unread(100000);
}

int main(void)
{
	RUN(nobody_reads);
	return tap_done();
}
