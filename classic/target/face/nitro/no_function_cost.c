/* SPDX-License-Identifier: MIT
 *
 * OS_…FunctionCost and OS_…Statistics of a program that is linked without
 * libos.FUNCTIONCOST.a: nothing is measured, and the dump says so. */
#include "classic/target/face/nitro/face.h"

void OS_InitFunctionCost(void *buf, u32 size)
{
	(void)buf;
	(void)size;
}

int OS_CalcFunctionCostLines(u32 size)
{
	(void)size;
	return 0;
}

u32 OS_CalcFunctionCostBufferSize(int lines)
{
	(void)lines;
	return 0;
}

void OS_InitStatistics(void *statBuf, u32 size)
{
	(void)statBuf;
	(void)size;
}

void OS_CalcStatistics(void *statBuf)
{
	(void)statBuf;
}

void OS_CalcStatisticsIn(void *statBuf, const char *function)
{
	(void)statBuf;
	(void)function;
}

BOOL OS_TryCalcStatistics(void *statBuf)
{
	(void)statBuf;
	return FALSE;
}

BOOL OS_TryCalcStatisticsIn(void *statBuf, const char *function)
{
	(void)statBuf;
	(void)function;
	return FALSE;
}

void OS_DumpStatistics(void *statBuf)
{
	(void)statBuf;
	OS_Printf("OS_DumpStatistics: the program is linked without libos.FUNCTIONCOST.a: nothing is measured\n");
}

void OS_DispStatistics(void *statBuf)
{
	OS_DumpStatistics(statBuf);
}

void OS_DispatchStatistics(void *statBuf)
{
	OS_DumpStatistics(statBuf);
}

void OS_DumpStatisticsInclusive(void *statBuf)
{
	OS_DumpStatistics(statBuf);
}

BOOL OS_EnableFunctionCost(void)
{
	return FALSE;
}

BOOL OS_DisableFunctionCost(void)
{
	return FALSE;
}

BOOL OS_RestoreFunctionCost(BOOL enable)
{
	(void)enable;
	return FALSE;
}

void OS_ClearFunctionCostBuffer(void)
{
}
