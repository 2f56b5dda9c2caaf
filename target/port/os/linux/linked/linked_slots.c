/* SPDX-License-Identifier: MIT
 *
 * Redirects calls of the functions that the agent wraps (longjmp, _Unwind_SetIP, _Fork …), for an agent linked into a program with
 * a dynamic linker. Such calls go through words that the dynamic linker fills in. The agent writes the addresses of its wrappers
 * into these words: in the program, and in the libraries loaded at the program's start.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/image.h"

/* Defined in linked_real.o, which the linker includes only on request: `dwell cflags --link` requests it. */
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

/* The functions that the agent wraps. */
#define EACH_FUNCTION(do)                                                                                                          \
	do(longjmp) do(_longjmp) do(siglongjmp) do(__longjmp_chk) do(_Unwind_SetIP) do(__cxa_begin_catch) do(_Fork)                \
	do(clone) do(_exit) do(_Exit) do(prctl) do(pthread_setname_np)                                                             \
	LINUX_INTERPOSED(do)

/* Declares a wrapper as bytes: this file needs only its address. */
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

	/* `dwell cflags --link` linked this program, with --wrap: the program's own calls reach the wrappers already. Its words for
	 * these functions serve the calls by which the wrappers call the real functions. */
	if (is_program && dwell_linked_real)
		return;
	for (unsigned f = 0; f < sizeof functions / sizeof *functions; f++) {
		unsigned count = image_find_slots(image, functions[f].name, slots, IMAGE_SLOTS_MAX);

		for (unsigned i = 0; i < count; i++)
			modules_redirect(image, slots[i], functions[f].ours);
	}
}
