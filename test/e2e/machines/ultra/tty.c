/* tty [baud=N] [pull=BYTES] PORT: a serial line, played by a pair of terminals, to what listens at PORT on 127.0.0.1. Says which
 * device a host has to open, "device PATH"; ends when the other side of the port does.
 *
 * baud: a byte takes as long as ten bits do, in each direction for itself. pull: the line is pulled out when so many bytes have
 * gone to the host. At the end: "up N down N", bytes to the host and from it. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static uint64_t byte_ns;

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* One direction: bytes that are on their way, the first of which has arrived at a time. */
struct way {
	int from, to;
	uint8_t bytes[65536];
	size_t count;
	uint64_t arrives, moved;
};

/* What has arrived by now goes on. Returns when there is more, or −1. */
static int64_t deliver(struct way *way)
{
	uint64_t at = now();
	size_t done = 0;

	while (done < way->count && way->arrives + done * byte_ns <= at)
		done++;
	if (done) {
		ssize_t wrote = write(way->to, way->bytes, done);

		done = wrote > 0 ? (size_t)wrote : 0;
		way->count -= done;
		way->moved += done;
		way->arrives += done * byte_ns;
		memmove(way->bytes, way->bytes + done, way->count);
	}
	return way->count ? (int64_t)(way->arrives > at ? way->arrives - at : 1) : -1;
}

/* False: the other end is gone. */
static bool take(struct way *way)
{
	ssize_t got = read(way->from, way->bytes + way->count, sizeof way->bytes - way->count);

	if (got > 0 && !way->count)
		way->arrives = now() + byte_ns;
	if (got > 0)
		way->count += (size_t)got;
	return got > 0;
}

static int connect_to(int port)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int one = 1;

	for (int tries = 0; tries < 100; tries++) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);

		if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0) {
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
			return fd;
		}
		close(fd);
		usleep(100000);
	}
	exit(2);
}

/* The host's side stays open here, so that hosts may come and go. */
static int open_line(int *host_side)
{
	int fd = posix_openpt(O_RDWR | O_NOCTTY);
	struct termios mode;

	if (fd < 0 || grantpt(fd) || unlockpt(fd) || (*host_side = open(ptsname(fd), O_RDWR | O_NOCTTY)) < 0)
		exit(3);
	tcgetattr(*host_side, &mode);
	mode.c_lflag &= ~(tcflag_t)ECHO; /* as it is where nobody has set it: of lines, not of bytes; but nothing is said before */
	tcsetattr(*host_side, TCSANOW, &mode);
	printf("device %s\n", ptsname(fd));
	fflush(stdout);
	return fd;
}

int main(int argc, char **argv)
{
	static struct way up, down;
	unsigned long pull = -1ul;
	int host_side;

	for (; argc > 2; argc--, argv++) {
		unsigned baud;

		if (sscanf(argv[1], "baud=%u", &baud) == 1)
			byte_ns = 10000000000u / baud;
		sscanf(argv[1], "pull=%lu", &pull);
	}
	prctl(PR_SET_TIMERSLACK, 1);
	up.from = down.to = connect_to(atoi(argv[1]));
	down.from = up.to = open_line(&host_side);
	while (up.moved < pull) {
		struct pollfd ends[2] = {{.fd = up.from, .events = up.count < sizeof up.bytes ? POLLIN : 0},
			{.fd = down.from, .events = down.count < sizeof down.bytes ? POLLIN : 0}};
		int64_t next = deliver(&up), other = deliver(&down);
		struct timespec wait;

		if (next < 0 || (other >= 0 && other < next))
			next = other;
		wait = (struct timespec){next / 1000000000, next % 1000000000};
		ppoll(ends, 2, next < 0 ? NULL : &wait, NULL);
		if ((ends[0].revents && !take(&up)) || (ends[1].revents && !take(&down)))
			break;
	}
	printf("up %llu down %llu\n", (unsigned long long)up.moved, (unsigned long long)down.moved);
	return 0;
}
