/* producer: the compilers of a program's units and their options, according to the debug information (DW_AT_producer). `dwell
 * record` warns with it about hooks in the wrong place. */
#ifndef DWELL_HOST_SYMBOL_DEBUG_PRODUCER_H
#define DWELL_HOST_SYMBOL_DEBUG_PRODUCER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/symbol.h"

/* Counts the units of the program at path, or of its separate debug file, with a producer
 * for which `is` returns true. request as in symbol.h. 0 without debug information. */
size_t producer_count(const char *path, const struct symbol_request *request, bool (*is)(const char *producer));

/* Returns whether GCC compiled with hooks (-finstrument-functions) and optimisation, and
 * without -fno-tree-ter, which keeps the computation of results in front of the exit hook. */
bool producer_moves_results(const char *producer);

#endif
