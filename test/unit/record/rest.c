/* A process that is stopped again and again has as long for itself in between as it stood, whoever stops it. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "record/remote/remote_stop.h"
#include "record/remote/remote_thread.h"
#include "util/clock.h"

#define ROUNDS 10u

TEST(rests)
{
	pid_t child = fork();
	struct remote_image image;
	uint64_t stood_ns = 0, ended_ns = 0;

	if (!child)
		for (;;)
			pause();
	CHECK(remote_image_open(&image, child));
	for (unsigned i = 0; i < ROUNDS; i++) {
		struct remote_stop stop;
		uint64_t began_ns;

		CHECK_EQ(remote_stop_all(&stop, &image), REMOTE_DONE);
		began_ns = stop.began_ns;
		CHECK(began_ns - ended_ns >= stood_ns);
		remote_pause_us(500 * (i % 5 + 1));
		stood_ns = clock_now_ns() - began_ns;
		remote_release(&stop);
		ended_ns = clock_now_ns();
		CHECK_EQ(remote_stops.count, i + 1);
		CHECK(remote_stops.longest_ns >= stood_ns);
	}
	remote_image_close(&image);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

int main(void)
{
	RUN(rests);
	return tap_done();
}
