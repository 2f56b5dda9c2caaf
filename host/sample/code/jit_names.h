/* jit_names: writes the names of functions made at run time, as the programs wrote them (perf_map.h). */
#ifndef DWELL_HOST_SAMPLE_CODE_JIT_NAMES_H
#define DWELL_HOST_SAMPLE_CODE_JIT_NAMES_H

#include "sample/code/images.h"

/* Writes the names of the sampled functions to the trace, and their number as the fact "jit-names". Skips a map that is not
 * trustworthy, and adds a diag. Leave the processes' ranges alone afterwards. */
void jit_names_write(struct images *images);

#endif
