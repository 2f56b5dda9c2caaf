/* values: arguments, return addresses and return values of a stack's calls. For stack.c, with want_values. */
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
	uint32_t entered;  /* index + 1 of the frame that the next arguments belong to, 0: none */
	bool has_returned; /* the call of the present exit returned a value: … */
	uint64_t returned; /* … this one */
};

/* A frame appeared at index, and the next arguments belong to it. frames: the number to allocate
 * for. Without memory its values stay unknown. */
void values_enter(struct values *values, uint32_t index, uint32_t frames);
void values_add(struct values *values, const uint64_t *argument); /* null: not known */
void values_set_return_address(struct values *values, uint64_t address);
/* An exit follows. next: the event after it, null: none. */
void values_exit(struct values *values, const struct event *next);
/* The values of a call at its end; null: unknown, as for a call without entry. Valid until the next event. */
const struct call_values *values_leave(struct values *values, const struct dwell_call *call);
/* The values of the open call at index; null: unknown. */
const struct call_values *values_of(const struct values *values, uint32_t index);
void values_clear(struct values *values);

#endif
