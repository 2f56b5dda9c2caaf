/* reason: the texts of the reasons (reason.h). */
#include "plan/reason.h"

const char *plan_reason_text(enum plan_reason reason)
{
	static const char *const texts[PLAN_REASONS] = {
		[PLAN_TIMED] = "",
		[PLAN_NO_ROOM_AT_EXIT] = "no room for a jump at an exit",
		[PLAN_JUMP_NOT_UNDERSTOOD] = "a jump whose targets are not known",
		[PLAN_EXIT_NOT_UNDERSTOOD] = "an exit that is not understood",
		[PLAN_SEVERAL_ENTRIES] = "called in the middle",
		[PLAN_UNREACHED] = "code that nothing known leads to",
		[PLAN_NO_ROOM_AT_ENTRY] = "no room for a jump at the entry",
		[PLAN_JUMP_ANYWHERE] = "a jump that may lead anywhere in it",
		[PLAN_ENTRY_JUMPED_TO] = "jumps back to its own entry",
		[PLAN_SHARED] = "shares code with another function",
		[PLAN_NOT_ENTERED] = "a part of another function",
		[PLAN_CODE_NOT_UNDERSTOOD] = "code that is not understood",
		[PLAN_OVERLAPS] = "overlaps another function",
		[PLAN_RESTARTABLE] = "a restartable sequence (rseq)",
		[PLAN_PASSES_FLAGS] = "gets or gives a value in the processor's flags",
		[PLAN_PROGRAM_ENTRY] = "the program's entry",
		[PLAN_LINKAGE] = "made by the linker",
	};

	return reason < PLAN_REASONS ? texts[reason] : "no memory";
}
