/* A program that knows its text by the linker's names, as on the console. The last word may end behind the file's text. */
#include <stdlib.h>
#include <time.h>

#include <ultra64.h>

#include "ratio.h"

extern u32 _start[], etext[];

int main(void)
{
	u32 words = (u32)(etext - _start) + 1;
	OSProf segment = {calloc(words, sizeof(u16)), words, _start, etext};
	clock_t until = clock() + CLOCKS_PER_SEC / 5;

	osProfileInit(&segment, 1);
	osProfileStart(1000);
	while (clock() < until)
		ratio_round(2000);
	osProfileStop();
	osProfileFlush();
	return 0;
}
