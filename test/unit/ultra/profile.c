/* osProfile… as a program calls them: what they take, what they refuse, what they say of it. */
#include <stdarg.h>

#include "port.h"
#include "classic/target/recorder/histogram/histogram.h"
#include "ultra64.h"

static u32 text[64];
static _Alignas(4) u16 counters[64], others[64];

static int code, arguments;
static uintptr_t given[2];

static void note(s16 of, s16 count, ...)
{
	va_list list;

	va_start(list, count);
	CHECK(!locked);
	code = of;
	arguments = count;
	for (int i = 0; i < count; i++)
		given[i] = of == ERR_OSPROFILEINIT_ALN || of == ERR_OSPROFILEINIT_ORD ? (uintptr_t)va_arg(list, void *)
										      : va_arg(list, u32);
	va_end(list);
}

/* The error that a call was, 0 for none. */
#define ERROR_OF(call) (code = 0, printed_length = 0, printed[0] = 0, (call), code)

/* What it prints. */
#define PRINTED_BY(call) ((void)ERROR_OF(call), printed)

static void sample(const u32 *at)
{
	dwell_histogram_sample(&dwell_histogram, (uintptr_t)at);
}

TEST(before_init)
{
	osSetErrorHandler(note);
	CHECK_EQ(ERROR_OF(osProfileStart(1000)), ERR_OSPROFILEINIT_CNT);
	CHECK_EQ(ERROR_OF(osProfileStop()), ERR_OSPROFILESTOP_TIMER);
	CHECK_EQ(ERROR_OF(osProfileFlush()), 0);
	CHECK_EQ(ERROR_OF(osProfilePoll()), 0);
	CHECK(!timer_runs && !serves);
}

TEST(counts)
{
	OSProf segments[2] = {{counters, 16, text, text + 15}, {others, 8, text + 32, text + 40}};

	memset(counters, 0xa5, sizeof counters);
	CHECK_EQ(ERROR_OF(osProfileInit(segments, 2)), 0);
	CHECK_EQ(serves, 1);
	for (int i = 0; i < 64; i++)
		CHECK_EQ(counters[i], i < 16 ? 0 : 0xa5a5);
	CHECK_EQ(ERROR_OF(osProfileStart(10000)), 0);
	CHECK(timer_runs && timer_us == 10000 && !timer_fixed);
	memset(segments, 0, sizeof segments); /* it is not needed any more */
	for (int i = 0; i < 64; i++)
		sample(text + i);
	sample(text + 3);
	/* text_end is the last instruction, and is counted; where it has no counter, as linkers mean it, it is not. */
	for (int i = 0; i < 16; i++)
		CHECK_EQ(counters[i], 1 + (i == 3));
	for (int i = 0; i < 8; i++)
		CHECK_EQ(others[i], 1);
	CHECK_EQ(dwell_histogram.overflow, 64 - 16 - 8);
	CHECK_EQ(counters[16], 0xa5a5);
	/* Stopped, all stays; started, it goes on. */
	CHECK_EQ(ERROR_OF(osProfileStop()), 0);
	CHECK(!timer_runs);
	CHECK_EQ(counters[3], 2);
	CHECK_EQ(ERROR_OF(osProfileStart(50 | OSPROF_FIXED)), 0);
	CHECK(timer_runs && timer_us == 50 && timer_fixed);
	sample(text + 3);
	CHECK_EQ(counters[3], 3);
	CHECK_EQ(ERROR_OF(osProfileStop()), 0);
}

TEST(errors)
{
	OSProf good = {counters, 16, text, text + 16}, bad;

	CHECK_EQ(ERROR_OF(osProfileInit(&good, 1)), 0);
	CHECK_EQ(ERROR_OF(osProfileStop()), ERR_OSPROFILESTOP_TIMER);
	CHECK_EQ(ERROR_OF(osProfileStart(49)), ERR_OSPROFILESTART_TIME);
	CHECK(arguments == 1 && given[0] == 49 && !timer_runs);
	timer_fails = true;
	CHECK_EQ(ERROR_OF(osProfileStart(100)), ERR_OSPROFILESTART_TIME);
	timer_fails = false;
	CHECK_EQ(ERROR_OF(osProfileStop()), ERR_OSPROFILESTOP_TIMER);
	CHECK_EQ(ERROR_OF(osProfileStart(50)), 0);
	CHECK_EQ(ERROR_OF(osProfileStart(70)), ERR_OSPROFILESTART_FLAG);
	CHECK_EQ(timer_us, 50);
	CHECK_EQ(ERROR_OF(osProfileInit(&good, 1)), ERR_OSPROFILEINIT_STR);
	sample(text);
	CHECK_EQ(counters[0], 1);
	CHECK_EQ(ERROR_OF(osProfileStop()), 0);
	CHECK_EQ(ERROR_OF(osProfileStop()), ERR_OSPROFILESTOP_FLAG);
	counters[0] = 7; /* none of these clears it */
	CHECK_EQ(ERROR_OF(osProfileInit(&good, 0)), ERR_OSPROFILEINIT_CNT);
	CHECK(arguments == 1 && given[0] == 0);
	CHECK_EQ(ERROR_OF(osProfileInit(&good, OSPROF_SEGMENTS_MAX + 1)), ERR_OSPROFILEINIT_CNT);
	CHECK_EQ(ERROR_OF(osProfileInit(NULL, 1)), ERR_OSPROFILEINIT_CNT);
	bad = good;
	bad.histo_base = counters + 1;
	CHECK_EQ(ERROR_OF(osProfileInit(&bad, 1)), ERR_OSPROFILEINIT_ALN);
	CHECK(arguments == 1 && given[0] == (uintptr_t)bad.histo_base);
	bad = good;
	bad.histo_base = NULL;
	CHECK_EQ(ERROR_OF(osProfileInit(&bad, 1)), ERR_OSPROFILEINIT_ALN);
	CHECK(arguments == 1 && given[0] == 0);
	bad = good;
	bad.text_end = bad.text_start;
	CHECK_EQ(ERROR_OF(osProfileInit(&bad, 1)), ERR_OSPROFILEINIT_ORD);
	CHECK(arguments == 2 && given[0] == (uintptr_t)text && given[1] == (uintptr_t)text);
	bad.text_end = bad.text_start - 1;
	CHECK_EQ(ERROR_OF(osProfileInit(&bad, 1)), ERR_OSPROFILEINIT_ORD);
	bad = good;
	bad.histo_size = 15;
	CHECK_EQ(ERROR_OF(osProfileInit(&bad, 1)), ERR_OSPROFILEINIT_SIZ);
	CHECK(arguments == 1 && given[0] == 15);
	CHECK_EQ(counters[0], 7);
	bad.histo_size = 16;
	CHECK_EQ(ERROR_OF(osProfileInit(&bad, 1)), 0);
	CHECK_EQ(counters[0], 0);
}

TEST(says_so)
{
	OSProf bad = {counters, 15, text, text + 16}, low = {counters, 16, (u32 *)(uintptr_t)0x2000, (u32 *)(uintptr_t)0x1000};

	CHECK(osSetErrorHandler(NULL) == note);
	CHECK_STR(PRINTED_BY(osProfileInit(&bad, 1)), "osProfileInit: histo_size 15: there must be a counter for each word from text_start to text_end\n");
	CHECK_STR(PRINTED_BY(osProfileInit(&low, 1)), "osProfileInit: text_start 0x0000000000002000 is not below text_end 0x0000000000001000\n");
	CHECK_STR(PRINTED_BY(osProfileInit(&low, 65)), "osProfileInit: 65 segments: from 1 to 64 there may be, and osProfileInit() comes before osProfileStart()\n");
	CHECK_STR(PRINTED_BY(osProfileStart(1)), "osProfileStart: 1 microseconds: 50 is the least\n");
	CHECK_STR(PRINTED_BY(osProfileStop()), "osProfileStop: not started since osProfileInit()\n");
	CHECK(osSetErrorHandler(note) != NULL);
}

/* A handler that mends what is wrong, by the functions that it is called by. */
static void mend(s16 of, s16 count, ...)
{
	(void)count;
	if (of == ERR_OSPROFILEINIT_STR || of == ERR_OSPROFILESTART_FLAG)
		osProfileStop();
	else if (of == ERR_OSPROFILESTOP_TIMER || of == ERR_OSPROFILESTOP_FLAG)
		osProfileStart(2000);
	else
		osProfileStart(of == ERR_OSPROFILESTART_TIME ? 3000 : 0);
}

TEST(mended_by_the_handler)
{
	OSProf good = {counters, 16, text, text + 15};

	osSetErrorHandler(mend);
	osProfileInit(&good, 1);
	CHECK(!timer_runs);
	osProfileStop();
	CHECK(timer_runs && timer_us == 2000);
	osProfileStart(1000);
	CHECK(!timer_runs);
	osProfileStop();
	CHECK(timer_runs);
	osProfileInit(&good, 1);
	CHECK(!timer_runs);
	osProfileInit(&good, 0); /* START_TIME in INIT_CNT */
	CHECK(timer_runs && timer_us == 3000);
	osProfileStop();
	osSetErrorHandler(note);
}

/* A host that is connected, and what it does while the program waits. */
static void to_server(uint8_t type, const void *payload, size_t size)
{
	struct histogram_server *server = &dwell_histogram_server;
	struct wire_sender sender = {.bytes = {type, server->session}};
	uint8_t byte;

	memcpy(sender.bytes + WIRE_HEAD_BYTES, payload, size);
	dwell_wire_begin(&sender, WIRE_HEAD_BYTES + size);
	while (dwell_wire_next(&sender, &byte))
		dwell_server_receive(server, byte);
}

static int told;

static void listen(void)
{
	static struct wire_receiver receiver;
	uint8_t byte;

	CHECK(!timer_runs);
	while (dwell_server_send(&dwell_histogram_server, &byte))
		told += dwell_wire_receive(&receiver, byte) && receiver.bytes[0] == WIRE_FLUSH;
}

static void be_done(void)
{
	uint8_t number[4];

	listen();
	if (now_us % 50000)
		return;
	dwell_wire_put32(number, dwell_histogram_server.flush);
	to_server(WIRE_DONE, number, 4);
}

TEST(flushes)
{
	OSProf segment = {counters, 16, text, text + 15};
	uint8_t hello[5] = {WIRE_VERSION, 1};
	uint32_t before;

	osProfileInit(&segment, 1);
	osProfileStart(1000);
	before = now_us;
	osProfileFlush();
	CHECK_EQ(now_us, before); /* nobody is there */
	to_server(WIRE_HELLO, hello, 5);
	while_waiting = listen;
	CHECK(timer_runs);
	timer_runs = false;
	listen();
	timer_runs = true;
	told = 0;
	osProfileFlush(); /* a host that says nothing */
	CHECK_EQ(told, 1);
	CHECK(now_us - before > 2000000 && now_us - before < 2010000);
	CHECK(timer_runs && timer_us == 1000);
	before = now_us;
	osProfileFlush(); /* which is not waited for again, … */
	CHECK_EQ(now_us, before);
	to_server(WIRE_HELLO, hello, 5); /* … until it is there */
	timer_runs = false;
	listen();
	timer_runs = true;
	before = now_us;
	while_waiting = be_done;
	osProfileFlush();
	CHECK_EQ(told, 2);
	CHECK(now_us - before <= 51000);
	CHECK(timer_runs);
	osProfileStop();
	osProfileFlush(); /* does not start what was stopped */
	CHECK(!timer_runs);
}

int main(void)
{
	RUN(before_init);
	RUN(counts);
	RUN(errors);
	RUN(says_so);
	RUN(mended_by_the_handler);
	RUN(flushes);
	return tap_done();
}
