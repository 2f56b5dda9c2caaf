/* SPDX-License-Identifier: MIT
 *
 * longjmp and caught exceptions leave frames without running their exits. The functions that do it are interposed: they record that it
 * happened and where it lands, and go on to the real one.
 *
 * Of a longjmp all is known beforehand. Where an exception will be caught is known when the personality routine, which the run time asks
 * about each frame, has found it: then all frames are still there to be looked at. They are left one by one, cleanups run in between, and
 * __cxa_begin_catch is called at the end.
 *
 * Where it lands may not be found out (code without unwind tables, another stack): then the next enter says where it was called from.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/image.h"
#include "port/os/linux/landing.h"
#include "port/os/linux/next.h"
#include "port/os/linux/system.h"

/* The next definition of name. In a program that was linked with --wrap, as the linker has it. */
void *unwind_find_real(const char *name)
{
	void *real = linked_find_real(name);

	return real ? real : next_find(name);
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

/* An exception that will be caught. One that is thrown and caught by a cleanup of another takes its place: where the outer one lands is not
 * known then. */
struct caught {
	void *exception; /* null: none */
	struct landing landing;
};
static __thread struct caught caught __attribute__((tls_model("initial-exec")));

static void forget_caught(struct dwell_thread *thread)
{
	caught.exception = 0;
	if (dwell_trace_is_watched(thread))
		dwell_trace_watch(thread, false);
}

void unwind_pass(uint64_t place, bool is_exit)
{
	if (caught.exception)
		landing_pass(&caught.landing, place, is_exit);
}

static void tell_landed(enum dwell_tag tag, const struct landing *landing)
{
	uint32_t words[LANDING_WORDS_MAX];
	unsigned count = landing_put(landing, words);

	dwell_trace_landed(port_thread(), tag, words, count);
}

static bool find_jump(struct frame from, const void *environment, struct landing *landing)
{
#ifdef PORT_FRAMES
	return landing_find(from, port_jump_pointer(environment, true), landing) ||
	       landing_find(from, port_jump_pointer(environment, false), landing);
#else
	(void)from;
	(void)environment;
	(void)landing;
	return false;
#endif
}

static __attribute__((noinline)) void tell_jump(struct frame from, const void *environment)
{
	struct dwell_thread *thread = port_thread();
	struct landing landing;

	forget_caught(thread);
	if (find_jump(from, environment, &landing))
		tell_landed(DWELL_TAG_UNWIND_JUMP, &landing);
	else
		dwell_trace_unwind(thread, DWELL_TAG_UNWIND_JUMP);
}

#define JUMP(name, real)                                                                                                             \
	void INTERPOSED(name)(void *environment, int value) __attribute__((noreturn));                                               \
	__attribute__((visibility("default"))) void INTERPOSED(name)(void *environment, int value)                                  \
	{                                                                                                                            \
		if (agent.on)                                                                                                        \
			tell_jump(frames_of_caller(), environment);                                                                  \
		real(environment, value);                                                                                            \
		__builtin_unreachable();                                                                                             \
	}

JUMP(longjmp, real_longjmp)
JUMP(_longjmp, real_longjmp)
JUMP(siglongjmp, real_siglongjmp)
JUMP(__longjmp_chk, real_checked)

#ifndef DWELL_LINKED_AGENT /* where it cannot be interposed: the tables of a program have its address as a number */
/* The C++ run time asks this about each frame that an exception passes, twice: where it is caught, and what is to be cleaned up. */
enum { PERSONALITY_SEARCHES = 1, PERSONALITY_FOUND = 6 };
typedef int personality_fn(int version, int actions, uint64_t kind, void *exception, void *context);
static personality_fn *real_personality;
static uint64_t (*real_get_cfa)(void *context);

static __attribute__((noinline)) void note_caught(struct frame from, void *exception, uint64_t sp)
{
	struct dwell_thread *thread = port_thread();

	if (!dwell_trace_is_recording(thread))
		return;
	caught.exception = 0;
	if (!landing_find(from, sp, &caught.landing))
		return;
	caught.exception = exception;
	dwell_trace_watch(thread, true);
}

personality_fn __gxx_personality_v0;
__attribute__((visibility("default"))) int __gxx_personality_v0(int version, int actions, uint64_t kind, void *exception, void *context)
{
	int result;

	if (!real_personality) {
		real_get_cfa = (uint64_t (*)(void *))unwind_find_real("_Unwind_GetCFA");
		real_personality = (personality_fn *)unwind_find_real("__gxx_personality_v0");
	}
	result = real_personality(version, actions, kind, exception, context);
	if (agent.on && actions & PERSONALITY_SEARCHES && result == PERSONALITY_FOUND && real_get_cfa)
		note_caught(frames_of_caller(), exception, real_get_cfa(context));
	return result;
}
#endif

/* And this where a catch clause begins: all frames down to it are gone. */
static __attribute__((noinline)) void tell_catch(struct frame from, const void *exception)
{
	struct dwell_thread *thread = port_thread();
	bool known = caught.exception && caught.exception == exception;
	struct landing landing = caught.landing;

	forget_caught(thread);
	if (known) {
		tell_landed(DWELL_TAG_UNWIND_CATCH, &landing);
		landing_learn(&landing, from);
	} else {
		dwell_trace_unwind(thread, DWELL_TAG_UNWIND_CATCH);
	}
}

void *INTERPOSED(__cxa_begin_catch)(void *exception);
__attribute__((visibility("default"))) void *INTERPOSED(__cxa_begin_catch)(void *exception)
{
	if (!real_begin_catch)
		real_begin_catch = (void *(*)(void *))unwind_find_real("__cxa_begin_catch");
	if (agent.on)
		tell_catch(frames_of_caller(), exception);
	return real_begin_catch(exception);
}
