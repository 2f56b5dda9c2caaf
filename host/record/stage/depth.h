/* depth: drops calls nested deeper than a limit, and jumps from one dropped call to another. */
#ifndef DWELL_HOST_RECORD_STAGE_DEPTH_H
#define DWELL_HOST_RECORD_STAGE_DEPTH_H

#include "record/stage/stage.h"

/* limit: the greatest depth to keep, not 0; 1: only calls without a caller. Null: no memory. */
struct stage *make_depth_stage(uint32_t limit);

#endif
