/* jit_names: what functions are called that programs made while they ran, as these wrote it themselves (perf_map.h). */
#ifndef DWELL_HOST_SAMPLE_CODE_JIT_NAMES_H
#define DWELL_HOST_SAMPLE_CODE_JIT_NAMES_H

#include "sample/code/images.h"

/* Names for the trace, of those that were sampled; how many have one is in it as "jit-names". Of a map that is not to be trusted nothing is
 * taken, and that is a diag. Their processes' ranges are not to be used behind it. */
void jit_names_write(struct images *images);

#endif
