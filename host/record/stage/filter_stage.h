/* filter_stage: drops the events of functions that a filter drops. The output is the recording of a program that never called these
 * functions; the functions' time counts for their callers. */
#ifndef DWELL_HOST_RECORD_STAGE_FILTER_STAGE_H
#define DWELL_HOST_RECORD_STAGE_FILTER_STAGE_H

#include "record/stage/filter.h"
#include "record/stage/stage.h"

/* The filter as a stage. Freeing the stage frees the filter. */
struct stage *filter_get_stage(struct filter *filter);

#endif
