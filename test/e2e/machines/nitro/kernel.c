#include "kernel.h"

#include "nitro.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define TIMER 0x101e2000
#define INTERRUPTS 0x10140000
#define STACK_WORDS 1024
#define FRAME_WORDS 16
#define COUNTER 0x1000005c /* of 24 MHz, always on; read without any library */
#define SYSTEM_MODE 0x1f
#define THUMB 0x20

struct thread {
	uint32_t *frame;
	void *profile; /* what OS_SwitchProfile returned when it was left */
	int alive;
	uint32_t ran; /* ticks, as of when it was left */
	uint32_t stack[STACK_WORDS];
};

static struct thread threads[KERNEL_THREADS];
static uint32_t count, running;
static volatile uint32_t since; /* the running one goes on */
volatile uint32_t kernel_switches;

/* The next period: 200 to 1000 microseconds. */
static void set_timer(void)
{
	static uint32_t random = 1;

	random = random * 1664525 + 1013904223;
	REGISTER(TIMER + 0x18) = 200 + (random >> 16) % 800; /* from the next one on */
}

static uint32_t next_thread(void)
{
	uint32_t next = running;

	do
		next = (next + 1) % count;
	while (!threads[next].alive);
	return next;
}

/* From the interrupt: frame is the stack of the thread that was interrupted. */
uint32_t *kernel_interrupt(uint32_t *frame);

uint32_t *kernel_interrupt(uint32_t *frame)
{
	uint32_t next = next_thread();

	REGISTER(TIMER + 0x0c) = 1;
	set_timer();
	threads[running].frame = frame;
	if (next != running) {
		uint32_t now = REGISTER(COUNTER);

		threads[running].ran += now - since;
		since = now;
		threads[running].profile = OS_SwitchProfile(threads[next].profile);
		running = next;
		kernel_switches++;
	}
	return threads[next].frame;
}

uint32_t kernel_ran(void)
{
	uint32_t switches, ran;

	do {
		switches = kernel_switches;
		ran = threads[running].ran + REGISTER(COUNTER) - since;
	} while (switches != kernel_switches);
	return ran;
}

void kernel_begin(void)
{
	count = 1;
	threads[0].alive = 1;
	REGISTER(INTERRUPTS + 0x10) = 1 << 4;
	REGISTER(TIMER) = 500;
	set_timer();
	REGISTER(TIMER + 8) = 0xe2; /* on, periodic, interrupts, 32 bits */
	__asm__ volatile("msr cpsr_c, #0x1f");
}

static void begin_thread(void (*function)(void))
{
	function();
	OS_ReleaseProfile(0);
	threads[running].alive = 0;
	for (;;)
		;
}

void kernel_start(void (*function)(void))
{
	struct thread *thread = &threads[count];
	uint32_t *frame = thread->stack + STACK_WORDS - FRAME_WORDS;

	frame[0] = SYSTEM_MODE | ((uintptr_t)begin_thread & 1 ? THUMB : 0);
	frame[1] = (uint32_t)function;
	frame[15] = (uint32_t)begin_thread & ~1u;
	thread->frame = frame;
	thread->profile = 0;
	thread->alive = 1;
	count++; /* from here on it may run */
}

void kernel_wait_for_all(void)
{
	for (volatile uint32_t i = 1; i < count; i++)
		while (((volatile struct thread *)threads)[i].alive)
			;
}
