/* worst: a client that asks a redis server again and again, one request at a time, and prints the milliseconds of the longest one.
 *
 *   worst SOCKET SECONDS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static double now_ms(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

int main(int argc, char **argv)
{
	static const char ask[] = "*1\r\n$4\r\nPING\r\n";
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	double end, worst = 0;
	char answer[64];
	int server;

	if (argc != 3)
		return 2;
	snprintf(address.sun_path, sizeof address.sun_path, "%s", argv[1]);
	server = socket(AF_UNIX, SOCK_STREAM, 0);
	if (connect(server, (struct sockaddr *)&address, sizeof address) < 0)
		return 1;
	end = now_ms() + atof(argv[2]) * 1e3;
	for (double begin = now_ms(), took; begin < end; begin = now_ms()) {
		if (write(server, ask, sizeof ask - 1) < 0 || read(server, answer, sizeof answer) <= 0)
			return 1;
		took = now_ms() - begin;
		worst = took > worst ? took : worst;
	}
	printf("%.3f\n", worst);
	return 0;
}
