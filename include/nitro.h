/* SPDX-License-Identifier: MIT
 *
 * nitro.h: the profiler of the NITRO-SDK and the TWL-SDK. It traces calls, or measures what functions cost. "The manual" is the
 * SDK's "About the Profiler"; numbers behind it are its sections. doc/nitro.md says how to build, and what differs from the manual.
 *
 * Link libos.CALLTRACE.a or libos.FUNCTIONCOST.a in front of libos.a (the manual, 3.6 and 4.6). Or link libos.a alone, and define
 * __PROFILE_ENTRY and __PROFILE_EXIT yourself (5).
 *
 * Rules for all functions:
 *   Threads: a function works on the calling thread. Each thread has its own buffer, and records or not (3.7, 4.7).
 *   Memory: you own all buffers. The library keeps pointers to the buffers, and writes nothing outside of the given bytes.
 *   Errors: a function that cannot do its work does nothing, and prints one line with the reason through OS_Printf.
 *   Time: in ticks of OS_GetTick.
 *   Context: any thread, unless a function says otherwise. The hooks may interrupt each other. */
#ifndef NITRO_H
#define NITRO_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef NITRO_TYPES_H_ /* defined if the SDK's own header has these types already */
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

/* The hooks. The compiler's plugin calls __PROFILE_ENTRY first in each function, and __PROFILE_EXIT last (the manual, 1.1).
 * name: the function's name; must stay in memory.
 * Code compiled with -finstrument-functions works, too: the dumps then show addresses, which `dwell names` turns into names, and
 * registers are unknown.
 * Context: any thread, any interrupt handler. Cost: 10 to 41 instructions on the ARM9 (doc/nitro.md). */
void __PROFILE_ENTRY(const char *name);
void __PROFILE_EXIT(void);

/* The program's first function: define NitroMain or TwlMain. The library's main() calls it. */
void NitroMain(void);
void TwlMain(void);

/* ---- Call trace (the manual, 3) ---- */

/* What the buffer keeps (3.3). */
typedef enum {
	OS_CALLTRACE_STACK, /* the open calls: an exit removes the line that its entry wrote */
	OS_CALLTRACE_LOG /* the latest calls: a new line replaces the oldest */
} OSCallTraceMode;

/* Records this thread's calls in buf from now on, and enables recording. The thread releases an earlier buffer. (3.4)
 * buf: best aligned to a pointer; bytes before the first aligned address stay unused. size: bytes; OS_CalcCallTraceBufferSize
 * computes the size for a number of lines.
 * Functions entered before the call write no lines, and their exits remove no lines.
 * Errors: buf is null, size has no room for a line or is beyond the address space, mode is unknown, or another thread has a part
 * of buf. Then the thread has no buffer. */
void OS_InitCallTrace(void *buf, u32 size, OSCallTraceMode mode);

/* The first function returns how many lines (calls) fit into size bytes; 0: none. The second returns how many bytes a buffer for
 * that number of lines needs; 0: lines is out of range. (3.4)
 * Both use the registers that OS_SetCallTraceRegisters chose. */
int OS_CalcCallTraceLines(u32 size);
u32 OS_CalcCallTraceBufferSize(int lines);

/* Print the lines of this thread's buffer, newest first: name, lr, and the registers at the call. Return the number of printed
 * calls. (3.5.1, 3.5.2) Both do the same; the manual's section 3.4 has the second name.
 * Stack mode: the first line has the address from which this function was called.
 * Log mode: each line is indented by two blanks per level, up to 64 levels.
 * "(2 calls not recorded)" stands for open calls without a line: the buffer had no room, or recording was disabled.
 * At the end come two numbers, unless they are 0: missed calls of interrupt handlers, and exits without an entry. */
u32 OS_DumpCallTrace(void);
u32 OS_DumpCallTraceBufferSize(void);

/* Start, stop, and set recording for this thread. Return the setting before: TRUE or FALSE. Default: TRUE after
 * OS_InitCallTrace. (3.4)
 * Exits still count while recording is stopped. So the chain of calls is right when recording starts again; the chain that the
 * manual describes is not. */
BOOL OS_EnableCallTrace(void);
BOOL OS_DisableCallTrace(void);
BOOL OS_RestoreCallTrace(BOOL enable);

/* Removes all lines from this thread's buffer (3.4). In stack mode the calls are still open; the dump counts
 * them as not recorded. */
void OS_ClearCallTraceBuffer(void);

/* Chooses which registers a line keeps: bit 0 is r0 … bit 3 is r3. Applies to buffers that are initialised later, in all threads,
 * and to OS_CalcCallTraceLines and OS_CalcCallTraceBufferSize. A line has 8 bytes, and 4 more per register (3.2); with pointers of
 * 8 bytes, 16 and 8. In the buffer each line also has a level: 4 or 8 bytes.
 * Default: all four if the hooks can read the registers of the call, else none. The manual calls the registers optional (3.2), and
 * has no function that chooses. */
void OS_SetCallTraceRegisters(u32 registers);

/* ---- Function cost (the manual, 4) ---- */

/* Measures this thread's calls in buf from now on, and enables measuring. buf and size as for OS_InitCallTrace. (4.4)
 * Errors: as for OS_InitCallTrace; also if OS_InitTick() was not called before, or while another thread adds to statistics in buf.
 * Other statistics in buf are lost; the function prints a line about the loss. */
void OS_InitFunctionCost(void *buf, u32 size);

/* The first function returns how many calls (an entry and an exit, 12 bytes each) fit into size bytes. The second returns how many
 * bytes a buffer for that number of calls needs; 0: lines is out of range. (4.4) */
int OS_CalcFunctionCostLines(u32 size);
u32 OS_CalcFunctionCostBufferSize(int lines);

/* Makes an empty statistics buffer of size bytes: a control area, and a row per function. All threads may use one. (4.3, 4.4)
 * Errors: statBuf is null, size has no room for two rows or is beyond the address space, a thread measures in this memory, or a
 * thread is adding to statistics there. Then the memory stays unchanged. */
void OS_InitStatistics(void *statBuf, u32 size);

/* Adds the contents of this thread's measurement buffer to the statistics, and empties the measurement buffer. Call the function
 * before the buffer is full, as often as you like. (4.3) An open call goes on: the statistics get the call's time up to now, and
 * later the rest of the time and the call itself. The function takes up to 256 bytes of stack, on the ARM9.
 * Errors: OS_InitStatistics did not make this buffer, or another thread is adding to the statistics. Then nothing is added, and
 * nothing is lost. */
void OS_CalcStatistics(void *statBuf);

/* The same, not in the manual, without a message: FALSE if nothing was added, for example because another thread is adding. */
BOOL OS_TryCalcStatistics(void *statBuf);

/* The same, for a caller with hooks: function is the caller's name. Open calls above the caller's own were left by longjmp. These
 * calls end here, and the dump warns. In functions with hooks, the plugin calls these two in place of the two above. Not in the
 * manual. */
void OS_CalcStatisticsIn(void *statBuf, const char *function);
BOOL OS_TryCalcStatisticsIn(void *statBuf, const char *function);

/* Print a row per function, in the order of first calls: number of calls, and cost in ticks. A function's cost excludes called
 * functions and the time of other threads. (4.5) The first three are one function; the manual has all three names.
 * OS_DumpStatisticsInclusive, which is not in the manual, also prints the cost with called functions; of recursive calls only the
 * outermost counts.
 * At the end come four numbers, unless they are 0: calls that did not fit; calls recorded by half, because measuring stopped or
 * started in between; calls that interrupted the profiler; and exits without an entry. */
void OS_DumpStatistics(void *statBuf);
void OS_DispStatistics(void *statBuf);
void OS_DispatchStatistics(void *statBuf);
void OS_DumpStatisticsInclusive(void *statBuf);

/* Start, stop, and set measuring for this thread. Return the setting before: TRUE or FALSE. Default: TRUE after
 * OS_InitFunctionCost. (4.4)
 * While measuring is stopped, time counts for no function. A call entered before the stop still gets its exit. */
BOOL OS_EnableFunctionCost(void);
BOOL OS_DisableFunctionCost(void);
BOOL OS_RestoreFunctionCost(BOOL enable);

/* Removes this thread's measurements since the last OS_CalcStatistics (4.4). Open calls count from now on. */
void OS_ClearFunctionCostBuffer(void);

/* ---- longjmp (not in the manual) ----
 *
 * Calls that longjmp leaves have no exits. Report their end in the function that calls setjmp:
 *
 *     u32 depth = OS_GetProfileDepth();          the number of open calls of this thread
 *     if (setjmp(env))
 *             OS_SetProfileDepth(depth);         longjmp came here: deeper calls have ended
 *
 * Function cost counts such calls as ended at OS_SetProfileDepth, and the dump prints the number of such calls. Without the report,
 * costs of callers are wrong up to the next OS_CalcStatistics in a function with hooks, which ends such calls; the dump warns. In a
 * function without hooks, the dump warns if OS_CalcStatistics, called again from one place, finds more open calls than before. */
u32 OS_GetProfileDepth(void);
void OS_SetProfileDepth(u32 depth);

/* ---- Threads: for a kernel (not in the manual) ---- */

/* Reports that the kernel switches to another thread.
 * profile: the result of the call at which the next thread last stopped running; null: a new thread.
 * Returns the value of the thread that stops running now. Keep the value with the stopped thread.
 * Threads of Linux need no calls.
 * Context: where the kernel switches, with interrupts masked. Cost: 17 to 58 instructions on the ARM9. */
void *OS_SwitchProfile(void *profile);

/* Reports that a thread has ended. Another thread may then use the buffer.
 * profile: the thread's value from OS_SwitchProfile; null: the running thread. */
void OS_ReleaseProfile(void *profile);

/* ---- Operating system ----
 *
 * The functions that the manual's examples call, for programs without an SDK. If you link an SDK in front, the program uses the
 * SDK's functions (doc/nitro.md). */

void OS_Init(void);            /* does nothing; programs for the SDK call it first */
void OS_InitTick(void);        /* starts the tick; OS_InitFunctionCost needs it */
BOOL OS_IsTickAvailable(void); /* TRUE after OS_InitTick() */
u64 OS_GetTick(void);          /* time in ticks */
u32 OS_GetTickLo(void);        /* low 32 bits of OS_GetTick() */
/* The rate of the tick, in Hz. 0: unknown, as with an SDK's tick. Your program may define it. Not in the manual. */
u32 OS_GetTicksPerSecond(void);
/* Prints as printf does, with %d %i %u %x %X %o %c %s %p %%, without floating point. From an unknown conversion on, prints the rest
 * of the format unchanged. */
void OS_Printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

#ifdef __cplusplus
}
#endif
#endif
