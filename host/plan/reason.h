/* reason: the reasons for not timing a function, as `dwell symbols --sites` lists them. reason.c has a text for each. */
#ifndef DWELL_HOST_PLAN_REASON_H
#define DWELL_HOST_PLAN_REASON_H

enum plan_reason {
	PLAN_TIMED, /* timed: at the entry and all exits */
	/* Its calls are counted: */
	PLAN_NO_ROOM_AT_EXIT,
	PLAN_JUMP_NOT_UNDERSTOOD,
	PLAN_EXIT_NOT_UNDERSTOOD,
	PLAN_SEVERAL_ENTRIES,
	PLAN_UNREACHED,
	/* It is left alone: */
	PLAN_NO_ROOM_AT_ENTRY,
	PLAN_JUMP_ANYWHERE,
	PLAN_ENTRY_JUMPED_TO,
	PLAN_SHARED,
	PLAN_NOT_ENTERED,
	PLAN_CODE_NOT_UNDERSTOOD,
	PLAN_OVERLAPS,
	PLAN_RESTARTABLE,
	PLAN_PASSES_FLAGS,
	PLAN_PROGRAM_ENTRY,
	PLAN_LINKAGE,
	PLAN_REASONS, /* the number of reasons; as a result: out of memory */
};
#define PLAN_LEFT_ALONE PLAN_NO_ROOM_AT_ENTRY /* the first of these reasons */

/* Returns a text for users, for example "a jump whose targets are not known". */
const char *plan_reason_text(enum plan_reason reason);

#endif
