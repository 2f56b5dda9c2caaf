/* SPDX-License-Identifier: MIT
 *
 * ultra64.h: the profiler of the Nintendo 64's libultra. A timer interrupts the program, and the counter of the interrupted place
 * goes up by one. `dwell gperf` fetches the counters while the program runs. "The manual" is the functions' page, "osProfileFlush
 * (function)"; a word in brackets is its section. doc/ultra.md says how to build, and what differs from the manual.
 *
 * Link libultra.PROF.a. libultra.PROF_d.a is the debug library: it also reports calls that are in error.
 *
 * Rules for all functions:
 *   Errors: a call that is in error does nothing. The debug library reports it; see "Errors" below.
 *   Memory: you own all counters. They must stay until the next osProfileInit().
 *   Context: any thread, unless a function says otherwise. */
#ifndef ULTRA64_H
#define ULTRA64_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef _ULTRATYPES_H_ /* defined if libultra's own header has these types already */
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
#endif

/* A segment of code, with a counter for each 32-bit word. (The manual, Description) */
typedef struct {
	u16 *histo_base; /* the counters, at a multiple of 4. A counter stays at 65535; further interrupts count separately */
	u32 histo_size;  /* number of counters: at least text_end - text_start, in words */
	u32 *text_start; /* first instruction */
	u32 *text_end;   /* last instruction. One word behind it, as linkers define an end, works, too */
} OSProf;

/* Most segments of a program. Not in the manual. */
#define OSPROF_SEGMENTS_MAX 64

/* Shortest period, in microseconds. (The manual, Description) */
#define PROF_MIN_INTERVAL 50

/* Add this value to the period for interrupts at a fixed period, as in the original. Not in the manual. */
#define OSPROF_FIXED 0x80000000u

/* Sets all counters to 0, and begins to answer the host: in a thread, or in osProfilePoll() on machines without threads. Call
 * osProfileInit() before the other functions. (The manual, Description)
 * profp: profcnt segments, 1 to OSPROF_SEGMENTS_MAX, in any order. The array is not needed after the call. If segments overlap, the
 * first ends at the beginning of the next.
 * Errors: ERR_OSPROFILEINIT_STR, _CNT, _ALN, _ORD, _SIZ. */
void osProfileInit(OSProf *profp, u32 profcnt);

/* Starts sampling, or continues it after osProfileStop(): with the same microseconds, the period that was stopped goes on. (The
 * manual, Description)
 * microseconds: mean time between two interrupts; at least PROF_MIN_INTERVAL; 10000 is usual. dwell uses the nearest period that
 * the machine's timer supports. The time varies at random around the mean, so that interrupts do not always find a periodic program
 * at one place. No period is shorter than PROF_MIN_INTERVAL. With OSPROF_FIXED the time does not vary.
 * Errors: ERR_OSPROFILESTART_TIME, _FLAG; ERR_OSPROFILEINIT_CNT if osProfileInit() was not called.
 * Cost: one interrupt is 36 to 134 instructions, by machine and number of segments (doc/ultra.md). */
void osProfileStart(u32 microseconds);

/* Stops sampling. The counters stay, and the host still gets answers. (The manual, Description)
 * Errors: ERR_OSPROFILESTOP_FLAG, _TIMER. */
void osProfileStop(void);

/* Sends the present counters to a waiting host (`dwell gperf --server`). Sampling pauses meanwhile. (The manual, Description)
 * Returns when the host has everything; at once if no host waits; after 2 s if the host is silent. A silent host counts as absent
 * until its next message.
 * Context: not in an interrupt or signal handler. */
void osProfileFlush(void);

/* Lets the host read more memory over the link (`dwell fetch`): a buffer that begins with an identification, such as the buffers of
 * nitro.h, or ProfileData of hook.h alone. Not in the manual.
 * memory, bytes: stay yours, and stay shared to the end of the program. Up to OSPROF_SHARED_MAX areas; the function ignores
 * further areas. */
#define OSPROF_SHARED_MAX 8
void osProfileShare(const void *memory, u32 bytes);

/* For machines without threads: moves up to 16 bytes between the link and the profiler, and does one step of an answer. Call
 * osProfilePoll() from the main loop, so often that the link loses no byte. If a thread answers the host, osProfilePoll() does
 * nothing. Not in the manual.
 * Context: the main loop, or an interrupt that does not come during other calls of these functions. Never waits.
 * Cost: at most 2067 instructions (doc/ultra.md). */
void osProfilePoll(void);

/* ---- Without an operating system (not in the manual) ---- */

/* The sampling interrupt. It handles the whole interrupt, from the first instruction to the return. How to enter it:
 *   Cortex-M: as the vector of SysTick.
 *   MIPS III: by a jump from the exception handler, if Cause names the interrupt of Count and Compare. k0 and k1 may be changed
 *             before; all other registers must be as they were.
 *   RISC-V:   by a jump from the trap handler if it is the machine's timer, or as mtvec itself. All registers must be as they
 *             were. */
void osProfileInterrupt(void);

/* ---- Linux (not in the manual) ---- */

/* Fills profp with segments for the code of the program and of its libraries, with counters that it allocates; for osProfileInit().
 * profcnt: how many segments profp has room for. Returns how many it filled in. Code without a segment counts as outside of all. */
u32 osProfileSegments(OSProf *profp, u32 profcnt);

/* ---- Errors (the manual, Description: "The following errors are reported …") ---- */

/* Code, what is wrong, and behind the semicolon the arguments that the handler gets. Numbers are libultra's. */
#define ERR_OSPROFILEINIT_STR 61   /* sampling runs: call osProfileStop() first */
#define ERR_OSPROFILEINIT_CNT 62   /* profcnt is 0 or too large, or osProfileStart() came before osProfileInit(); profcnt */
#define ERR_OSPROFILEINIT_ALN 63   /* histo_base is null, or not a multiple of 4; histo_base */
#define ERR_OSPROFILEINIT_ORD 64   /* text_start is not below text_end; text_start, text_end */
#define ERR_OSPROFILEINIT_SIZ 65   /* histo_size is too small; histo_size */
#define ERR_OSPROFILESTART_TIME 66 /* microseconds is below PROF_MIN_INTERVAL, or the timer cannot do it; microseconds */
#define ERR_OSPROFILESTART_FLAG 67 /* sampling runs already */
#define ERR_OSPROFILESTOP_FLAG 68  /* sampling is stopped already */
#define ERR_OSPROFILESTOP_TIMER 69 /* sampling was not started since osProfileInit() */

/* A handler of errors: takes a code, the number of arguments, and the arguments, with their types in the failed call. May call any
 * function of ultra64.h. */
typedef void (*OSErrorHandler)(s16 code, s16 arguments, ...);

/* Sets the handler of errors, and returns the handler before. null: the default, which prints a line on the console. The release
 * library also has the function, but calls no handler. */
OSErrorHandler osSetErrorHandler(OSErrorHandler handler);

#ifdef __cplusplus
}
#endif
#endif
