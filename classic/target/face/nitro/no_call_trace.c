/* SPDX-License-Identifier: MIT
 *
 * OS_…CallTrace of a program that is linked without libos.CALLTRACE.a: nothing is recorded, and the dump says so. */
#include "classic/target/face/nitro/face.h"

void OS_InitCallTrace(void *buf, u32 size, OSCallTraceMode mode)
{
	(void)buf;
	(void)size;
	(void)mode;
}

int OS_CalcCallTraceLines(u32 size)
{
	(void)size;
	return 0;
}

u32 OS_CalcCallTraceBufferSize(int lines)
{
	(void)lines;
	return 0;
}

void OS_SetCallTraceRegisters(u32 which)
{
	(void)which;
}

u32 OS_DumpCallTrace(void)
{
	OS_Printf("OS_DumpCallTrace: the program is linked without libos.CALLTRACE.a: nothing is recorded\n");
	return 0;
}

u32 OS_DumpCallTraceBufferSize(void)
{
	return OS_DumpCallTrace();
}

BOOL OS_EnableCallTrace(void)
{
	return FALSE;
}

BOOL OS_DisableCallTrace(void)
{
	return FALSE;
}

BOOL OS_RestoreCallTrace(BOOL enable)
{
	(void)enable;
	return FALSE;
}

void OS_ClearCallTraceBuffer(void)
{
}
