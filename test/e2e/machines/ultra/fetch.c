/* A host on the wire (test/ultra_host.h), as a command: fetches histograms and prints them.
 *
 *   fetch [take] [hold] [flushes=N] [stop] [bye] [noise] [for=SECONDS] [until=COUNTS] PORT|listen:PORT      on 127.0.0.1
 *
 * take: takes the counts away. hold: no interrupts meanwhile, so that counters are of one moment. flushes=N: waits for so many
 * flushes, and fetches at each. stop: says STOP first. for: fetches again and again for so long, until: at most until there are so
 * many counts. noise: sends 3000 random bytes and leaves. Prints
 * "segment TEXT COUNTERS SUM NAME", "count ADDRESS COUNT", and "overflow", "beyond", "period", "state", "order", "busy". */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "ultra_host.h"

#define ANSWER_MS 500
#define TRIES 20

static int line;

static int connect_to(int port, int waits)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int yes = 1, fd;

	for (int tries = 0; tries < 100; tries++) {
		fd = socket(AF_INET, SOCK_STREAM, 0);
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
		if (waits && bind(fd, (struct sockaddr *)&to, sizeof to) == 0 && listen(fd, 1) == 0) {
			int end = accept(fd, NULL, NULL);

			close(fd);
			return end;
		}
		if (!waits && connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
			return fd;
		close(fd);
		usleep(100000);
	}
	fprintf(stderr, "fetch: no connection\n");
	exit(2);
}

static void send_out(struct fetch *host)
{
	uint8_t bytes[512];
	size_t count = 0;

	while (dwell_wire_next(&host->out, &bytes[count]))
		count++;
	for (size_t done = 0; done < count;) {
		ssize_t wrote = send(line, bytes + done, count - done, MSG_NOSIGNAL);

		if (wrote <= 0) {
			fprintf(stderr, "fetch: the line is gone\n");
			exit(2);
		}
		done += (size_t)wrote;
	}
}

/* Bytes that came, up to the one that ends an answer. What comes behind it waits. */
static bool take_in(struct fetch *host, int ms)
{
	static uint8_t bytes[4096];
	static ssize_t size, at;

	for (;;) {
		while (at < size)
			if (fetch_byte(host, bytes[at++]))
				return true;
		if (poll(&(struct pollfd){line, POLLIN, 0}, 1, ms) <= 0)
			return false;
		size = read(line, bytes, sizeof bytes);
		at = 0;
		if (size <= 0) {
			if (host->busy)
				return true;
			fprintf(stderr, "fetch: the line is gone\n");
			exit(2);
		}
	}
}

static void ask(struct fetch *host)
{
	for (int tries = 0; tries < TRIES; tries++) {
		fetch_ask(host);
		send_out(host);
		/* An emulator that is given little of a processor answers late, behind the next question. */
		if (take_in(host, ANSWER_MS + tries * ANSWER_MS / 4))
			return;
	}
	fprintf(stderr, "fetch: no answer to %d, state %u, %d segments\n", host->wants, host->state, host->segments);
	exit(2);
}

static void say(struct fetch *host, uint8_t type)
{
	host->finished = false;
	host->wants = type;
	ask(host);
}

static void fetch_all(struct fetch *host)
{
	host->finished = false;
	host->segment = 0;
	host->first = 0;
	if (host->wants != WIRE_HELLO)
		fetch_next(host);
	for (int i = 0; i < FETCH_SEGMENTS && !host->takes; i++)
		if (host->at[i].totals)
			memset(host->at[i].totals, 0, host->at[i].counters * sizeof *host->at[i].totals);
	while (!host->finished && !host->busy)
		ask(host);
}

static void print(const struct fetch *host)
{
	for (int i = 0; i < host->segments; i++) {
		const struct fetch_segment *segment = &host->at[i];

		printf("segment %llx %u %08x %s\n", (unsigned long long)segment->text, segment->counters, segment->sum, segment->name);
		for (uint32_t k = 0; k < segment->counters; k++)
			if (segment->totals[k])
				printf("count %llx %u\n", (unsigned long long)(segment->text + 4ull * k), segment->totals[k]);
	}
	printf("overflow %u\nbeyond %u\nperiod %u\nstate %u\norder %u\nbusy %d\n", host->overflow, host->beyond, host->period, host->state,
		host->order, host->busy);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static struct fetch host;
	bool takes = false, stops = false, holds = false, leaves = false, noise = false;
	int flushes = 0, seconds = 0, waits;
	unsigned until = -1u;
	const char *where;
	time_t end;

	for (; argc > 2; argc--, argv++) {
		takes |= !strcmp(argv[1], "take");
		stops |= !strcmp(argv[1], "stop");
		holds |= !strcmp(argv[1], "hold");
		leaves |= !strcmp(argv[1], "bye");
		noise |= !strcmp(argv[1], "noise");
		sscanf(argv[1], "flushes=%d", &flushes);
		sscanf(argv[1], "for=%d", &seconds);
		sscanf(argv[1], "until=%u", &until);
	}
	where = argv[1];
	waits = !strncmp(where, "listen:", 7);
	line = connect_to(atoi(where + 7 * waits), waits);
	if (noise) {
		uint8_t bytes[3000];

		for (size_t i = 0; i < sizeof bytes; i++)
			bytes[i] = (uint8_t)(rand() >> 8);
		send(line, bytes, sizeof bytes, MSG_NOSIGNAL);
		return 0;
	}
	fetch_begin(&host, 0x1000 + (uint32_t)getpid(), takes);
	if (stops) {
		ask(&host);
		say(&host, WIRE_STOP);
		if (!host.state)
			fetch_next(&host);
	}
	end = time(NULL) + seconds;
	for (bool again = !flushes; again;
		again = time(NULL) < end && !host.busy && fetch_sum(&host) < until && usleep(200000) == 0) {
		if (holds && host.wants == WIRE_HELLO)
			ask(&host);
		if (holds)
			say(&host, WIRE_STOP);
		fetch_all(&host);
		if (holds)
			say(&host, WIRE_START);
	}
	for (int done = 0; done < flushes; done++) {
		if (host.wants == WIRE_HELLO)
			ask(&host);
		while (host.flushes <= done)
			take_in(&host, 1000);
		fetch_all(&host);
		print(&host);
		say(&host, WIRE_DONE);
	}
	if (!flushes)
		print(&host);
	if (leaves && !host.busy)
		say(&host, WIRE_BYE);
	fetch_end(&host);
	return host.busy;
}
