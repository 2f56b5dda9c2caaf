/* SPDX-License-Identifier: MIT
 *
 * The interval counter is a timer of the system on wall-clock time, since a console's counter also
 * runs on whatever the program does. The timer's signal goes to the process, so each signal samples
 * one thread: the thread that the kernel picks, which is the first one unless it blocks the signal. */
#include "linux_signal.h"
#include "port/os/linux/system.h"
#include "classic/target/port/ultra/port.h"
#include "classic/target/recorder/histogram/histogram.h"
#include "classic/target/recorder/histogram/jitter.h"
#include "ultra64.h"

#define CLOCK_MONOTONIC 1
#define ABSOLUTE 1 /* TIMER_ABSTIME, which the headers included here do not define for every processor */
#define NS_PER_US 1000u
/* The longest mean whose periods fit in 32 bits of nanoseconds. Longer ones are counted in microseconds. */
#define LONGEST_NS_US 2000000u

SIGNAL_DEFINE_RESTORE(restore);

struct kernel_action {
	void (*handler)(int signal, siginfo_t *info, struct ucontext *context);
	uint64_t flags;
	void (*restorer)(void);
	uint64_t mask;
};

struct interval {
	int64_t period_s, period_ns, s, ns;
};
#define NS_PER_S 1000000000

static struct histogram_jitter jitter;
static struct histogram_pause pause;
static int timer;
static uint32_t has_timer; /* the process that created the timer: 0, the current process, or its parent before fork */
static int running, inside;

static uint32_t unit_ns = 1; /* of jitter and pause */
static uint64_t due_ns; /* when the next signal is due, or the last handled one was */

static uint64_t now_ns(void)
{
	struct {
		int64_t s, ns;
	} time = {0, 0};

	system_call3(__NR_clock_gettime, CLOCK_MONOTONIC, (long)&time, 0);
	return (uint64_t)time.s * NS_PER_S + (uint64_t)time.ns;
}

/* Arms the timer once for the time ns; 0 stops the timer. Each signal arms the timer again, because periods vary. */
static void arm(uint64_t ns)
{
	const struct interval once = {.s = (int64_t)(ns / NS_PER_S), .ns = (int64_t)(ns % NS_PER_S)};

	system_call6(__NR_timer_settime, timer, ABSOLUTE, (long)&once, 0, 0, 0);
}

/* The signal's mask blocks all signals meanwhile: another handler might call osProfileStop(), and wait for this handler. */
static void on_signal(int signal, siginfo_t *info, struct ucontext *context)
{
	(void)signal;
	if (info->si_code != SI_TIMER)
		return;
	__atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&running, __ATOMIC_SEQ_CST)) {
		dwell_histogram_sample(&dwell_histogram, (uintptr_t)CONTEXT_PC(context));
		due_ns = dwell_histogram_due(due_ns, (uint64_t)dwell_histogram_period(&jitter) * unit_ns, now_ns());
		arm(due_ns);
	}
	__atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
}

/* What was left of a period in another unit is dropped. Context: no sampling interrupt comes. */
static void set_unit(uint32_t ns)
{
	if (ns != unit_ns)
		pause.left = 0;
	unit_ns = ns;
}

uint32_t ultra_port_start(uint32_t microseconds, bool fixed)
{
	const struct kernel_action action = {
		on_signal, SA_SIGINFO | SA_RESTART | SA_ONSTACK | SIGNAL_RESTORER, restore, ~UINT64_C(0)};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
	uint32_t units = microseconds > LONGEST_NS_US ? 1 : NS_PER_US;

	if (system_call6(__NR_rt_sigaction, SIGPROF, (long)&action, 0, 8, 0, 0) < 0)
		return 0;
	if (has_timer != system_pid() && system_call3(__NR_timer_create, CLOCK_MONOTONIC, (long)&event, (long)&timer) < 0)
		return 0;
	has_timer = system_pid();
	set_unit(NS_PER_US / units);
	__atomic_store_n(&running, 1, __ATOMIC_SEQ_CST);
	due_ns = now_ns() + (uint64_t)unit_ns *
		dwell_histogram_resume(&jitter, &pause, microseconds * units, PROF_MIN_INTERVAL * units, fixed);
	arm(due_ns);
	return microseconds;
}

/* A signal that is still pending finds running 0; the loop waits for a handler in progress. */
void ultra_port_stop(void)
{
	uint64_t at_ns;

	__atomic_store_n(&running, 0, __ATOMIC_SEQ_CST);
	at_ns = now_ns();
	arm(0);
	while (__atomic_load_n(&inside, __ATOMIC_SEQ_CST))
		system_call3(__NR_sched_yield, 0, 0, 0);
	pause.left = due_ns > at_ns ? (uint32_t)((due_ns - at_ns) / unit_ns) : 0;
}
