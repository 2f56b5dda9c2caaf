/* emit: writes the code of a plan: moved instructions, gates, jumps back. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_EMIT_H
#define DWELL_HOST_PLAN_EMIT_H

#include "plan/work.h"

/* An instruction in the code of a plan, and the place in the file with the same unwind rules. */
struct plan_note {
	uint32_t code, place;
};

/* A function's notes, and the position after its code. */
struct plan_part {
	uint32_t first_note, note_count, code_end;
};

/* The parts of a plan while the functions are planned; assemble.c joins the parts. */
struct plan_output {
	uint8_t *code;
	size_t code_bytes, code_capacity;
	uint32_t *fixups;
	size_t fixup_count, fixup_capacity;
	struct dwell_plan_site *sites;
	size_t site_count, site_capacity;
	struct dwell_plan_function *functions;
	size_t function_count, function_capacity;
	struct plan_note *notes; /* sorted by code; place PLAN_NOWHERE: the return address is on top of the stack */
	size_t note_count, note_capacity;
	struct plan_part *parts; /* one for each function */
	size_t part_capacity;
	uint64_t text_bytes, timed_bytes; /* bytes of code in the file; bytes thereof in timed functions */
	uint32_t leaving_count; /* number of functions that can jump out of their callers, planned or not */
};

/* Adds a function with chosen regions. is_counted: gates only at the entry, none at the exits. Returns false if out of memory, or
 * if the plan would exceed a limit of the format (DWELL_PLAN_…_MAX). */
bool plan_emit(struct plan_output *output, const struct plan_work *work, bool is_counted);
/* Sorts the functions by address, and updates all references to functions. Returns false if out of memory. */
bool plan_output_sort(struct plan_output *output);
void plan_output_clear(struct plan_output *output);

#endif
