/* values: what the open calls of a stack were given, and what those that end give back. For thread.c, where somebody asks for it. */
#ifndef DWELL_HOST_MODEL_THREAD_VALUES_H
#define DWELL_HOST_MODEL_THREAD_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "core/pair.h"
#include "model/call.h"
#include "reader/message.h"

/* Zeroed: empty. */
struct values {
	struct call_values *list; /* by index of the frame */
	uint32_t capacity;
	uint32_t entered;  /* index + 1 of the frame that arguments belong to, 0: none */
	bool has_returned; /* what the exit that is being fed returns: … */
	uint64_t returned;
};

/* A frame appeared at index; arguments that follow are its. frames: for how many there is room. Where there is no memory they are not
 * known. */
void values_enter(struct values *values, uint32_t index, uint32_t frames);
void values_add(struct values *values, const uint64_t *argument); /* null: it is not known */
void values_returns_to(struct values *values, uint64_t address);
/* An exit is about to be fed. next: the event behind it, null: none. */
void values_exit(struct values *values, const struct event *next);
/* Of a call that ends; null: nothing is known, as of one whose entry is missing. Until the next event. */
const struct call_values *values_leave(struct values *values, const struct dwell_call *call);
/* Of an open one. */
const struct call_values *values_of(const struct values *values, uint32_t index);
void values_clear(struct values *values);

#endif
