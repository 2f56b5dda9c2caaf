/* GDB's remote protocol: what a stub says is read, whatever it is, and nobody is waited for longer than was said. */
#include <pthread.h>
#include <sys/wait.h>

#include "check.h"
#include "classic/host/io/gdb.h"
#include "stub.h"

#define BYTES 100000u
#define BASE UINT64_C(0x20000000)
#define WAIT_NS UINT64_C(20000000000)
#define SHORT_NS UINT64_C(200000000)

static uint8_t content[BYTES];
static const struct stub_memory memory[] = {{BASE, content, BYTES}, {0x8000, content, 48}};

/* A stub on a thread of its own. */
struct session {
	struct stub stub;
	pthread_t thread;
	struct diag *diag;
	struct gdb *gdb;
};

static void *serve(void *context)
{
	struct stub *stub = context;

	stub_serve(stub);
	close(stub->fd);
	return NULL;
}

static void begin(struct session *session, const struct stub *stub, uint64_t wait_ns)
{
	int ends[2];

	for (size_t i = 0; i < BYTES; i++)
		content[i] = i % 1000 < 300 ? 0 : (uint8_t)(i * 7 + i / 251);
	*session = (struct session){.stub = *stub, .diag = make_diag()};
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		exit(1);
	session->stub.fd = ends[1];
	session->stub.memory = memory;
	session->stub.memory_count = 2;
	if (pthread_create(&session->thread, NULL, serve, &session->stub))
		exit(1);
	session->gdb = make_gdb_of(make_link_of(ends[0], "stub", session->diag), wait_ns, session->diag);
}

/* What was said, in one line. */
static const char *said(const struct session *session)
{
	static char text[1024];
	FILE *file = fmemopen(text, sizeof text, "w");

	diag_print(session->diag, file);
	fclose(file);
	return text;
}

static void end(struct session *session)
{
	free_gdb(session->gdb);
	pthread_join(session->thread, NULL);
	free_diag(session->diag);
}

static void reads_all(const struct stub *stub, struct stub *after)
{
	static uint8_t buffer[BYTES];
	struct session session;

	memset(buffer, 0x55, sizeof buffer);
	begin(&session, stub, WAIT_NS);
	CHECK(session.gdb != NULL);
	if (session.gdb) {
		CHECK_EQ(gdb_read_memory(session.gdb, BASE, buffer, BYTES), BYTES);
		CHECK(!memcmp(buffer, content, BYTES));
		CHECK_EQ(gdb_read_memory(session.gdb, BASE + 17, buffer, 1), 1);
		CHECK_EQ(buffer[0], content[17]);
	}
	CHECK_STR(said(&session), "");
	end(&session);
	*after = session.stub;
}

TEST(reads)
{
	struct stub stub = {.packet_bytes = 0x1000}, after;

	reads_all(&stub, &after);
	CHECK(after.detached);
	CHECK_EQ(after.refused, 0);
	CHECK_EQ(after.most_under_way, 1);
	CHECK(after.reads <= 2 + BYTES / 2000);
	stub.no_ack = true;
	reads_all(&stub, &after);
	CHECK(after.acks_off);
	CHECK_EQ(after.most_under_way, 1);
	stub.repeats = true;
	reads_all(&stub, &after);
	stub.binary = true;
	stub.repeats = false;
	reads_all(&stub, &after);
	stub.packet_bytes = 0; /* then it is 400 */
	reads_all(&stub, &after);
	CHECK(after.largest <= 198);
}

TEST(no_size_is_too_small_or_too_large)
{
	static const uint32_t sizes[] = {1, 64, 65, 399, 0x3fff, 0x20000, UINT32_MAX};
	struct stub stub = {.no_ack = true}, after;

	for (size_t i = 1; i < sizeof sizes / sizeof *sizes; i++) {
		stub.packet_bytes = sizes[i];
		reads_all(&stub, &after);
		CHECK_EQ(after.refused, 0);
	}
}

TEST(retries_smaller)
{
	struct stub stub = {.manner = STUB_LIES, .no_ack = true}, after;

	reads_all(&stub, &after);
	CHECK(after.refused > 0);
	CHECK(after.refused < 200); /* learned, not tried again each time */
	stub.no_ack = false;
	reads_all(&stub, &after);
	stub = (struct stub){.manner = STUB_SHORT, .packet_bytes = 0x1000, .no_ack = true};
	reads_all(&stub, &after);
}

TEST(mends)
{
	struct stub stub = {.manner = STUB_DAMAGES_SOME, .packet_bytes = 0x1000}, after;

	reads_all(&stub, &after);
	CHECK(after.answers > after.reads + after.reads / 4);
	stub.manner = STUB_TALKS;
	reads_all(&stub, &after);
	stub.manner = STUB_ANNOUNCES;
	reads_all(&stub, &after);
	stub.manner = STUB_NAKS_ACKS;
	reads_all(&stub, &after);
	CHECK(after.answers <= after.reads + 4); /* nothing was sent again */
}

TEST(stops_what_runs)
{
	struct stub stub = {.manner = STUB_RUNS, .packet_bytes = 0x1000}, after;

	reads_all(&stub, &after);
	CHECK(after.detached);
}

TEST(loses_requests)
{
	static uint8_t buffer[BYTES];
	struct stub stub = {.manner = STUB_DROPS, .packet_bytes = 0x400, .no_ack = true};
	struct session session;

	begin(&session, &stub, WAIT_NS / 10);
	CHECK(session.gdb != NULL);
	if (session.gdb)
		CHECK_EQ(gdb_read_memory(session.gdb, BASE, buffer, 10000), 10000);
	CHECK(!memcmp(buffer, content, 10000));
	CHECK_STR(said(&session), "");
	end(&session);
}

/* As far as there is memory, to the byte. */
TEST(where_memory_ends)
{
	static uint8_t buffer[BYTES];
	struct stub stub = {.packet_bytes = 0x1000, .no_ack = true};
	struct session session;

	begin(&session, &stub, WAIT_NS);
	CHECK_EQ(gdb_read_memory(session.gdb, BASE + 60001, buffer, BYTES), BYTES - 60001);
	CHECK(!memcmp(buffer, content + 60001, BYTES - 60001));
	CHECK_EQ(gdb_read_memory(session.gdb, 0x8000, buffer, 100), 48);
	CHECK_EQ(gdb_read_memory(session.gdb, 0x1000, buffer, 100), 0);
	CHECK_EQ(gdb_read_memory(session.gdb, UINT64_MAX - 3, buffer, 100), 0);
	CHECK(!gdb_has_failed(session.gdb));
	CHECK_EQ(gdb_read_memory(session.gdb, BASE, buffer, BYTES), BYTES);
	CHECK_STR(said(&session), "");
	end(&session);
}

TEST(stop_and_go)
{
	struct stub stub = {.packet_bytes = 0x1000};
	struct session session;
	uint8_t buffer[16];

	begin(&session, &stub, WAIT_NS);
	for (int i = 0; i < 3; i++) {
		CHECK(gdb_go(session.gdb));
		CHECK(gdb_stop(session.gdb));
		CHECK_EQ(gdb_read_memory(session.gdb, BASE, buffer, 4), 4);
	}
	session.stub.went_on = false;
	CHECK(gdb_run(session.gdb, 20000000));
	CHECK(session.stub.went_on);
	CHECK_EQ(gdb_read_memory(session.gdb, BASE, buffer, 4), 4);
	gdb_keep_stopped(session.gdb);
	end(&session);
	CHECK(session.stub.went_on);
	CHECK(!session.stub.running);
	CHECK(!session.stub.detached);
}

/* Bad ones: each ends, soon, and with a message. */
static void refuses(enum stub_manner manner, bool no_ack, const char *message)
{
	static uint8_t buffer[10000];
	struct stub stub = {.manner = manner, .packet_bytes = 0x1000, .no_ack = no_ack};
	struct session session;

	/* Nobody is waited for that long by the others: a machine may be busy. */
	begin(&session, &stub, manner == STUB_SILENT || manner == STUB_NAKS ? SHORT_NS : WAIT_NS);
	if (session.gdb)
		CHECK(gdb_read_memory(session.gdb, BASE, buffer, sizeof buffer) < sizeof buffer);
	if (session.gdb)
		CHECK(gdb_has_failed(session.gdb));
	CHECK_STR(said(&session), message);
	CHECK_EQ(diag_status(session.diag), 2);
	end(&session);
}

TEST(bad_stubs)
{
	for (int no_ack = 0; no_ack < 2; no_ack++) {
		refuses(STUB_ENDLESS, no_ack, "dwell: stub: 'm' is answered with a packet that is longer than the stub said\n");
		refuses(STUB_TOO_LONG, no_ack, "dwell: stub: 'm' is answered with something else than so many bytes\n");
		refuses(STUB_NO_HEX, no_ack, "dwell: stub: 'm' is answered with something else than so many bytes\n");
		refuses(STUB_NO_MEMORY, no_ack, "dwell: stub: 'm' is not understood: no memory can be read\n");
		refuses(STUB_OVER, no_ack, "dwell: stub: '?' is answered with an end: the program that was debugged is over\n");
		refuses(STUB_TALKS_ONLY, no_ack, "dwell: stub: 'qSupported' is answered with nothing but what nobody asked for\n");
		refuses(STUB_DAMAGES_ALL, no_ack, "dwell: stub: 'qSupported' is answered with a damaged packet (wrong checksum)\n");
		refuses(STUB_NAKS, no_ack, "dwell: stub: 'qSupported' is refused as damaged, again and again\n");
		refuses(STUB_SILENT, no_ack,
			"dwell: stub: 'qSupported' is not answered within 200.0 ms: is it a GDB stub, and no other debugger connected?\n");
		refuses(STUB_GOES, no_ack, "dwell: stub: the connection is gone: the other end closed it\n");
	}
}

int main(void)
{
	RUN(reads);
	RUN(no_size_is_too_small_or_too_large);
	RUN(retries_smaller);
	RUN(mends);
	RUN(stops_what_runs);
	RUN(loses_requests);
	RUN(where_memory_ends);
	RUN(stop_and_go);
	RUN(bad_stubs);
	return tap_done();
}
