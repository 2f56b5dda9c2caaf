/* SPDX-License-Identifier: MIT
 *
 * Threads of the system: the pointer to a thread's buffer is thread-local. A thread that ends releases its buffer. */
#include "nitro.h"
#include "classic/target/port/nitro/port.h"

/* Declarations of the C library, whose headers freestanding code does not include. */
int pthread_key_create(unsigned *key, void (*destructor)(void *));
int pthread_setspecific(unsigned key, const void *value);
int pthread_once(int *once, void (*routine)(void));
int sched_yield(void);

static __thread struct lines_trace *trace_now;
static __thread struct lines_cost *cost_now;
static unsigned key;
static int key_once, locked;

static void at_end(void *profile)
{
	(void)profile;
	OS_ReleaseProfile(0);
}

static void make_key(void)
{
	pthread_key_create(&key, at_end);
}

static void tell_end(const void *profile)
{
	pthread_once(&key_once, make_key);
	pthread_setspecific(key, profile);
}

struct lines_trace *nitro_port_get_trace(void)
{
	return trace_now;
}

void nitro_port_set_trace(struct lines_trace *trace)
{
	trace_now = trace;
	tell_end(trace);
}

struct lines_cost *nitro_port_get_cost(void)
{
	return cost_now;
}

void nitro_port_set_cost(struct lines_cost *cost)
{
	cost_now = cost;
	tell_end(cost);
}

struct lines_cost *nitro_port_cost_of(void *profile)
{
	return profile;
}

bool nitro_port_short_ways(void)
{
	return false;
}

uint32_t nitro_port_registers(void)
{
	/* entry_x86_64.S passes the values of the first four argument registers to nitro_enter; entry_plain.c has none to pass. */
#ifdef __x86_64__
	return 0xf;
#else
	return 0;
#endif
}

uintptr_t nitro_port_lock(void)
{
	while (__atomic_exchange_n(&locked, 1, __ATOMIC_ACQUIRE))
		sched_yield();
	return 0;
}

void nitro_port_unlock(uintptr_t before)
{
	(void)before;
	__atomic_store_n(&locked, 0, __ATOMIC_RELEASE);
}

/* Blocks nothing: blocking signals costs a system call. The busy flag of the buffer makes handlers skip recording instead. */
uintptr_t nitro_port_mask(void)
{
	return 0;
}

void nitro_port_unmask(uintptr_t before)
{
	(void)before;
}
