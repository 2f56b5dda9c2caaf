/* A session of dwell gperf (classic/host/remote/gperf_session.h) with a program that makes new counters when a request of one kind
 * comes: a process of this very file, so that its text is known. */
#include <arpa/inet.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "classic/host/remote/gperf_session.h"
#include "port.h"
#include "classic/target/recorder/histogram/histogram.h"
#include "ultra64.h"

/* No test here takes so long but one that hangs. */
#define LONG_NS UINT64_C(20000000000)
#define CODE_WORDS 64

static _Alignas(4) u16 code_counters[CODE_WORDS];
static u32 *code;
static struct histogram_server *const server = &dwell_histogram_server;

static void begin_code(void)
{
	OSProf segment = {code_counters, CODE_WORDS, code, code + CODE_WORDS - 1};

	if (dwell_histogram.magic)
		osProfileStop();
	osProfileInit(&segment, 1);
	osProfileStart(1000);
	for (int i = 0; i < 100; i++)
		dwell_histogram_sample(&dwell_histogram, (uintptr_t)&code[i % CODE_WORDS]);
}

static void send_all(int fd)
{
	uint8_t byte;

	while (!dwell_server_listens(server))
		if (dwell_server_send(server, &byte) && write(fd, &byte, 1) != 1)
			exit(1);
}

/* Serves one host. anew: the request in front of which there are new counters; times: as often at most. */
static void serve_host(int fd, uint8_t anew, int times)
{
	struct wire_receiver spy = {0};
	uint8_t byte;

	for (begin_code(); read(fd, &byte, 1) == 1; send_all(fd)) {
		if (dwell_wire_receive(&spy, byte) && spy.bytes[0] == anew && times-- > 0)
			begin_code();
		dwell_server_receive(server, byte);
	}
	exit(0);
}

static pid_t start_target(char *where, uint8_t anew, int times)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof at;
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	pid_t pid;

	CHECK(!bind(listener, (struct sockaddr *)&at, sizeof at) && !listen(listener, 1));
	CHECK(!getsockname(listener, (struct sockaddr *)&at, &size));
	sprintf(where, "tcp:127.0.0.1:%d", ntohs(at.sin_port));
	code = (u32 *)((uintptr_t)start_target & ~(uintptr_t)3);
	pid = fork();
	if (!pid)
		serve_host(accept(listener, NULL, NULL), anew, times);
	close(listener);
	return pid;
}

/* Whether the counters can be fetched; says: what is in the diag then, or null for nothing. */
static void fetches(uint8_t anew, int times, bool good, const char *says)
{
	struct diag *diag = make_diag();
	struct symbol_image *image = make_symbol_image("/proc/self/exe");
	char where[64], *said = NULL;
	size_t size = 0;
	pid_t target = start_target(where, anew, times);
	struct gperf_session session = {
		.where = where, .program = "this", .image = image, .wait_ns = LONG_NS, .diag = diag};
	FILE *out = open_memstream(&said, &size);

	CHECK(image && gperf_session_open(&session) && gperf_session_greet(&session));
	CHECK_EQ(gperf_session_fetch(&session, false), good);
	CHECK(!good || gperf_counted_sum(&session.counted) == 100);
	gperf_session_close(&session);
	diag_print(diag, out);
	fclose(out);
	CHECK(says ? strstr(said, says) != NULL : !*said);
	if (says ? !strstr(said, says) : *said)
		printf("# said: %s\n", said);
	free(said);
	free_diag(diag);
	free_symbol_image(image);
	kill(target, SIGKILL);
	waitpid(target, NULL, 0);
}

TEST(new_counters)
{
	fetches(0, 0, true, NULL);
	fetches(WIRE_STOP, 1, true, NULL);
	fetches(WIRE_SEGMENT, 1, true, NULL);
	fetches(WIRE_GET, 1, true, NULL);
	/* All has been fetched before these. */
	fetches(WIRE_START, 1, true, NULL);
	fetches(WIRE_BYE, 1, true, NULL);
}

/* So often that no fetch comes to its end: that is no other program. */
TEST(new_counters_all_the_time)
{
	fetches(WIRE_GET, 1000, false, "the program calls osProfileInit again before its counters are fetched");
}

int main(void)
{
	RUN(new_counters);
	RUN(new_counters_all_the_time);
	return tap_done();
}
