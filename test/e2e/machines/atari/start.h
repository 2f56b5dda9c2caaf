/* How a program of one file begins under GEMDOS: it keeps the memory that it needs and a kilobyte of stack behind it, and ends with
 * what main returns. */
#ifndef DWELL_TEST_ATARI_START_H
#define DWELL_TEST_ATARI_START_H

int main(void);

__asm__(".section .text.start, \"ax\"\n"
	".globl _start\n"
	"_start:\n"
	"	move.l 4(%sp), %a0\n"
	"	move.l 12(%a0), %d0\n"
	"	add.l 20(%a0), %d0\n"
	"	add.l 28(%a0), %d0\n"
	"	add.l #256 + 1024, %d0\n"
	"	lea (%a0, %d0.l), %sp\n"
	"	move.l %d0, -(%sp)\n"
	"	move.l %a0, -(%sp)\n"
	"	clr.w -(%sp)\n"
	"	move.w #0x4A, -(%sp)\n"
	"	trap #1\n"
	"	lea 12(%sp), %sp\n"
	"	jsr _main\n"
	"	move.w %d0, -(%sp)\n"
	"	move.w #0x4C, -(%sp)\n"
	"	trap #1\n"
	".text\n");

#endif
