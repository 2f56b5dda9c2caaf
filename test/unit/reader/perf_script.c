/* What perf script prints, and what programs are called. */
#include "check.h"
#include "weights.h"

static struct weights read_text(const char *text)
{
	return read_weights(text, strlen(text));
}

TEST(stacks)
{
	struct weights seen = read_text("# ========\n# captured on: today\n#\n"
					"a name 1.5: x 4711/4712 [001]  4970.068230:     250000 cpu-clock:ppp: \n"
					"\t           1462a std::map<int, char>::find(int const&)+0xa (/usr/lib/libc (1).so)\n"
					"\tffffffff8158c221 entry+0xc1 ([kernel.kallsyms])\n"
					"\n"
					"app 1 4970.068479:     50 cpu-clock:ppp: \n"
					"\t 0 [unknown] ([unknown])\n"
					"\t 7f00 [unknown] (/usr/lib/libx.so)\n"
					"\t 4f2 inl (inlined)\n"
					"\t 401136 main (/bin/app)\r\n");

	CHECK_STR(seen.text, "entry|std::map<int, char>::find(int const&)=250000 main|inl (inlined)|[unknown] (libx.so)|[unknown] ([unknown])=50 ");
	CHECK_STR(seen.unit, "ns");
	CHECK_EQ(seen.status, 0);
	free_weights(&seen);
}

/* Without callers a sample is one line. Without periods they are counted. */
TEST(single_lines)
{
	struct weights seen = read_text("app 1 1.5:  700 cycles:  401136 main+0x1 (/bin/app)\n"
					"app 1 1.6:  300 cycles:u:  401136 work+0x10 (/bin/app)\n");

	CHECK_STR(seen.text, "main=700 work=300 ");
	CHECK_STR(seen.unit, "cycles");
	free_weights(&seen);
	seen = read_text("app 1 1.5: cycles:  401136 main+0x1 (/bin/app)\n");
	CHECK_STR(seen.text, "main=1 ");
	CHECK_STR(seen.unit, "samples");
	free_weights(&seen);
}

TEST(other_events)
{
	struct weights seen = read_text("app 1 1.5:  700 cycles:  401136 main+0x1 (/bin/app)\n"
					"app 1 1.6:  300 page-faults:  401136 work+0x10 (/bin/app)\n");

	CHECK_STR(seen.text, "main=700 ");
	CHECK_EQ(seen.status, 1);
	CHECK(strstr(seen.messages, "1 samples are of other events than cycles"));
	free_weights(&seen);
}

TEST(bad_lines)
{
	static const char zero[] = "app 1 1.5:  700 cycles: \n\t401136 ma\0in (/bin/app)\n\t401136 x (/bin/app)\n";
	struct weights seen = read_text("app 1 1.5:  700 cycles: \n\t401136 main (/bin/app)\n\tzzz\n\nthis is none\n"
					"app 1 1.6: 99999999999999999999 cycles:\n\t1 f (x)\n\n");

	CHECK_STR(seen.text, "main=700 ");
	CHECK_EQ(seen.status, 1);
	CHECK(strstr(seen.messages, "line 3 is no frame"));
	CHECK(strstr(seen.messages, "line 5 begins no sample"));
	free_weights(&seen);
	seen = read_weights(zero, sizeof zero - 1);
	CHECK(!seen.opened); /* no text */
	free_weights(&seen);
}

/* Each cut of a good text: nothing but whole samples, or what is wrong is said. */
TEST(cut)
{
	static const char text[] = "app 1 1.5:  700 cycles: \n\t401136 main (/bin/app)\n\nb 2 1.6: 5 cycles: 401136 f+0x1 (/b)\n";

	for (size_t at = 0; at < sizeof text; at++) {
		struct weights seen = read_weights(text, at);

		CHECK(seen.lines <= 2);
		free_weights(&seen);
	}
}

TEST(not_perf)
{
	struct weights seen = read_text("main;work 12.5\nmain 3\n");

	CHECK_STR(seen.text, "main|work=13 main=3 ");
	free_weights(&seen);
	seen = read_text("12:30:45 1.5: what: ever\n");
	CHECK(seen.opened); /* it may be one */
	free_weights(&seen);
}

int main(void)
{
	RUN(stacks);
	RUN(single_lines);
	RUN(other_events);
	RUN(bad_lines);
	RUN(cut);
	RUN(not_perf);
	return tap_done();
}
