/* facts: what is said about a recording for people, as a chunk INFO of the trace or of the session. */
#ifndef DWELL_HOST_RECORD_SINK_FACTS_H
#define DWELL_HOST_RECORD_SINK_FACTS_H

#include <stdint.h>

#include "reader/message.h"
#include "record/session/recording.h"

struct facts {
	char kernel[256], ring[24], left_out[300];
	struct message_info list[7]; /* points into this, and into the options */
	uint32_t count;
};

void facts_make(struct facts *facts, const struct recording_options *options);

#endif
