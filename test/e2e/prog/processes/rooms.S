/* ROOMS functions of the same few instructions. An exit has only the last two of them, and no filler is near: the jump to its gate
 * goes by way of a room in the moved instructions of the entry. rooms: their addresses. */
	.macro function number
	.type	room_\number, @function
room_\number:
	.cfi_startproc
	push	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset 3, -16
	mov	$\number, %eax
	add	$0x01020304, %eax
	test	%edi, %edi
	je	1f
	add	$7, %eax
1:	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_endproc
	.size	room_\number, . - room_\number
	.pushsection .data.rel.ro.rooms, "aw", @progbits
	.quad	room_\number
	.popsection
	.endm

	.section .data.rel.ro.rooms, "aw", @progbits
	.globl	rooms
rooms:
	.text
	.set	count, 0
	.altmacro
	.rept	ROOMS
	function %count
	.set	count, count + 1
	.endr
	.section .note.GNU-stack, "", @progbits
