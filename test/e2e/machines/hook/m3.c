/* A Cortex-M3 from reset to main: QEMU's mps2-an385. */
#include "board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYSTICK_CONTROL REGISTER(0xe000e010)
#define SYSTICK_RELOAD REGISTER(0xe000e014)
#define SYSTICK_VALUE REGISTER(0xe000e018)
#define INTERRUPT_ENABLE REGISTER(0xe000e100)
#define INTERRUPT_PEND REGISTER(0xe000e200)
#define INTERRUPT_PRIORITY(n) (((volatile uint8_t *)0xe000e400)[n])
#define INTERRUPT_CONTROL REGISTER(0xe000ed04)
#define PEND_SWITCH 0x10000000u
#define SYSTEM_PRIORITY REGISTER(0xe000ed20)
#define COUNTER REGISTER(0x40028018) /* FPGAIO's, 25 MHz, as SysTick and the timers have it */
#define TIMER_CONTROL REGISTER(0x40000000)
#define TIMER_VALUE REGISTER(0x40000004)
#define TIMER_RELOAD REGISTER(0x40000008)
#define TIMER_CLEAR REGISTER(0x4000000c)
#define TIMER_INTERRUPT 8
#define NESTED_INTERRUPT 30
#define THUMB_STATE 0x01000000u

extern uint32_t data_from, data_begin, data_end, bss_begin, bss_end, main_stack;

static int semihosting(int operation, const void *arguments)
{
	register int r0 __asm__("r0") = operation;
	register const void *r1 __asm__("r1") = arguments;

	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

#include "common.h"

static void reset(void)
{
	uint32_t *from = &data_from;

	for (uint32_t *to = &data_begin; to < &data_end;)
		*to++ = *from++;
	for (uint32_t *to = &bss_begin; to < &bss_end;)
		*to++ = 0;
	board_exit(main());
}

static void wrong(void)
{
	board_exit(99);
}

static void tick(void)
{
	kernel_tick();
	INTERRUPT_CONTROL = PEND_SWITCH;
}

/* The lowest of all interrupts: none that it interrupted is under way. Tasks are on the process stack. */
__attribute__((naked)) static void pended_switch(void)
{
	__asm__ volatile("mrs r0, psp\n"
			 "stmdb r0!, {r4-r11}\n"
			 "push {r4, lr}\n"
			 "bl kernel_switch\n"
			 "pop {r4, lr}\n"
			 "ldmia r0!, {r4-r11}\n"
			 "msr psp, r0\n"
			 "bx lr\n");
}

__attribute__((used)) static void timer(const uint32_t *frame)
{
	TIMER_CONTROL = 0;
	TIMER_CLEAR = 1;
	board_interrupted(frame[6]);
}

__attribute__((naked)) static void timer_interrupt(void)
{
	__asm__ volatile("mov r0, sp\n"
			 "b timer\n");
}

extern void *const vectors[48];
__attribute__((section(".vectors"), used)) void *const vectors[48] = {
	&main_stack, reset, wrong, wrong, wrong, wrong, wrong, 0, 0, 0, 0, wrong, wrong, 0, pended_switch, tick,
	[16 + TIMER_INTERRUPT] = timer_interrupt, [16 + NESTED_INTERRUPT] = kernel_nested,
};

uint32_t board_counter(void)
{
	return COUNTER;
}

uint64_t board_come_round_in(uint32_t counts)
{
	return COUNTER = 0u - counts;
}

void board_interrupt_in(uint32_t ticks)
{
	INTERRUPT_ENABLE = 1u << TIMER_INTERRUPT;
	TIMER_RELOAD = 0xffffffff;
	TIMER_VALUE = ticks;
	TIMER_CONTROL = 9; /* on, interrupts */
}

void *board_make_frame(void *stack_end, void (*function)(void))
{
	uint32_t *frame = (uint32_t *)stack_end - 16;

	frame[14] = (uint32_t)function & ~1u;
	frame[15] = THUMB_STATE;
	return frame;
}

void board_begin_ticks(uint32_t period)
{
	SYSTEM_PRIORITY = 0xc0ff0000; /* the switch below the tick */
	INTERRUPT_PRIORITY(NESTED_INTERRUPT) = 0x40;
	INTERRUPT_ENABLE = 1u << NESTED_INTERRUPT;
	/* From here on on the process stack, as a task. */
	__asm__ volatile("mov r0, sp\n"
			 "msr psp, r0\n"
			 "sub r0, #1024\n"
			 "msr msp, r0\n"
			 "movs r0, #2\n"
			 "msr control, r0\n"
			 "isb\n" ::: "r0", "memory");
	SYSTICK_RELOAD = period - 1;
	SYSTICK_VALUE = 0;
	SYSTICK_CONTROL = 7;
}

void board_nest(void)
{
	INTERRUPT_PEND = 1u << NESTED_INTERRUPT;
	__asm__ volatile("dsb\n\tisb");
}
