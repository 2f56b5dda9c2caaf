/* Buffers of every size, at every alignment, with bytes in front and behind that must stay as they are; whatever is done, and
 * whatever of it is refused. */
#include <nitro.h>

#define SIZES 420
#define RED 64

static unsigned char memory[RED + SIZES + 4 + RED] __attribute__((aligned(8)));
static u32 other[0x400 / sizeof(u32)];
static int wrong, refused;

void nitro_port_put(const char *text, uint32_t length);
void print_out(const char *text, u32 length);
static int says;

#pragma profile off
void nitro_port_put(const char *text, uint32_t length)
{
	refused += length > 5 && text[0] == 'O' && text[3] == 'I';
	if (says)
		print_out(text, length);
}

static void fill(void)
{
	for (u32 i = 0; i < sizeof memory; i++)
		memory[i] = 0xa5;
}

static void check(u32 offset, u32 size)
{
	int bad = 0;

	for (u32 i = 0; i < sizeof memory; i++)
		bad |= (i < RED + offset || i >= RED + offset + size) && memory[i] != 0xa5;
	wrong += bad;
}
#pragma profile reset

__attribute__((noinline)) static void down(int levels)
{
	__asm__ volatile("" ::: "memory");
	if (levels)
		down(levels - 1);
#ifdef TRACE
	if (levels == 0 || levels == 9) {
		OS_DumpCallTrace();
		OS_RestoreCallTrace(levels == 9);
	}
#else
	if (levels % 7 == 0)
		OS_CalcStatistics(other);
	if (levels == 5 || levels == 9)
		OS_RestoreFunctionCost(levels == 9);
#endif
	__asm__ volatile("" ::: "memory");
}

#pragma profile off
static void use(void *buffer, u32 size, int way)
{
#ifdef TRACE
	(void)other;
	OS_SetCallTraceRegisters(way & 2 ? 0xf : 0x5);
	OS_InitCallTrace(buffer, size, way & 1 ? OS_CALLTRACE_LOG : OS_CALLTRACE_STACK);
	down(20);
	OS_EnableCallTrace();
	down(20);
	OS_ClearCallTraceBuffer();
	__PROFILE_EXIT();
	down(2);
#else
	if (way & 1) {
		OS_InitFunctionCost(buffer, size);
		OS_InitStatistics(other, sizeof other);
	} else {
		OS_InitFunctionCost(other, sizeof other);
		OS_InitStatistics(buffer, size);
	}
	for (u32 i = 0; i < 20; i++) { /* more functions than there are rows */
		static const char names[20][2];

		__PROFILE_ENTRY(names[i]);
		__PROFILE_EXIT();
	}
	OS_CalcStatistics(way & 1 ? (void *)other : buffer);
	down(20);
	OS_CalcStatistics(way & 1 ? (void *)other : buffer);
	down(20);
	OS_ClearFunctionCostBuffer();
	__PROFILE_EXIT();
	down(2);
	OS_CalcStatistics(way & 1 ? (void *)other : buffer);
	OS_DumpStatisticsInclusive(way & 1 ? (void *)other : buffer);
#endif
	OS_ReleaseProfile(0);
}

void NitroMain(void)
{
	void finish(int status);

	OS_InitTick();
#ifdef TRACE
	/* A line has 8 bytes, 24 with r0 to r3, and four for its level. */
	wrong += OS_CalcCallTraceBufferSize(1002) - OS_CalcCallTraceBufferSize(2) != 28000;
	OS_SetCallTraceRegisters(0);
	wrong += OS_CalcCallTraceBufferSize(1002) - OS_CalcCallTraceBufferSize(2) != 12000;
#else
	wrong += OS_CalcFunctionCostBufferSize(1002) - OS_CalcFunctionCostBufferSize(2) != 24000;
#endif
	for (u32 size = 0; size < SIZES; size++)
		for (u32 offset = 0; offset < 4; offset++) {
			fill();
			use(memory + RED + offset, size, (int)(size + offset) & 3);
			check(offset, size);
		}
	says = 1;
	OS_Printf("%d wrong, %d refused\n", wrong, refused);
	finish(0);
}
