/* table: tables of jumps, read as far as they make sense. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_TABLE_H
#define DWELL_HOST_PLAN_TABLE_H

#include "plan/code.h"

/* Reads the table at a place that a jump at from, in the entry, goes by. base: what its entries of 4 bytes are distances from;
 * PLAN_NOWHERE: its entries are addresses of 8 bytes. Marks what it leads to. exact: it has so many entries; 0: not known. *count: how
 * many there are; 0: this is no such table. False: no memory. */
bool plan_table_read(struct plan_code *code, const struct plan_entry *entry, uint32_t from, uint32_t place, uint32_t base,
	uint32_t exact, uint32_t *count);

#endif
