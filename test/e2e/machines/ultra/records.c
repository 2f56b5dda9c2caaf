/* A program without an operating system whose calls one recorder writes down, and which another one's link gives to the host:
 * outer() calls inner() three times. Hooks by hand, as a compiler would put them there. */
#include <hook.h>
#include <ultra64.h>

#include "ratio.h"

extern u32 text_begin[], text_end[];
static u16 counters[16384] __attribute__((aligned(4)));

__attribute__((noinline)) static void inner(u32 turns)
{
	entry_hook((void (*)(void))inner);
	ratio_round(turns);
	exit_hook((void (*)(void))inner);
}

__attribute__((noinline)) static void outer(void)
{
	entry_hook((void (*)(void))outer);
	for (u32 i = 1; i <= 3; i++)
		inner(10 * i);
	exit_hook((void (*)(void))outer);
}

int main(void);

int main(void)
{
	OSProf segment = {counters, (u32)(text_end - text_begin), text_begin, text_end};

	hook_init();
	outer();
	osProfileInit(&segment, 1);
	osProfileShare(ProfileData, sizeof ProfileData);
	osProfileStart(1000);
	for (;;) {
		ratio_round(100);
		osProfilePoll();
	}
}
