/* The traps and interrupts of shim.c. */
	.text
/* GEMDOS: what shim_gemdos knows is done there; the rest is for whoever had the trap before. A program in user mode has its words
 * on the user stack, one in supervisor mode behind the exception's frame. */
	.globl	shim_trap_1
shim_trap_1:
	movem.l	%d1-%d2/%a0-%a2, -(%sp)
	lea	26(%sp), %a1
	btst	#5, 20(%sp)
	bne.s	1f
	move.l	%usp, %a1
1:	move.l	%a1, -(%sp)
	jsr	shim_gemdos
	addq.l	#4, %sp
	tst.l	shim_passes
	movem.l	(%sp)+, %d1-%d2/%a0-%a2
	bne.s	2f
	rte
2:	move.l	shim_old_trap_1, -(%sp)
	rts

	.globl	shim_trap_14
shim_trap_14:
	movem.l	%d1-%d2/%a0-%a2, -(%sp)
	lea	26(%sp), %a1
	btst	#5, 20(%sp)
	bne.s	1f
	move.l	%usp, %a1
1:	move.l	%a1, -(%sp)
	jsr	shim_xbios
	addq.l	#4, %sp
	movem.l	(%sp)+, %d1-%d2/%a0-%a2
	rte

	.globl	shim_vertical_blank, shim_horizontal_blank, shim_clock
shim_vertical_blank:
	addq.l	#1, 0x462.w
shim_horizontal_blank:
	rte
shim_clock:
	addq.l	#1, 0x4BA.w
	move.b	#0xDF, 0xFFFFFA11.w
	rte

/* long shim_start(basepage): runs a program in user mode until it calls Pterm. Programs nest. */
	.globl	shim_start, shim_end
shim_start:
	move.l	4(%sp), %a0
	movem.l	%d2-%d7/%a2-%a6, -(%sp)
	move.l	%usp, %a1
	move.l	%a1, -(%sp)
	move.l	saved_stack, -(%sp)
	move.l	%sp, saved_stack
	move.l	4(%a0), %a1		| its stack is at the end of its memory
	move.l	%a0, -(%a1)
	clr.l	-(%a1)
	move.l	%a1, %usp
	move.l	8(%a0), -(%sp)
	move.w	#0x0300, -(%sp)
	rte
/* shim_end(status): never returns here, but from shim_start. */
shim_end:
	move.l	4(%sp), %d0
	move.l	saved_stack, %sp
	move.l	(%sp)+, saved_stack
	move.l	(%sp)+, %a1
	move.l	%a1, %usp
	movem.l	(%sp)+, %d2-%d7/%a2-%a6
	rts

/* The emulator's own calls. */
	.globl	shim_feature, shim_call_feature
shim_feature:
	.short	0x7300
	rts
shim_call_feature:
	.short	0x7301
	rts

/* Where the emulator's profile begins and ends. */
	.globl	shim_profile_begins, shim_profile_ends
shim_profile_begins:
	nop
	rts
shim_profile_ends:
	nop
	rts

	.bss
	.balign	4
	.globl	shim_passes, shim_old_trap_1
shim_passes:
	.long	0
shim_old_trap_1:
	.long	0
saved_stack:
	.long	0
