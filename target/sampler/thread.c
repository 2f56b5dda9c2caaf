/* SPDX-License-Identifier: MIT
 *
 * Gives a thread its timers, from its first instruction to its last. Wrappers of the functions that start threads start a function
 * of the sampler instead, which makes the thread's timers and then calls the program's function.
 */
#include <linux/mman.h>
#include <linux/signal.h>
#include <linux/time.h>
#include <linux/resource.h>

#include "port/os/linux/next.h"
#include "port/os/linux/system.h"
#include "sampler/sampler.h"

#define EAGAIN 11
#define THRD_ERROR 2 /* of C11's threads, in glibc and musl */
#define STARTS 64u /* threads that may be between their creation and their first instruction without a page each */

__thread struct sampler_thread sampler_this_thread __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The key has a destructor, which the C library calls at the end of each thread, whether the thread returns, calls pthread_exit or
 * is cancelled. Both functions are weak: a program may lack them. */
extern int pthread_key_create(unsigned *key, void (*destructor)(void *)) __attribute__((weak));
extern int pthread_setspecific(unsigned key, const void *value) __attribute__((weak));
static unsigned end_key;
static bool has_end_key;

uint64_t thread_cpu_ns(void)
{
	return system_clock_ns(3); /* CLOCK_THREAD_CPUTIME_ID */
}

uint64_t thread_switches(void)
{
	struct rusage usage;

	return system_call3(__NR_getrusage, 1 /* RUSAGE_THREAD */, (long)&usage, 0) < 0
		       ? 0
		       : (uint64_t)(usage.ru_nvcsw + usage.ru_nivcsw);
}

static bool make_timer(struct sampler_thread *thread, int clock)
{
	struct sigevent event = {
		.sigev_signo = DWELL_SAMPLER_SIGNAL,
		.sigev_notify = SIGEV_THREAD_ID,
		.sigev_value = {.sival_ptr = &sampler_this_thread.timers[clock]}, /* the program's own signals have other values */
	};

	event._sigev_un._tid = (int)thread->tid;
	thread->has[clock] =
		system_call3(__NR_timer_create, clock == SAMPLER_CPU ? 3 : 1, (long)&event, (long)&thread->timers[clock]) == 0;
	return thread->has[clock];
}

void thread_arm(const struct sampler_thread *thread, int clock, uint64_t ns)
{
	struct itimerspec time = {.it_value = {.tv_sec = (long)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)}};

	if (thread->has[clock])
		system_call6(__NR_timer_settime, thread->timers[clock], 0, (long)&time, 0, 0, 0);
}

static void drop_timers(struct sampler_thread *thread)
{
	for (int clock = 0; clock < SAMPLER_CLOCKS; clock++) {
		if (thread->has[clock])
			system_call3(__NR_timer_delete, thread->timers[clock], 0, 0);
		thread->has[clock] = false;
	}
}

/* At the thread's end. */
static void end_for_good(void)
{
	thread_end();
	signal_stack_end();
}

static void on_end(void *unused)
{
	(void)unused;
	end_for_good();
}

/* Makes the C library call on_end() when this thread ends. */
static void watch_end(void)
{
	if (!has_end_key && &pthread_key_create && &pthread_setspecific)
		has_end_key = pthread_key_create(&end_key, on_end) == 0;
	if (has_end_key)
		pthread_setspecific(end_key, &sampler_this_thread);
}

void thread_begin(void)
{
	struct sampler_thread *thread = &sampler_this_thread;
	const struct record_part part = {thread->name, sizeof thread->name};
	uint64_t mask, now;
	bool has_wall, has_cpu;

	if (!sampler.shared || sampler.shared->closed || thread->tid)
		return;
	mask = system_block_signals();
	now = system_clock_ns(1);
	*thread = (struct sampler_thread){.tid = system_tid()};
	thread->number = numbers_thread(thread->tid);
	/* Different for each thread; the number need not be secret. */
	thread->random = (now ^ (uint64_t)thread->tid << 32 ^ (uint64_t)thread) * 0x9e3779b97f4a7c15u | 1;
	system_thread_name(thread->name);
	records_append(DWELL_SAMPLER_THREAD, now, &part, 1);
	/* Unless cpu_timer_suffices, the timer on CPU time is optional: without it a thread that waited long is sampled a little
	 * later. */
	has_wall = sampler.cpu_timer_suffices || make_timer(thread, SAMPLER_WALL);
	has_cpu = make_timer(thread, SAMPLER_CPU) || !sampler.cpu_timer_suffices;
	if (!has_wall || !has_cpu)
		__atomic_add_fetch(&sampler.shared->timerless, 1, __ATOMIC_RELAXED);
	watch_end();
	signal_stack_begin();
	thread->cpu_ns = thread_cpu_ns();
	thread->switches = thread_switches();
	schedule_begin(thread);
	system_restore_signals(mask);
	signals_unblock();
}

/* Also called from the handler, when the recording is over. */
void thread_end(void)
{
	struct sampler_thread *thread = &sampler_this_thread;
	const struct record_part part = {thread->name, sizeof thread->name};
	uint64_t mask;

	if (!thread->tid)
		return;
	mask = system_block_signals();
	drop_timers(thread);
	system_thread_name(thread->name);
	if (!sampler.shared->closed)
		records_append(DWELL_SAMPLER_THREAD_END, system_clock_ns(1), &part, 1);
	thread->tid = 0;
	system_restore_signals(mask);
}

void thread_begin_child(void)
{
	sampler_this_thread = (struct sampler_thread){0};
	thread_begin();
}

/* What a new thread will call. Memory: an entry of a small table, or a page if the table is full. */
struct start {
	volatile uint32_t taken;
	bool is_page;
	void *function, *argument;
};
static struct start starts[STARTS];

/* Returns an entry for a thread that will call function(argument). Null: no memory. */
static struct start *take_start(void *function, void *argument)
{
	struct start *start = starts;
	long page;

	for (uint32_t free = 0; start < starts + STARTS; start++, free = 0)
		if (__atomic_compare_exchange_n(&start->taken, &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			break;
	if (start == starts + STARTS) {
		page = system_mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1);
		if ((unsigned long)page >= -4095ul)
			return 0;
		start = (struct start *)page;
		start->is_page = true;
	}
	start->function = function;
	start->argument = argument;
	return start;
}

static void give_back(struct start *start)
{
	if (start->is_page)
		system_munmap(start, 4096);
	else
		__atomic_store_n(&start->taken, 0, __ATOMIC_RELEASE);
}

/* In the new thread: begins to sample it, and returns what to call. Gives the entry back. */
static struct start use_start(struct start *start)
{
	struct start copy = *start;

	give_back(start);
	thread_begin();
	return copy;
}

static void *run_posix(void *argument)
{
	struct start start = use_start(argument);
	void *result = ((void *(*)(void *))start.function)(start.argument);

	if (!has_end_key)
		end_for_good();
	return result;
}

static int run_c11(void *argument)
{
	struct start start = use_start(argument);
	int result = ((int (*)(void *))start.function)(start.argument);

	if (!has_end_key)
		end_for_good();
	return result;
}

/* libc's functions. Null until a call has found them: the threads' library may be loaded later than this library. */
typedef int create_posix_fn(void *thread, const void *attributes, void *(*function)(void *), void *argument);
typedef int create_c11_fn(void *thread, int (*function)(void *), void *argument);
static create_posix_fn *real_create_posix;
static create_c11_fn *real_create_c11;

create_posix_fn pthread_create;
create_c11_fn thrd_create;

EXPORTED int pthread_create(void *thread, const void *attributes, void *(*function)(void *), void *argument)
{
	struct start *start;
	int error;

	if (!real_create_posix)
		real_create_posix = (create_posix_fn *)next_find("pthread_create");
	if (!real_create_posix)
		return EAGAIN;
	if (!sampler.shared || sampler.shared->closed || !(start = take_start((void *)function, argument)))
		return real_create_posix(thread, attributes, function, argument);
	error = real_create_posix(thread, attributes, run_posix, start);
	if (error)
		give_back(start);
	return error;
}

EXPORTED int thrd_create(void *thread, int (*function)(void *), void *argument)
{
	struct start *start;
	int error;

	if (!real_create_c11)
		real_create_c11 = (create_c11_fn *)next_find("thrd_create");
	if (!real_create_c11)
		return THRD_ERROR;
	if (!sampler.shared || sampler.shared->closed || !(start = take_start((void *)function, argument)))
		return real_create_c11(thread, function, argument);
	error = real_create_c11(thread, run_c11, start);
	if (error)
		give_back(start);
	return error;
}
