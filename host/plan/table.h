/* table: reads jump tables as far as their entries make sense. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_TABLE_H
#define DWELL_HOST_PLAN_TABLE_H

#include "plan/code.h"

/* Reads the jump table at `place`, and marks its targets. The jump that uses the table is at `from`, in the unwind entry `entry`.
 * base: the table has 4-byte distances from base; PLAN_NOWHERE: 8-byte addresses. exact: number of entries; 0: unknown.
 * *count: targets found; 0: this is no jump table of the function. Returns false if out of memory. */
bool plan_table_read(struct plan_code *code, const struct plan_entry *entry, uint32_t from, uint32_t place, uint32_t base,
	uint32_t exact, uint32_t *count);

#endif
