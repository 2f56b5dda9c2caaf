/* A RISC-V of 32 bits: QEMU's virt, from riscv.S. */
#include "board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SOFTWARE_INTERRUPT REGISTER(0x2000000)
#define COMPARE_LOW REGISTER(0x2004000)
#define COMPARE_HIGH REGISTER(0x2004004)
#define TIME_LOW REGISTER(0x200bff8)
#define TIME_HIGH REGISTER(0x200bffc)
#define COUNTS_IN_TICK 100 /* mcycle counts nanoseconds, the timer tenths of microseconds */
#define CAUSE_SOFTWARE 0x80000003u
#define CAUSE_TIMER 0x80000007u
#define MACHINE_INTERRUPTS 8
#define FRAME_WORDS 36
#define FRAME_PC 31
#define FRAME_STATUS 32

int semihosting(int operation, const void *arguments);
void *trap(uint32_t *frame, uint32_t cause);

#include "common.h"

static uint32_t period, depth;
static uint64_t next_tick;

static uint64_t now(void)
{
	uint32_t high, low;

	do {
		high = TIME_HIGH;
		low = TIME_LOW;
	} while (high != TIME_HIGH);
	return (uint64_t)high << 32 | low;
}

static void set_timer(uint64_t at)
{
	COMPARE_HIGH = 0xffffffff;
	COMPARE_LOW = (uint32_t)at;
	COMPARE_HIGH = (uint32_t)(at >> 32);
}

uint32_t board_counter(void)
{
	uint32_t low;

	__asm__ volatile("csrr %0, mcycle" : "=r"(low));
	return low;
}

/* The emulator's counter cannot be written: its halves are then counted apart. But nothing takes time while the processor waits. */
uint64_t board_come_round_in(uint32_t counts)
{
	uint32_t low, high, again;
	uint64_t target;

	__asm__ volatile("csrci mstatus, %0" : : "i"(MACHINE_INTERRUPTS));
	do
		__asm__ volatile("csrr %0, mcycleh\n\tcsrr %1, mcycle\n\tcsrr %2, mcycleh" : "=r"(high), "=r"(low), "=r"(again));
	while (high != again);
	target = ((uint64_t)high + 1) << 32;
	if (target - ((uint64_t)high << 32 | low) < (uint64_t)counts + COUNTS_IN_TICK)
		target += UINT64_C(1) << 32;
	target -= counts;
	set_timer(now() + (target - ((uint64_t)high << 32 | low)) / COUNTS_IN_TICK);
	__asm__ volatile("csrw mie, %0\n\twfi" : : "r"(0x80)); /* ends the waiting; interrupts are disabled */
	set_timer(UINT64_MAX);
	__asm__ volatile("csrr %0, mcycleh\n\tcsrr %1, mcycle" : "=r"(high), "=r"(low));
	return (uint64_t)high << 32 | low;
}

/* From riscv.S: frame is the stack of what was interrupted; returns the one to go on with. */
void *trap(uint32_t *frame, uint32_t cause)
{
	void *next = frame;

	depth++;
	if (cause == CAUSE_TIMER && period) {
		next_tick += period;
		set_timer(next_tick);
		kernel_tick();
	} else if (cause == CAUSE_TIMER) {
		set_timer(UINT64_MAX);
		board_interrupted(frame[FRAME_PC]);
	} else if (cause == CAUSE_SOFTWARE) {
		SOFTWARE_INTERRUPT = 0;
		kernel_nested();
	} else {
		board_exit(99);
	}
	if (--depth == 0 && cause == CAUSE_TIMER && period)
		next = kernel_switch(frame);
	return next;
}

static void enable_interrupts(void)
{
	__asm__ volatile("csrw mie, %0\n\tcsrs mstatus, %1" : : "r"(0x88), "r"(MACHINE_INTERRUPTS));
}

void board_interrupt_in(uint32_t ticks)
{
	set_timer(now() + ticks);
	enable_interrupts(); /* board_interrupted comes, and they stay enabled */
}

void *board_make_frame(void *stack_end, void (*function)(void))
{
	uint32_t *frame = (uint32_t *)stack_end - FRAME_WORDS;

	frame[FRAME_PC] = (uint32_t)function;
	frame[FRAME_STATUS] = 0x1880; /* machine mode, interrupts */
	return frame;
}

void board_begin_ticks(uint32_t counts)
{
	period = counts / COUNTS_IN_TICK;
	next_tick = now() + period;
	set_timer(next_tick);
	enable_interrupts();
}

void board_nest(void)
{
	SOFTWARE_INTERRUPT = 1;
	__asm__ volatile("csrsi mstatus, 8\n\tnop\n\tcsrci mstatus, 8");
}
