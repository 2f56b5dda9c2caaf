# Functions as compilers write them, one for each way in which dwell finds room for its jumps, or does not: the input of symbols --sites
# (test/cli/data.sh), of test/unit/plan and of the fuzz program plan, whose corpus has it assembled:
#     gcc -nostdlib -static -Wl,-Ttext=0x401000,-z,noseparate-code,--build-id=none -x assembler test/sites.s -o FILE && strip -g FILE
	.text
	.macro	function name
	.globl	\name
	.type	\name, @function
\name:	.cfi_startproc
	.endm
	.macro	end name
	.cfi_endproc
	.size	\name, . - \name
	.endm

function _start
	call	plain
	call	getter
	call	loop
	hlt
end _start

	.p2align 4
function plain		# room at the entry, and behind the return
	push	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	mov	%edi, %ebx
	lea	words(%rip), %rax
	add	(%rax), %ebx
	mov	%ebx, %eax
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
end plain

	.p2align 4
function getter		# entry and exit in the same bytes
	endbr64
	mov	8(%rdi), %rax
	ret
end getter

	.p2align 4
function loop		# a jump to its own entry, which may not count as a call
	sub	$1, %edi
	jne	loop
	xor	%eax, %eax
	ret
end loop

	.p2align 4
function inner		# a loop that begins behind the first byte
	push	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
1:	mov	%edi, %ebx
	sub	$1, %edi
	jne	1b
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
end inner

	.p2align 4
function calls_first	# a call in its first bytes
	push	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	call	plain
	pop	%rbx
	.cfi_def_cfa_offset 8
	ret
end calls_first

	.p2align 4
function tails		# leaves by jumps: on a condition, and through a pointer
	test	%edi, %edi
	je	plain
	cmp	$1, %edi
	jne	1f
	jmp	*pointer(%rip)
1:	ret
end tails

	.p2align 4
function switch		# by a table of distances
	cmp	$3, %edi
	ja	9f
	lea	table(%rip), %rdx
	mov	%edi, %edi
	movslq	(%rdx,%rdi,4), %rax
	add	%rdx, %rax
	jmp	*%rax
1:	mov	$11, %eax
	ret
2:	mov	$22, %eax
	ret
3:	mov	$33, %eax
	ret
9:	xor	%eax, %eax
	ret
end switch
	.section .rodata
	.p2align 2
table:	.long	1b - table, 2b - table, 3b - table, 1b - table
	.text

	.p2align 4
function shared_return	# a return of one byte that jumps lead to, and another function right behind it
	cmp	$9, %edi
	je	1f
	cmp	$8, %edi
	je	1f
	mov	$5, %eax
	xor	%ecx, %ecx
	ret
1:	ret
end shared_return
function behind		# no padding before it, and a part elsewhere
	test	%edi, %edi
	js	.Lpart
2:	lea	1(%rdi), %eax
	ret
end behind

	.p2align 4
function anywhere	# its jump is not understood, and its stack is deeper there than at its entry
	sub	$152, %rsp
	.cfi_def_cfa_offset 160
	mov	%rdi, (%rsp)
	imul	$3, (%rsp), %rax
	jmp	*%rax
end anywhere

	.p2align 4
function two_ways	# called in the middle
	mov	$1, %edi
	nop
middle:	mov	%edi, %eax
	ret
end two_ways
	.p2align 4
function into_middle
	sub	$8, %rsp
	.cfi_def_cfa_offset 16
	call	middle
	add	$8, %rsp
	.cfi_def_cfa_offset 8
	ret
end into_middle

	.p2align 4
function short		# no room, neither in it nor around it
	ret
end short
function no_code
	.byte	0x06, 0x06
end no_code

	.p2align 4
function raises		# out of its callers, as exceptions of OCaml
	mov	16(%r14), %rsp
	pop	16(%r14)
	ret
end raises

	.p2align 4
function jumps_out	# likewise, as __builtin_longjmp
	mov	(%rdi), %rbp
	mov	8(%rdi), %rax
	mov	16(%rdi), %rsp
	jmp	*%rax
end jumps_out

	.p2align 4
function switches	# to another stack, which the recorder sees
	mov	%rsp, (%rdi)
	mov	(%rsi), %rsp
	ret
end switches

	.p2align 4
function aligns		# and goes back to its own stack
	mov	%rsp, %r11
	and	$-64, %rsp
	mov	%rdi, 8(%rsp)
	mov	%r11, %rsp
	ret
end aligns

	.p2align 4
function variable	# an array of variable length, in its own frame
	push	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	mov	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	sub	$16, %rsp
	mov	%rsp, -8(%rbp)
	sub	%rdi, %rsp
	mov	-8(%rbp), %rsp
	leave
	.cfi_def_cfa %rsp, 8
	ret
end variable

	.section .text.unlikely, "ax"
	.type	behind.cold, @function
behind.cold:
	.cfi_startproc
	.Lpart: neg	%edi
	jmp	2b
	.cfi_endproc
	.size	behind.cold, . - behind.cold

	.data
words:	.long	1, 2
pointer: .quad	plain
