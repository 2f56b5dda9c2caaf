/* SPDX-License-Identifier: MIT
 *
 * The entry point of PROFILE.PRG, and the calls of TOS. TOS preserves d3–d7 and a3–a6. */
	.section .text.start, "ax"
	.globl	_start
_start:
	move.l	4(%sp), %a0		| the basepage
	lea	stack_end, %sp
	move.l	%a0, tos_basepage
	| text, data, bss and the basepage itself are ours; the rest is given back, the program needs it
	move.l	12(%a0), %d0
	add.l	20(%a0), %d0
	add.l	28(%a0), %d0
	add.l	#256, %d0
	move.l	%d0, -(%sp)
	move.l	%a0, -(%sp)
	clr.w	-(%sp)
	move.w	#0x4A, -(%sp)		| Mshrink
	trap	#1
	lea	12(%sp), %sp
	jsr	atari_main
	move.w	%d0, -(%sp)
	move.w	#0x4C, -(%sp)		| Pterm
	trap	#1
	illegal

	.text
/* long tos_gemdos(const uint16_t *words, uint32_t count), tos_xbios: calls TOS with count words on the stack, the first on top. */
	.globl	tos_gemdos, tos_xbios
tos_gemdos:
	bsr.s	push
	trap	#1
	bra.s	pop
tos_xbios:
	bsr.s	push
	trap	#14
pop:	move.l	%a3, %sp
	movem.l	(%sp)+, %d2/%a2-%a3
	rts
push:	move.l	(%sp)+, %a1
	move.l	4(%sp), %a0
	move.l	8(%sp), %d0
	movem.l	%d2/%a2-%a3, -(%sp)
	move.l	%sp, %a3
	add.l	%d0, %a0
	add.l	%d0, %a0
1:	move.w	-(%a0), -(%sp)
	subq.l	#1, %d0
	bne.s	1b
	jmp	(%a1)

	.bss
	.globl	tos_basepage
	.balign	4
tos_basepage:
	.long	0
	.space	8192
stack_end:
	.long	0
