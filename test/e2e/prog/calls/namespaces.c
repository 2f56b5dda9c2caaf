/* Opens a plug-in in namespaces of its own (dlmopen), two at a time, and once in the program's: namespaces PLUGIN [THREADS]. The
 * program counts the calls of the plug-in, whose constructor is begin. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS 3
#define QUIET __attribute__((no_instrument_function, noinline))

static const char *path;
static volatile unsigned opened, called;

QUIET static void call(void *plugin, unsigned calls)
{
	int (*work)(int) = plugin ? (int (*)(int))dlsym(plugin, "work") : NULL;

	if (!work) {
		fprintf(stderr, "%s\n", dlerror());
		abort();
	}
	__atomic_add_fetch(&opened, 1, __ATOMIC_RELAXED);
	__atomic_add_fetch(&called, calls, __ATOMIC_RELAXED);
	for (unsigned i = 0; i < calls; i++)
		work(2);
}

QUIET static void *run(void *unused)
{
	for (int i = 0; i < ROUNDS; i++) {
		void *plugin = dlmopen(LM_ID_NEWLM, path, RTLD_LAZY);

		call(plugin, 100);
		dlclose(plugin);
	}
	return unused;
}

QUIET static void run_two(void)
{
	for (int i = 0; i < ROUNDS; i++) {
		void *a = dlmopen(LM_ID_NEWLM, path, RTLD_LAZY), *b = dlmopen(LM_ID_NEWLM, path, RTLD_NOW);

		call(a, 5);
		call(b, 3);
		dlclose(a);
		call(b, 1);
		dlclose(b);
		opened--;
	}
	call(dlopen(path, RTLD_NOW), 2);
}

int main(int argc, char **argv)
{
	pthread_t threads[2];
	int count = argc > 2 ? atoi(argv[2]) : 0;

	path = argv[1];
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	if (!count)
		run_two();
	printf("count main 1\ncount begin %u\ncount work %u\ncount leaf %u\n", opened, called, 10 * called);
	return 0;
}
