/* SPDX-License-Identifier: MIT
 *
 * The thread that serves the link. OSPROF_LINK in the environment is the link's address:
 *
 *     tcp-listen:PORT, tcp-listen:ADDRESS:PORT   waits for the host (on 127.0.0.1, unless ADDRESS is given)
 *     tcp:ADDRESS:PORT                           connects to a waiting host, again and again until there is one
 *     none                                       no link
 *
 * Addresses are numeric. The default is tcp-listen:6464. The thread
 * serves one host at a time; another host that connects receives BUSY. */
#include <linux/in.h>
#include <linux/poll.h>
#include <linux/time.h>

#include "port/os/linux/system.h"
#include "classic/target/port/ultra/linux/wake.h"
#include "classic/target/port/ultra/port.h"
#include "classic/target/recorder/histogram/server.h"

#define DEFAULT_LINK "tcp-listen:6464"
#define LISTEN "tcp-listen:"
#define CONNECT "tcp:"
#define RETRY_MS 200
/* A host sends twice a second. The thread drops a host whose machine is off, or that never was a host:
 * after this time of silence if another host connects, or if the socket takes no byte for this time. */
#define SILENCE_US 10000000u
#define SOCKET_LEVEL 1 /* SOL_SOCKET */
#define SEND_TIMEOUT 21 /* SO_SNDTIMEO */
#define NO_SIGNAL 0x4000 /* MSG_NOSIGNAL */
#define CLOSE_ON_EXEC 02000000
#define TCP_NODELAY 1
#define INTERNET 2 /* AF_INET */

char *getenv(const char *name);
int pthread_create(unsigned long *thread, const void *attributes, void *(*begin)(void *), void *argument);
int pthread_detach(unsigned long thread);

/* locked: the process that holds the lock; serving: the process with the thread; 0: none.
 * A child of fork has no serving thread, and takes over a lock that its parent held. */
static uint32_t locked, serving;

void ultra_port_lock(void)
{
	uint32_t self = system_pid();

	for (;;) {
		uint32_t before = 0;

		if (__atomic_compare_exchange_n(&locked, &before, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return;
		if (before != self &&
			__atomic_compare_exchange_n(&locked, &before, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return;
		system_call3(__NR_sched_yield, 0, 0, 0);
	}
}

void ultra_port_unlock(void)
{
	__atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
}

static void wait_ms(int ms)
{
	const struct {
		int64_t s, ns;
	} time = {ms / 1000, ms % 1000 * 1000000};

	system_call3(__NR_nanosleep, (long)&time, 0, 0);
}

uint64_t ultra_port_us(void)
{
	struct {
		int64_t s, ns;
	} now = {0, 0};

	system_call3(__NR_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0);
	return (uint64_t)now.s * 1000000 + (uint64_t)now.ns / 1000;
}

void ultra_port_put(const char *text, uint32_t length)
{
	system_call3(__NR_write, 2, (long)text, length);
}

/* Whether text begins with a word; if so, moves *text behind it. */
static bool begins(const char **text, const char *word)
{
	const char *at = *text;

	while (*word && *at == *word) {
		at++;
		word++;
	}
	if (*word)
		return false;
	*text = at;
	return true;
}

static bool number(const char **text, uint32_t most, uint32_t *value)
{
	const char *at = *text;

	for (*value = 0; *at >= '0' && *at <= '9' && *value <= most; at++)
		*value = *value * 10 + (uint32_t)(*at - '0');
	if (at == *text || *value > most)
		return false;
	*text = at;
	return true;
}

/* [A.B.C.D:]PORT. */
static bool parse(const char *text, struct sockaddr_in *to)
{
	uint32_t value, address = 127 << 24 | 1;

	to->sin_family = INTERNET;
	for (const char *dot = text; *dot; dot++)
		if (*dot == '.') {
			address = 0;
			for (int i = 0; i < 4; i++) {
				if (!number(&text, 255, &value) || !begins(&text, i < 3 ? "." : ":"))
					return false;
				address = address << 8 | value;
			}
			break;
		}
	if (!number(&text, 65535, &value) || *text)
		return false;
	to->sin_addr.s_addr = __builtin_bswap32(address);
	to->sin_port = __builtin_bswap16((uint16_t)value);
	return true;
}

static int make_socket(void)
{
	return (int)system_call3(__NR_socket, INTERNET, 1 | CLOSE_ON_EXEC, 0);
}

/* Writes all bytes. False: the connection is gone. */
static bool write_all(int fd, const uint8_t *bytes, size_t size)
{
	while (size) {
		long done = system_call6(__NR_sendto, fd, (long)bytes, (long)size, NO_SIGNAL, 0, 0);

		if (done == -4 /* EINTR */)
			continue;
		if (done <= 0)
			return false;
		bytes += done;
		size -= (size_t)done;
	}
	return true;
}

/* Answers another connection with BUSY and closes it. */
static void turn_away(int listener)
{
	uint8_t frame[SERVER_BUSY_BYTES];
	int fd = (int)system_call6(__NR_accept4, listener, 0, 0, CLOSE_ON_EXEC, 0, 0);

	if (fd < 0)
		return;
	ultra_port_lock();
	size_t size = dwell_server_busy(&dwell_histogram_server, frame);
	ultra_port_unlock();
	write_all(fd, frame, size);
	system_close(fd);
}

/* Sends all that the server has now. False: the connection is gone. */
static bool pump_out(int fd)
{
	uint8_t bytes[512];
	size_t count;

	do {
		count = 0;
		ultra_port_lock();
		while (count < sizeof bytes) {
			if (dwell_server_send(&dwell_histogram_server, &bytes[count]))
				count++;
			else if (dwell_server_listens(&dwell_histogram_server))
				break; /* else the answer is still in work */
		}
		ultra_port_unlock();
		if (count && !write_all(fd, bytes, count))
			return false;
	} while (count);
	return true;
}

static bool pump_in(int fd)
{
	uint8_t bytes[512];
	long size = system_read(fd, bytes, sizeof bytes);
	uint32_t flushed = dwell_histogram_server.flushed;

	if (size <= 0)
		return size == -4;
	for (long i = 0; i < size; i++) {
		bool listens;

		ultra_port_lock();
		dwell_server_receive(&dwell_histogram_server, bytes[i]);
		listens = dwell_server_listens(&dwell_histogram_server);
		ultra_port_unlock();
		if (!listens && !pump_out(fd))
			return false;
	}
	if (dwell_histogram_server.flushed != flushed)
		ultra_wake_flush();
	return true;
}

static void set_option(int fd, int level, int option, const void *value, long bytes)
{
	system_call6(__NR_setsockopt, fd, level, option, (long)value, bytes, 0);
}

/* Serves a host until its connection ends; until another host connects and this one was silent for SILENCE_US;
 * or, without a listener, until it was silent three times as long. listener: the socket for other hosts, or -1.
 * The loop sends frames without a request: a flush at once (wake.h), a counter that is nearly full within 10 ms. */
static void serve(int fd, int listener)
{
	struct pollfd ends[] = {
		{.fd = fd, .events = POLLIN}, {.fd = listener, .events = POLLIN}, {.fd = ultra_wake_fd(), .events = POLLIN}};
	const struct {
		int64_t s, us;
	} patience = {SILENCE_US / 1000000, 0};
	const int yes = 1;
	uint64_t since = ultra_port_us();
	uint32_t heard = dwell_histogram_server.heard;

	set_option(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
	set_option(fd, SOCKET_LEVEL, SEND_TIMEOUT, &patience, sizeof patience);
	ultra_port_lock();
	dwell_server_reset(&dwell_histogram_server);
	ultra_port_unlock();
	do {
		struct {
			int64_t s, ns;
		} tenth = {0, 10000000};

		ends[0].revents = ends[1].revents = ends[2].revents = 0;
		system_call6(__NR_ppoll, (long)ends, 3, (long)&tenth, 0, 0, 0);
		if (ends[2].revents && !ultra_wake_heard(ends[2].fd))
			ends[2].fd = -1;
		if (heard != dwell_histogram_server.heard) {
			heard = dwell_histogram_server.heard;
			since = ultra_port_us();
		}
		if (listener < 0 && ultra_port_us() - since > 3 * SILENCE_US)
			break;
		/* Handle the served host first: it may have left just before the other one came. */
		if (ends[1].revents && !ends[0].revents) {
			if (ultra_port_us() - since > SILENCE_US)
				break;
			turn_away(listener);
		}
	} while ((!ends[0].revents || pump_in(fd)) && pump_out(fd));
	ultra_port_lock();
	dwell_server_reset(&dwell_histogram_server);
	ultra_port_unlock();
	system_close(fd);
}

static void say(const char *text)
{
	size_t length = 0;

	while (text[length])
		length++;
	ultra_port_put(text, (uint32_t)length);
}

static void wait_for_hosts(const struct sockaddr_in *at)
{
	const int yes = 1;
	int listener = make_socket(), fd;

	set_option(listener, SOCKET_LEVEL, 2 /* SO_REUSEADDR */, &yes, sizeof yes);
	if (system_call3(__NR_bind, listener, (long)at, sizeof *at) < 0 || system_call3(__NR_listen, listener, 4, 0) < 0) {
		say("osProfileInit: the link's port is taken (OSPROF_LINK): no host is served\n");
		system_close(listener);
		return;
	}
	while ((fd = (int)system_call6(__NR_accept4, listener, 0, 0, CLOSE_ON_EXEC, 0, 0)) >= 0 || fd == -4)
		if (fd >= 0)
			serve(fd, listener);
}

static void look_for_host(const struct sockaddr_in *at)
{
	for (;;) {
		int fd = make_socket();

		if (fd < 0)
			return;
		if (system_call3(__NR_connect, fd, (long)at, sizeof *at) == 0)
			serve(fd, -1);
		else
			system_close(fd);
		wait_ms(RETRY_MS);
	}
}

static void *begin(void *unused)
{
	const char *where = getenv("OSPROF_LINK");
	struct sockaddr_in to = {0};

	(void)unused;
	if (!where || !*where)
		where = DEFAULT_LINK;
	ultra_wake_begin();
	if (begins(&where, "none"))
		return 0;
	if (begins(&where, LISTEN) && parse(where, &to))
		wait_for_hosts(&to);
	else if (begins(&where, CONNECT) && parse(where, &to))
		look_for_host(&to);
	else
		say("OSPROF_LINK is none of tcp-listen:PORT, tcp-listen:ADDRESS:PORT, tcp:ADDRESS:PORT, none: no host is served\n");
	return 0;
}

/* The thread blocks all signals, so that the sampling signal goes to the program's threads. */
void ultra_port_serve(void)
{
	uint64_t all = ~UINT64_C(0), before = 0;
	unsigned long thread;

	if (serving == system_pid())
		return;
	serving = system_pid();
	system_call6(__NR_rt_sigprocmask, 2 /* SIG_SETMASK */, (long)&all, (long)&before, 8, 0, 0);
	if (pthread_create(&thread, 0, begin, 0) == 0)
		pthread_detach(thread);
	else
		say("osProfileInit: no thread: no host is served\n");
	system_call6(__NR_rt_sigprocmask, 2, (long)&before, 0, 8, 0, 0);
}

void ultra_port_poll(void)
{
}
