/* SPDX-License-Identifier: MIT
 *
 * The sampling interrupt. The processor has pushed its status and the program counter,
 * in this order from the top of the stack (a 68010 and later: and a word behind them).
 *
 * Context: MFP timer A, or the vertical blank; all registers of the interrupted code are
 * kept. 21 instructions here, 12 for the vertical blank, and those of dwell_tally_sample. */
	.text
/* Each period differs: sampling in step with a program that is in step with the display, or with its own
 * timer, would hit one place again and again. The timer loads the new count when the current one has run down. */
	.globl	sample_timer
sample_timer:
	movem.l	%d0-%d1/%a0-%a1, -(%sp)
	subq.w	#1, sample_left
	bne.s	1f
	move.w	sample_periods, sample_left
	move.l	18(%sp), %d0
	sub.l	sample_text, %d0
	move.l	%d0, -(%sp)
	pea	sample_tally
	jsr	dwell_tally_sample
	addq.l	#8, %sp
1:	move.w	sample_random, %d0
	mulu	#25173, %d0
	add.w	#13849, %d0
	move.w	%d0, sample_random
	mulu	sample_span, %d0
	swap	%d0			| 0 to span - 1
	add.w	sample_base, %d0
	move.b	%d0, 0xFFFFFA1F.w	| timer A's data
	movem.l	(%sp)+, %d0-%d1/%a0-%a1
	move.b	#0xDF, 0xFFFFFA0F.w	| timer A is served
	rte

	.globl	sample_blank
sample_blank:
	movem.l	%d0-%d1/%a0-%a1, -(%sp)
	move.l	18(%sp), %d0
	sub.l	sample_text, %d0
	move.l	%d0, -(%sp)
	pea	sample_tally
	jsr	dwell_tally_sample
	addq.l	#8, %sp
	movem.l	(%sp)+, %d0-%d1/%a0-%a1
	move.l	sample_next, -(%sp)	| TOS wants it, too
	rts

	.bss
	.balign	4
	.globl	sample_text, sample_next, sample_random, sample_span, sample_base, sample_left, sample_periods
sample_text:
	.long	0
sample_next:
	.long	0
sample_random:
	.word	0
sample_span:
	.word	0
sample_base:
	.word	0
sample_left:
	.word	0
sample_periods:
	.word	0
