/* jit_names: at the end of sampling, writes the names of functions that programs generated at run time. The names come from the
 * maps that the programs wrote (perf_map.h). */
#ifndef DWELL_HOST_SAMPLE_CODE_JIT_NAMES_H
#define DWELL_HOST_SAMPLE_CODE_JIT_NAMES_H

#include "sample/code/images.h"

/* Writes the names of the sampled functions to the trace, and their number as the fact "jit-names". Skips a map that is not
 * trustworthy, and adds a diag. Call no jit_… function for the images afterwards: the addresses are sorted in place. */
void jit_names_write(struct images *images);

#endif
