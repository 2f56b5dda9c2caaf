/* A program without an operating system, on each of the machines: hot() and cold(), for ever. SEGMENTS: so many of them. ROUNDS:
 * not for ever, on a machine that no host can ask. SHARED: the host may have so many bytes of the counters' memory. WHOLE: one
 * segment of all text. DEAF: such a round without interrupts behind each other one. WINDOW: samples such rounds alone, each
 * shorter than a period, and is as long in cold() between them. FULL: from the beginning, counters are so far from being full. */
#include <ultra64.h>

#ifdef ROUNDS
#include "n64.h"
#endif
#include "ratio.h"

#ifndef SEGMENTS
#define SEGMENTS 2
#endif
#ifndef ROUND
#define ROUND 400
#endif

/* Of the linker: functions have sections of their own, in this order. */
extern u32 hot_begin[], hot_end[], cold_end[], text_begin[], text_end[];
static u16 counters[16384] __attribute__((aligned(4)));
static OSProf segments[OSPROF_SEGMENTS_MAX];

#ifndef DEAF
#define DEAF 0
#endif
#ifdef __mips__
#define MASK() __asm__ volatile("mfc0 $8, $12\n\tori $8, 1\n\txori $8, 1\n\tmtc0 $8, $12\n\tnop\n\tnop\n\tnop" ::: "$8", "memory")
#define UNMASK() __asm__ volatile("mfc0 $8, $12\n\tori $8, 1\n\tmtc0 $8, $12\n\tnop\n\tnop\n\tnop" ::: "$8", "memory")
#elif defined(__arm__)
#define MASK() __asm__ volatile("cpsid i" ::: "memory")
#define UNMASK() __asm__ volatile("cpsie i" ::: "memory")
#else
#define MASK() __asm__ volatile("csrci mstatus, 8" ::: "memory")
#define UNMASK() __asm__ volatile("csrsi mstatus, 8" ::: "memory")
#endif

static void be_deaf(void)
{
	MASK();
	ratio_round(DEAF);
	UNMASK();
}

int main(void);

int main(void)
{
	u32 count = 0;
	u16 *at = counters;

#ifdef WHOLE
	segments[count++] = (OSProf){at, (u32)(text_end - text_begin), text_begin, text_end};
#else
	/* hot() and cold(), and the rest in pieces of 64 bytes; not in order. */
	segments[count++] = (OSProf){at, (u32)(cold_end - hot_end), hot_end, cold_end};
	at += 512;
	if (SEGMENTS > 1)
		segments[count++] = (OSProf){at, (u32)(hot_end - hot_begin), hot_begin, hot_end};
	at += 512;
	for (u32 *text = text_begin; count < SEGMENTS; text += 16, at += 16)
		segments[count++] = (OSProf){at, 16, text, text + 15};
#endif
	osProfileInit(segments, count);
#ifdef SHARED
	osProfileShare(counters, SHARED);
#endif
#ifdef WINDOW
	for (;;) {
		osProfileStart(PERIOD);
		ratio_round(WINDOW);
		osProfileStop();
		cold(4 * WINDOW);
		for (int polls = 0; polls < WINDOW; polls++) /* an answer is of a few windows */
			osProfilePoll();
	}
#endif
#ifdef FULL
	for (u32 i = 0; i < sizeof counters / sizeof *counters; i++)
		counters[i] = 65535 - FULL;
#endif
	osProfileStart(PERIOD);
#ifdef ROUNDS
	for (u32 round = 0; round < ROUNDS; round++) {
		ratio_round(ROUND);
		osProfilePoll();
	}
	osProfileStop();
	n64_shows_memory();
#endif
	for (;;) {
		ratio_round(ROUND);
		if (DEAF)
			be_deaf();
		osProfilePoll();
	}
}
