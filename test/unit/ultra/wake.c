/* How a flush of a Linux program wakes the thread that serves the link: classic/target/port/ultra/linux/wake.h. */
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "classic/target/port/ultra/linux/wake.h"
#include "classic/target/port/ultra/port.h"
#include "classic/target/recorder/histogram/server.h"

struct histogram_server dwell_histogram_server;

/* ms: how long at most, where nothing else makes it readable. */
static bool is_readable(int fd, int ms)
{
	return poll(&(struct pollfd){fd, POLLIN, 0}, 1, ms) == 1;
}

TEST(a_flush_is_heard)
{
	int fd;

	ultra_wake_begin();
	fd = ultra_wake_fd();
	CHECK(fd >= 0 && !is_readable(fd, 0));
	for (int i = 0; i < 3; i++) {
		dwell_histogram_server.flush++;
		ultra_port_wait();
		CHECK(is_readable(fd, 20000));
		CHECK(ultra_wake_heard(fd) && !is_readable(fd, 0));
		dwell_histogram_server.flushed = dwell_histogram_server.flush;
		ultra_port_wait(); /* nothing to wait for */
		CHECK(!is_readable(fd, 10));
	}
	close(fd);
}

/* The program closes all that it did not open, and opens a file. */
TEST(another_file_by_its_number)
{
	FILE *file = tmpfile();
	int fd;

	ultra_wake_begin();
	fd = ultra_wake_fd();
	CHECK(fd >= 0 && file && dup2(fileno(file), fd) == fd);
	dwell_histogram_server.flush++;
	ultra_port_wait();
	CHECK(!ultra_wake_heard(fd));
	CHECK_EQ(lseek(fd, 0, SEEK_END), 0);
	close(fd);
	ultra_port_wait();
	CHECK(!ultra_wake_heard(fd));
	dwell_histogram_server.flushed = dwell_histogram_server.flush;
	fclose(file);
}

int main(void)
{
	RUN(a_flush_is_heard);
	RUN(another_file_by_its_number);
	return tap_done();
}
