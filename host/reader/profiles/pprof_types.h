/* pprof_types: what a profile of pprof counts: it has several values for each sample, of a type each. */
#ifndef DWELL_HOST_READER_PROFILES_PPROF_TYPES_H
#define DWELL_HOST_READER_PROFILES_PPROF_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include "proto/pprof.pb-c.h"
#include "reader/events.h"

#define PPROF_UNIT_BYTES 32
#define PPROF_LIST_BYTES 512

struct pprof_types {
	size_t index;    /* of the type that is read: the user's event, else the one to show first, else the last one */
	uint64_t factor; /* multiplies the type's values: nanoseconds for times, else 1 */
	char unit[PPROF_UNIT_BYTES];    /* of the multiplied values: "ns", or the profile's own word */
	char list[PPROF_LIST_BYTES];    /* all types with their units, for `dwell info` */
	char counted[EVENTS_TEXT_BYTES]; /* as events_write writes */
};

/* pre: the profile has a type. False and a diag: none is the event that the user asked for. */
bool pprof_types_find(const Pprof__Profile *profile, const struct reader_input *input, struct pprof_types *types);

/* Returns a text of the profile by its index; "": there is none. Borrowed. */
const char *pprof_get_text(const Pprof__Profile *profile, int64_t index);

#endif
