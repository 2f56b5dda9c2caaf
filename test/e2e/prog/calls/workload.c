/* workload shares|periodic|deep|storm [SECONDS] [PERIOD_US]: programs that know where their time goes. Prints a line for each
 * function, its name and its nanoseconds; the last one is "total" and the CPU time of the process.
 *
 * shares    five functions of 0.1, 1, 5, 20 and 74 %, in an order that changes at random, in rounds whose length does, too
 * periodic  phase_tenth has the first tenth of each period of the time in which the program runs, phase_rest the rest
 * deep      deep_bottom works below 2000 calls of deep_down
 * storm     200 threads, eight at a time, each of which works for 5 ms in share_74
 *
 * All work is one loop of dependent multiplications, which takes as long in each of the functions that have a copy of it. How long
 * each took is measured by the program's own clocks, at the ends of pieces that are long beside a clock read (whose cost is taken
 * out).
 *
 * With -DCOUNTED the clocks count the work instead: a loop takes 1 ns, reading a clock 20. Then the output of shares and periodic
 * is the same on every machine. */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TRUTH_FUNCTIONS_MAX 8u
#define TRUTH_NAME_BYTES 32u

/* Zero it before the first use. */
struct truth {
	struct truth_function {
		char name[TRUTH_NAME_BYTES];
		double ns;
	} functions[TRUTH_FUNCTIONS_MAX];
	uint32_t count;
	double total_ns;
};

static void truth_add(struct truth *truth, const char *name, double ns)
{
	struct truth_function *function = &truth->functions[truth->count++];

	snprintf(function->name, sizeof function->name, "%s", name);
	function->ns = ns;
}

static void truth_write(const struct truth *truth, FILE *out)
{
	for (uint32_t i = 0; i < truth->count; i++)
		fprintf(out, "%s %.0f\n", truth->functions[i].name, truth->functions[i].ns);
	fprintf(out, "total %.0f\n", truth->total_ns);
	fflush(out);
}

#define ROUND_NS 4e6 /* on average */
#define CALIBRATE_LOOPS 2000000u
#define STORM_AT_A_TIME 8u
#define PHASE_LAG_NS 20000

#ifdef __clang__ /* which makes no copies for constant arguments of what it does not inline */
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noclone))
#endif

/* Functions that differ in a constant only: no compiler or linker may make one of them. */
#define WORK(name, factor)                                                                                                         \
	static KEPT uint64_t name(uint64_t value, uint64_t loops)                                                                  \
	{                                                                                                                          \
		while (loops--) {                                                                                                  \
			value *= UINT64_C(factor);                                                                                 \
			__asm__ volatile("" : "+r"(value));                                                                        \
		}                                                                                                                  \
		return value;                                                                                                      \
	}
WORK(share_0_1, 6364136223846793005)
WORK(share_1, 3202034522624059733)
WORK(share_5, 2862933555777941757)
WORK(share_20, 3935559000370003845)
WORK(share_74, 4768777513237032717)
WORK(phase_tenth, 1181783497276652981)
WORK(phase_rest, 7664345821815920749)
WORK(deep_bottom, 2685821657736338717)
WORK(measured, 1442695040888963407)

static volatile uint64_t sink; /* what is worked out is wanted */

#ifdef COUNTED
static double counted_ns;

static void do_work(uint64_t (*work)(uint64_t value, uint64_t loops), uint64_t loops)
{
	sink = work(sink | 1, loops);
	counted_ns += (double)loops;
}

static double now_ns(clockid_t clock)
{
	(void)clock;
	return counted_ns += 20;
}
#else
static void do_work(uint64_t (*work)(uint64_t value, uint64_t loops), uint64_t loops)
{
	sink = work(sink | 1, loops);
}

static double now_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}
#endif

/* How fast this machine is now. */
struct pace {
	double loops_per_ns;
	double read_ns; /* what reading the clock costs */
};

static struct pace take_pace(clockid_t clock)
{
	struct pace pace = {.read_ns = 1e9};
	double best = 1e18;

	for (int i = 0; i < 100; i++) {
		double begin = now_ns(clock), cost = now_ns(clock) - begin;

		if (cost < pace.read_ns)
			pace.read_ns = cost;
	}
	for (int i = 0; i < 5; i++) {
		double begin = now_ns(clock), cost;

		do_work(measured, CALIBRATE_LOOPS / 5);
		cost = now_ns(clock) - begin - pace.read_ns;
		if (cost < best)
			best = cost;
	}
	pace.loops_per_ns = CALIBRATE_LOOPS / 5 / (best > 1 ? best : 1);
	return pace;
}

static uint64_t draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static double above_zero(double value)
{
	return value > 0 ? value : 0;
}

/* Where in its work a program is. */
struct phase {
	struct pace pace;
	double at;       /* by the clock: when this phase began */
	double deadline; /* by the clock: when the period ends, if there is one */
	double cpu;      /* CPU time when this phase began … */
	double read_at, read_cpu; /* … and when it was read the last time */
	double clock_ns; /* what reading the clock takes */
};

/* CPU time takes a system call to read, at whose end the thread is likely to be put off, if others wait: such a reading is made
 * again. */
static void read_cpu(struct phase *phase)
{
	double tries = 100;

	do {
		phase->read_at = now_ns(CLOCK_MONOTONIC);
		phase->cpu = phase->read_cpu = now_ns(CLOCK_THREAD_CPUTIME_ID);
		phase->at = now_ns(CLOCK_MONOTONIC);
	} while (phase->at - phase->read_at > PHASE_LAG_NS && --tries > 0);
}

/* A phase of so many nanoseconds. Returns the CPU time that it took: what passed by the clock, less what the thread was kept from
 * running for. That costs a system call, which is in no phase, and is asked only where more passed than was to. */
static double run_phase(struct phase *phase, uint64_t (*work)(uint64_t value, uint64_t loops), double wanted_ns)
{
	uint64_t loops = (uint64_t)(above_zero(wanted_ns) * phase->pace.loops_per_ns);
	double began = phase->at, end, took, lag = 0;

	do_work(work, loops);
	end = phase->at = now_ns(CLOCK_MONOTONIC);
	took = end - began;
	phase->cpu += took;
	if (took > wanted_ns + PHASE_LAG_NS) {
		double at = phase->read_at, cpu = phase->read_cpu;

		read_cpu(phase);
		lag = above_zero(end - at - (phase->cpu - cpu));
		took = above_zero(took - lag);
		if (phase->at - end > PHASE_LAG_NS)
			phase->deadline += phase->at - end;
	}
	if (lag > PHASE_LAG_NS)
		phase->deadline += lag;
	else if (loops > 50000) /* long enough to learn from: the processor's speed changes */
		phase->pace.loops_per_ns += ((double)loops / took - phase->pace.loops_per_ns) / 8;
	return above_zero(took - phase->clock_ns);
}

static struct phase begin_phases(void)
{
	struct phase phase = {.pace = take_pace(CLOCK_THREAD_CPUTIME_ID), .clock_ns = take_pace(CLOCK_MONOTONIC).read_ns};

	read_cpu(&phase);
	phase.deadline = phase.at;
	return phase;
}

static KEPT void workload_shares(double seconds, struct truth *truth)
{
	static const struct {
		const char *name;
		uint64_t (*work)(uint64_t value, uint64_t loops);
		double percent;
	} shares[] = {{"share_74", share_74, 74}, {"share_20", share_20, 20}, {"share_5", share_5, 5}, {"share_1", share_1, 1},
		{"share_0_1", share_0_1, 0.1}};
	enum { COUNT = sizeof shares / sizeof *shares };
	struct phase phase = begin_phases();
	double spent[COUNT] = {0}, end = phase.cpu + seconds * 1e9;
	uint64_t random = (uint64_t)now_ns(CLOCK_MONOTONIC) | 1;
	uint32_t order[COUNT];

	for (uint32_t i = 0; i < COUNT; i++)
		order[i] = i;
	while (phase.cpu < end) {
		double round = ROUND_NS * (0.5 + (double)(draw(&random) >> 11) / 0x1p53);

		for (uint32_t i = COUNT - 1; i; i--) {
			uint32_t k = (uint32_t)(draw(&random) % (i + 1)), other = order[i];

			order[i] = order[k];
			order[k] = other;
		}
		for (uint32_t i = 0; i < COUNT; i++)
			spent[order[i]] += run_phase(&phase, shares[order[i]].work, round * shares[order[i]].percent / 100);
	}
	for (uint32_t i = 0; i < COUNT; i++)
		truth_add(truth, shares[i].name, spent[i]);
	truth->total_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static KEPT void workload_periodic(double seconds, double period_ns, struct truth *truth)
{
	struct phase phase = begin_phases();
	double tenth = 0, rest = 0, end = phase.cpu + seconds * 1e9;

	while (phase.cpu < end) {
		do /* a period that an interruption has taken whole is left out, not made up for */
			phase.deadline += period_ns;
		while (phase.deadline < phase.at + period_ns / 2);
		tenth += run_phase(&phase, phase_tenth, period_ns / 10);
		rest += run_phase(&phase, phase_rest, phase.deadline - phase.at);
	}
	truth_add(truth, "phase_tenth", tenth);
	truth_add(truth, "phase_rest", rest);
	truth->total_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static KEPT uint64_t deep_down(uint64_t value, uint64_t loops, uint32_t left)
{
	uint64_t below = left ? deep_down(value + left, loops, left - 1) : deep_bottom(value, loops);

	__asm__ volatile("" : "+r"(below)); /* no tail call */
	return below ^ value;
}

static KEPT void workload_deep(double seconds, uint32_t frames, struct truth *truth)
{
	struct pace pace = take_pace(CLOCK_THREAD_CPUTIME_ID);
	double at = now_ns(CLOCK_THREAD_CPUTIME_ID), end = at + seconds * 1e9, begin = at;
	uint64_t loops = (uint64_t)(5e5 * pace.loops_per_ns);

	while (at < end) {
		sink = deep_down(sink | 1, loops, frames ? frames - 1 : 0);
		at = now_ns(CLOCK_THREAD_CPUTIME_ID);
	}
	truth_add(truth, "deep_bottom", at - begin);
	truth->total_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static void *work_briefly(void *context)
{
	double *ns = context, begin = now_ns(CLOCK_THREAD_CPUTIME_ID), at = begin;

	while (at - begin < *ns) {
		sink = share_74(sink | 1, 20000);
		at = now_ns(CLOCK_THREAD_CPUTIME_ID);
	}
	*ns = at - begin;
	return NULL;
}

static KEPT bool workload_storm(uint32_t threads, double each_ns, struct truth *truth)
{
	pthread_t list[STORM_AT_A_TIME];
	double spent[STORM_AT_A_TIME], all = 0;
	bool good = true;

	for (uint32_t done = 0; good && done < threads;) {
		uint32_t count = 0;

		while (good && count < STORM_AT_A_TIME && done < threads) {
			spent[count] = each_ns;
			good = pthread_create(&list[count], NULL, work_briefly, &spent[count]) == 0;
			if (good) {
				count++;
				done++;
			}
		}
		while (count) {
			pthread_join(list[--count], NULL);
			all += spent[count];
		}
	}
	truth_add(truth, "share_74", all);
	truth->total_ns = now_ns(CLOCK_PROCESS_CPUTIME_ID);
	return good;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	double seconds = argc > 2 ? strtod(argv[2], NULL) : 2, period_ns = argc > 3 ? 1000 * strtod(argv[3], NULL) : 1e6;
	struct truth truth = {0};
	bool good = true;

	if (!strcmp(name, "shares"))
		workload_shares(seconds, &truth);
	else if (!strcmp(name, "periodic"))
		workload_periodic(seconds, period_ns, &truth);
	else if (!strcmp(name, "deep"))
		workload_deep(seconds, 2000, &truth);
	else
		good = workload_storm(200, 5e6, &truth);
	truth_write(&truth, stdout);
	return !good;
}
