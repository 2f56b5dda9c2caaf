/* Function cost, by the calls that the compiler makes: with a clock that the test moves, and the library's own. */
#include <pthread.h>
#include <signal.h>

#include "core/lines.h"
#include "hooked.h"
#include "recorder/lines/cost.h"

static _Alignas(16) unsigned char buffer[1 << 16], statistics[4096];

static uint64_t state;

static uint32_t pick(uint32_t count)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % count;
}

/* In place of the port's clock: of the thread's own time, and of what it was away. */
static _Thread_local uint32_t now = 0xfffffff0u, away_ticks;

void nitro_port_init_tick(void)
{
}

uint64_t nitro_port_tick(void)
{
	return now;
}

uint32_t nitro_port_tick_hz(void)
{
	return 1000;
}

uintptr_t nitro_port_tick_at(void)
{
	return 0;
}

uint32_t nitro_port_line_tick(struct lines_cost *cost)
{
	dwell_cost_away(cost, away_ticks);
	away_ticks = 0;
	return now;
}

static void pass(uint32_t own, uint32_t away)
{
	now += own + away;
	away_ticks += away;
}

static void at(uint32_t tick)
{
	now = tick;
}

static void enter_at(const char *name, uint32_t tick)
{
	at(tick);
	enter(name);
}

static void leave_at(uint32_t tick)
{
	at(tick);
	leave();
}

static const char *dump(void)
{
	print_nothing();
	OS_DumpStatistics(statistics);
	return printed;
}

static void begin(uint32_t calls)
{
	OS_InitTick();
	OS_InitFunctionCost(buffer, OS_CalcFunctionCostBufferSize((int)calls));
	OS_InitStatistics(statistics, sizeof statistics);
	print_nothing();
}

TEST(tick_comes_first)
{
	print_nothing();
	OS_InitFunctionCost(buffer, 4096);
	CHECK_STR(printed, "OS_InitFunctionCost: OS_InitTick() comes first: nothing is measured\n");
	OS_InitTick();
	CHECK_EQ(OS_IsTickAvailable(), TRUE);
}

static const char function[] = "function", test_name[] = "test", xxxx[] = "xxxx";

/* Section 4.1. */
TEST(first_figure)
{
	begin(10);
	enter_at(function, 30);
	leave_at(45);
	enter_at(function, 70);
	enter_at(test_name, 80);
	leave_at(90);
	leave_at(120);
	OS_CalcStatistics(statistics);
	CHECK_STR(dump(), "function: count 2, cost 55\ntest: count 1, cost 10\n");
	print_nothing();
	OS_DumpStatisticsInclusive(statistics);
	CHECK_STR(printed, "function: count 2, cost 55, inclusive 65\ntest: count 1, cost 10, inclusive 10\n");
	print_nothing();
	OS_DispStatistics(statistics);
	OS_DispatchStatistics(statistics);
	CHECK_STR(printed,
		"function: count 2, cost 55\ntest: count 1, cost 10\nfunction: count 2, cost 55\ntest: count 1, cost 10\n");
}

/* Section 4.3: each thread has its buffer; the intervals are what was away. */
static void *second(void *unused)
{
	(void)unused;
	OS_InitFunctionCost(buffer + 8192, 4096);
	enter_at(xxxx, 35);
	leave_at(42);
	enter_at(function, 130);
	away_ticks = 10;
	leave_at(150);
	OS_CalcStatistics(statistics);
	return 0;
}

static void *third(void *unused)
{
	(void)unused;
	OS_InitFunctionCost(buffer + 16384, 4096);
	enter_at(function, 83);
	leave_at(88);
	enter_at(function, 135);
	leave_at(145);
	OS_CalcStatistics(statistics);
	return 0;
}

TEST(second_figure)
{
	pthread_t thread;

	begin(10);
	enter_at(function, 30);
	away_ticks = 7;
	leave_at(45);
	enter_at(function, 70);
	enter_at(test_name, 80);
	away_ticks = 5;
	leave_at(90);
	leave_at(120);
	OS_CalcStatistics(statistics);
	pthread_create(&thread, 0, second, 0);
	pthread_join(thread, 0);
	pthread_create(&thread, 0, third, 0);
	pthread_join(thread, 0);
	CHECK_STR(dump(), "function: count 5, cost 73\ntest: count 1, cost 5\nxxxx: count 1, cost 7\n");
	print_nothing();
	OS_DumpStatisticsInclusive(statistics);
	CHECK_STR(printed, "function: count 5, cost 73, inclusive 78\ntest: count 1, cost 5, inclusive 5\nxxxx: count 1, cost 7, "
			   "inclusive 7\n");
}

/* Threads that a kernel of the user's switches: what passes until one comes back is not its own. */
TEST(switched_by_hand)
{
	void *first, *other;

	begin(10);
	first = OS_SwitchProfile(0);
	CHECK(first != 0);
	enter_at("nobody's", 5);
	leave_at(6);
	OS_InitFunctionCost(buffer + 8192, 4096);
	enter_at("other", 10);
	at(15);
	other = OS_SwitchProfile(first);
	enter_at("first", 15);
	at(25);
	CHECK(OS_SwitchProfile(other) == first);
	leave_at(27);
	OS_CalcStatistics(statistics);
	at(50);
	OS_SwitchProfile(first);
	leave_at(53);
	OS_CalcStatistics(statistics);
	CHECK_STR(dump(), "other: count 1, cost 7\nfirst: count 1, cost 13\n");
	OS_ReleaseProfile(other);
}

TEST(carried_over)
{
	begin(5);
	enter_at("main", 0);
	for (uint32_t i = 0; i < 1000; i++) {
		enter_at("work", 10 * i + 3);
		if (i % 3 == 0)
			OS_CalcStatistics(statistics);
		leave_at(10 * i + 9);
		OS_CalcStatistics(statistics);
		OS_CalcStatistics(statistics);
	}
	leave_at(10000);
	OS_CalcStatistics(statistics);
	print_nothing();
	OS_DumpStatisticsInclusive(statistics);
	CHECK_STR(printed, "main: count 1, cost 4000, inclusive 10000\nwork: count 1000, cost 6000, inclusive 6000\n");
}

/* Each call that has an entry has its exit, too, and what does not fit is counted. */
TEST(full)
{
	begin(3);
	enter_at("a", 0);
	enter_at("b", 1);
	enter_at("c", 2);
	enter_at("d", 3);
	enter_at("e", 4);
	leave_at(5);
	leave_at(6);
	leave_at(7);
	leave_at(8);
	enter_at("f", 9);
	leave_at(10);
	leave_at(20);
	OS_CalcStatistics(statistics);
	CHECK_STR(dump(), "a: count 1, cost 13\nb: count 1, cost 2\nc: count 1, cost 5\n"
			  "(3 calls dropped, the measurement buffer was full; their cost is their callers')\n");
	/* Summarised deep in what has no line: what was open is given up. */
	begin(3);
	enter_at("a", 0);
	enter_at("b", 1);
	leave_at(2);
	enter_at("c", 3);
	enter_at("d", 4);
	OS_CalcStatistics(statistics);
	enter_at("e", 10);
	leave_at(11);
	leave_at(12);
	leave_at(13);
	leave_at(14);
	enter_at("f", 15);
	leave_at(16);
	OS_CalcStatistics(statistics);
	CHECK_STR(dump(), "a: count 0, cost 2\nb: count 1, cost 1\nc: count 0, cost 7\ne: count 1, cost 1\n"
			  "(2 calls dropped, the measurement buffer was full; their cost is their callers')\n"
			  "(3 calls dropped, only one half was recorded)\n");
}

TEST(disabled_time_is_nobodys)
{
	begin(20);
	enter_at("a", 0);
	at(10);
	CHECK_EQ(OS_DisableFunctionCost(), TRUE);
	CHECK_EQ(OS_DisableFunctionCost(), FALSE);
	enter_at("unseen", 11);
	leave_at(15);
	at(20);
	CHECK_EQ(OS_RestoreFunctionCost(TRUE), FALSE);
	enter_at("b", 22);
	at(23);
	OS_DisableFunctionCost();
	leave_at(30);
	at(40);
	OS_EnableFunctionCost();
	leave_at(44);
	leave(); /* entered before */
	OS_CalcStatistics(statistics);
	CHECK_STR(dump(), "a: count 1, cost 16\nb: count 1, cost 1\n");
	/* One half: entered while disabled, left while enabled. */
	begin(20);
	enter_at("a", 0);
	at(5);
	OS_DisableFunctionCost();
	enter_at("half", 6);
	at(7);
	OS_EnableFunctionCost();
	enter_at("b", 8);
	leave_at(9);
	leave_at(10);
	leave_at(11);
	enter_at("c", 12);
	leave_at(13);
	OS_CalcStatistics(statistics);
	CHECK_STR(dump(),
		"a: count 0, cost 6\nb: count 1, cost 1\nc: count 1, cost 1\n(2 calls dropped, only one half was recorded)\n");
}

TEST(cleared)
{
	begin(20);
	enter_at("a", 0);
	enter_at("gone", 1);
	leave_at(2);
	enter_at("b", 5);
	at(10);
	OS_ClearFunctionCostBuffer();
	leave_at(14);
	leave_at(15);
	OS_CalcStatistics(statistics);
	CHECK_STR(dump(), "a: count 1, cost 1\nb: count 1, cost 4\n");
}

/* Random programs, with everything that can be done to them; an account of their own for what is recorded. */
TEST(against_an_account)
{
	enum { FUNCTIONS = 7, DEEP = 60 };
	static const char names[FUNCTIONS][2] = {"a", "b", "c", "d", "e", "f", "g"};

	for (uint64_t seed = 1; seed < 100; seed++) {
		uint64_t calls[FUNCTIONS] = {0}, self[FUNCTIONS] = {0};
		uint32_t stack[DEEP], depth = 0;
		bool enabled = true;
		char want[512], *end = want;

		state = seed;
		begin(2000);
		for (uint32_t i = 0; i < 4000; i++) {
			uint32_t what = pick(100), own = pick(9);

			pass(own, pick(3) ? 0 : pick(50));
			if (depth && enabled)
				self[stack[depth - 1]] += own;
			if (what < 50 && depth < DEEP && enabled) {
				stack[depth] = pick(FUNCTIONS);
				enter(names[stack[depth++]]);
			} else if (what < 90 && depth) {
				calls[stack[--depth]]++;
				leave();
			} else if (what < 95) {
				CHECK_EQ(OS_RestoreFunctionCost(!enabled), enabled);
				enabled = !enabled;
			} else if (what < 96) {
				OS_CalcStatistics(statistics);
			}
		}
		OS_EnableFunctionCost();
		for (; depth; depth--) {
			calls[stack[depth - 1]]++;
			leave();
		}
		OS_CalcStatistics(statistics);
		dump();
		for (uint32_t i = 0; i < FUNCTIONS; i++) {
			end = want + sprintf(want, "%s: count %llu, cost %llu\n", names[i], (unsigned long long)calls[i],
					     (unsigned long long)self[i]);
			CHECK(strstr(printed, want) != 0);
			if (tap_bad) {
				printf("# seed %d wants %s%s", (int)seed, want, printed);
				return;
			}
		}
		(void)end;
	}
}

TEST(stays_within_the_buffers)
{
	for (uint32_t size = 0; size < 420; size++)
		for (int at_end = 0; at_end < 2; at_end++) {
			unsigned char *given = guarded(size, at_end);

			OS_InitFunctionCost(given, size);
			OS_InitStatistics(statistics, sizeof statistics);
			for (uint32_t i = 0; i < 60; i++) {
				enter(function);
				if (i % 3)
					leave();
				if (i % 17 == 16)
					OS_CalcStatistics(statistics);
				if (i % 29 == 28)
					OS_ClearFunctionCostBuffer();
				OS_RestoreFunctionCost(i % 11 != 0);
			}
			for (uint32_t i = 0; i < 60; i++)
				leave();
			OS_CalcStatistics(statistics);
			OS_ReleaseProfile(0);
			CHECK(untouched(given, size, at_end));

			given = guarded(size, at_end);
			OS_InitFunctionCost(buffer, sizeof buffer);
			OS_InitStatistics(given, size);
			if (size < 16) /* what was refused can be told from statistics by its first words, when it has any */
				continue;
			for (uint32_t i = 0; i < 60; i++) {
				static const char names[60][2] = {"?"};

				enter(names[i]);
				leave();
			}
			OS_CalcStatistics(given);
			OS_DumpStatisticsInclusive(given);
			CHECK(untouched(given, size, at_end));
		}
}

static pthread_barrier_t barrier;

static void *takes_the_same(void *unused)
{
	(void)unused;
	OS_InitFunctionCost(buffer, 4096);
	enter("nowhere");
	leave();
	OS_CalcStatistics(statistics);
	return 0;
}

TEST(what_cannot_be_done_is_said)
{
	pthread_t thread;
	struct lines_stats *stats = (struct lines_stats *)statistics;

	begin(10);
	OS_InitFunctionCost(0, 4096);
	OS_InitFunctionCost(buffer, 100);
	OS_CalcStatistics(statistics);
	CHECK_STR(printed, "OS_InitFunctionCost: no buffer (null): nothing is measured\n"
			   "OS_InitFunctionCost: 100 bytes are too few for a call, which takes 224: nothing is measured\n"
			   "OS_CalcStatistics: this thread has no buffer: OS_InitFunctionCost gives it one\n");
	begin(10);
	pthread_create(&thread, 0, takes_the_same, 0);
	pthread_join(thread, 0);
	CHECK(strstr(printed, " is another thread's buffer: nothing is measured\nOS_CalcStatistics: this thread has no buffer"));
	enter_at("a", 1);
	leave_at(2);
	print_nothing();
	OS_InitStatistics(0, 100);
	OS_InitStatistics(statistics, 100);
	OS_InitStatistics(buffer, 4096);
	OS_CalcStatistics(0);
	OS_CalcStatistics(buffer + 8);
	OS_DumpStatistics(buffer + 8);
	CHECK(!strncmp(printed,
		"OS_InitStatistics: no buffer (null)\n"
		"OS_InitStatistics: 100 bytes are too few for two functions, which take up to ",
		100));
	CHECK(strstr(printed, "OS_InitStatistics: a thread measures in "));
	CHECK(strstr(printed, "OS_CalcStatistics: OS_InitStatistics did not make this buffer: nothing is counted\n"
			      "OS_CalcStatistics: OS_InitStatistics did not make this buffer: nothing is counted\n"
			      "OS_DumpStatistics: OS_InitStatistics did not make this buffer\n"));
	/* As if another thread was at it. */
	print_nothing();
	stats->busy = 1;
	OS_CalcStatistics(statistics);
	CHECK_STR(printed, "OS_CalcStatistics: another thread is at it: nothing is counted\n");
	stats->busy = 0;
	OS_CalcStatistics(statistics);
	CHECK_STR(dump(), "a: count 1, cost 1\n");
	CHECK_EQ(OS_CalcFunctionCostLines(OS_CalcFunctionCostBufferSize(77)), 77);
	CHECK_EQ(OS_CalcFunctionCostLines(OS_CalcFunctionCostBufferSize(77) - 1), 76);
	CHECK_EQ(OS_CalcFunctionCostLines(10), 0);
	CHECK_EQ(OS_CalcFunctionCostBufferSize(-5), 0);
	CHECK_EQ(OS_CalcFunctionCostBufferSize(0x7fffffff), 0);
}

/* Threads that count into the same statistics at the same time: whoever may not tries again, and no call is lost. */
static void *counts(void *own)
{
	pthread_barrier_wait(&barrier);
	OS_InitFunctionCost(own, 4096);
	for (int i = 0; i < 20000; i++) {
		pass(1, 0);
		enter(function);
		pass(2, 0);
		leave();
		if (i % 5 == 4)
			OS_CalcStatistics(statistics);
	}
	return 0;
}

TEST(threads_share_statistics)
{
	pthread_t thread[3];
	char *own[3];
	uint64_t calls = 0;

	begin(10);
	pthread_barrier_init(&barrier, 0, 3);
	for (int i = 0; i < 3; i++) {
		own[i] = (char *)buffer + 16384 * (i + 1);
		pthread_create(&thread[i], 0, counts, own[i]);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], 0);
	dump();
	/* What is missing there is dropped by a full buffer, and counted, or still in the threads' buffers. */
	sscanf(printed, "function: count %" SCNu64, &calls);
	for (int i = 0; i < 3; i++) {
		struct lines_cost *cost = (struct lines_cost *)own[i];

		calls += dwell_cost_take(cost) / 2 + cost->dropped;
	}
	CHECK_EQ(calls + ((struct lines_stats *)statistics)->dropped, 60000);
}

/* Under the sanitizer the hooks have so many more instructions that the lines do not suffice. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
static volatile int steps;

static void between(int signal)
{
	(void)signal;
	steps++;
	pass(1, 0);
	enter("h");
	pass(1, 0);
	leave();
}

static void single_step(bool on)
{
	if (on)
		__asm__ volatile("pushf\n orl $0x100, (%%rsp)\n popf\n" ::: "memory", "cc");
	else
		__asm__ volatile("pushf\n andl $~0x100, (%%rsp)\n popf\n" ::: "memory", "cc");
}

/* A handler with hooks before each instruction of the hooks: its calls are counted, or said to be missed. */
TEST(interrupted_at_every_instruction)
{
	struct sigaction action = {.sa_handler = between};
	unsigned long long handled = 0, missed = 0;
	const char *at;

	sigaction(SIGTRAP, &action, 0);
	begin(2000);
	steps = 0;
	enter("a");
	single_step(true);
	enter("b");
	leave();
	single_step(false);
	leave();
	OS_CalcStatistics(statistics);
	dump();
	CHECK(strstr(printed, "a: count 1,") && strstr(printed, "b: count 1,"));
	at = strstr(printed, "h: count ");
	CHECK(at && sscanf(at, "h: count %llu", &handled) == 1);
	at = strrchr(printed, '(');
	CHECK(at && sscanf(at, "(%llu calls dropped, their handler", &missed) == 1);
	CHECK(steps > 200 && handled > 50 && missed > 20);
	CHECK_EQ(handled + missed, steps);
}
#endif

int main(void)
{
	RUN(tick_comes_first);
	RUN(first_figure);
	RUN(second_figure);
	RUN(switched_by_hand);
	RUN(carried_over);
	RUN(full);
	RUN(disabled_time_is_nobodys);
	RUN(cleared);
	RUN(against_an_account);
	RUN(stays_within_the_buffers);
	RUN(what_cannot_be_done_is_said);
	RUN(threads_share_statistics);
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
	RUN(interrupted_at_every_instruction);
#endif
	return tap_done();
}
