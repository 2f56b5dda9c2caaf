/* filter_stage: drops what a filter does not want. Behind it is a program that never called what was dropped: the time is the caller's. */
#ifndef DWELL_HOST_RECORD_STAGE_FILTER_STAGE_H
#define DWELL_HOST_RECORD_STAGE_FILTER_STAGE_H

#include "record/stage/filter.h"
#include "record/stage/stage.h"

/* The filter as a stage: it is freed as that. */
struct stage *filter_get_stage(struct filter *filter);

#endif
