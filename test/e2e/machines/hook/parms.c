/* Hooks that get a name, or nothing: what is recorded is the name's address, or where in the function the hook returned to. */
#include "board.h"
#include "classic/core/hook_records.h"
#include "hook.h"

extern struct {
	uint32_t magic, what, word[HOOK_WORDS];
} dwell_hook_control;

#if HOOK_PARM == HOOK_PARM_NAME
static const char name[] __attribute__((aligned(4))) = "some_function";
#define CALL(hook) hook(name)
#else
#define CALL(hook) hook()
#endif

void some_function(void);

__attribute__((noinline)) void some_function(void)
{
	CALL(entry_hook);
	CALL(exit_hook);
	CALL(__entry_hook);
	CALL(entry_hook_circular);
	CALL(exit_hook_circular);
	__asm__ volatile("");
}

int main(void)
{
	static const uint32_t types[5] = {0, 1, 0, 0, 1};
	uint32_t wrong = 0;

	hook_init();
	some_function();
	for (uint32_t i = 0; i < 5; i++) {
		uint32_t place = ProfileData[i].address_type & ~3u;

		wrong += (ProfileData[i].address_type & 3) != types[i];
#if HOOK_PARM == HOOK_PARM_NAME
		wrong += place != (uint32_t)(uintptr_t)name;
#else
		/* Each call is behind the one before, in a function of a few instructions. */
		wrong += place <= ((uint32_t)(uintptr_t)some_function & ~3u) || place > (uint32_t)(uintptr_t)some_function + 80;
		wrong += i && place <= (ProfileData[i - 1].address_type & ~3u);
#endif
	}
	board_print_number("wrong ", wrong);
#ifdef STANDS
	board_stand();
#endif
	return wrong || uiProfileDataCnt != 5 || dwell_hook_control.what != HOOK_WHAT(HOOK_PARM, 4);
}
