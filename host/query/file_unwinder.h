/* file_unwinder: finds the callers in copies of stacks by the unwind tables of the recorded programs' files (reader/unwinder.h). */
#ifndef DWELL_HOST_QUERY_FILE_UNWINDER_H
#define DWELL_HOST_QUERY_FILE_UNWINDER_H

#include "reader/unwinder.h"

extern const struct reader_unwinder file_unwinder;

#endif
