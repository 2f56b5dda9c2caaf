/* model: messages → profile, and finished calls for whom wants them. Keeps processes, threads, modules and clock; pairs through core/pair.
 * Knows no file format and no column. */
#ifndef DWELL_HOST_MODEL_MODEL_H
#define DWELL_HOST_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "core/pair.h"
#include "model/clock.h"
#include "model/function.h"
#include "model/profile.h"
#include "reader/message.h"
#include "util/diag.h"

/* One finished call, for calls, slowest, timeline. Crosses the border model → analysis. */
struct call {
	uint32_t stream;
	uint32_t function;
	uint32_t parent; /* function id of the caller, FUNCTION_NONE when outermost */
	uint32_t depth;
	uint32_t flags; /* enum dwell_call_flag */
	uint64_t enter_ticks, exit_ticks, total_ticks, self_ticks;
};
typedef void call_fn(void *context, const struct call *call);

struct model_options {
	bool want_profile;  /* fold into the profile */
	call_fn *on_call;   /* each finished call, in order of completion within its thread; null: none */
	void *call_context;
	/* Which threads count: null: all. A thread's name or number as the user typed it. */
	const char *thread;
};

struct model;
struct model *make_model(const struct model_options *options, struct diag *diag);
void free_model(struct model *model);

void model_feed(struct model *model, const struct message *message);
/* No more messages: open calls are finished where their thread's data ends. */
void model_finish(struct model *model);

const struct profile *model_profile(const struct model *model);
struct functions *model_functions(struct model *model);
const struct clock_map *model_clock(const struct model *model);

#endif
