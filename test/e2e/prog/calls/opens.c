/* Opens libraries, calls them and closes them again: the second is likely to be mapped where the first was. Both have a function
 * `step`, which are two: opens A.so B.so TURNS [lazily] */
#include <dlfcn.h>
#include <stdlib.h>

#include "../count.h"

typedef void entry_fn(unsigned turns, void (*report)(const char *name, unsigned long calls));

static int how = RTLD_NOW;

UNHOOKED static void report(const char *name, unsigned long calls)
{
	count_line("library", name, calls);
}

static void use(const char *path, const char *name, unsigned turns)
{
	void *library = dlopen(path, how);
	entry_fn *entry;

	CALLED();
	if (!library || !(entry = (entry_fn *)dlsym(library, name)))
		abort();
	entry(turns, report);
	count_line("at", name, (unsigned long)entry);
	dlclose(library);
}

int main(int argc, char **argv)
{
	unsigned turns = argc > 3 ? (unsigned)strtoul(argv[3], 0, 10) : 100;

	CALLED();
	if (argc > 4)
		how = RTLD_LAZY;
	for (int round = 0; round < 3; round++) {
		use(argv[1], "alpha", turns);
		use(argv[2], "beta", 2 * turns);
	}
	count_print();
	return 0;
}
