/* A program that is in hot() three times as long as in cold(), which is the same code elsewhere. */
#include "ratio.h"

volatile unsigned ratio_result;

#define TURNS(name)                                                                                                                \
	__attribute__((noinline, section(".text." #name))) void name(unsigned turns)                                               \
	{                                                                                                                          \
		unsigned sum = 0;                                                                                                  \
	\
		for (unsigned i = 0; i < turns; i++)                                                                               \
			sum = sum * 1664525u + i;                                                                                  \
		ratio_result += sum;                                                                                               \
	}

TURNS(hot)
TURNS(cold)
