/* Folded stacks, and the traps of a form without escapes; and which format a file is. */
#include <stdlib.h>

#include "check.h"
#include "weights.h"

static struct weights read_text(const char *text, size_t size)
{
	return read_weights(text, size);
}

static void check_text(const char *text, const char *expected, int status, const char *message)
{
	struct weights seen = read_text(text, strlen(text));

	CHECK_STR(seen.text, expected);
	CHECK_EQ(seen.status, status);
	CHECK(!message || strstr(seen.messages, message));
	if (message && !strstr(seen.messages, message))
		printf("# said: %s", seen.messages);
	CHECK_EQ(seen.total, strlen(text));
	free(seen.messages);
}

TEST(plain)
{
	check_text("main;a;b 12\nmain 3\n", "main|a|b=12 main=3 ", 0, NULL);
	check_text("main;a 1", "main|a=1 ", 0, NULL); /* no newline at the end */
	check_text("main;a 1\r\nmain;b 2\r\n", "main|a=1 main|b=2 ", 0, NULL);
	check_text("\n\nmain 1\n\n", "main=1 ", 0, NULL);
	check_text("main\t7\n", "main=7 ", 0, NULL);
	check_text("main 0\n", "main=0 ", 0, NULL);
}

TEST(names_with_blanks_and_more)
{
	check_text("operator new(unsigned long);foo(int, char const*) 5\n", "operator new(unsigned long)|foo(int, char const*)=5 ",
		0, NULL);
	check_text("a 1 2;b 3 4\na 1\n", "a 1 2|b 3=4 a=1 ", 0, NULL);
	check_text("a;b  \t 4  \n", "a|b=4 ", 0, NULL);
	check_text(";a;;b; 4\n", "a|b=4 ", 0, NULL);
	check_text("\xff\xfe;\xc3\xa4 1\n", "\xff\xfe|\xc3\xa4=1 ", 0, NULL);
}

TEST(bad_lines_are_skipped_and_said)
{
	check_text("a 1\na;b\nc 2\n", "a=1 c=2 ", 1, "x.folded:0x4: line 2 has no count at its end");
	check_text("a 1\na;b -5\nc 2\n", "a=1 c=2 ", 1, "x.folded:0x4: line 2 has a count below 0");
	check_text("a 1\na;b -0.5\nc 2\n", "a=1 c=2 ", 1, "below 0");
	check_text("a 1\na;b --5\nc 2\n", "a=1 c=2 ", 1, "no count");
	check_text("a 1\na;b 1e3\nc 2\n", "a=1 c=2 ", 1, "no count");
	check_text("a 1\n17\nc 2\n", "a=1 c=2 ", 1, "x.folded:0x4: line 2 has a count and no names");
	check_text("a 1\n; 17\nc 2\n", "a=1 c=2 ", 1, "no names");
	check_text("a 18446744073709551615\na 18446744073709551616\n", "a=18446744073709551615 ", 1, "beyond 2^64");
	check_text("a 1\na 99999999999999999999999999999999\n", "a=1 ", 1, "beyond 2^64");
}

static void check_unit(const char *text, const char *expected, const char *unit, const char *message)
{
	struct weights seen = read_text(text, strlen(text));

	CHECK_STR(seen.text, expected);
	CHECK_STR(seen.unit, unit);
	CHECK_EQ(seen.status, message ? 1 : 0);
	CHECK(!message || strstr(seen.messages, message));
	free(seen.messages);
}

/* One unit for all counts of a file, so they keep their proportions. */
TEST(fractions)
{
	check_unit("a 12.0\nb 3.\n", "a=12 b=3 ", "samples", NULL);
	check_unit("a 0.156\nb 0.98\nc 1.5\n", "a=156 b=980 c=1500 ", "thousandths of a sample", NULL);
	check_unit("a 2\nb 0.0001\n", "a=2000000 b=100 ", "millionths of a sample", NULL);
	check_unit("a 0.000000001\nb 1\n", "a=1 b=1000000000 ", "billionths of a sample", NULL);
	check_unit("a 1.5\nbad\nb 1.25\n", "a=1500 b=1250 ", "thousandths of a sample", "line 2 has no count");
	check_unit("a 0.0000000015\nb 1\n", "a=2 b=1000000000 ", "billionths of a sample", "rounded to billionths of a sample");
	check_unit("a 0.9999999999\nb 1\n", "a=1000000000 b=1000000000 ", "billionths of a sample", "rounded");
	check_text("a 1\nb 1.2.3\n", "a=1 ", 1, "no count");
	check_text("a 1\nb .5\n", "a=1 ", 1, "no count");
}

/* Digits that do not fit together with the whole part are rounded, and that is said once. */
TEST(fractions_of_large_counts)
{
	check_unit("a 18446744073709551.5\nb 1\n", "a=18446744073709552 b=1 ", "samples", "rounded to whole samples");
	check_unit("a 184467440737095.5\nb 0.0001\n", "a=184467440737095500 b=0 ", "thousandths of a sample",
		"rounded to thousandths of a sample");
	check_unit("a 18446744073709551615.5\n", "", "samples", "beyond 2^64");
	check_unit("a 18446744073709551615\na 18446744073709551615\nb 0.5\n", "a=18446744073709551615 a=18446744073709551615 b=1 ",
		"samples", "rounded to whole samples");
}

/* A byte-order mark is no part of a name, at the start of the file only. */
TEST(byte_order_mark)
{
	check_text("\xef\xbb\xbfmain;a 1\nmain 2\n", "main|a=1 main=2 ", 0, NULL);
	check_text("\xef\xbb\xbf\nmain 2\n", "main=2 ", 0, NULL);
	check_text("\xef\xbb\xbf# a comment\nmain 2\n", "main=2 ", 0, NULL);
	check_text("main 2\n\xef\xbb\xbfmain 2\n", "main=2 \xef\xbb\xbfmain=2 ", 0, NULL);
	check_text("\xef\xbb\xbf;main 2\n", "main=2 ", 0, NULL);
}

TEST(zero_bytes)
{
	char text[5000];
	struct weights seen;

	/* beyond what the probe looks at */
	for (size_t i = 0; i < 5000; i += 4)
		memcpy(text + i, "a 1\n", 4);
	text[4800] = 0;
	seen = read_text(text, sizeof text);
	CHECK_EQ(seen.lines, 1249);
	CHECK_EQ(seen.skipped, 3);
	CHECK(strstr(seen.messages, "line 1201 holds a zero byte"));
	free(seen.messages);
}

/* Lines of any length up to a bound; a longer one costs itself only. */
TEST(long_lines)
{
	size_t size = 10u << 20, at = 0;
	char *text = malloc(size);
	struct weights seen;

	for (; at < 2u << 20; at += 2)
		memcpy(text + at, "f;", 2);
	at += (size_t)sprintf(text + at, "g 5\n");
	memset(text + at, 'x', 6u << 20);
	at += 6u << 20;
	at += (size_t)sprintf(text + at, ";y 6\nlast 7\n");
	seen = read_text(text, at);
	CHECK_EQ(seen.lines, 2);
	CHECK_EQ(seen.status, 1);
	CHECK(strstr(seen.messages, "line 2 is longer than 4 MiB"));
	CHECK(seen.skipped > 4u << 20);
	free(seen.messages);
	free(text);
}

TEST(second_pass)
{
	const char text[] = "a;b 1\nbad\nc 2\n";
	struct diag *diag = make_diag();
	struct reader *reader = make_reader(make_source_memory("x.folded", text, sizeof text - 1, diag), diag);
	struct message message;

	for (int pass = 0; pass < 3; pass++) {
		uint64_t weight = 0;
		reader_next(reader, &message);
		CHECK(message.kind == MESSAGE_HEADER && message.header.has_weights && !message.header.has_events);
		while (reader_next(reader, &message), message.kind == MESSAGE_WEIGHT)
			weight += message.weight.weight;
		CHECK_EQ(weight, 3);
		CHECK_EQ(reader_get_health(reader)->bytes_skipped, 3);
		CHECK(reader_rewind(reader));
	}
	CHECK_EQ(reader_chunk_count(reader), 0);
	CHECK(!make_reader_decoder(reader));
	free_reader(reader);
	free_diag(diag);
}

static void check_refused(const void *data, size_t size, const char *message)
{
	struct weights seen = read_text(data, size);

	CHECK(!seen.opened);
	CHECK_EQ(seen.status, 2);
	CHECK(strstr(seen.messages, message));
	free(seen.messages);
}

/* With what would do. */
static void check_unknown(const void *data, size_t size, const char *message)
{
	check_refused(data, size, message);
	check_refused(data, size, "a dwell trace (89 64 77 65 6c 6c 0d 0a) or ");
}

TEST(what_is_neither)
{
	check_unknown("", 0, "is empty");
	check_refused("\177ELF\2\1\1", 7, "is a program or library (ELF), not a recording");
	check_unknown("\x1f\x8b\x08", 3, "gzip");
	check_unknown("\1\2\3\4\5\6\7\x8\x9", 9, "begins with 01 02 03 04 05 06 07 08");
	check_unknown("int main(void)\n{\n\treturn 0;\n}\n", 29, "begins with 69 6e 74");
	check_unknown("# no count here\n", 16, "no recording that dwell knows");
}

/* Costs of valgrind's tools end with numbers, too. */
TEST(files_of_valgrind)
{
	const char callgrind[] = "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 27627\ncmd:  ./t\npart: 1\n\n\n"
				 "desc: I1 cache: \n\npositions: line\nevents: Ir\nsummary: 132595\n\n\nfn=(512) main\n0 6\n+3 7\n* 8\n";
	const char old[] = "version: 1\r\ncreator: callgrind-3.2\r\nevents: Ir\r\nfn=main\r\n0 6\r\n";
	const char cachegrind[] = "desc: I1 cache:         32768 B, 64 B, 8-way associative\ncmd: ./t\nevents: Ir I1mr ILmr\nfl=t.c\nfn=f\n"
				  "128 2 1 1\n134 3 0 0\n";
	const char stacks[] = "desc: a;events 1\ncmd: b 2\nmain 3\n", unfinished[] = "cmd: a 1\ndesc: 2";
	char *long_command = malloc(9000);

	check_refused(callgrind, sizeof callgrind - 1, "is a profile of callgrind, which dwell does not read");
	check_refused(old, sizeof old - 1, "is a profile of callgrind");
	check_refused(cachegrind, sizeof cachegrind - 1, "is a profile of cachegrind, which dwell does not read");
	check_text(stacks, "desc: a|events=1 cmd: b=2 main=3 ", 0, NULL);
	check_text(unfinished, "cmd: a=1 desc:=2 ", 0, NULL);
	memset(long_command, 'x', 9000);
	memcpy(long_command, "version: 1\ncmd: ", 16);
	check_refused(long_command, 9000, "is a profile of callgrind");
	free(long_command);
}

/* difffolded.pl writes two counts to each line. A name may end with a number, too, where other lines show that. */
TEST(two_counts)
{
	const char both[] = "a;b 10 12\na 3 4\n", point[] = "\xef\xbb\xbf" "a;b 1.5\t12.25\r\n", name[] = "a;line 10 12\na;line 3 4\na 1\n";

	check_refused(both, sizeof both - 1, "has two counts on each line, as difffolded.pl writes");
	check_refused(point, sizeof point - 1, "has two counts");
	check_text(name, "a|line 10=12 a|line 3=4 a=1 ", 0, NULL);
	check_text("10 12\n", "10=12 ", 0, NULL);
}

int main(void)
{
	RUN(plain);
	RUN(names_with_blanks_and_more);
	RUN(bad_lines_are_skipped_and_said);
	RUN(fractions);
	RUN(fractions_of_large_counts);
	RUN(byte_order_mark);
	RUN(zero_bytes);
	RUN(long_lines);
	RUN(second_pass);
	RUN(what_is_neither);
	RUN(files_of_valgrind);
	RUN(two_counts);
	return tap_done();
}
