/* Function cost, by the calls that the compiler makes: with a clock that the test moves, and the library's own. */
#include <pthread.h>
#include <signal.h>

#include "classic/core/cost.h"
#include "cost_clock.h"

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
	CHECK_EQ(OS_DisableFunctionCost(), TRUE); /* nobody's but this thread's */
	pthread_create(&thread, 0, second, 0);
	pthread_join(thread, 0);
	pthread_create(&thread, 0, third, 0);
	pthread_join(thread, 0);
	CHECK_EQ(OS_EnableFunctionCost(), FALSE);
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
	CHECK_EQ(((struct lines_cost *)buffer)->early, 0);
}

/* Summarised deep in what has no line: what is called from there on is recorded, and outer calls get their exits. Two gaps, one in
 * the other, which have no room any more beside a third call. */
TEST(full_and_summarised_deep_inside)
{
	begin(4);
	enter_at("a", 0);
	enter_at("b", 1);
	leave_at(2);
	enter_at("b", 3);
	leave_at(4);
	enter_at("c", 5);
	enter_at("lost", 6);
	enter_at("lost", 7);
	OS_CalcStatistics(statistics);
	enter_at("d", 10); /* on a gap: a, c, d, the gap, and room for three exits */
	enter_at("lost", 11);
	leave_at(12);
	leave_at(13);
	enter_at("lost", 14); /* a, c, d, its exit and two more: no room for a gap and a call, nor for a call */
	OS_CalcStatistics(statistics);
	enter_at("e", 17);
	leave_at(18);
	leave_at(19);
	leave_at(20); /* the two that were lost first */
	leave_at(21);
	leave_at(22); /* c */
	enter_at("f", 24);
	leave_at(26);
	leave_at(30); /* a */
	CHECK_EQ(((struct lines_cost *)buffer)->gaps, ((struct lines_cost *)buffer)->end);
	leave_at(31); /* of nothing that began */
	OS_CalcStatistics(statistics);
	CHECK_STR(dump(), "a: count 1, cost 9\nb: count 2, cost 2\nc: count 1, cost 13\nd: count 1, cost 3\ne: count 1, cost 1\n"
			  "f: count 1, cost 2\n"
			  "(4 calls dropped, the measurement buffer was full; their cost is their callers')\n"
			  "(1 exit of functions that were entered before)\n");
}

/* Where words have 64 bits ticks have as many: nothing wraps after two minutes. */
TEST(for_days)
{
	const unsigned long long day = sizeof(lines_word) == 8 ? 86400ull * 31250000 : 1000, outer = 3 * day + 3,
				 inner = 2 * day + 7;
	char want[200];

	begin(10);
	enter_at("main", 3 * day);
	enter_at("work", 4 * day + 1);
	away_ticks = 5 * day;
	leave_at(11 * day + 8);
	OS_CalcStatistics(statistics);
	at(12 * day + 8);
	OS_DisableFunctionCost();
	at(20 * day + 8);
	OS_EnableFunctionCost();
	leave_at(21 * day + 10);
	OS_CalcStatistics(statistics);
	snprintf(want, sizeof want, "main: count 1, cost %llu\nwork: count 1, cost %llu\n", outer, inner);
	CHECK_STR(dump(), want);
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
	CHECK_STR(dump(), "a: count 1, cost 16\nb: count 1, cost 1\n(1 exit of functions that were entered before)\n");
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
		"a: count 1, cost 8\nb: count 1, cost 1\nc: count 1, cost 1\n(1 call dropped, only one half was recorded)\n");
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

static pthread_barrier_t barrier;

static void *takes_the_same(void *unused)
{
	(void)unused;
	OS_InitFunctionCost(buffer, 4096);
	CHECK(strstr(printed, " is in another thread's buffer, or has that in it: nothing is measured"));
	print_nothing();
	OS_InitFunctionCost(buffer + 64, 8192);
	enter("nowhere");
	leave();
	OS_CalcStatistics(statistics);
	return 0;
}

TEST(what_cannot_be_done_is_said)
{
	pthread_t thread;
	struct lines_stats *stats = (struct lines_stats *)statistics;
	lines_word rows;

	begin(10);
	OS_InitFunctionCost((void *)(UINTPTR_MAX - 99), 100);
	CHECK(strstr(printed, "OS_InitFunctionCost: there are no 100 bytes behind "));
	begin(10);
	OS_InitFunctionCost(0, 4096);
	OS_InitFunctionCost(buffer, 100);
	OS_CalcStatistics(statistics);
	CHECK_STR(printed, "OS_InitFunctionCost: no buffer (null): nothing is measured\n"
			   "OS_InitFunctionCost: 100 bytes are too few for a call, which takes 272: nothing is measured\n"
			   "OS_CalcStatistics: this thread has no buffer: OS_InitFunctionCost gives it one\n");
	begin(10);
	pthread_create(&thread, 0, takes_the_same, 0);
	pthread_join(thread, 0);
	CHECK(strstr(printed, " is in another thread's buffer, or has that in it: nothing is measured\nOS_CalcStatistics: this thread has no buffer"));
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
	print_nothing();
	OS_InitStatistics((void *)(UINTPTR_MAX - 999), 1000);
	CHECK(!strncmp(printed, "OS_InitStatistics: there are no 1000 bytes behind ", 50));
	print_nothing();
	CHECK(!OS_TryCalcStatistics(buffer + 8));
	CHECK_STR(printed, "");
	/* As if another thread was at it. */
	OS_InitStatistics(statistics, sizeof statistics);
	print_nothing();
	stats->busy = 1;
	OS_CalcStatistics(statistics);
	CHECK_STR(printed, "OS_CalcStatistics: another thread is at it: nothing is counted\n");
	print_nothing();
	CHECK(!OS_TryCalcStatistics(statistics));
	CHECK_STR(printed, "");
	rows = stats->capacity;
	OS_InitStatistics(statistics, sizeof statistics / 2);
	CHECK(strstr(printed, "OS_InitStatistics: another thread counts into ") && strstr(printed, ": it stays as it is\n"));
	CHECK(stats->busy == 1 && stats->capacity == rows);
	stats->busy = 0;
	CHECK(OS_TryCalcStatistics(statistics));
	CHECK_STR(dump(), "a: count 1, cost 1\n");
	OS_InitStatistics(statistics, sizeof statistics);
	print_nothing();
	/* And in the midst of what a thread measures in. */
	OS_InitStatistics(buffer + 128, 200);
	CHECK(strstr(printed, "OS_InitStatistics: a thread measures in "));
	CHECK_EQ(OS_CalcFunctionCostLines(OS_CalcFunctionCostBufferSize(77)), 77);
	CHECK_EQ(OS_CalcFunctionCostLines(OS_CalcFunctionCostBufferSize(77) - 1), 76);
	CHECK_EQ(OS_CalcFunctionCostLines(10), 0);
	CHECK_EQ(OS_CalcFunctionCostBufferSize(-5), 0);
	CHECK_EQ(OS_CalcFunctionCostBufferSize(0x7fffffff), 0);
}

/* Memory of statistics that a thread measures in: wherever in it, nobody counts there any more. */
TEST(measured_in_statistics)
{
	struct lines_stats *stats = (struct lines_stats *)(buffer + 8192);

	for (uint32_t from = 0; from <= 1024; from += 256) {
		begin(10);
		enter_at("a", 1);
		leave_at(2);
		OS_InitStatistics(stats, 1024 + 64);
		OS_CalcStatistics(stats);
		stats->busy = 1;
		print_nothing();
		OS_InitFunctionCost(buffer + 8192 + from, 4096);
		CHECK(strstr(printed, "OS_InitFunctionCost: another thread counts into statistics in ") && strstr(printed, ": nothing is measured\n"));
		CHECK_EQ(stats->used, 1);
		stats->busy = 0;
		print_nothing();
		OS_InitFunctionCost(buffer + 8192 + from, 4096);
		CHECK(strstr(printed, "OS_InitFunctionCost: statistics were made in ") && strstr(printed, ": they are none any more\n"));
		enter_at("b", 3);
		leave_at(5);
		print_nothing();
		OS_CalcStatistics(stats);
		CHECK_STR(printed, "OS_CalcStatistics: OS_InitStatistics did not make this buffer: nothing is counted\n");
		OS_CalcStatistics(statistics);
		CHECK_STR(dump(), "b: count 1, cost 2\n");
		/* Nor when it is over: they are made anew first. */
		OS_ReleaseProfile(0);
		print_nothing();
		OS_DumpStatistics(stats);
		CHECK_STR(printed, "OS_DumpStatistics: OS_InitStatistics did not make this buffer\n");
	}
}

/* When there have been more statistics at a time than are known one by one, what is left of some is believed, but not where a
 * thread measures. */
TEST(measured_in_forgotten_statistics)
{
	static _Alignas(8) unsigned char many[20][256];
	unsigned char *left = buffer + 8192 + 1024;

	begin(10);
	for (int i = 0; i < 20; i++)
		OS_InitStatistics(many[i], sizeof many[i]);
	CHECK(dwell_cost_make_stats(left, 512) != 0);
	print_nothing();
	OS_DumpStatistics(left);
	CHECK_STR(printed, NOTHING);
	print_nothing();
	((struct lines_stats *)left)->capacity = UINT32_MAX / sizeof(struct lines_row);
	OS_DumpStatistics(left);
	CHECK_STR(printed, "OS_DumpStatistics: OS_InitStatistics did not make this buffer\n");
	CHECK(dwell_cost_make_stats(left, 512) != 0);
	OS_InitFunctionCost(buffer + 8192, 4096);
	enter_at("a", 1);
	print_nothing();
	OS_CalcStatistics(left);
	CHECK_STR(printed, "OS_CalcStatistics: OS_InitStatistics did not make this buffer: nothing is counted\n");
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
	CHECK_EQ(((struct lines_stats *)statistics)->busy, 0);
}

/* Under the sanitizer the hooks have so many more instructions that the lines do not suffice. */
#if defined(__x86_64__) && !SANITIZED
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
	RUN(full_and_summarised_deep_inside);
	RUN(for_days);
	RUN(disabled_time_is_nobodys);
	RUN(cleared);
	RUN(what_cannot_be_done_is_said);
	RUN(measured_in_statistics);
	RUN(threads_share_statistics);
	RUN(measured_in_forgotten_statistics);
#if defined(__x86_64__) && !SANITIZED
	RUN(interrupted_at_every_instruction);
#endif
	return tap_done();
}
