/* thread_label: the text that stands for a thread in tables of single calls. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_THREAD_LABEL_H
#define DWELL_HOST_ANALYSIS_CALLS_THREAD_LABEL_H

#include "model/model.h"

struct thread_label {
	char text[80];
};

/* The thread's name, if unique; else the tid; if the tid is not unique either, with the stream. Unique means: among
 * the threads known so far. */
struct thread_label make_thread_label(const struct model *model, uint32_t index);

#endif
