/* A restartable sequence, as librseq writes it. Nobody registers it: what counts is that its code stays where it is. */
#include <stdio.h>

#define PLAIN __attribute__((noinline, noclone))

PLAIN static long increment(long *word)
{
	long value;

	__asm__ volatile(".pushsection __rseq_cs, \"aw\"\n\t"
			 ".balign 32\n\t"
			 ".long 0, 0\n\t"
			 ".quad 1f, 2f - 1f, 4f\n\t"
			 ".popsection\n"
			 "1:	mov (%1), %0\n\t"
			 "add $1, %0\n\t"
			 "mov %0, (%1)\n"
			 "2:\n\t"
			 ".pushsection .text.unlikely\n\t"
			 ".long 0x53053053\n"
			 "4:	jmp 1b\n\t"
			 ".popsection"
			 : "=&r"(value)
			 : "r"(word)
			 : "memory");
	return value;
}

PLAIN static long twice(long *word)
{
	return increment(word) + increment(word);
}

int main(void)
{
	long word = 1;

	printf("%ld\n", twice(&word));
	return 0;
}
