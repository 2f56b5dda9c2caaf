/* A program in C, without C++ or its unwinder at the start: it opens thrower.cc, which throws through functions of this one. */
#include <dlfcn.h>
#include <stdio.h>

#define PLAIN __attribute__((noinline, noclone))

static void (*thrower_throw)(int number);

PLAIN static void inner(int number)
{
	if (number % 2)
		thrower_throw(number);
	__asm__ volatile("" ::: "memory");
}

PLAIN static void outer(int number)
{
	inner(number);
	__asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	int (*run)(void (*call)(int), int times);

	if (!library)
		return 2;
	thrower_throw = (void (*)(int))dlsym(library, "thrower_throw");
	run = (int (*)(void (*)(int), int))dlsym(library, "thrower_run");
	printf("%d\n", run(outer, 10));
	return 0;
}
