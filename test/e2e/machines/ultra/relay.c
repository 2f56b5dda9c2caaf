/* relay PORT TARGET BYTES gone|ghost|each: passes bytes between hosts that connect to PORT and a program on TARGET, until BYTES
 * went from the program to the first host: then that host's line is cut. gone: and the relay is no more. ghost: the line to the
 * program stays as it is, and others that come have lines of their own, which are not cut. each: the lines of all hosts are cut,
 * both ends, after so many bytes each. */
#include <arpa/inet.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PAIRS 64

static struct sockaddr_in local(const char *port)
{
	return (struct sockaddr_in){
		.sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(port)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int make_socket(void)
{
	return socket(AF_INET, SOCK_STREAM, 0);
}

int main(int argc, char **argv)
{
	struct sockaddr_in here = local(argv[1]), there = local(argv[2]);
	long most = argc > 4 ? atol(argv[3]) : 0, left[PAIRS];
	int each = argc > 4 && !strcmp(argv[4], "each");
	int listener = make_socket(), hosts[PAIRS], targets[PAIRS], pairs = 0, yes = 1;

	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (bind(listener, (struct sockaddr *)&here, sizeof here) || listen(listener, 8))
		return 1;
	for (;;) {
		struct pollfd ends[1 + 2 * PAIRS] = {{.fd = listener, .events = POLLIN}};

		for (int i = 0; i < pairs; i++) {
			ends[1 + 2 * i] = (struct pollfd){.fd = hosts[i], .events = POLLIN};
			ends[2 + 2 * i] = (struct pollfd){.fd = hosts[i] < 0 ? -1 : targets[i], .events = POLLIN};
		}
		poll(ends, 1 + 2 * (nfds_t)pairs, -1);
		for (int i = 0; i < pairs; i++)
			for (int side = 0; side < 2; side++) {
				char bytes[256];
				ssize_t got;

				if (!ends[1 + 2 * i + side].revents || hosts[i] < 0)
					continue;
				got = read(side ? targets[i] : hosts[i], bytes, sizeof bytes);
				left[i] -= got > 0 && side && (!i || each) ? got : 0;
				if (got > 0 && write(side ? hosts[i] : targets[i], bytes, (size_t)got) == got && left[i] > 0)
					continue;
				if (left[i] <= 0 && !strcmp(argv[4], "gone"))
					return 0;
				close(hosts[i]);
				hosts[i] = -1;
				if (each || left[i] > 0)
					close(targets[i]);
			}
		if (ends[0].revents && pairs < PAIRS) {
			hosts[pairs] = accept(listener, NULL, NULL);
			targets[pairs] = make_socket();
			left[pairs] = most;
			if (connect(targets[pairs], (struct sockaddr *)&there, sizeof there))
				return 1;
			pairs++;
		}
	}
}
