/* An interrupt, whose handler has hooks, before each instruction of the hooks: a timer comes after a fixed time, and the call of
 * the function wanders over that moment, an instruction at a time. Both calls are recorded, each whole, and what the handler sees
 * is. */
#include <nitro.h>

#include "kernel.h"
#include "classic/target/port/nitro/bare/board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define TIMER 0x101e2000
#define INTERRUPTS 0x10140000
#define MICROSECONDS 20
#define SWEEPS 900

void sweep(u32 instructions, void (*function)());

static u32 memory[0x1000 / sizeof(u32)];
#ifdef COST
static u32 statistics[0x400 / sizeof(u32)];
#endif
static char printed[4096];
static u32 length, wrong, places, last_place;
static volatile int came, logging;
static volatile int aloud;

#pragma profile off
uint32_t *kernel_interrupt(uint32_t *frame);
/* The board: what is printed stays here, or goes to the emulator's console. */
void nitro_board_init_tick(void)
{
}

uint32_t nitro_board_tick(void)
{
	return REGISTER(0x1000005c);
}

const volatile uint32_t *nitro_board_tick_at(void)
{
	return &REGISTER(0x1000005c);
}

uint32_t nitro_board_tick_hz(void)
{
	return 24000000;
}

void nitro_board_put(char character)
{
	if (aloud)
		REGISTER(0x101f1000) = (unsigned char)character;
	else if (length < sizeof printed - 1)
		printed[length++] = character;
	printed[length] = 0;
}

static int begins(const char *text, const char *with)
{
	while (*with)
		if (*text++ != *with++)
			return 0;
	return 1;
}

/* How many lines are of that name; of b, those that are not whole are wrong. */
static u32 lines_of(const char *name)
{
	u32 count = 0;

	for (const char *at = printed; *at;) {
		while (*at == ' ')
			at++;
		if (begins(at, name)) {
			count++;
#ifndef COST
			if (begins(at, "b:") && !begins(at + 2 + sizeof " lr=00000000" - 1, ", r0=000000b0, r1=000000b1, r2=000000b2, r3=000000b3\n"))
				wrong++;
#endif
		}
		while (*at && *at++ != '\n')
			;
	}
	return count;
}

static void print_nothing(void)
{
	length = 0;
	printed[0] = 0;
}

static void look(const uint32_t *frame)
{
	uint32_t pc = frame[15], entry = (uint32_t)__PROFILE_ENTRY, leave = (uint32_t)__PROFILE_EXIT;

	REGISTER(TIMER + 0x0c) = 1;
	if (pc != last_place && ((pc >= entry && pc < entry + 0x80) || (pc >= leave && pc < leave + 0x40)))
		places++;
	last_place = pc;
#ifndef COST
	print_nothing();
	OS_DumpCallTrace();
	wrong += lines_of("kernel_interrupt:") != 1 || lines_of("b:") > 1 || lines_of("") != 2u - (u32)logging + lines_of("b:");
#endif
	came = 1;
}
#pragma profile reset

uint32_t *kernel_interrupt(uint32_t *frame)
{
	look(frame);
	return frame;
}

__attribute__((noinline)) static void b(void)
{
	__asm__ volatile("");
}

#pragma profile off
/* In a stack with a line that was used before. */
static void begin(void)
{
#ifdef COST
	OS_InitFunctionCost(memory, sizeof memory);
	OS_InitStatistics(statistics, sizeof statistics);
#else
	OS_InitCallTrace(memory, sizeof memory, logging ? OS_CALLTRACE_LOG : OS_CALLTRACE_STACK);
	if (!logging)
		b();
#endif
}

static void end(void)
{
	print_nothing();
#ifdef COST
	OS_CalcStatistics(statistics);
	OS_DumpStatistics(statistics);
	wrong += lines_of("b: count 1, ") != 1 || lines_of("kernel_interrupt: count 1, ") != 1 || lines_of("(");
#else
	OS_DumpCallTrace();
	wrong += lines_of("b:") != (u32)logging || lines_of("kernel_interrupt:") != (u32)logging || lines_of("(");
#endif
}

static void sweep_over(void)
{
	places = 0;
	for (u32 instructions = 0; instructions < SWEEPS; instructions++) {
		u32 before = wrong;

		begin();
		came = 0;
		REGISTER(TIMER) = MICROSECONDS;
		REGISTER(TIMER + 8) = 0xa3; /* on, once, interrupts, 32 bits */
		sweep(instructions, b);
		while (!came)
			;
		REGISTER(TIMER + 8) = 0;
		end();
		if (wrong != before && before < 3) {
			aloud = 1;
			OS_Printf("after %u instructions, at 0x%x, log %d:\n%s", (unsigned)instructions, (unsigned)last_place, logging, printed);
			aloud = 0;
		}
	}
	aloud = 1;
	OS_Printf("%u places\n", (unsigned)places);
	aloud = 0;
}

void NitroMain(void)
{
	OS_Init();
	OS_InitTick();
	REGISTER(INTERRUPTS + 0x10) = 1 << 4;
	__asm__ volatile("msr cpsr_c, #0x1f");
	sweep_over();
#ifndef COST
	logging = 1;
	sweep_over();
#endif
	aloud = 1;
	OS_Printf("%u wrong\n", (unsigned)wrong);
	finish(0);
}
