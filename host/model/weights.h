/* weights: paths with a sum, and no time, → profile. For model.c. */
#ifndef DWELL_HOST_MODEL_WEIGHTS_H
#define DWELL_HOST_MODEL_WEIGHTS_H

#include "model/model.h"
#include "reader/message.h"

void weights_feed(struct model *model, const struct message_weight *message);

#endif
