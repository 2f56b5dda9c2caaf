#define _GNU_SOURCE
#include "slices.h"

#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"
#include "dwell/dwell.h"
#include "leaf.h"

#pragma weak dwell_stop
#pragma weak dwell_start

/* Calls in a slice: 0.02 to 0.1 ms. */
#define CALLS 2000
/* The probe is the median of so many: an interrupt in one of them is not a state. */
#define PROBES 7
#define PROBE_CALLS 150
/* Groups between two switches, between two changes of the processor, and what is enough for each state and what. */
#define GROUPS_A_TURN 64
#define GROUPS_ENOUGH 20000
#define GROUPS_MAX 200000
#define SECONDS_A_PROCESSOR 0.5
/* Groups that a state must have before it counts as one. */
#define GROUPS_LEAST 100

/* An indirect call against two reads of the clock: predicted 0.05 to 0.1, not predicted 0.6 and more. */
#define PREDICTED_BELOW 0.25
#define UNPREDICTED_ABOVE 0.40

static double ratios[SLICES_STATES][SLICES_WHATS][GROUPS_MAX];
static unsigned counts[SLICES_STATES][SLICES_WHATS];
static unsigned long dropped;

/* Inlined, so that the calls are direct ones. */
static inline __attribute__((always_inline)) double time_calls(int (*function)(int))
{
	uint64_t begin = read_clock();
	int x = 1;

	for (int i = 0; i < CALLS; i++)
		x = function(x);
	__asm__ volatile("" ::"r"(x));
	return (double)(read_clock() - begin) / CALLS;
}

__attribute__((noinline, aligned(64))) static double time_hooked(void)
{
	return time_calls(leaf_hooked);
}

__attribute__((noinline, aligned(64))) static double time_empty(void)
{
	return time_calls(leaf_empty);
}

__attribute__((noinline, aligned(64))) static double time_bare(void)
{
	return time_calls(leaf_bare);
}

__attribute__((noinline, aligned(64))) static double time_two_clocks(void)
{
	uint64_t begin = read_clock();

	for (int i = 0; i < CALLS; i++) {
		read_clock();
		read_clock();
	}
	return (double)(read_clock() - begin) / CALLS;
}

__attribute__((noinline)) static int add(int x)
{
	__asm__ volatile("");
	return x + 1;
}

static int (*volatile probed)(int) = add;

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double time_indirect(void)
{
	double times[PROBES];

	for (int p = 0; p < PROBES; p++) {
		uint64_t begin = read_clock();
		int x = 1;

		for (int i = 0; i < PROBE_CALLS; i++)
			x = probed(x);
		times[p] = (double)(read_clock() - begin) / PROBE_CALLS;
	}
	qsort(times, PROBES, sizeof *times, compare);
	return times[PROBES / 2];
}

static int classify(double indirect, double two_clocks)
{
	double ratio = indirect / two_clocks;

	return ratio < PREDICTED_BELOW ? SLICES_PREDICTED : ratio > UNPREDICTED_ABOVE ? SLICES_UNPREDICTED : -1;
}

/* What is wanted is measured between the probes and nothing else, so that the group is short. */
static void measure_group(enum slices_what what)
{
	double before = time_indirect(), two_clocks = time_two_clocks(), hooked = time_hooked(), bare = time_bare();
	double unit = what == SLICES_ON ? two_clocks : time_empty() - bare;
	double after = time_indirect();
	int state = classify(before, two_clocks);

	if (state < 0 || classify(after, two_clocks) != state || unit <= 0)
		dropped++;
	else if (counts[state][what] < GROUPS_MAX)
		ratios[state][what][counts[state][what]++] = (hooked - bare) / unit;
}

static double seconds_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The state may be one of a processor: use all that we may use, in turn. */
static void change_processor(const cpu_set_t *allowed)
{
	static int processor = -1;
	cpu_set_t one;

	do
		processor = (processor + 1) % CPU_SETSIZE;
	while (!CPU_ISSET(processor, allowed));
	CPU_ZERO(&one);
	CPU_SET(processor, &one);
	sched_setaffinity(0, sizeof one, &one);
}

static int is_enough(int switches)
{
	for (int state = 0; state < SLICES_STATES; state++)
		for (int what = switches ? 0 : SLICES_OFF; what < SLICES_WHATS; what++)
			if (counts[state][what] < GROUPS_ENOUGH)
				return 0;
	return 1;
}

static void measure_turn(enum slices_what what)
{
	/* What the switch itself disturbed is over by then. */
	for (int i = 0; i < 10; i++)
		leaf_hooked(i);
	for (int i = 0; i < GROUPS_A_TURN; i++)
		measure_group(what);
}

void slices_run(double seconds, int switches)
{
	double begin = seconds_now(), changed = 0;
	cpu_set_t allowed;

	sched_getaffinity(0, sizeof allowed, &allowed);
	for (double now = begin; now - begin < seconds && !is_enough(switches); now = seconds_now()) {
		if (now - changed > SECONDS_A_PROCESSOR) {
			change_processor(&allowed);
			changed = now;
		}
		if (switches) {
			measure_turn(SLICES_ON);
			dwell_stop();
		}
		measure_turn(SLICES_OFF);
		if (switches)
			dwell_start();
	}
	sched_setaffinity(0, sizeof allowed, &allowed);
}

void slices_print(void)
{
	for (int state = 0; state < SLICES_STATES; state++) {
		for (int what = 0; what < SLICES_WHATS; what++) {
			unsigned count = counts[state][what];
			double *of = ratios[state][what];

			if (count < GROUPS_LEAST)
				continue;
			qsort(of, count, sizeof *of, compare);
			printf("%c %s %.3f %.3f %.3f %u\n", "AB"[state], what == SLICES_ON ? "on" : "off", of[count / 2], of[count / 10],
				of[count - 1 - count / 10], count);
		}
	}
	printf("dropped %lu\n", dropped);
}
