/* The hooks, interrupted before each of their instructions by a handler with hooks, while the counter comes round at each of them.
 * In each trial an entry, a switch and an exit; whatever comes between, each record must be there once, whole, in the order of
 * time, and of a time that can be. Prints how many trials went wrong, and the addresses at which interrupts came. */
#include "board.h"
#include "classic/core/hook_records.h"
#include "hook.h"

#ifdef CIRCULAR
#define entry_hook entry_hook_circular
#define exit_hook exit_hook_circular
#define task_switch_hook task_switch_hook_circular
#endif
#define OWN ((void (*)(void))0x1000)
#define HANDLER ((void (*)(void))0x2000)
#define PLACES 4096 /* code that interrupts may come to, 4 bytes for each two of it */
#ifndef SLACK
#define SLACK 1000 /* counts that a trial may take */
#endif

extern char hooks_begin[];
static uint8_t seen[PLACES];
static volatile int came;

NO_HOOKS void board_interrupted(uintptr_t at)
{
	uintptr_t place = (at - ((uintptr_t)hooks_begin & ~(uintptr_t)1)) / 2;

	if (place < PLACES)
		seen[place] = 1;
	entry_hook(HANDLER);
	exit_hook(HANDLER);
	came = 1;
}

/* Whether the records are these: the handler's two anywhere, together, and around them the trial's in their order. */
NO_HOOKS static int is_right(uint64_t start)
{
	static const uint32_t own[4] = {0x1000, 0x43, 0x82, 0x1001};
	uint64_t before = start;
	unsigned next = 0, handlers = 0;

	if (uiProfileDataCnt != 6)
		return 0;
	for (unsigned i = 0; i < 6; i++) {
		const Hook_Record *record = &ProfileData[i];
		uint64_t time = (uint64_t)record->TSCH << 32 | record->TSCL;

		if (time < before || time > start + SLACK)
			return 0;
		if (record->address_type == 0x2000) {
			if (++handlers != 1 || i == 5 || record[1].address_type != 0x2001)
				return 0;
		} else if (record->address_type == 0x2001) {
			if (++handlers != 2)
				return 0;
		} else if (record->address_type != own[next++]) {
			return 0;
		} else if (record->address_type == 0x82 && (record[-1].address_type != 0x43 || time != before)) {
			return 0;
		}
		before = time;
	}
	return handlers == 2 && next == 4;
}

NO_HOOKS int main(void)
{
	uint32_t trials = 0, wrong = 0;

	for (uint32_t wait = WAIT_FROM; wait < WAIT_TO; wait++)
		for (uint32_t ahead = AHEAD_STEP; ahead < AHEAD; ahead += AHEAD_STEP) {
			uint64_t start;

			hook_init();
			came = 0;
			start = board_come_round_in(ahead);
			board_interrupt_in(wait);
			entry_hook(OWN);
			task_switch_hook(0x40, 0x80);
			exit_hook(OWN);
			while (!came)
				;
			trials++;
			if (!is_right(start) && ++wrong == 1) {
				board_print_number("wait ", wait);
				board_print_number("ahead ", ahead);
				board_print_number("records ", uiProfileDataCnt);
				for (unsigned i = 0; i < 6; i++) {
					board_print_number("  ", ProfileData[i].address_type);
					board_print_number("  at ", ProfileData[i].TSCL);
					board_print_number("     ", ProfileData[i].TSCH);
				}
			}
		}
	for (uint32_t i = 0; i < PLACES; i++)
		if (seen[i])
			board_print_number("at ", ((uint32_t)(uintptr_t)hooks_begin & ~1u) + 2 * i);
	board_print_number("wrong ", wrong);
	board_print_number("trials ", trials);
	return wrong != 0 || trials < 1000;
}
