/* Call traces, by the calls that the compiler makes: what a dump shows, word by word, and that it is always the chain that is
 * open. */
#include <pthread.h>
#include <signal.h>

#include "trace_shown.h"

static uint64_t state;

static uint32_t pick(uint32_t count)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % count;
}

TEST(stack_as_documented)
{
	OS_InitCallTrace(buffer, 0x300, OS_CALLTRACE_STACK);
	enter_from("test1", 0x02004254, 0x100);
	enter_from("test2", 0x020043c4, 0x101);
	enter_from("test3", 0x02004390, 0x103);
	CHECK_EQ(dump(), 3);
#ifdef __x86_64__
	CHECK_STR(shown(), HEAD
		"test3: lr=0000000002004390, r0=0000000000000103, r1=0000000000001214, r2=0000000000002325, r3=0000000000003436\n"
		"test2: lr=00000000020043c4, r0=0000000000000101, r1=0000000000001212, r2=0000000000002323, r3=0000000000003434\n"
		"test1: lr=0000000002004254, r0=0000000000000100, r1=0000000000001211, r2=0000000000002322, r3=0000000000003433\n");
#endif
	leave();
	leave();
	CHECK_EQ(dump(), 1);
	leave();
	CHECK_EQ(OS_DumpCallTraceBufferSize(), 0);
	print_nothing();
	OS_DumpCallTraceBufferSize();
	CHECK_STR(shown(), HEAD);
	leave(); /* of what was entered before */
	enter("again");
	CHECK_EQ(dump(), 1);
	CHECK(strstr(printed, "again") != 0);
	leave();
}

TEST(registers_are_an_option)
{
	uint32_t all = OS_CalcCallTraceBufferSize(10);

	CHECK_EQ(OS_CalcCallTraceLines(all), 10);
	CHECK_EQ(OS_CalcCallTraceLines(all - 1), 9);
	CHECK_EQ(OS_CalcCallTraceBufferSize(4011) - OS_CalcCallTraceBufferSize(3011), nitro_port_registers() ? 52000 : 20000);
	OS_SetCallTraceRegisters(0);
	CHECK_EQ(OS_CalcCallTraceBufferSize(4011) - OS_CalcCallTraceBufferSize(3011), 20000);
	OS_InitCallTrace(buffer, 0x300, OS_CALLTRACE_STACK);
	enter_from("bare", 0x123, 7);
	dump();
#ifdef __x86_64__
	CHECK_STR(shown(), HEAD "bare: lr=0000000000000123\n");
	OS_SetCallTraceRegisters(0x5);
	OS_InitCallTrace(buffer, 0x300, OS_CALLTRACE_LOG);
	enter_from("two", 0x123, 7);
	dump();
	CHECK_STR(shown(), "two: lr=0000000000000123, r0=0000000000000007, r2=0000000000002229\n");
#endif
	OS_SetCallTraceRegisters(0xf);
	CHECK_EQ(OS_CalcCallTraceBufferSize(-1), 0);
	CHECK_EQ(OS_CalcCallTraceBufferSize(0x7fffffff), 0);
	CHECK_EQ(OS_CalcCallTraceLines(0), 0);
	OS_SetCallTraceRegisters(0);
}

TEST(log_newest_first_and_indented)
{
	OS_InitCallTrace(buffer, 0x300, OS_CALLTRACE_LOG);
	for (int i = 0; i < 2; i++) {
		enter_from("test1", 0x23c, 0);
		enter_from("test2", 0x3d4, 0);
		enter_from("test3", 0x3a0, 0);
		leave();
		leave();
		leave();
	}
	CHECK_EQ(dump(), 6);
	CHECK_STR(shown(), "    test3: lr=00000000000003a0\n  test2: lr=00000000000003d4\ntest1: lr=000000000000023c\n"
			   "    test3: lr=00000000000003a0\n  test2: lr=00000000000003d4\ntest1: lr=000000000000023c\n");
	/* Out of functions that were entered before, and down again: relative to the least deep. */
	leave();
	leave();
	enter("up");
	dump();
	CHECK(!strncmp(shown(), "up: lr=0000000000001000\n        test3:", 30));
	/* What is called while disabled has no line, but those below it are deeper. */
	OS_ClearCallTraceBuffer();
	CHECK_EQ(dump(), 0);
	CHECK_STR(shown(), "OS_DumpCallTrace: no call is in the buffer\n");
	CHECK_EQ(OS_DisableCallTrace(), TRUE);
	enter("unseen");
	CHECK_EQ(OS_EnableCallTrace(), FALSE);
	enter("seen");
	leave();
	leave();
	enter("beside");
	CHECK_EQ(dump(), 2);
	CHECK_STR(shown(), "beside: lr=0000000000001000\n  seen: lr=0000000000001000\n");
}

/* The buffer used over and over: the last lines, with the right indentation, whatever was before. */
TEST(log_against_a_list)
{
	static char names[64][16];
	enum { LINES = 13, ALL = 3000 };
	static int level[ALL], name[ALL];

	for (int i = 0; i < 64; i++)
		snprintf(names[i], sizeof names[i], "f%d", i);
	for (uint64_t seed = 1; seed < 40; seed += SANITIZED ? 4 : 1) {
		int depth = 0, count = 0, least = 1 << 30;
		char want[4096], *at = want;

		state = seed;
		OS_InitCallTrace(buffer, OS_CalcCallTraceBufferSize(LINES), OS_CALLTRACE_LOG);
		for (uint32_t events = pick(ALL); events; events--) {
			if (pick(100) < 45 + seed % 10) {
				level[count] = depth++;
				name[count] = (int)pick(64);
				enter(names[name[count++]]);
			} else {
				depth--;
				leave();
			}
		}
		for (int i = count > LINES ? count - LINES : 0; i < count; i++)
			least = level[i] < least ? level[i] : least;
		*at = 0;
		for (int i = count - 1; i >= 0 && i >= count - LINES; i--)
			at += sprintf(at, "%*s%s: lr=0000000000001000\n", 2 * (level[i] - least), "", names[name[i]]);
		CHECK_EQ(dump(), count > LINES ? LINES : count);
		CHECK_STR(shown(), want);
		if (tap_bad)
			return;
	}
}

/* What the last dump said below the chain. */
static unsigned said_missed, said_early;

/* Whether what the dump shows are the open calls: names where it has them, and as many others as it says. */
static bool is_the_chain(char stack[][4], int depth)
{
	char *at = strchr(printed, '\n'), name[16];

	at = at ? at + 1 : printed;
	said_missed = said_early = 0;
	for (; *at; at = strchr(at, '\n') + 1) {
		unsigned count;
		char what[16];

		if (sscanf(at, "(%u %*s %15s", &count, what) == 2 && !strcmp(what, "missed,"))
			said_missed = count;
		else if (sscanf(at, "(%u %*s %15s", &count, what) == 2 && !strcmp(what, "of"))
			said_early = count;
		else if (sscanf(at, "(%u call", &count) == 1)
			depth -= (int)count;
		else if (!strncmp(at, "OS_DumpCallTrace: no call was recorded", 38))
			continue;
		else if (sscanf(at, "%15[^:]:", name) != 1 || depth < 1 || strcmp(name, stack[--depth]))
			return false;
	}
	return depth == 0;
}

/* Deeper than the buffer, disabled and enabled anywhere, cleared: the chain is never another one. */
TEST(stack_against_a_stack)
{
	static char stack[4000][4];

	for (uint64_t seed = 1; seed < 200; seed += SANITIZED ? 4 : 1) {
		int depth = 0, lines = 1 + (int)seed % 9;
		unsigned early = 0;
		bool enabled = true;

		state = seed;
		OS_InitCallTrace(buffer, OS_CalcCallTraceBufferSize(lines), OS_CALLTRACE_STACK);
		for (int i = 0; i < 1500; i++) {
			uint32_t what = pick(200);

			if (what < 92) {
				snprintf(stack[depth], 4, "%c", 'a' + (int)pick(26));
				enter(stack[depth]);
				depth++;
			} else if (what < 190) {
				leave();
				early += depth == 0;
				depth -= depth > 0;
			} else if (what < 196) {
				CHECK_EQ(OS_RestoreCallTrace(!enabled), enabled);
				enabled = !enabled;
			} else if (what < 197) {
				OS_ClearCallTraceBuffer();
			} else {
				dump();
				CHECK(is_the_chain(stack, depth) && said_early == early && said_missed == 0);
				if (tap_bad) {
					printf("# seed %d, depth %d\n%s", (int)seed, depth, printed);
					return;
				}
			}
		}
		/* And it is whole again when there is room. */
		for (; depth; depth--)
			leave();
		OS_EnableCallTrace();
		enter("x");
		CHECK_EQ(dump(), 1);
		leave();
	}
}

TEST(says_what_is_missing)
{
	OS_InitCallTrace(buffer, OS_CalcCallTraceBufferSize(3), OS_CALLTRACE_STACK);
	enter("a");
	OS_DisableCallTrace();
	enter("b");
	enter("c");
	OS_EnableCallTrace();
	enter("d");
	enter("e");
	CHECK_EQ(dump(), 2);
	CHECK_STR(shown(), HEAD "(1 call not recorded)\nd: lr=0000000000001000\n(2 calls not recorded)\na: lr=0000000000001000\n");
	OS_ClearCallTraceBuffer();
	CHECK_EQ(dump(), 0);
	CHECK_STR(shown(), HEAD "(5 calls not recorded)\n");
	OS_ReleaseProfile(0);
}

/* Every size, at every alignment, against a page in front and one behind: nothing but the buffer is written. */
TEST(stays_within_the_buffer)
{
	for (uint32_t size = 0; size < 420; size += SANITIZED ? 3 : 1)
		for (uint32_t kind = 0; kind < 4; kind++) {
			bool at_end = kind & 1;
			unsigned char *given = guarded(size, at_end);

			OS_InitCallTrace(given, size, kind & 2 ? OS_CALLTRACE_LOG : OS_CALLTRACE_STACK);
			for (int i = 0; i < 40; i++)
				enter("in");
			dump();
			for (int i = 0; i < 20; i++)
				leave();
			OS_DisableCallTrace();
			enter("off");
			OS_EnableCallTrace();
			for (int i = 0; i < 40; i++)
				enter("in");
			OS_ClearCallTraceBuffer();
			for (int i = 0; i < 130; i++)
				leave();
			dump();
			OS_ReleaseProfile(0);
			CHECK(untouched(given, size, at_end));
		}
}

static void *in_another_thread(void *buffer_of_first)
{
	enter("no buffer here");
	CHECK_EQ(dump(), 0);
	CHECK_STR(printed, "OS_DumpCallTrace: this thread has no buffer: OS_InitCallTrace gives it one\n");
	CHECK_EQ(OS_EnableCallTrace(), FALSE);
	OS_ClearCallTraceBuffer();
	leave();
	print_nothing();
	OS_InitCallTrace(buffer_of_first, 1024, OS_CALLTRACE_LOG);
	CHECK(strstr(printed, "OS_InitCallTrace: ") && strstr(printed, " is in another thread's buffer, or has that in it: nothing is recorded\n"));
	print_nothing();
	OS_InitCallTrace((char *)buffer_of_first + 512, 8192, OS_CALLTRACE_LOG);
	CHECK(strstr(printed, " is in another thread's buffer"));
	print_nothing();
	OS_InitCallTrace((char *)buffer_of_first - 512, 520, OS_CALLTRACE_LOG);
	CHECK(strstr(printed, " is in another thread's buffer"));
	print_nothing();
	OS_InitCallTrace((char *)buffer_of_first - 512, 4096, OS_CALLTRACE_LOG);
	CHECK(strstr(printed, " is in another thread's buffer"));
	enter("still none");
	leave();
	OS_InitCallTrace(buffer + 8192, 1024, OS_CALLTRACE_LOG);
	enter("mine");
	CHECK_EQ(dump(), 1);
	return 0;
}

TEST(each_thread_has_its_own)
{
	pthread_t thread;

	OS_InitCallTrace(buffer + 1024, 1024, OS_CALLTRACE_STACK);
	enter("first");
	OS_DisableCallTrace();
	pthread_create(&thread, 0, in_another_thread, buffer + 1024);
	pthread_join(thread, 0);
	CHECK_EQ(dump(), 1);
	CHECK(strstr(printed, "first: ") && !strstr(printed, "mine"));
	CHECK_EQ(OS_EnableCallTrace(), FALSE);
	/* A thread that has ended has let go. */
	print_nothing();
	OS_InitCallTrace(buffer + 8192, 1024, OS_CALLTRACE_STACK);
	CHECK_STR(printed, "");
	/* And so has one that took another buffer. */
	OS_InitCallTrace(buffer, 1024, OS_CALLTRACE_STACK);
	OS_InitCallTrace(buffer, 1024, OS_CALLTRACE_STACK);
	CHECK_STR(printed, "");
}

TEST(what_cannot_be_done_is_said)
{
	print_nothing();
	OS_InitCallTrace(0, 1024, OS_CALLTRACE_STACK);
	CHECK_STR(printed, "OS_InitCallTrace: no buffer (null): nothing is recorded\n");
	enter("nowhere");
	leave();
	print_nothing();
	OS_InitCallTrace(buffer, 20, OS_CALLTRACE_STACK);
	CHECK_STR(printed, "OS_InitCallTrace: 20 bytes are too few for a line, which takes 176: nothing is recorded\n");
	print_nothing();
	OS_InitCallTrace(buffer + 3, 176, OS_CALLTRACE_STACK);
	CHECK_STR(printed, "OS_InitCallTrace: 176 bytes are too few for a line, which takes 181: nothing is recorded\n");
	print_nothing();
	OS_InitCallTrace(buffer, 1024, (OSCallTraceMode)7);
	CHECK_STR(printed, "OS_InitCallTrace: there is no mode 7: nothing is recorded\n");
	print_nothing();
	OS_InitCallTrace((void *)(UINTPTR_MAX - 999), 1000, OS_CALLTRACE_STACK);
	CHECK(!strncmp(printed, "OS_InitCallTrace: there are no 1000 bytes behind ", 49));
	CHECK_EQ(dump(), 0);
}

#ifdef __x86_64__
/* A handler that calls functions with hooks itself, before each instruction of the hooks. */
static volatile int steps, bad_dumps;
static char chain[3][4] = {"a", "b", "h"};
static volatile int least_open;

static void between(int signal)
{
	(void)signal;
	steps++;
	enter("h");
	dump();
	/* Either the call that is being entered or left is there, or it is not; and what interrupts the recorder is not. */
	if (strstr(printed, "(null)") || !strstr(printed, "a: ") || (least_open > 1 && !strstr(printed, "b: ")))
		bad_dumps++;
	leave();
}

static void single_step(bool on)
{
	if (on)
		__asm__ volatile("pushf\n orl $0x100, (%%rsp)\n popf\n" ::: "memory", "cc");
	else
		__asm__ volatile("pushf\n andl $~0x100, (%%rsp)\n popf\n" ::: "memory", "cc");
}

TEST(interrupted_at_every_instruction)
{
	struct sigaction action = {.sa_handler = between};
	int before;

	sigaction(SIGTRAP, &action, 0);
	for (int mode = 0; mode < 2; mode++) {
		OS_InitCallTrace(buffer, sizeof buffer, mode ? OS_CALLTRACE_LOG : OS_CALLTRACE_STACK);
		enter("a");
		steps = bad_dumps = 0;
		least_open = 1;
		single_step(true);
		enter("b");
		single_step(false);
		CHECK(steps > 100);
		before = steps;
		least_open = 2;
		if (!mode) {
			dump();
			CHECK(is_the_chain(chain, 2));
			CHECK(said_missed > 20 && said_missed == ((struct lines_trace *)buffer)->missed);
		}
		least_open = 1;
		single_step(true);
		leave();
		single_step(false);
		CHECK(steps > before + 50);
		if (!mode) {
			dump();
			CHECK(is_the_chain(chain, 1));
			CHECK_EQ(bad_dumps, 0);
		}
		enter("last");
		leave();
		print_nothing();
		OS_DumpCallTrace();
		/* The log may have gone round, and levels count from the outermost call that has a line. */
		CHECK(strstr(printed, !mode ? "a: " : strstr(printed, "a: ") ? "  last: lr" : "last: lr") != 0);
	}
}

/* A line's lr and registers are those of its name. */
static void enter_whole(const char *name)
{
	enter_from(name, (uint64_t)(unsigned char)*name << 12, (unsigned char)*name);
}

static bool lines_are_whole(void)
{
	for (const char *at = printed; *at; at = strchr(at, '\n') + 1) {
		unsigned long long lr, r[4];
		char name;

		if (*at == '(' || !strncmp(at, "OS_", 3))
			continue;
		if (sscanf(at, " %c: lr=%llx, r0=%llx, r1=%llx, r2=%llx, r3=%llx", &name, &lr, &r[0], &r[1], &r[2], &r[3]) != 6)
			return false;
		for (unsigned i = 0; i < 4; i++)
			if (lr != (unsigned long long)name << 12 || r[i] != (unsigned long long)name + i * 0x1111)
				return false;
	}
	return true;
}

static void looks(int signal)
{
	(void)signal;
	steps++;
	enter_whole("h");
	dump();
	bad_dumps += !lines_are_whole();
	leave();
}

/* The same handler, whatever is done, in a buffer of a few lines: what it sees is whole, and what it leaves is the chain. */
TEST(interrupted_in_all_that_can_be_done)
{
	static char stack[64][4];
	struct sigaction action = {.sa_handler = looks};

	OS_SetCallTraceRegisters(0xf);
	sigaction(SIGTRAP, &action, 0);
	for (uint64_t seed = 1; seed < 13; seed += SANITIZED ? 4 : 1) {
		bool log = seed % 3 == 0, enabled = true;
		int depth = 0;

		state = seed;
		memset(buffer, 0xa5, sizeof buffer);
		OS_InitCallTrace(
			buffer, OS_CalcCallTraceBufferSize(1 + (int)seed % 5), log ? OS_CALLTRACE_LOG : OS_CALLTRACE_STACK);
		bad_dumps = 0;
		for (int i = 0; i < 60; i++) {
			uint32_t what = pick(100);

			if (depth == 63)
				what = 50;
			snprintf(stack[depth], 4, "%c", 'a' + (int)pick(6));
			single_step(true);
			if (what < 50)
				enter_whole(stack[depth]);
			else if (what < 80)
				leave();
			else if (what < 94)
				OS_RestoreCallTrace(!enabled);
			else
				OS_ClearCallTraceBuffer();
			single_step(false);
			depth += what < 50 ? 1 : what < 80 && depth ? -1 : 0;
			enabled ^= what >= 80 && what < 94;
			dump();
			CHECK(lines_are_whole() && (log || is_the_chain(stack, depth)));
			if (tap_bad) {
				printf("# seed %d, step %d, %u, depth %d\n%s", (int)seed, i, what, depth, printed);
				return;
			}
		}
		CHECK_EQ(bad_dumps, 0);
	}
}

/* In a log every call has its line, or is said to be missed. Under the sanitizer there are more calls than lines. */
#if !SANITIZED
TEST(interrupted_none_is_lost)
{
	struct sigaction action = {.sa_handler = between};
	unsigned lines = 0;

	sigaction(SIGTRAP, &action, 0);
	OS_InitCallTrace(buffer, sizeof buffer, OS_CALLTRACE_LOG);
	steps = 0;
	single_step(true);
	enter("b");
	leave();
	single_step(false);
	dump();
	for (const char *at = printed; (at = strstr(at, "h: lr=")); at++)
		lines++;
	CHECK(steps > 200 && lines > 50 && steps < 1000);
	CHECK_EQ(lines + ((struct lines_trace *)buffer)->missed, steps);
}
#endif
#endif

int main(void)
{
	RUN(stack_as_documented);
	RUN(registers_are_an_option);
	RUN(log_newest_first_and_indented);
	RUN(log_against_a_list);
	RUN(stack_against_a_stack);
	RUN(says_what_is_missing);
	RUN(stays_within_the_buffer);
	RUN(each_thread_has_its_own);
	RUN(what_cannot_be_done_is_said);
#ifdef __x86_64__
	RUN(interrupted_at_every_instruction);
	RUN(interrupted_in_all_that_can_be_done);
#if !SANITIZED
	RUN(interrupted_none_is_lost);
#endif
#endif
	return tap_done();
}
