/* inlines: of the addresses that were sampled, which functions' code the compiler put there: for who asks before the trace is read,
 * since the model forgets addresses once a function is known. Needs debug information; a file is opened when the first address in it is
 * asked for, and an address is asked about once. */
#ifndef DWELL_HOST_MODEL_FUNCTION_INLINES_H
#define DWELL_HOST_MODEL_FUNCTION_INLINES_H

#include <stdint.h>

#include "model/function/function.h"
#include "util/diag.h"

/* functions are borrowed. Null: no memory. */
struct inlines;
struct inlines *make_inlines(struct functions *functions, struct diag *diag);
void free_inlines(struct inlines *inlines);

/* Ids of the functions at a run-time address, outermost first, without the one that they were put into; valid until the next call.
 * Returns how many: 0 is usual. UINT32_MAX: no memory. */
uint32_t inlines_find(struct inlines *inlines, uint32_t process, uint64_t address, uint64_t ticks, const uint32_t **ids);

/* No more addresses: what could not be answered is a diag. */
void inlines_finish(struct inlines *inlines);

#endif
