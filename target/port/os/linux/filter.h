/* SPDX-License-Identifier: MIT
 *
 * The filter: functions for which record has no use, in files known before the program ran. The filter only saves the cost of their
 * calls: if some are still recorded, record drops them.
 *
 *     dwell_filter · dwell_filter_module[module_count] · for each module its functions, uint64_t, rising · paths
 *
 * record makes the filter in memory of its own, the session names this memory, and each agent maps it read-only.
 */
#ifndef DWELL_LINUX_FILTER_H
#define DWELL_LINUX_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#define DWELL_FILTER_MAGIC 0x3152544c49465744ull /* "DWFILTR1" */

struct dwell_filter_module {
	uint64_t path;      /* offset of the path, zero-terminated */
	uint64_t functions; /* offset of the functions: link-time addresses, bit 0 clear as in places */
	uint32_t function_count;
	uint32_t lists_wanted;    /* 1: only the listed functions are recorded; 0: all others are */
	uint32_t build_id_bytes;
	uint8_t build_id[20];
};

struct dwell_filter {
	uint64_t magic;
	uint64_t bytes; /* size of the whole filter */
	uint32_t module_count;
	uint32_t unused;
	struct dwell_filter_module modules[];
};

/* The map of hooks: one byte for each 16 bytes of code, by the low half of the address. 0: the function at this address
 * is recorded; 1: dropped; above 1: its enters are counted instead (throttle.h). A function with an enter and an exit
 * hook is longer than 16 bytes. */
#define DWELL_FILTER_GRANULE_SHIFT 4

#define FILTER_HIDDEN __attribute__((visibility("hidden")))

/* filter.c. Leaves the last filter and joins the filter of a session (empty: none). At the start, or while recording is off. holds:
 * as keeps of held_open (held.h). */
void filter_begin(const char *path, bool holds) FILTER_HIDDEN;
/* Unmaps the filter of the last filter_begin; earlier filters stay mapped. pre: no thread uses the filter. */
void filter_release(void) FILTER_HIDDEN;
/* Returns the filter's entry for a mapped file, valid until filter_begin; null: all functions of the file are recorded. */
const struct dwell_filter_module *filter_find(const char *path, const uint8_t *build_id, uint32_t build_id_bytes) FILTER_HIDDEN;
/* Whether the filter drops the function at this link-time address. module may be null. Any thread, any
 * signal; a search in a table. */
bool filter_drops(const struct dwell_filter_module *module, uint64_t address) FILTER_HIDDEN;
/* Marks in the map the functions of a module in [low, high) that the filter drops, and clears all other bytes of the range. Makes
 * the map at first use. module null: only clears. False: marked nothing, since module is null or there is no memory for the map. */
bool filter_mark(const struct dwell_filter_module *module, uint64_t low, uint64_t high, uint64_t bias) FILTER_HIDDEN;
/* Makes the map at the first call. False: no memory for the map. */
bool filter_make_map(void) FILTER_HIDDEN;
/* Sets the byte of a place. pre: the map was made. */
void filter_set(uint64_t place, uint8_t value) FILTER_HIDDEN;
/* The map: the byte of a place is at filter_map[(uint32_t)place >> DWELL_FILTER_GRANULE_SHIFT]. Null: no map yet; once made, the
 * map stays. The map's address is below 2 GiB. */
extern const volatile uint8_t *filter_map FILTER_HIDDEN;

#endif
