#include "classic/host/io/link.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

#include "util/clock.h"

struct link {
	char *name;
	struct diag *diag;
	int fd;
	bool is_serial, was_set; /* was_set: the terminal was set to raw mode; before: its mode until then */
	struct termios before;
	bool gone; /* reported as a diag, unless may_go */
	bool may_go;
};

uint64_t link_deadline(uint64_t wait_ns)
{
	uint64_t deadline;

	return __builtin_add_overflow(clock_now_ns(), wait_ns, &deadline) ? UINT64_MAX : deadline;
}

/* For poll: rounded up, so that no loop spins at the end. */
static int milliseconds_left(uint64_t deadline)
{
	uint64_t now = link_deadline(0);

	if (deadline <= now)
		return 0;
	return deadline - now > 60000000000u ? 60000 : (int)((deadline - now + 999999) / 1000000);
}

/* Whether one of poll's events occurs before the deadline. */
static bool wait_for(int fd, short events, uint64_t deadline)
{
	struct pollfd one = {.fd = fd, .events = events};

	for (;;) {
		int left = milliseconds_left(deadline), ready = poll(&one, 1, left);

		if (ready > 0)
			return true;
		if ((ready < 0 && errno != EINTR) || left == 0)
			return false;
	}
}

struct link *make_link_of(int take_descriptor, const char *name, struct diag *diag)
{
	struct link *link = calloc(1, sizeof *link);

	if (link)
		link->name = strdup(name);
	if (!link || !link->name) {
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot be opened: out of memory");
		free(link);
		close(take_descriptor);
		return NULL;
	}
	link->diag = diag;
	link->fd = take_descriptor;
	link->is_serial = isatty(take_descriptor);
	fcntl(link->fd, F_SETFL, fcntl(link->fd, F_GETFL) | O_NONBLOCK);
	return link;
}

void free_link(struct link *link)
{
	if (!link)
		return;
	/* Immediately: a peer that is gone would never take the bytes still to be sent. */
	if (link->was_set)
		tcsetattr(link->fd, TCSANOW, &link->before);
	close(link->fd);
	free(link->name);
	free(link);
}

const char *link_name(const struct link *link)
{
	return link->name;
}

bool link_is_gone(const struct link *link)
{
	return link->gone;
}

void link_expect_end(struct link *link)
{
	link->may_go = true;
}

/* ---- sockets ---- */

/* Connects, before the deadline. Returns 0 or errno. */
static int connect_to(int fd, const struct sockaddr *address, socklen_t bytes, uint64_t deadline)
{
	int problem = 0;
	socklen_t size = sizeof problem;

	if (!connect(fd, address, bytes))
		return 0;
	if (errno != EINPROGRESS && errno != EINTR)
		return errno;
	if (!wait_for(fd, POLLOUT, deadline))
		return ETIMEDOUT;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &problem, &size) < 0)
		return errno;
	return problem;
}

static int open_unix(const char *path, uint64_t deadline)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd, problem;

	if (strlen(path) >= sizeof address.sun_path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(address.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	problem = connect_to(fd, (const struct sockaddr *)&address, sizeof address, deadline);
	if (!problem)
		return fd;
	close(fd);
	errno = problem;
	return -1;
}

/* Tries each of the host's addresses, in turn. */
static int open_addresses(const struct addrinfo *list, uint64_t deadline)
{
	int problem = EADDRNOTAVAIL, one = 1;

	for (const struct addrinfo *at = list; at; at = at->ai_next) {
		int fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at->ai_protocol);

		if (fd < 0) {
			problem = errno;
			continue;
		}
		problem = connect_to(fd, at->ai_addr, at->ai_addrlen, deadline);
		if (!problem) {
			/* Requests are small, and each waits for its answer. */
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
			return fd;
		}
		close(fd);
	}
	errno = problem;
	return -1;
}

/* Resolves a host and a port. Null, and *why. The port is a number or a service's
 * name. A number above 65535 is refused here because getaddrinfo would truncate it. */
static struct addrinfo *look_up(const char *host, const char *port, int flags, const char **why)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = flags};
	struct addrinfo *list = NULL;
	size_t digits = strspn(port, "0123456789");
	unsigned long number = strtoul(port, NULL, 10);
	int problem;

	if (!*port || (!port[digits] && (!number || number > 65535))) {
		*why = "expected a port from 1 to 65535";
		return NULL;
	}
	/* The loopback address itself, because a system without a hosts file cannot resolve the name. */
	if (!(flags & AI_PASSIVE) && !strcmp(host, "localhost"))
		host = NULL;
	problem = getaddrinfo(host, port, &hints, &list);
	if (problem)
		*why = gai_strerror(problem);
	return problem ? NULL : list;
}

/* "localhost:1234", ":1234", "[::1]:1234". Returns −1, and errno or *why. */
static int open_tcp(const char *where, uint64_t deadline, const char **why)
{
	const char *colon = strrchr(where, ':');
	struct addrinfo *list;
	size_t bytes = (size_t)(colon - where);
	char host[256];
	int fd, problem;

	if (bytes > 1 && where[0] == '[' && where[bytes - 1] == ']') {
		where++;
		bytes -= 2;
	}
	if (bytes >= sizeof host) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(host, where, bytes);
	host[bytes] = 0;
	list = look_up(bytes ? host : "localhost", colon + 1, 0, why);
	if (!list)
		return -1;
	fd = open_addresses(list, deadline);
	problem = errno;
	freeaddrinfo(list);
	errno = problem;
	return fd;
}

/* Accepts the first connection before the deadline. Returns −1 and errno on failure. */
static int accept_on(int listener, uint64_t deadline)
{
	int one = 1, fd = -1;

	if (!wait_for(listener, POLLIN, deadline))
		errno = ETIMEDOUT;
	else
		fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (fd >= 0)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	return fd;
}

/* "6464", "192.168.0.1:6464". Without an address only this machine can connect. Returns −1 as above. */
static int open_listening(const char *where, uint64_t deadline, const char **why)
{
	const char *colon = strrchr(where, ':'), *port = colon ? colon + 1 : where;
	int one = 1, fd = -1, listener, problem;
	char address[64] = "127.0.0.1";
	struct addrinfo *list;

	if (colon && (size_t)(colon - where) >= sizeof address) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (colon)
		snprintf(address, sizeof address, "%.*s", (int)(colon - where), where);
	list = look_up(address, port, AI_PASSIVE | AI_NUMERICHOST, why);
	if (!list)
		return -1;
	listener = socket(list->ai_family, list->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, list->ai_protocol);
	if (listener >= 0) {
		setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
		if (!bind(listener, list->ai_addr, list->ai_addrlen) && !listen(listener, 1))
			fd = accept_on(listener, deadline);
	}
	problem = errno;
	if (listener >= 0)
		close(listener);
	freeaddrinfo(list);
	errno = problem;
	return fd;
}

/* ---- serial lines ---- */

static const struct {
	unsigned baud;
	speed_t speed;
} speeds[] = {
	{9600, B9600}, {19200, B19200}, {38400, B38400}, {57600, B57600}, {115200, B115200}, {230400, B230400},
	{460800, B460800}, {500000, B500000}, {921600, B921600}, {1000000, B1000000}, {1500000, B1500000}, {2000000, B2000000},
	{3000000, B3000000}, {4000000, B4000000},
};

#define SPEEDS "9600, 19200, 38400, 57600, 115200, 230400, 460800, 500000, 921600, 1000000, 1500000, 2000000, 3000000, 4000000"

/* Parses the rate behind "/dev/ttyS0:". *speed is B0: the path has no rate. False: the rate is invalid. */
static bool read_speed(const char *text, speed_t *speed)
{
	char *end;
	unsigned long baud;

	*speed = B0;
	if (!text)
		return true;
	baud = strtoul(text, &end, 10);
	for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
		if (!*end && speeds[i].baud == baud)
			*speed = speeds[i].speed;
	return *speed != B0;
}

/* Sets a terminal to raw mode, at this speed. False: errno or *why. */
static bool set_raw(int fd, speed_t speed, struct termios *before, const char **why)
{
	struct termios mode;

	if (tcgetattr(fd, before) < 0) {
		*why = "this is no serial line";
		return false;
	}
	mode = *before;
	cfmakeraw(&mode);
	mode.c_cflag |= CLOCAL | CREAD;
	mode.c_cflag &= ~(tcflag_t)CRTSCTS;
	if ((speed != B0 && cfsetspeed(&mode, speed) < 0) || tcsetattr(fd, TCSAFLUSH, &mode) < 0)
		return false;
	/* tcsetattr also succeeds if it set only some of this. */
	if (speed != B0 && (tcgetattr(fd, &mode) < 0 || cfgetospeed(&mode) != speed)) {
		tcsetattr(fd, TCSANOW, before);
		*why = "the serial line cannot be that fast";
		return false;
	}
	return true;
}

/* Opens the line exclusively: two readers would each receive half of the bytes. Returns −1 and errno or *why. */
static int open_serial(const char *path, const char *rate, struct termios *before, const char **why)
{
	speed_t speed;
	int fd, problem;

	if (!read_speed(rate, &speed)) {
		*why = "expected a rate of " SPEEDS;
		return -1;
	}
	fd = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return fd;
	if (flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		*why = "another program has this serial line";
	else if (set_raw(fd, speed, before, why))
		return fd;
	problem = errno;
	close(fd);
	errno = problem;
	return -1;
}

/* ---- by the form of the address ---- */

/* Opens a path: of a socket, or of a device with or without a rate behind it. *is_serial: a serial line; *before: its old mode. */
static int open_path(const char *where, uint64_t deadline, bool *is_serial, struct termios *before, const char **why)
{
	struct stat stat_of;
	bool is_there = !stat(where, &stat_of);
	const char *colon = is_there ? NULL : strrchr(where, ':'); /* names of devices may have colons */
	char *path;
	int fd, problem;

	if (is_there && !S_ISCHR(stat_of.st_mode))
		return open_unix(where, deadline);
	path = colon ? strndup(where, (size_t)(colon - where)) : strdup(where);
	if (!path)
		return -1;
	fd = open_serial(path, colon ? colon + 1 : NULL, before, why);
	problem = errno;
	*is_serial = fd >= 0;
	free(path);
	errno = problem;
	return fd;
}

/* Returns the text behind the word, if where begins with the word; else null. */
static const char *behind(const char *where, const char *word)
{
	return strncmp(where, word, strlen(word)) ? NULL : where + strlen(word);
}

struct link *make_link(const char *where, uint64_t wait_ns, struct diag *diag)
{
	const char *tcp = behind(where, "tcp:"), *listening = behind(where, "tcp-listen:"), *serial = behind(where, "serial:");
	uint64_t deadline = link_deadline(wait_ns);
	const char *why = NULL;
	struct termios before;
	bool is_serial = false;
	struct link *link;
	int fd;

	if (listening) {
		fd = open_listening(listening, deadline, &why);
	} else if (serial || (!tcp && strchr(where, '/'))) {
		fd = open_path(serial ? serial : where, deadline, &is_serial, &before, &why);
	} else if (strchr(tcp ? tcp : where, ':')) {
		fd = open_tcp(tcp ? tcp : where, deadline, &why);
	} else {
		diag_add(diag, DIAG_ERROR, where, DIAG_NO_OFFSET, "is no place to connect to; expected " LINK_FORMS);
		errno = EINVAL;
		return NULL;
	}
	if (fd < 0) {
		int problem = why ? EINVAL : errno;

		diag_add(diag, DIAG_ERROR, where, DIAG_NO_OFFSET, "cannot be connected to: %s", why ? why : strerror(problem));
		errno = problem;
		return NULL;
	}
	link = make_link_of(fd, where, diag);
	if (link && is_serial) {
		link->was_set = true;
		link->before = before;
	}
	return link;
}

/* ---- bytes ---- */

static void say_gone(struct link *link, const char *why)
{
	if (!link->gone && !link->may_go)
		diag_add(link->diag, DIAG_ERROR, link->name, DIAG_NO_OFFSET, "the connection is gone: %s", why);
	link->gone = true;
}

static ssize_t put(const struct link *link, const void *bytes, size_t size)
{
	return link->is_serial ? write(link->fd, bytes, size) : send(link->fd, bytes, size, MSG_NOSIGNAL);
}

bool link_write(struct link *link, const void *bytes, size_t size, uint64_t deadline)
{
	const char *at = bytes;

	while (size && !link->gone) {
		ssize_t done = put(link, at, size);

		if (done > 0) {
			at += done;
			size -= (size_t)done;
		} else if (done < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
			say_gone(link, strerror(errno));
		} else if (!wait_for(link->fd, POLLOUT, deadline)) {
			say_gone(link, "the other end takes no bytes");
		}
	}
	return !link->gone;
}

size_t link_read(struct link *link, void *buffer, size_t size, uint64_t deadline)
{
	while (!link->gone) {
		ssize_t got = read(link->fd, buffer, size);

		if (got > 0)
			return (size_t)got;
		/* 0 is the end of the connection, for a terminal, too: without a byte yet, its read fails with EAGAIN. */
		if (got == 0)
			say_gone(link, "the other end closed it");
		else if (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
			say_gone(link, strerror(errno));
		else if (!wait_for(link->fd, POLLIN, deadline))
			return 0;
	}
	return 0;
}
