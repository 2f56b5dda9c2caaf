/* SPDX-License-Identifier: MIT
 *
 * longjmp and caught exceptions leave frames without running their exits. The functions that do it are interposed: they record that it
 * happened and go on to the real one.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/image.h"
#include "port/os/linux/system.h"

#pragma weak dl_iterate_phdr

struct search {
	const char *name;
	uint64_t not_in;
	uint64_t found;
};

static int search_module(struct dl_phdr_info *info, size_t size, void *data)
{
	struct search *search = data;
	struct image image;

	(void)size;
	if (!image_open(&image, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum) ||
		(search->not_in >= image.low && search->not_in < image.high))
		return 0;
	search->found = image_find_symbol(&image, search->name);
	return search->found != 0;
}

/* The next definition of name in load order, as dlsym(RTLD_NEXT, …) finds it, and in files that were loaded locally, too. */
void *unwind_find_real(const char *name)
{
	struct search search = {name, (uint64_t)&search_module, 0};

	if (dl_iterate_phdr)
		dl_iterate_phdr(search_module, &search);
	return (void *)search.found;
}

typedef void jump_fn(void *environment, int value);

static jump_fn *real_longjmp, *real_siglongjmp, *real_checked;
static void *(*real_begin_catch)(void *);

/* longjmp is called from signal handlers, where the loader's lock must not be taken: look it up before anything runs. */
__attribute__((constructor(102))) static void find_jumps(void)
{
	real_longjmp = (jump_fn *)unwind_find_real("longjmp");
	real_siglongjmp = (jump_fn *)unwind_find_real("siglongjmp");
	real_checked = (jump_fn *)unwind_find_real("__longjmp_chk");
}

static void tell_unwind(enum dwell_tag tag)
{
	if (agent.on)
		dwell_trace_unwind(port_thread(), tag);
}

#define JUMP(name, real)                                                                                                             \
	void name(void *environment, int value) __attribute__((noreturn));                                                           \
	__attribute__((visibility("default"))) void name(void *environment, int value)                                              \
	{                                                                                                                            \
		tell_unwind(DWELL_TAG_UNWIND_JUMP);                                                                                  \
		real(environment, value);                                                                                            \
		__builtin_unreachable();                                                                                             \
	}

JUMP(longjmp, real_longjmp)
JUMP(_longjmp, real_longjmp)
JUMP(siglongjmp, real_siglongjmp)
JUMP(__longjmp_chk, real_checked)

/* The C++ run time calls this where a catch clause begins: all frames down to it are gone. */
void *__cxa_begin_catch(void *exception);
__attribute__((visibility("default"))) void *__cxa_begin_catch(void *exception)
{
	if (!real_begin_catch)
		real_begin_catch = (void *(*)(void *))unwind_find_real("__cxa_begin_catch");
	tell_unwind(DWELL_TAG_UNWIND_CATCH);
	return real_begin_catch(exception);
}
