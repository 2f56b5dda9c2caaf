/* What callgrind writes: what functions cost themselves. */
#include "check.h"
#include "weights.h"

static struct weights read_text(const char *text)
{
	return read_weights(text, strlen(text));
}

#define HEAD "# callgrind format\nversion: 1\npositions: line\nevents: Ir Dr\nsummary: 9 9\n\n"

TEST(costs)
{
	struct weights seen = read_text(HEAD "ob=(1) /bin/app\nfl=(1) app.c\nfn=(1) main\n16 100 3\n+1 5\n* \n"
					     "cob=(2) libc\ncfn=(2) int std::f(char) <x>\ncalls=3 20\n+2 4000 7\n-1 7\n"
					     "fn=(2)\n20 4000 7\njump=3 21\n20\nfn=plain\n1 1\n\ntotals: 4113 10\n");

	CHECK_STR(seen.text, "main=100 main=5 main=7 int std::f(char) <x>=4000 plain=1 ");
	CHECK_STR(seen.unit, "Ir");
	CHECK_EQ(seen.status, 0);
	free_weights(&seen);
}

TEST(instructions)
{
	struct weights seen = read_text("version: 1\npositions: instr line\nevents: wall_ns cpu_ns\nfn=(7) f\n0x4000 12 50 1\n+3 +1 6\n");

	CHECK_STR(seen.text, "f=50 f=6 ");
	CHECK_STR(seen.unit, "ns");
	free_weights(&seen);
}

TEST(bad_lines)
{
	struct weights seen = read_text(HEAD "3 5\nfn=(9)\n3 6\nfn=(99999999999) x\nfn=(1) f\nnonsense\n4 -5\n5 7\n");

	CHECK_STR(seen.text, "f=7 ");
	CHECK_EQ(seen.status, 1);
	CHECK(strstr(seen.messages, "line 7 has costs of no function"));
	CHECK(strstr(seen.messages, "line 8 has a number of a function that was not named before"));
	CHECK(strstr(seen.messages, "line 10 has a number of a function that is too large"));
	CHECK(strstr(seen.messages, "line 12 is of no kind that is known"));
	free_weights(&seen);
}

int main(void)
{
	RUN(costs);
	RUN(instructions);
	RUN(bad_lines);
	return tap_done();
}
