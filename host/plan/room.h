/* room: finds five unused bytes near a place where only two may change. The two bytes become a short jump to the five bytes. The
 * five bytes become a long jump to the plan's code. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_ROOM_H
#define DWELL_HOST_PLAN_ROOM_H

#include "plan/work.h"

/* Takes room within reach of a short jump at a place: padding between functions, or after a jump inside a function. Otherwise makes
 * room from the leftover bytes of a region of the same function, extended or new. *room: the place of the five bytes. Returns
 * false without room, or if out of memory. */
bool plan_room_find(struct plan_work *work, uint32_t at, uint32_t *room);

#endif
