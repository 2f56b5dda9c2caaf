/* depth: drops calls that are deeper than so many, one in another; and a jump from one such call to another with them. */
#ifndef DWELL_HOST_RECORD_STAGE_DEPTH_H
#define DWELL_HOST_RECORD_STAGE_DEPTH_H

#include "record/stage/stage.h"

/* Null: no memory. */
struct stage *make_depth(uint32_t limit);

#endif
