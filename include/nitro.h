/* SPDX-License-Identifier: MIT
 *
 * The profiler of the NITRO-SDK and the TWL-SDK: call traces and function cost of functions that call __PROFILE_ENTRY and
 * __PROFILE_EXIT (the compiler's plugin puts the calls in: mk/profile.mk). doc/nitro.md tells what is as it was, and what is not.
 *
 * Link one of libos.CALLTRACE.a and libos.FUNCTIONCOST.a, in front of libos.a; or libos.a alone, and functions of your own by
 * these names.
 *
 * Everything belongs to the thread that calls it: its buffer, whether it records. All memory is yours; nothing is written
 * outside of the bytes that you give. What cannot be done is not done, and one line of OS_Printf says why. */
#ifndef NITRO_H
#define NITRO_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef NITRO_TYPES_H_ /* the SDK's own header of these types */
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef int BOOL;
#endif
#ifndef TRUE
#define TRUE 1
#define FALSE 0
#endif

/* What the compiler calls: first thing in a function, with its name, and last thing. The libraries have what -finstrument-functions
 * calls, too: then names are printed as addresses, for `dwell names`, and no registers are known. */
void __PROFILE_ENTRY(const char *name);
void __PROFILE_EXIT(void);

/* The program begins here; its main() is in the library. Either name will do. */
void NitroMain(void);
void TwlMain(void);

/* ---- Call trace --------------------------------------------------------------------------------------------------------------
 * */

typedef enum {
	OS_CALLTRACE_STACK, /* an exit removes what its entry wrote: the buffer holds the calls that are open */
	OS_CALLTRACE_LOG /* it does not: the buffer holds the latest calls */
} OSCallTraceMode;

/* This thread's calls go to buf from here on. A buffer that it had is let go. buf is best aligned to a pointer; what is before
 * the first such address, or does not fill a line, is not used. Refused, and the thread has no buffer then: a null one, one in
 * which no line has room, a mode that is none, a buffer of which a part is another thread's. Exits of functions that were entered
 * before remove nothing. */
void OS_InitCallTrace(void *buf, u32 size, OSCallTraceMode mode);

/* How many lines (calls) fit into size bytes, 0 when none does; how many bytes so many lines take, 0 when that is not possible.
 * */
int OS_CalcCallTraceLines(u32 size);
u32 OS_CalcCallTraceBufferSize(int lines);

/* Prints the lines of this thread's buffer, newest first: name, lr and the registers at the call. In stack mode a line with the
 * caller's lr stands above; in log mode, two blanks a level, up to 64 levels. A line "(2 calls not recorded)" stands where calls
 * are open for which there was no room, or which were entered while disabled. Below, if there is need: how many calls of handlers
 * were missed, how many exits had no entry. Returns the number of calls shown. The second name
 * is the one in the manuals. */
u32 OS_DumpCallTrace(void);
u32 OS_DumpCallTraceBufferSize(void);

/* Whether calls are written. They return what held before. Exits count always, so the chain is right when recording goes on. */
BOOL OS_EnableCallTrace(void);
BOOL OS_DisableCallTrace(void);
BOOL OS_RestoreCallTrace(BOOL enable);

/* Takes all lines out. In stack mode the calls are still open: they are counted as not recorded. */
void OS_ClearCallTraceBuffer(void);

/* Which of r0–r3 lines keep: bit n is rn. For buffers made afterwards, and the two functions that calculate. A line has 8 bytes,
 * and 4 for each register (16 and 8 where pointers have 8); all four by default where the registers at the call can be known,
 * else none. */
void OS_SetCallTraceRegisters(u32 registers);

/* ---- Function cost -----------------------------------------------------------------------------------------------------------
 * */

/* This thread's calls are measured from here on, in buf, as for OS_InitCallTrace. Refused also before OS_InitTick(), and where
 * another thread counts into statistics there; other statistics that were made there are none any more. */
void OS_InitFunctionCost(void *buf, u32 size);

/* How many calls (an entry and an exit) fit into size bytes; how many bytes so many calls take, 0 when that is not possible. */
int OS_CalcFunctionCostLines(u32 size);
u32 OS_CalcFunctionCostBufferSize(int lines);

/* An empty statistics buffer: size bytes for the control area, and a row for each function. It may serve all threads. Refused:
 * null, or no room for two rows; a buffer in which a thread measures, or into which one counts at the moment: it stays as it is. */
void OS_InitStatistics(void *statBuf, u32 size);

/* Counts what this thread's measurement buffer holds into the statistics, and empties it. Calls that are open go on: what they
 * took up to here is counted now, the rest and the call later, so it does not matter how often this is done. Refused, and
 * nothing is lost: statistics that OS_InitStatistics did not make; while another thread counts into them. */
void OS_CalcStatistics(void *statBuf);

/* Prints a row for each function, in the order of their first calls: how often it was called, and the ticks that were spent in
 * it, not in functions it called, nor while other threads ran. Below, if there is need: how many calls did not fit, were entered
 * while disabled and went on when enabled, or were handlers' that were missed, and how many exits had no entry. Three names for
 * one function. The other one adds the ticks with the functions that it called; of recursive calls the outermost counts. */
void OS_DumpStatistics(void *statBuf);
void OS_DispStatistics(void *statBuf);
void OS_DispatchStatistics(void *statBuf);
void OS_DumpStatisticsInclusive(void *statBuf);

/* Whether calls are measured. They return what held before. Time while disabled is nobody's. A call that was entered while
 * enabled gets its exit either way. */
BOOL OS_EnableFunctionCost(void);
BOOL OS_DisableFunctionCost(void);
BOOL OS_RestoreFunctionCost(BOOL enable);

/* Takes out what was measured. Of calls that are open, what they take from here on counts. */
void OS_ClearFunctionCostBuffer(void);

/* ---- longjmp -----------------------------------------------------------------------------------------------------------------
 *
 * The calls that longjmp leaves have no exits. Whoever calls setjmp says where they end:
 *
 *     u32 depth = OS_GetProfileDepth();          how many calls of this thread are open
 *     if (setjmp(env))
 *             OS_SetProfileDepth(depth);         it came back: deeper ones are over
 *
 * Function cost counts these calls as ended now, and its dump tells how many there were. It also tells where nobody said it, as far as
 * OS_CalcStatistics, called from one place again, finds more calls open than before: the costs of callers are wrong then. */
u32 OS_GetProfileDepth(void);
void OS_SetProfileDepth(u32 depth);

/* ---- Threads -----------------------------------------------------------------------------------------------------------------
 * */

/* For a kernel: the running thread's profile is another from here on. profile is what this function returned when that thread
 * was left, or null for a new one. Returns that of the thread that is left, to be kept with it. With interrupts masked, where
 * the switch happens. (Threads of Linux need none of this.) */
void *OS_SwitchProfile(void *profile);

/* A thread is over, its profile is this (null: that of the running one): its buffer may be used for another. */
void OS_ReleaseProfile(void *profile);

/* ---- What the examples need of an operating system, for who has no other: an SDK's serve when linked in front (doc/nitro.md) --- */

void OS_Init(void);
void OS_InitTick(void);
BOOL OS_IsTickAvailable(void);
u64 OS_GetTick(void);
u32 OS_GetTickLo(void);
/* 0: not known, as of an SDK's tick. May be defined by the program. */
u32 OS_GetTicksPerSecond(void);
/* As in C: %d %i %u %x %X %o %c %s %p %%. From any other conversion on (there is no floating point), the text is printed as it is. */
void OS_Printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif
