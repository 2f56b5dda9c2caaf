/* SPDX-License-Identifier: MIT
 *
 * The profiler of the Nintendo 64's libultra: a timer interrupts the program, and a counter for the place where it was is one higher.
 * The host's `dwell gperf` fetches the counters while the program runs. doc/ultra.md tells what is as it was, and what is not.
 *
 * Link build/lib/libultra.PROF.a; libultra.PROF_d.a says what is wrong with a call. All memory of counters is yours. */
#ifndef ULTRA64_H
#define ULTRA64_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef _ULTRATYPES_H_ /* libultra's own header of these types */
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
#endif

/* A segment of the program's text, and a counter for each of its 32-bit words. */
typedef struct {
	u16 *histo_base; /* the counters, aligned to 32 bits */
	u32 histo_size;  /* how many: at least text_end - text_start */
	u32 *text_start; /* the first instruction */
	u32 *text_end;   /* the last one; the end that a linker gives, one behind it, will do, too */
} OSProf;

/* Segments that one program may have. */
#define OSPROF_SEGMENTS_MAX 64

/* The shortest period, in microseconds. */
#define PROF_MIN_INTERVAL 50

/* Added to the period: as the original did it, always the same. */
#define OSPROF_FIXED 0x80000000u

/* First of all. The segments may be in any order; they should not overlap (one that does ends where the next one
 * begins). All counters become 0. From here on the host is answered: by a thread where there are threads, else by
 * osProfilePoll(). The array is not needed afterwards. */
void osProfileInit(OSProf *profp, u32 profcnt);

/* Interrupts begin, or go on after osProfileStop(), one each so many microseconds; 10000 is usual. The time from one to the next is
 * varied so that a program that does something periodically is not always found at the same place: microseconds is the mean then, and
 * none is shorter than PROF_MIN_INTERVAL. The nearest that the machine's timer can do is taken. */
void osProfileStart(u32 microseconds);

/* Interrupts end. The counters stay, and the host is still answered. */
void osProfileStop(void);

/* A host that waits for it (dwell gperf --server) gets the counters as they are now. Returns when it has them; at once when there is none;
 * and when it is silent for two seconds, which is then none until it speaks again. No interrupts meanwhile. Not from a handler. */
void osProfileFlush(void);

/* Memory that the host may read over the link, too (dwell fetch): a buffer of CALLTRACE or FUNCTIONCOST (nitro.h), ProfileData of hook.h
 * and nothing beside it, whatever its readers know by its first bytes. Up to OSPROF_SHARED_MAX, more are not shared. Any time; what is
 * shared stays so. */
#define OSPROF_SHARED_MAX 8
void osProfileShare(const void *memory, u32 bytes);

/* Without threads: moves some bytes between the link and the profiler. From the main loop, or from an interrupt that does not come
 * during other calls of these functions, so often that no byte of the host is lost. Never waits. Where there is a thread it does
 * nothing. */
void osProfilePoll(void);

/* ---- Without an operating system ---------------------------------------------------------------------------------------------
 * */

/* The sampling interrupt, from its first instruction to its last. Cortex-M: the vector of SysTick. MIPS III: the exception vector, or what
 * is there, jumps here when Cause says that it is the interrupt of Count and Compare, with k0 and k1 free and all else as it was. RISC-V:
 * mtvec, or what is there, jumps here when it is the machine's timer, with all registers as they were. */
void osProfileInterrupt(void);

/* ---- Where there is an operating system --------------------------------------------------------------------------------------
 * */

/* Fills in segments, up to profcnt, for the program's own text and that of its libraries, with counters of their own, and returns how
 * many; for osProfileInit(). What does not fit is not counted, that is, counts in the overflow. Linux. */
u32 osProfileSegments(OSProf *profp, u32 profcnt);

/* ---- Errors ------------------------------------------------------------------------------------------------------------------
 * */

/* Calls that are in error do nothing. The debug library calls a handler, with the code, how many arguments there are, and these. */
#define ERR_OSPROFILEINIT_STR 61   /* the counter is running: osProfileStop() comes first */
#define ERR_OSPROFILEINIT_CNT 62   /* profcnt is 0, or too large; also: osProfileStart() before osProfileInit(). profcnt */
#define ERR_OSPROFILEINIT_ALN 63   /* histo_base is not aligned. histo_base */
#define ERR_OSPROFILEINIT_ORD 64   /* text_start is not before text_end. Both */
#define ERR_OSPROFILEINIT_SIZ 65   /* histo_size is too small. histo_size */
#define ERR_OSPROFILESTART_TIME 66 /* microseconds is less than PROF_MIN_INTERVAL. microseconds */
#define ERR_OSPROFILESTART_FLAG 67 /* it was started already */
#define ERR_OSPROFILESTOP_FLAG 68  /* it was stopped already */
#define ERR_OSPROFILESTOP_TIMER 69 /* it was not started since osProfileInit() */

/* The arguments are of the types that they have in the calls. */
typedef void (*OSErrorHandler)(s16 code, s16 arguments, ...);

/* Another handler, which may call any of these functions; null: the one that prints a line on the console. Returns the one before. The
 * release library has it, too, and calls no handler. */
OSErrorHandler osSetErrorHandler(OSErrorHandler handler);

#ifdef __cplusplus
}
#endif
#endif
