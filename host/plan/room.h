/* room: five bytes that nobody runs, near to where only two may change. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_ROOM_H
#define DWELL_HOST_PLAN_ROOM_H

#include "plan/work.h"

/* Whether nobody runs the byte, and no plan has taken it. */
static inline bool plan_byte_is_free(const struct plan_code *code, uint32_t at)
{
	return plan_code_has(code, at) && (*plan_code_at(code, at) & (BYTE_FREE | BYTE_USED | BYTE_TARGET)) == BYTE_FREE;
}

/* Takes room that a short jump at a place reaches: between functions, or behind a jump in one; else it is made, in what is left of a region
 * of the same function, which grows, or which is new. False: there is none. */
bool plan_room_find(struct plan_work *work, uint32_t at, uint32_t *room);

#endif
