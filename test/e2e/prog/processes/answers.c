/* A server and who asks it: answers serve | answers ask PORT
 *
 * serve: prints its port; a thread for each connection, which come and go; ends with SIGTERM. ask: two threads, each a connection
 * after the other, until SIGTERM; prints how many answers were right, wrong, or did not come. */
#include <arpa/inet.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define REQUESTS 50
#define SOME __attribute__((noinline))

static volatile int over;
static unsigned long right, wrong, failed;

static void end(int number)
{
	(void)number;
	over = 1;
}

SOME unsigned mix(unsigned x)
{
	__asm__ volatile("" : "+r"(x));
	return x * 2654435761u ^ x >> 7;
}

SOME void give_up(jmp_buf *from, unsigned value)
{
	if (value % 5 == 0)
		longjmp(*from, 1 + (int)(mix(value) & 0xff));
}

SOME unsigned work(unsigned x, int depth)
{
	if (!depth)
		return mix(x);
	return work(mix(x), depth - 1) ^ mix((unsigned)depth);
}

SOME unsigned answer(unsigned x)
{
	jmp_buf from;
	int jumped = setjmp(from);

	if (!jumped)
		give_up(&from, x);
	return work(x, 10) + (unsigned)jumped;
}

static SOME int move(int fd, void *data, size_t bytes, int out)
{
	size_t done = 0;
	char *at = data;

	while (done < bytes) {
		ssize_t n = out ? send(fd, at + done, bytes - done, MSG_NOSIGNAL) : recv(fd, at + done, bytes - done, 0);

		if (n <= 0)
			return 0;
		done += (size_t)n;
	}
	return 1;
}

static SOME void *serve_one(void *number)
{
	int fd = (int)(long)number;
	unsigned x;

	while (move(fd, &x, sizeof x, 0)) {
		x = answer(x);
		if (!move(fd, &x, sizeof x, 1))
			break;
	}
	close(fd);
	return 0;
}

static int serve(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t bytes = sizeof at;
	int listening = socket(AF_INET, SOCK_STREAM, 0);
	struct sigaction ends = {.sa_handler = end};

	sigaction(SIGTERM, &ends, 0);
	if (bind(listening, (struct sockaddr *)&at, sizeof at) || listen(listening, 100) ||
		getsockname(listening, (struct sockaddr *)&at, &bytes))
		return 1;
	printf("%d\n", ntohs(at.sin_port));
	fflush(stdout);
	while (!over) {
		int fd = accept(listening, 0, 0);
		pthread_t thread;

		if (fd < 0)
			continue;
		if (pthread_create(&thread, 0, serve_one, (void *)(long)fd))
			return 1;
		pthread_detach(thread);
	}
	return 0;
}

static void *ask(void *port)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	unsigned question = 1;

	at.sin_port = htons((unsigned short)(long)port);
	while (!over) {
		int fd = socket(AF_INET, SOCK_STREAM, 0), good = !connect(fd, (struct sockaddr *)&at, sizeof at);

		__atomic_fetch_add(&failed, !good, __ATOMIC_RELAXED);
		for (int i = 0; good && i < REQUESTS; i++) {
			unsigned x = ++question, expected = answer(x);

			good = move(fd, &x, sizeof x, 1) && move(fd, &x, sizeof x, 0);
			__atomic_fetch_add(!good ? &failed : x == expected ? &right : &wrong, 1, __ATOMIC_RELAXED);
		}
		close(fd);
		usleep(500);
	}
	return 0;
}

int main(int argc, char **argv)
{
	pthread_t threads[2];

	if (argc == 2 && !strcmp(argv[1], "serve"))
		return serve();
	if (argc != 3)
		return 2;
	signal(SIGTERM, end);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], 0, ask, (void *)atol(argv[2]));
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], 0);
	printf("right %s wrong %lu failed %lu\n", right ? "some" : "none", wrong, failed);
	fprintf(stderr, "%lu answers\n", right);
	return 0;
}
