/* The clock that is made of SysTick, beside a counter that counts the same: hooks at all sorts of moments of its short round. */
#include "board.h"
#include "hook.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define ROUND 999
#define RECORDS 4000

static uint32_t before[RECORDS], behind[RECORDS];

int main(void)
{
	uint32_t wrong = 0, rounds = 0;

	hook_tick(); /* nothing before hook_init() */
	hook_init(); /* it does not count yet */
	hook_tick();
	entry_hook(0);
	wrong += uiProfileDataCnt != 0xffffffff;
	REGISTER(0xe000e014) = ROUND - 1;
	REGISTER(0xe000e018) = 0;
	REGISTER(0xe000e010) = 5; /* no interrupts */
	entry_hook(0);
	wrong += uiProfileDataCnt != 0xffffffff;
	hook_tick(); /* the clock counts now */
	wrong += uiProfileDataCnt != 0;
	for (uint32_t i = 0; i < RECORDS; i++) {
		for (volatile uint32_t wait = i * 7 % 61; wait; wait--)
			;
		if (i % 3 == 0)
			hook_tick();
		before[i] = board_counter();
		entry_hook(0);
		behind[i] = board_counter();
	}
	for (uint32_t i = 1; i < RECORDS; i++) {
		uint64_t time = (uint64_t)ProfileData[i].TSCH << 32 | ProfileData[i].TSCL;
		uint64_t first = (uint64_t)ProfileData[0].TSCH << 32 | ProfileData[0].TSCL;

		/* Both count in steps, which may be one apart. */
		if (time - first + 1 < before[i] - behind[0] || time - first > behind[i] - before[0] + 1)
			wrong++;
		rounds = (uint32_t)(time / ROUND);
	}
	board_print_number("wrong ", wrong);
	board_print_number("rounds ", rounds);
	return wrong != 0 || uiProfileDataCnt != RECORDS || rounds < 500;
}
