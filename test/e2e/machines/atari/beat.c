/* A program in step with the 200 Hz clock, which is the profiler's own timer's chip: with each tick it works for a while, then
 * waits for the next one. A sampler with a fixed period of as many samples a second sees it at the same place each time. */
#include <stdint.h>

#include "start.h"

#define TICKS 800
#define TICK (*(volatile uint32_t *)0x4BA) /* for supervisors only */

void work(void);
void wait(void);

/* About a third of the time between two ticks. */
__attribute__((noinline)) void work(void)
{
	uint16_t loops = 1100;

	__asm__ volatile("1: dbf %0, 1b" : "+d"(loops));
}

__attribute__((noinline)) void wait(void)
{
	uint32_t now = TICK;

	while (TICK == now)
		;
}

static void become_supervisor(void)
{
	__asm__ volatile("clr.l -(%%sp)\n\tmove.w #0x20, -(%%sp)\n\ttrap #1\n\taddq.l #6, %%sp" : : : "d0", "d1", "d2", "a0", "a1", "a2", "memory");
}

int main(void)
{
	become_supervisor();
	wait();
	for (uint16_t tick = 0; tick < TICKS; tick++) {
		work();
		wait();
	}
	return 7;
}
