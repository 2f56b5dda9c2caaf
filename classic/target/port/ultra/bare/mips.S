/* SPDX-License-Identifier: MIT
 *
 * The sampling interrupt of a big-endian MIPS III, VR4300 or R4000, completely in assembly: the compiled dwell_histogram_sample()
 * needs too many registers, whose saving costs too much. The exception vector, or the system's code there, jumps here when Cause
 * shows that Count has reached Compare; k0 and k1 are free as usual, all other registers are unchanged. Returns by eret.
 *
 * All data lies in 128 bytes, so that k0 reaches all of it. The binary search is unrolled, four
 * instructions a round, and is entered where as many rounds are left as the table needs. text <= pc is the
 * same as text < pc + 1, so pc is one higher here, which makes no difference to counters of four bytes. */
#include "classic/core/histogram.h"

#define WORD(number) (HISTOGRAM_HEAD_BYTES + 4 * (number))
#define LAST WORD(HISTOGRAM_WORD_LAST)
#define SEGMENTS WORD(HISTOGRAM_WORD_SEGMENTS)
#define OVERFLOW WORD(HISTOGRAM_WORD_OVERFLOW)
#define TEXT (4 * HISTOGRAM_SEGMENT_TEXT)
#define BYTES (4 * HISTOGRAM_SEGMENT_BYTES)
#define COUNTERS (4 * HISTOGRAM_SEGMENT_COUNTERS)
#define SEGMENT_SHIFT 4
#define CONTROL_BYTES WORD(HISTOGRAM_WORDS)
/* Offsets behind the control area. */
#define STATE CONTROL_BYTES
#define BASE (CONTROL_BYTES + 4)
#define MASK (CONTROL_BYTES + 8)
#define SEARCH (CONTROL_BYTES + 12)
#define SAVED ((CONTROL_BYTES + 16 + 7) & ~7)
#define BLOCK_BYTES (SAVED + 2 * 8)

#define v0 $2
#define v1 $3
#define a0 $4
#define k0 $26
#define k1 $27
#define ra $31
#define COUNT $9
#define COMPARE $11
#define CAUSE $13
#define EPC $14

	.set	noreorder
	.set	noat
	.set	gp=64 /* the program's registers have 64 bits, whatever this file is compiled for */

	.section .bss
	.balign	128
	.global	dwell_histogram, ultra_board_jitter, ultra_mips_search
	.type	dwell_histogram, @object
	.type	ultra_board_jitter, @object
	.type	ultra_mips_search, @object
dwell_histogram:
	.space	CONTROL_BYTES
ultra_board_jitter:
	.space	12
ultra_mips_search:
	.space	4
	.space	SAVED - SEARCH - 4
	.space	2 * 8
	.if	BLOCK_BYTES > 128
	.error	"the block is larger than what one register reaches"
	.endif

#define AT(offset) %lo(dwell_histogram + offset)(k0)

	.text
	.global	osProfileInterrupt
	.type	osProfileInterrupt, @function
	.ent	osProfileInterrupt
osProfileInterrupt:
	lui	k0, %hi(dwell_histogram)
	sd	v0, AT(SAVED)
	sd	v1, AT(SAVED + 8)
	mfc0	v1, CAUSE
	bltz	v1, delayed
	mfc0	k1, EPC
	addiu	k1, k1, 1
	lw	v0, AT(LAST)
	lw	v1, TEXT(v0)
	lw	k0, BYTES(v0)
	subu	v1, k1, v1
	sltu	k0, v1, k0
	bnez	k0, count
	lui	k0, %hi(dwell_histogram)

search:	lw	v1, AT(SEARCH)
	jr	v1
	lw	v0, AT(SEGMENTS)
	.irp	step, 5, 4, 3, 2, 1, 0
	lw	v1, (1 << (\step + SEGMENT_SHIFT)) + TEXT(v0)
	sltu	v1, v1, k1
	sll	v1, v1, \step + SEGMENT_SHIFT
	addu	v0, v0, v1
	.endr
	.global	ultra_mips_searched
ultra_mips_searched:
	lw	v1, TEXT(v0)
	lw	k0, BYTES(v0)
	subu	v1, k1, v1
	sltu	k0, v1, k0
	beqz	k0, outside
	lui	k0, %hi(dwell_histogram)
	sw	v0, AT(LAST)

	/* v0: the segment; v1: bytes from the start of its text, plus one. As
	 * a signed number, a counter of HISTOGRAM_NEAR or more is below 0. */
count:	lw	k1, COUNTERS(v0)
counted:
	srl	v1, v1, 1
	addu	v1, v1, k1
	lh	k1, 0(v1)
	bltz	k1, high
	addiu	k1, k1, 1
	sh	k1, 0(v1)

	/* The next sample is due one period after this one was, as in dwell_histogram_due(). If Count has passed that
	 * time when Compare is written, the interrupt would come a whole round of Count later; the code tests for this. */
next:	lw	v0, AT(STATE)
	sll	v1, v0, 13
	xor	v0, v0, v1
	srl	v1, v0, 17
	xor	v0, v0, v1
	sll	v1, v0, 5
	xor	v0, v0, v1
	sw	v0, AT(STATE)
	lw	v1, AT(MASK)
	and	v0, v0, v1
	lw	v1, AT(BASE)
	mfc0	k1, COMPARE
	addu	v0, v0, v1
	addu	k1, k1, v0
	mtc0	k1, COMPARE
	mfc0	v1, COUNT
	subu	v1, k1, v1
	blez	v1, late
	ld	v1, AT(SAVED + 8)
	ld	v0, AT(SAVED)
	eret

	/* The program was between a branch and its delay slot: EPC is the branch. Otherwise as above. */
delayed:
	addiu	k1, k1, 5
	lw	v0, AT(LAST)
	lw	v1, TEXT(v0)
	lw	k0, BYTES(v0)
	subu	v1, k1, v1
	sltu	k0, v1, k0
	beqz	k0, search
	lui	k0, %hi(dwell_histogram)
	b	counted
	lw	k1, COUNTERS(v0)

late:	mfc0	k1, COUNT
	addu	k1, k1, v0
	mtc0	k1, COMPARE
	ld	v0, AT(SAVED)
	eret

outside:
	lw	v1, AT(OVERFLOW)
	addiu	v1, v1, 1
	beqz	v1, next
	nop
	b	next
	sw	v1, AT(OVERFLOW)

	/* The counter is HISTOGRAM_NEAR or more: calls C, which needs all of its registers; the multiplier's
	 * are saved, too, because a compiler may use them. The program's stack must have room for that. */
high:	addiu	k1, k1, -1
	andi	k1, k1, 0xffff
	addiu	$29, $29, -160
	sd	$1, 16($29)
	sd	$4, 24($29)
	sd	$5, 152($29)
	sd	$6, 32($29)
	sd	$7, 40($29)
	sd	$8, 48($29)
	sd	$9, 56($29)
	sd	$10, 64($29)
	sd	$11, 72($29)
	sd	$12, 80($29)
	sd	$13, 88($29)
	sd	$14, 96($29)
	sd	$15, 104($29)
	sd	$24, 112($29)
	sd	$25, 120($29)
	sd	$31, 128($29)
	mflo	$8
	mfhi	$9
	sd	$8, 136($29)
	sd	$9, 144($29)
	addiu	a0, k0, %lo(dwell_histogram)
	move	$5, v0
	lw	$6, COUNTERS(v0)
	subu	$6, v1, $6
	srl	$6, $6, 1
	jal	dwell_histogram_high
	move	$7, k1
	ld	$8, 136($29)
	ld	$9, 144($29)
	mtlo	$8
	mthi	$9
	ld	$1, 16($29)
	ld	$4, 24($29)
	ld	$5, 152($29)
	ld	$6, 32($29)
	ld	$7, 40($29)
	ld	$8, 48($29)
	ld	$9, 56($29)
	ld	$10, 64($29)
	ld	$11, 72($29)
	ld	$12, 80($29)
	ld	$13, 88($29)
	ld	$14, 96($29)
	ld	$15, 104($29)
	ld	$24, 112($29)
	ld	$25, 120($29)
	ld	$31, 128($29)
	b	next
	addiu	$29, $29, 160
	.end	osProfileInterrupt
	.size	osProfileInterrupt, . - osProfileInterrupt
