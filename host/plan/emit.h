/* emit: the code of a plan: moved instructions, gates, jumps back. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_EMIT_H
#define DWELL_HOST_PLAN_EMIT_H

#include "plan/work.h"

/* An instruction of the code of a plan, and the place of the one in the file where callers' registers are found in the same way. */
struct plan_note {
	uint32_t code, place;
};

/* A function's notes, and its unwind entry's place. */
struct plan_part {
	uint32_t first_note, note_count, code_end;
};

struct plan_output {
	uint8_t *code;
	size_t code_bytes, code_capacity;
	uint32_t *fixups;
	size_t fixup_count, fixup_capacity;
	struct dwell_plan_site *sites;
	size_t site_count, site_capacity;
	struct dwell_plan_function *functions;
	size_t function_count, function_capacity;
	struct plan_note *notes; /* in order of code; place PLAN_NOWHERE: the return address is on top */
	size_t note_count, note_capacity;
	struct plan_part *parts; /* of each function */
	size_t part_capacity;
	uint32_t leaving_count; /* functions that can jump out of their callers, planned or not */
};

/* Adds a function, whose regions are chosen. False: no memory, or there is too much code. */
bool plan_emit(struct plan_output *output, const struct plan_work *work, bool is_counted);
/* Functions and what is of them, in order of address. False: no memory. */
bool plan_output_sort(struct plan_output *output);
void plan_output_clear(struct plan_output *output);

#endif
