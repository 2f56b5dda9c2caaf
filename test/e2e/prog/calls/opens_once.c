/* Opens a library and calls it thrice from one place, so that more comes behind the call that its file is found out by:
 * opens_once A.so NAME */
#include <dlfcn.h>
#include <stdlib.h>

typedef void entry_fn(unsigned turns, void (*report)(const char *name, unsigned long calls));

static void report(const char *name, unsigned long calls)
{
	(void)name;
	(void)calls;
}

int main(int argc, char **argv)
{
	void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW) : NULL;
	entry_fn *entry = library ? (entry_fn *)dlsym(library, argv[2]) : NULL;

	if (!entry)
		abort();
	for (int round = 0; round < 3; round++)
		entry(10, report);
	return 0;
}
