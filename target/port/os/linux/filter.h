/* SPDX-License-Identifier: MIT
 *
 * The filter: which functions record has no use for, by the files that it knew before the program ran. It is to save what they would
 * cost, and nothing depends on it: what is recorded of them all the same, record drops.
 *
 *     dwell_filter · dwell_filter_module[module_count] · for each module its functions, uint64_t, rising · paths
 *
 * Made by record in memory of its own, named in the session, mapped read-only by each agent.
 */
#ifndef DWELL_LINUX_FILTER_H
#define DWELL_LINUX_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#define DWELL_FILTER_MAGIC 0x3152544c49465744ull /* "DWFILTR1" */

struct dwell_filter_module {
	uint64_t path;      /* where it stands, zero-terminated */
	uint64_t functions; /* likewise: link-time addresses, bit 0 clear as in places */
	uint32_t function_count;
	uint32_t others;    /* 1: the functions are those that are wanted; 0: those that are not */
	uint32_t build_id_bytes;
	uint8_t build_id[20];
};

struct dwell_filter {
	uint64_t magic;
	uint64_t bytes; /* of all of it */
	uint32_t module_count;
	uint32_t unused;
	struct dwell_filter_module modules[];
};

/* The map of hooks: a byte for each 16 bytes of code, by the low half of its address; not 0: calls of the function that begins there are
 * not recorded; above 1: its enters are counted instead (throttle.h). A function with an enter and an exit hook is longer than that. */
#define DWELL_FILTER_GRANULE_SHIFT 4

#define FILTER_HIDDEN __attribute__((visibility("hidden")))

/* filter.c. Joins the filter of a session, empty: none, and leaves the one before; at start, or when nothing is recorded. */
void filter_begin(const char *path) FILTER_HIDDEN;
/* It was left, and no thread is on its way through it. */
void filter_release(void) FILTER_HIDDEN;
/* What the filter says of a mapped file; null: nothing, and all of it is wanted. */
const struct dwell_filter_module *filter_find(const char *path, const uint8_t *build_id, uint32_t build_id_bytes) FILTER_HIDDEN;
/* Whether the function is not wanted. address: link-time. Any thread, any signal; a search in a table. module may be null. */
bool filter_drops(const struct dwell_filter_module *module, uint64_t address) FILTER_HIDDEN;
/* Marks the functions of a module in [low, high) that are not wanted, and no others, in the map, which is made when it is needed first.
 * False: there is none, and hooks must not look into it. */
bool filter_mark(const struct dwell_filter_module *module, uint64_t low, uint64_t high, uint64_t bias) FILTER_HIDDEN;
/* Makes the map if there is none yet. False: there is no place for it. */
bool filter_make_map(void) FILTER_HIDDEN;
/* Of the map that was made: the byte of a place. */
void filter_set(uint64_t place, uint8_t value) FILTER_HIDDEN;
/* The map: the byte of a place is at filter_map[(uint32_t)place >> DWELL_FILTER_GRANULE_SHIFT]; null: none. Below 2 GiB. */
extern const volatile uint8_t *filter_map FILTER_HIDDEN;

#endif
