/* stack_walker: a walker (reader/walker.h) by the tables in the files that are mapped, as they are now. Of a file that is another build
 * than the one that was mapped nothing is used. */
#ifndef DWELL_HOST_QUERY_STACK_WALKER_H
#define DWELL_HOST_QUERY_STACK_WALKER_H

#include "reader/walker.h"

/* Null: no memory. Freed by its free. */
struct walker *make_stack_walker(void);

#endif
