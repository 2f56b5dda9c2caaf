/* Each hook once, in the order that measure knows. */
#include "board.h"
#include "hook.h"

#define FUNCTION ((void (*)(void))0x1000)

int main(void)
{
#ifdef HOOK_CLOCK_SYSTICK
	*(volatile uint32_t *)0xe000e014 = 0xffffff;
	*(volatile uint32_t *)0xe000e010 = 5;
#endif
	entry_hook(FUNCTION);
	entry_hook_circular(FUNCTION);
	hook_init();
	entry_hook(FUNCTION);
	exit_hook(FUNCTION);
	task_switch_hook(0x40, 0x80);
	entry_hook_circular(FUNCTION);
	exit_hook_circular(FUNCTION);
	task_switch_hook_circular(0x40, 0x80);
	uiProfileDataCnt = MAX_PROFILE_RECORD_NUM;
	entry_hook(FUNCTION);
	hook_tick();
	return 0;
}
