/* turns ROUNDS: opens liba.so and libb.so by turns, works in in_a or in_b for a while, and closes it again. Each is put where the
 * other one was. With -DLIBRARY=in_a it is that library. Prints how many places there were. */
#ifdef LIBRARY
void LIBRARY(void);
void LIBRARY(void)
{
	for (volatile long i = 0; i < 30000000; i++)
		;
}
#else
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 10;
	void (*place)(void) = NULL;
	int places = 0;

	for (long i = 0; i < rounds; i++) {
		void *library = dlopen(i & 1 ? "./libb.so" : "./liba.so", RTLD_NOW);
		void (*work)(void) = library ? (void (*)(void))dlsym(library, i & 1 ? "in_b" : "in_a") : NULL;

		if (!work)
			return 1;
		places += work != place;
		place = work;
		work();
		dlclose(library);
	}
	printf("places %d\n", places);
	return 0;
}
#endif
