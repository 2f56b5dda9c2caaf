/* producer: which compiler made the units of a program, with which options, as its debug information says. */
#ifndef DWELL_HOST_SYMBOL_DEBUG_PRODUCER_H
#define DWELL_HOST_SYMBOL_DEBUG_PRODUCER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol/symbol.h"

/* How many of the units of the program at path, or of its separate debug file, have a producer that is so. want as for symbols. 0 where
 * nothing is said. */
size_t producer_count(const char *path, const struct symbol_want *want, bool (*is)(const char *producer));

/* Whether GCC was told to call hooks (-finstrument-functions) and optimised, and not told to leave results in front of the exit hook
 * (-fno-tree-ter). */
bool producer_moves_results(const char *producer);

#endif
