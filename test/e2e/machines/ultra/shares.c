/* A program whose calls one recorder traces, and which another one's link gives to the host: outer() calls inner() three times.
 * Hooks by hand, as a compiler's plugin would put them there. */
#include <nitro.h>
#include <ultra64.h>

#include "ratio.h"

#define ROUNDS 300000u

static u32 trace[0x1000];
static OSProf segments[OSPROF_SEGMENTS_MAX];

__attribute__((noinline)) static void inner(u32 turns)
{
	__PROFILE_ENTRY("inner");
	ratio_round(turns);
	__PROFILE_EXIT();
}

__attribute__((noinline)) static void outer(void)
{
	__PROFILE_ENTRY("outer");
	for (u32 i = 0; i < 3; i++)
		inner(i);
	__PROFILE_EXIT();
}

int main(void)
{
	OS_InitCallTrace(trace, sizeof trace, OS_CALLTRACE_LOG);
	outer();
	osProfileShare(trace, sizeof trace);
	osProfileInit(segments, osProfileSegments(segments, OSPROF_SEGMENTS_MAX));
	osProfileStart(1000);
	for (u32 i = 0; i < ROUNDS; i++)
		ratio_round(2000);
	return 0;
}
