/* A model that is fed one event after the other, a tick apart; of functions by number. */
#ifndef DWELL_TEST_UNIT_MODEL_FEED_H
#define DWELL_TEST_UNIT_MODEL_FEED_H

#include "model/model.h"

static struct model *model;
static uint64_t now;

static inline void feed(enum event_kind kind, uint32_t function)
{
	struct event event = {++now, 0x10000 + (uint64_t)function * 0x100, kind};
	struct message message = {
		.kind = MESSAGE_EVENTS, .events = {.place_kind = DWELL_PLACE_ADDRESS, .events = &event, .count = 1}};

	model_feed(model, &message);
}

#endif
