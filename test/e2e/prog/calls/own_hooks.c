/* A program that has hooks of its own and counts with them. Its linker exports them, as libc has empty ones of that name. */
#include <stdio.h>

#define BARE __attribute__((no_instrument_function))

void __cyg_profile_func_enter(void *function, void *site) BARE;
void __cyg_profile_func_exit(void *function, void *site) BARE;
static unsigned long enters, exits;

void __cyg_profile_func_enter(void *function, void *site)
{
	(void)function;
	(void)site;
	enters++;
}

void __cyg_profile_func_exit(void *function, void *site)
{
	(void)function;
	(void)site;
	exits++;
}

__attribute__((noinline, noclone)) static int step(int x)
{
	return x * 3 + 1;
}

int main(void)
{
	int x = 0;

	for (int i = 0; i < 1000; i++)
		x = step(x);
	printf("%d %lu %lu\n", x, enters, exits);
	return 0;
}
