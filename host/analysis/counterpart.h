/* counterpart: the function of a recording that corresponds to a function of another recording of the same program. For joined.c.
 *
 * In files of one build, functions at the same address of the file correspond. Otherwise functions with equal names in files of
 * equal names do; of names with a compiler's suffix (foo.part.0), foo if the recording does not have the piece itself. */
#ifndef DWELL_HOST_ANALYSIS_COUNTERPART_H
#define DWELL_HOST_ANALYSIS_COUNTERPART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/function/function.h"

/* The functions that may be found. Zero before the first use; counterparts_clear after the last. */
struct counterparts {
	struct counterpart {
		char *file, *name, *normal; /* owned; normal: the name without a compiler's suffix */
		uint64_t build, address;    /* build 0: unknown */
		bool nameless;              /* the name is only a position in the file */
		uint32_t id;
	} *list;
	size_t count, capacity;
	const struct counterpart **by_address, **by_name; /* made by counterparts_finish */
};

/* False: memory ran out. */
bool counterparts_add(struct counterparts *counterparts, struct functions *functions, uint32_t id);
/* After the last counterparts_add. False: memory ran out. */
bool counterparts_finish(struct counterparts *counterparts);
/* Sets *found to the id that was added for the function of another table; FUNCTION_NONE: there is none. False: memory ran out. */
bool counterparts_find(const struct counterparts *counterparts, struct functions *functions, uint32_t id, uint32_t *found);
void counterparts_clear(struct counterparts *counterparts);

#endif
