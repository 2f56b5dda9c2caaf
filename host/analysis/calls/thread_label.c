/* thread_label: chooses the label of a thread. */
#include "analysis/calls/thread_label.h"

#include <inttypes.h>
#include <stdio.h>

struct thread_label make_thread_label(const struct model *model, uint32_t index)
{
	struct model_thread thread = model_get_thread(model, index);
	struct thread_label label;

	if (*thread.name && !model_shares_name(model, index))
		snprintf(label.text, sizeof label.text, "%s", thread.name);
	else if (!model_shares_tid(model, index))
		snprintf(label.text, sizeof label.text, "%" PRIu32, thread.tid);
	else
		snprintf(label.text, sizeof label.text, "%" PRIu32 "/%" PRIu32, thread.tid, thread.stream);
	return label;
}
