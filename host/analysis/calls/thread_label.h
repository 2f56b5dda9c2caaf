/* thread_label: what a thread is called in a table of single calls. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_THREAD_LABEL_H
#define DWELL_HOST_ANALYSIS_CALLS_THREAD_LABEL_H

#include "model/model.h"

struct thread_label {
	char text[80];
};

/* The name where it is the only one; else the number; where that was used again, too, with the stream. As far as is known by now. */
struct thread_label make_thread_label(const struct model *model, uint32_t index);

#endif
