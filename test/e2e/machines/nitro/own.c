/* PROFILE functions of the program's own (section 5), in C: on x86-64 compiled to keep the registers. */
#include <nitro.h>

static volatile int entries, exits;

__attribute__((target("general-regs-only"), no_caller_saved_registers)) void __PROFILE_ENTRY(const char *name)
{
	(void)name;
	entries++;
}

__attribute__((target("general-regs-only"), no_caller_saved_registers)) void __PROFILE_EXIT(void)
{
	exits++;
}

int one(int);
int two(int);

__attribute__((noipa)) int one(int a)
{
	return a + 1;
}

__attribute__((noipa)) int two(int a)
{
	return one(a) + 1;
}

#pragma profile off
void NitroMain(void)
{
	int result = two(1);

	if (result == 3)
		OS_Printf("%d entries, %d exits\n", entries, exits);
}
