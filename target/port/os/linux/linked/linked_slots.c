/* SPDX-License-Identifier: MIT
 *
 * Where the agent is linked into a program that has a dynamic linker, calls of longjmp and its like go through words that it fills in.
 * They get the addresses of what stands in front of those functions: in the program, and in the libraries that are there when it starts.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/image.h"

/* Of linked_real.o, which the linker takes only where it is asked to: `dwell cflags --link` does. */
extern const struct linked_real {
	const char *name;
	void *address;
} dwell_linked_real[] __attribute__((weak));

void *linked_find_real(const char *name)
{
	for (const struct linked_real *real = dwell_linked_real; real && real->name; real++) {
		unsigned i = 0;

		while (name[i] && name[i] == real->name[i])
			i++;
		if (name[i] == real->name[i])
			return real->address;
	}
	return 0;
}

/* Declared as what they are for this file: words. */
#define EACH_FUNCTION(do) \
	do(longjmp) do(_longjmp) do(siglongjmp) do(__longjmp_chk) do(__cxa_begin_catch) do(_Fork) do(pthread_setname_np) \
	LINUX_INTERPOSED(do)

#define DECLARE(name) extern char INTERPOSED(name)[];
EACH_FUNCTION(DECLARE)

#define ROW(name) {#name, INTERPOSED(name)},
static const struct {
	const char *name;
	void *ours;
} functions[] = {EACH_FUNCTION(ROW)};

void linked_adopt_slots(const struct image *image, bool is_program)
{
	void **slots[IMAGE_SLOTS_MAX];

	/* What the linker has wrapped goes through us already, and what is left there is our own way to the real one. */
	if (is_program && dwell_linked_real)
		return;
	for (unsigned f = 0; f < sizeof functions / sizeof *functions; f++) {
		unsigned count = image_find_slots(image, functions[f].name, slots, IMAGE_SLOTS_MAX);

		for (unsigned i = 0; i < count; i++)
			modules_redirect(image, slots[i], functions[f].ours);
	}
}
