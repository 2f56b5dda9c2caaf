/* SPDX-License-Identifier: MIT
 *
 * Walking the stack outwards, by the unwind tables of the mapped files (.eh_frame): which functions' frames are live, and where they
 * begin. Of all registers only those are followed that compilers compute frames from. Where the tables say what is not understood here,
 * or nothing, the walk is over.
 */
#ifndef DWELL_LINUX_FRAMES_H
#define DWELL_LINUX_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

/* A function that is being executed: it called something, or was interrupted. Set pc, sp, fp and exact, the rest is frames_look's. */
struct frame {
	uint64_t pc; /* behind the call; exact: of the instruction that was interrupted */
	uint64_t sp; /* as it is in front of that call */
	uint64_t fp; /* likewise */
	bool exact;
	uint64_t start, end; /* of its code; 0: the way back from a signal handler */
	bool is_part;        /* that is not where the function begins */
	uint64_t cfa;        /* its frame is [sp, cfa) */
	uint64_t caller_pc, caller_sp, caller_fp;
	bool caller_exact;
};

enum frame_state {
	FRAME_UNKNOWN,
	FRAME_GOES_ON,   /* somebody called it */
	FRAME_OUTERMOST, /* nobody did */
};

/* What was found out for some pcs: recursion asks again and again. Zeroed at first. */
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

/* Context: any thread, any signal; 10 to 200 ns. */
enum frame_state frames_look(struct frame_rules *rules, struct frame *frame) __attribute__((visibility("hidden")));

/* pre: FRAME_GOES_ON. */
static inline void frames_leave(struct frame *frame)
{
	frame->pc = frame->caller_pc;
	frame->sp = frame->caller_sp;
	frame->fp = frame->caller_fp;
	frame->exact = frame->caller_exact;
}

/* Who called the function that this is written in, or inlined into. */
static inline __attribute__((always_inline)) struct frame frames_of_caller(void)
{
	const uint64_t *here = __builtin_frame_address(0);

	return (struct frame){.pc = here[1], .sp = (uint64_t)(here + 2), .fp = here[0]};
}

#endif
