/* Functions that call each other at random, and know who is open: the dumped chain is that one, and the log the last calls. On
 * the ARM while a timer interrupts them, whose handler has hooks as well. */
#include "threads.h"

#define LINES 24
#define DEEPEST 70
#ifndef CALLS
#define CALLS 2500
#endif

static u32 memory[0x1000 / sizeof(u32)];
static struct call {
	const char *name;
	int level;
} stack[DEEPEST + 2], history[CALLS];
static int depth, calls, wrong, checks;
static u32 random_state = 12345;
static int logging, recording;

/* What the dump prints goes here. */
static char printed[8192];
static u32 length;
void nitro_port_put(const char *text, uint32_t count);
static void (*put)(const char *text, u32 count);

#pragma profile off
void print_out(const char *text, u32 count);

void nitro_port_put(const char *text, uint32_t count)
{
	if (put) {
		put(text, (u32)count);
		return;
	}
	for (u32 i = 0; i < count && length < sizeof printed - 1; i++)
		printed[length++] = text[i];
	printed[length] = 0;
}

static u32 pick(u32 count)
{
	random_state = random_state * 1664525u + 1013904223u;
	return (random_state >> 12) % count;
}

static int begins(const char *text, const char *with)
{
	while (*with)
		if (*text++ != *with++)
			return 0;
	return 1;
}

static const char *next_line(const char *at)
{
	while (*at && *at != '\n')
		at++;
	return *at ? at + 1 : at;
}

static void complain(const char *what)
{
	static int said;

	wrong++;
	if (said++ < 3) {
		put = print_out;
		OS_Printf("%s, depth %d, %d calls:\n%s", what, depth, calls, printed);
		put = 0;
	}
}

static void check_stack(void)
{
	const char *at = next_line(printed);
	int left = depth;

	for (; *at; at = next_line(at)) {
		if (*at == '(') {
			int count = 0;

			for (at++; *at >= '0' && *at <= '9'; at++)
				count = count * 10 + *at - '0';
			left -= count;
		} else if (left < 1 || !begins(at, stack[--left].name)) {
			complain("another chain");
			return;
		}
	}
	if (left)
		complain("not all of the chain");
}

static void check_log(void)
{
	const char *at = printed;
	int shown = 0, least = 1000, index = calls;

	for (int i = 0; i < LINES && i < calls; i++)
		least = history[calls - 1 - i].level < least ? history[calls - 1 - i].level : least;
	for (; *at; at = next_line(at)) {
		int blanks = 0;

		while (at[blanks] == ' ')
			blanks++;
		if (index == 0 || !begins(at + blanks, history[--index].name) || blanks != 2 * (history[index].level - least)) {
			complain("another log");
			return;
		}
		shown++;
	}
	if (shown != (calls < LINES ? calls : LINES))
		complain("not all of the log");
}

static void check(void)
{
	length = 0;
	printed[0] = 0;
	OS_DumpCallTrace();
	checks++;
	if (logging)
		check_log();
	else
		check_stack();
}

static void call_another(void);

static void note_call(const char *name)
{
	stack[depth].name = name;
	if (logging && recording) {
		history[calls].name = name;
		history[calls].level = depth;
	}
	calls += !logging || recording;
	depth++;
}

/* What each function does. */
static void body(const char *name)
{
	note_call(name);
	while (calls < CALLS) {
		u32 what = pick(100);

		if (what < 48 && depth < DEEPEST) {
			call_another();
		} else if (what < 53) {
			recording = !OS_RestoreCallTrace(!recording);
		} else if (what < 54 && !logging) {
			OS_ClearCallTraceBuffer();
		} else if (what < 60) {
			check();
		} else {
			break;
		}
	}
	depth--;
}
#pragma profile reset

#ifdef MIXED
#define STATE(name) __attribute__((target(name)))
#else
#define STATE(name)
#endif
#define FUNCTION(name, state)                                                                                                      \
	void name(void);                                                                                                           \
	STATE(state)                                                                                                               \
	void name(void)                                                                                                            \
	{                                                                                                                          \
		body(#name ": ");                                                                                                  \
	}

FUNCTION(anna, "arm")
FUNCTION(berta, "thumb")
FUNCTION(cesar, "arm")
FUNCTION(dora, "thumb")
FUNCTION(emil, "thumb")

#pragma profile off
static void call_another(void)
{
	static void (*const functions[])(void) = {anna, berta, cesar, dora, emil};

	functions[pick(5)]();
}

static void run(OSCallTraceMode mode)
{
	logging = mode == OS_CALLTRACE_LOG;
	recording = 1;
	calls = depth = 0;
	OS_InitCallTrace(memory, OS_CalcCallTraceBufferSize(LINES), mode);
	while (calls < CALLS)
		call_another();
	OS_EnableCallTrace();
	check();
}

void NitroMain(void)
{
	OS_Init();
	for (u32 registers = 16; registers--;) {
		OS_SetCallTraceRegisters(registers);
		run(OS_CALLTRACE_LOG);
		run(OS_CALLTRACE_STACK);
	}
#ifndef __linux__
	OS_SetCallTraceRegisters(0xf);
	threads_begin();
	for (int i = 0; i < 15; i++)
		run(OS_CALLTRACE_STACK);
#endif
	put = print_out;
	OS_Printf("%d wrong of %d\n", wrong, checks);
#ifndef __linux__
	finish(0);
#endif
}
