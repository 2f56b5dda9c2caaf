/* Trace events of Chrome as sums: what lies in what, whoever wrote them in whatever order. */
#include <stdlib.h>
#include <zlib.h>

#include "check.h"
#include "weights.h"

static void check_text(const char *text, const char *want, int status, const char *said)
{
	struct weights seen = read_weights(text, strlen(text));

	CHECK_STR(seen.text, want);
	CHECK_STR(seen.unit, "ns");
	CHECK_EQ(seen.status, status);
	CHECK(!said || strstr(seen.messages, said));
	free_weights(&seen);
}

#define X(name, thread, ts, dur) "{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":" thread ",\"ts\":" ts ",\"dur\":" dur "}"
#define B(name, ts) "{\"ph\":\"B\",\"name\":\"" name "\",\"pid\":1,\"tid\":1,\"ts\":" ts "}"
#define E(ts) "{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":" ts "}"
#define FILE_OF(events) "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[" events "]}"

TEST(complete)
{
	/* main 0 to 10, a 1 to 3, b in it 1 to 2; another thread at the same time. Not in order. */
	check_text(FILE_OF(X("b", "1", "1", "1") "," X("a", "1", "1", "2.5") "," X("main", "1", "0", "10") "," X("main", "2", "0.5", "0.001")),
		"main|a|b=1000 main|a=1500 main=7500 main=1 ", 0, NULL);
	check_text("[" X("a", "1", "-1.5", "1") "," X("a", "1", "-0.5", "1") "]", "a=1000 a=1000 ", 0, NULL);
}

TEST(pairs)
{
	check_text(FILE_OF(B("main", "0") "," B("a", "1") "," E("3") "," X("x", "1", "4", "2") "," E("10")), "main|a=2000 main|x=2000 main=6000 ", 0,
		NULL);
	check_text(FILE_OF(B("main", "0") "," E("4") "," E("5")), "main=4000 ", 1, "ends without a begin, that are left out: 1");
	check_text(FILE_OF(B("main", "0") "," B("a", "1") "," E("4")), "main|a=3000 main=1000 ", 1, "slices without an end");
}

TEST(odd)
{
	check_text(FILE_OF(X("a", "1", "0", "5") "," X("b", "1", "3", "5")), "a|b=2000 a=3000 ", 1, "are cut there: 1");
	check_text(FILE_OF(X("a", "1", "0", "-5") ",{\"ph\":\"X\",\"ts\":3,\"dur\":1},{\"ph\":\"X\",\"name\":\"c\",\"ts\":\"3\",\"dur\":1},"
			   "7,null,{\"ph\":9},{\"ph\":\"C\",\"name\":\"n\",\"ts\":1},{\"ph\":\"X\",\"name\":\"d\",\"ts\":1e300,\"dur\":1}"),
		"", 1, "that are left out: 4");
	check_text(FILE_OF(X("\\ud83d\\ude00;\\n", "1", "0", "5")), "\xf0\x9f\x98\x80;\n=5000 ", 0, NULL);
	check_text(FILE_OF(""), "", 0, NULL);
}

TEST(broken)
{
	static const char text[] = FILE_OF(X("a", "1", "0", "5") "," B("b", "7"));
	struct weights seen;

	for (size_t at = 0; at + 1 < sizeof text - 1; at++) {
		seen = read_weights(text, at);
		CHECK(!seen.opened);
		CHECK_EQ(seen.status, 2);
		free_weights(&seen);
	}
	seen = read_weights("{\"traceEvents\": 3}", 18);
	CHECK(!seen.opened);
	CHECK(strstr(seen.messages, "no list"));
	free_weights(&seen);
}

/* 20,000 slices, each in the one before: of each path it is told how much of it is that before it. */
TEST(deep)
{
	size_t room = 4000000, used = 0;
	char *text = malloc(room);
	struct weights seen;

	used = (size_t)snprintf(text, room, "[");
	for (int i = 0; i < 20000; i++)
		used += (size_t)snprintf(text + used, room - used, "%s{\"ph\":\"X\",\"name\":\"f\",\"ts\":%d,\"dur\":%d}", i ? "," : "", i, 100000 - 2 * i);
	used += (size_t)snprintf(text + used, room - used, "]");
	seen = read_weights(text, used);
	CHECK(seen.opened);
	CHECK_EQ(seen.status, 0);
	CHECK_EQ(seen.lines, 20000);
	CHECK_EQ(seen.told, 20000); /* not 200 million */
	free_weights(&seen);
	free(text);
}

/* What a thousandth of it can ask for. */
TEST(dense)
{
	size_t size = 64u << 20, packed_bytes = 1u << 20;
	char *text = malloc(size);
	uint8_t *packed = malloc(packed_bytes);
	z_stream stream = {.next_in = (uint8_t *)text, .avail_in = (uInt)size, .next_out = packed, .avail_out = (uInt)packed_bytes};
	struct weights seen;

	memset(text, ' ', size);
	memcpy(text, "[{\"ph\":\"B\"}", 12);
	text[size - 1] = ']';
	CHECK_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	CHECK_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
	seen = read_weights(packed, stream.total_out);
	CHECK(!seen.opened);
	CHECK(strstr(seen.messages, "more than 200 times as large when it is unpacked"));
	deflateEnd(&stream);
	free_weights(&seen);
	free(packed);
	free(text);
}

int main(void)
{
	RUN(complete);
	RUN(pairs);
	RUN(odd);
	RUN(broken);
	RUN(deep);
	RUN(dense);
	return tap_done();
}
