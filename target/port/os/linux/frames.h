/* SPDX-License-Identifier: MIT
 *
 * Walks the stack outwards by the unwind tables of the mapped files (.eh_frame): which functions have live frames, and where these
 * functions begin. The walk follows only the registers from which compilers compute frames. It ends where tables are missing or
 * have a form unknown here.
 */
#ifndef DWELL_LINUX_FRAMES_H
#define DWELL_LINUX_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

/* A function that is executing: it has called another one, or was interrupted. Callers set pc, sp, fp and exact;
 * frames_find_caller sets the rest. */
struct frame {
	uint64_t pc; /* return address of the call; exact: the interrupted instruction */
	uint64_t sp; /* stack pointer before that call */
	uint64_t fp; /* frame pointer, likewise */
	bool exact;
	uint64_t start, end; /* of the function's code; 0: the return from a signal handler */
	bool is_part;        /* start is not where the function begins */
	uint64_t cfa;        /* the frame is [sp, cfa) */
	uint64_t caller_pc, caller_sp, caller_fp;
	bool caller_exact;
};

enum frame_state {
	FRAME_UNKNOWN,
	FRAME_GOES_ON,   /* it has a caller */
	FRAME_OUTERMOST, /* it has no caller */
};

/* Rules found for some pcs, since recursion needs the same ones repeatedly. Initialise with pc = 0. */
#define FRAMES_REMEMBERED 8u
struct frame_rule {
	uint64_t pc, start, end;
	int32_t cfa_offset, fp_offset;
	uint8_t cfa_base, fp_base; /* enum in frames.c */
	bool outermost, is_part;
};
struct frame_rules {
	struct frame_rule rules[FRAMES_REMEMBERED];
};

/* Finds the caller of frame, and sets the rest of frame. Context: any thread, any signal; 10 to 200 ns. */
enum frame_state frames_find_caller(struct frame_rules *rules, struct frame *frame) __attribute__((visibility("hidden")));

/* Turns frame into the frame of its caller. pre: frames_find_caller returned FRAME_GOES_ON. */
static inline void frames_leave(struct frame *frame)
{
	frame->pc = frame->caller_pc;
	frame->sp = frame->caller_sp;
	frame->fp = frame->caller_fp;
	frame->exact = frame->caller_exact;
}

/* Returns the frame of the current function's caller. Current is the function that contains this call, after inlining. */
static inline __attribute__((always_inline)) struct frame frames_of_caller(void)
{
	const uint64_t *here = __builtin_frame_address(0);

	return (struct frame){.pc = here[1], .sp = (uint64_t)(here + 2), .fp = here[0]};
}

#endif
