/* loop: waits for input, a time or a wake-up (loop.h). */
#include "tui/loop.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

bool loop_begin(struct loop *loop)
{
	return pipe2(loop->ends, O_CLOEXEC | O_NONBLOCK) == 0;
}

void loop_end(struct loop *loop)
{
	close(loop->ends[0]);
	close(loop->ends[1]);
}

void loop_wake(const struct loop *loop)
{
	int saved = errno;

	/* A full pipe wakes the loop, too. */
	if (write(loop->ends[1], "", 1) < 0)
		errno = saved;
}

uint64_t loop_now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

enum loop_event loop_wait(const struct loop *loop, int input, uint64_t until_ns)
{
	struct pollfd wanted[] = {{.fd = loop->ends[0], .events = POLLIN}, {.fd = input, .events = POLLIN}};

	for (;;) {
		uint64_t now = loop_now_ns(), left = until_ns > now ? until_ns - now : 0;
		const struct timespec wait = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
		char woken[64];

		if (ppoll(wanted, 2, until_ns == LOOP_FOREVER ? NULL : &wait, NULL) < 0)
			continue; /* a signal: the handler has woken the loop, or the signal is irrelevant here */
		if (wanted[0].revents) {
			while (read(loop->ends[0], woken, sizeof woken) > 0)
				;
			return LOOP_WOKEN;
		}
		if (wanted[1].revents)
			return LOOP_INPUT;
		if (loop_now_ns() >= until_ns)
			return LOOP_TIME;
	}
}
