/* lines counted: buffers whose lines were being counted into statistics when the machine was stopped. */
#ifndef DWELL_CLASSIC_HOST_READER_NITRO_LINES_COUNTED_H
#define DWELL_CLASSIC_HOST_READER_NITRO_LINES_COUNTED_H

#include <stddef.h>

#include "classic/host/reader/nitro/lines_area.h"

/* Leaves counted lines out of their buffers: the calls open at the last counted line remain, and the lines behind it.
 * Marks statistics whose buffer is in the list. */
void lines_counted_leave_out(struct lines_area *list, size_t count);

#endif
