/* A machine whose cycle counter is not there: nothing is recorded, and the control area says why. */
#include "board.h"
#include "classic/core/hook_records.h"
#include "hook.h"

extern struct {
	uint32_t magic, what, word[HOOK_WORDS];
} dwell_hook_control;

int main(void)
{
	hook_init();
	entry_hook(0);
	exit_hook_circular(0);
	task_switch_hook(0, 4);
	return uiProfileDataCnt != 0xffffffff || dwell_hook_control.magic != HOOK_MAGIC ||
	       dwell_hook_control.word[HOOK_WORD_STATE] != HOOK_STATE_NO_CLOCK;
}
