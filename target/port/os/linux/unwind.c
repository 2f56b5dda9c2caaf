/* SPDX-License-Identifier: MIT
 *
 * Records longjmp and exceptions, which leave frames without running their exits. The functions that unwind are interposed: the
 * wrappers record the unwind and its landing, and go on to the real function.
 *
 * A longjmp's destination is known beforehand. An exception goes from frame to frame: it lands in each frame with a cleanup, and
 * last in the frame with the catch. In every language, the personality routine passes the landing to _Unwind_SetIP, just before the
 * unwinder goes there: then all frames can still be walked. But the unwinder, which may be recorded itself, still has some way to
 * go. So the agent sends the unwinder to unwind_pad (interpose.S) first: there the thread is in the landing frame, the agent
 * records the landing, and the pad jumps to the real destination.
 *
 * If the agent cannot find the landing (code without unwind tables, another stack), the next enter records its call site instead.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/image.h"
#include "port/os/linux/landing.h"
#include "port/os/linux/next.h"
#include "port/os/linux/system.h"

/* Returns the next definition of name; in a program linked with --wrap, the linker's __real_ function. */
void *unwind_find_real(const char *name)
{
	void *real = linked_find_real(name);
	struct dwell_ring *work;
	uint64_t call_mask;

	if (real)
		return real;
	work = agent.on ? dwell_trace_work_begin(port_thread()) : 0;
	call_mask = agent_begin_libc_call();
	real = next_find(name);
	agent_end_libc_call(call_mask);
	dwell_trace_work_end(port_thread(), work);
	return real;
}

typedef void jump_fn(void *environment, int value);

static jump_fn *real_longjmp, *real_siglongjmp, *real_checked;

/* Signal handlers call longjmp, but must not take the loader's lock. So the agent finds libc's functions before anything runs. */
__attribute__((constructor(102))) static void find_jumps(void)
{
	real_longjmp = (jump_fn *)unwind_find_real("longjmp");
	real_siglongjmp = (jump_fn *)unwind_find_real("siglongjmp");
	real_checked = (jump_fn *)unwind_find_real("__longjmp_chk");
}

static void forget_deferred(void);

/* Finds where a longjmp with this jmp_buf lands. The C library may store the stack pointer scrambled or plain: tries both. */
static bool find_jump(struct frame from, const void *environment, struct landing *landing)
{
#ifdef PORT_FRAMES
	static const struct landing_ended none = {0, 0};

	return landing_find(from, port_jump_pointer(environment, true), &none, landing) ||
	       landing_find(from, port_jump_pointer(environment, false), &none, landing);
#else
	(void)from;
	(void)environment;
	(void)landing;
	return false;
#endif
}

static __attribute__((noinline)) void record_jump(struct frame from, const void *environment)
{
	struct dwell_thread *thread = port_thread();
	struct dwell_ring *work = dwell_trace_work_begin(thread);
	uint32_t words[LANDING_WORDS_MAX];
	struct landing landing;

	forget_deferred();
	if (find_jump(from, environment, &landing))
		dwell_trace_landed(thread, DWELL_TAG_UNWIND_JUMP, words, landing_write(&landing, words), work);
	else
		dwell_trace_unwind(thread, DWELL_TAG_UNWIND_JUMP, work);
	dwell_trace_work_end(thread, work);
}

#define JUMP(name, real)                                                                                                           \
	void INTERPOSED(name)(void *environment, int value) __attribute__((noreturn));                                             \
	__attribute__((visibility("default"))) void INTERPOSED(name)(void *environment, int value)                                 \
	{                                                                                                                          \
		if (agent.on)                                                                                                      \
			record_jump(frames_of_caller(), environment);                                                              \
		real(environment, value);                                                                                          \
		__builtin_unreachable();                                                                                           \
	}

JUMP(longjmp, real_longjmp)
JUMP(_longjmp, real_longjmp)
JUMP(siglongjmp, real_siglongjmp)
JUMP(__longjmp_chk, real_checked)

typedef void set_ip_fn(void *context, uint64_t ip);
static set_ip_fn *real_set_ip;
static void *(*real_begin_catch)(void *);

#ifdef PORT_FRAMES
static uint64_t (*real_get_cfa)(void *context);
static uint64_t (*real_get_gr)(void *context, int index);

/* Unwinders on their way to a landing frame: each ends in unwind_pad. A handler may interrupt an unwinder and unwind, too; more
 * than PENDING_MAX nested ones share the last entry. */
#define PENDING_MAX 3u
#define PUSHED_MAX 65536u /* maximum size of a call's arguments, by which the stack pointer at the landing may differ */
struct pending {
	uint64_t sp;    /* of the landing frame */
	uint64_t ip;    /* where the frame continues */
	uint64_t place; /* of the frame's function in its events; 0: the function is not recorded */
	uint32_t count; /* number of words; 0: landing unknown */
	uint32_t words[LANDING_WORDS_MAX];
};
static __thread struct {
	uint32_t count;
	struct pending of[PENDING_MAX];
} pending __attribute__((tls_model("initial-exec")));

/* The last landing frame of an exception. With GCC's hooks, a cleanup calls its function's exit before continuing the exception. */
static __thread struct {
	struct landing_ended call;
	const struct dwell_ring *ring;
	dwell_pos pos;
	uint64_t unrecorded; /* an exception with a landing in a cleanup, not recorded yet; 0: none */
	uint32_t count, words[LANDING_WORDS_MAX];
} landed __attribute__((tls_model("initial-exec")));

static void note_landed(const struct dwell_thread *thread, const struct pending *at)
{
	landed.call = (struct landing_ended){at->place ? at->sp : 0, at->place};
	landed.ring = thread->ring;
	landed.pos = thread->ring->pos;
	landed.unrecorded = 0;
}

/* Stores a landing in a cleanup, to be recorded only if the exception continues without an exit of the frame. */
static void defer_landing(const struct dwell_thread *thread, const struct pending *at, uint64_t exception)
{
	note_landed(thread, at);
	landed.unrecorded = exception;
	landed.count = at->count;
	for (uint32_t i = 0; i < at->count; i++)
		landed.words[i] = at->words[i];
}

#define SLOTS_LOOKED 64u /* the unwinder may be recorded itself, so its events follow */

static void forget_deferred(void)
{
	landed.unrecorded = 0;
}

/* Whether the last landing's call has ended since: the newest event of its function, among the newest SLOTS_LOOKED, is an exit. */
static bool has_ended(const struct dwell_thread *thread)
{
	struct dwell_ring *ring = thread->ring;
	dwell_pos pos = ring->pos, bytes = pos - landed.pos;
	uint32_t place = (uint32_t)landed.call.place & ~1u;

	if (ring != landed.ring || bytes > ring->bytes)
		return false;
	bytes = bytes < SLOTS_LOOKED * DWELL_SLOT_BYTES ? bytes : SLOTS_LOOKED * DWELL_SLOT_BYTES;
	for (; bytes; bytes -= DWELL_SLOT_BYTES) {
		uint32_t low_word = (uint32_t)*dwell_ring_slot(ring, pos -= DWELL_SLOT_BYTES);

		if (low_word >= DWELL_TAG_LIMIT && (low_word & ~1u) == place)
			return low_word & 1u;
	}
	return false;
}

/* GCC calls exit hooks at landings: in a cleanup the function's own, and at the beginning of a handler those of inlined functions.
 * So, where the compiler inserts hooks, the agent records a landing in a cleanup only when the exception continues. The agent
 * records a landing in a C++ handler only in __cxa_begin_catch. caught holds that landing until then. */
static __thread struct {
	uint64_t exception; /* 0: none */
	uint32_t count;
	uint32_t words[LANDING_WORDS_MAX];
} caught __attribute__((tls_model("initial-exec")));

enum passage { TO_HANDLER, TO_CLEANUP, TO_CATCH_CLAUSE };

/* Finds out whether the landing with stack pointer sp is a cleanup or the handler. The unwinder has stored the handler's stack
 * pointer in the exception, and a personality routine passes the exception in the first register for exceptions. Other contents of
 * this register (LuaJIT's error number) are no readable memory: then the answer is TO_HANDLER. *exception: the register's value. */
static enum passage find_passage(void *context, uint64_t sp, uint64_t *exception)
{
	enum { AT_CLASS = 0, AT_HANDLER = 3, WORDS = 4 };
	uint64_t words[WORDS];

	*exception = real_get_gr ? real_get_gr(context, 0) : 0;
	if (!*exception ||
		system_process_vm(__NR_process_vm_readv, system_pid(), words, *exception, sizeof words) != (long)sizeof words)
		return TO_HANDLER;
	if (words[AT_HANDLER] != sp)
		return TO_CLEANUP;
	/* The exception classes of GNU's and LLVM's C++. */
	return words[AT_CLASS] >> 8 == UINT64_C(0x474e5543432b2b) || words[AT_CLASS] >> 8 == UINT64_C(0x434c4e47432b2b)
		       ? TO_CATCH_CLAUSE
		       : TO_HANDLER;
}

static void record_landed(struct dwell_thread *thread, const uint32_t *words, uint32_t count)
{
	struct dwell_ring *work = dwell_trace_work_begin(thread);

	if (count)
		dwell_trace_landed(thread, DWELL_TAG_UNWIND_CATCH, words, count, work);
	else
		dwell_trace_unwind(thread, DWELL_TAG_UNWIND_CATCH, work);
	dwell_trace_work_end(thread, work);
}

extern const char unwind_pad[] HIDDEN;
uint64_t unwind_landed(uint64_t sp) HIDDEN;

/* The unwinder lands in the frame of context and would continue at ip. Finds the recorded call that continues, and stores this
 * landing for the code that records landings. Returns where the unwinder has to go: unwind_pad, which records the landing; or ip,
 * if __cxa_begin_catch or the next landing of this exception records the landing. */
static __attribute__((noinline)) uint64_t prepare_landing(
	struct dwell_thread *thread, struct frame from, void *context, uint64_t ip)
{
	uint64_t sp = real_get_cfa(context);
	struct dwell_ring *work = dwell_trace_work_begin(thread);
	uint32_t index = pending.count < PENDING_MAX ? pending.count : PENDING_MAX - 1;
	struct pending *to = &pending.of[index];
	enum passage passage = TO_HANDLER;
	struct landing_ended ended = {0, 0};
	struct landing landing;
	uint64_t exception = 0;
	bool calls_hooks = modules_calls_hooks(ip);

	if (landed.unrecorded || calls_hooks)
		passage = find_passage(context, sp, &exception);
	if (!calls_hooks)
		passage = TO_HANDLER; /* or a cleanup, recorded like a handler */
	if (has_ended(thread))
		ended = landed.call;
	/* The exception continues without an exit in between (Clang's hooks have none). */
	else if (landed.unrecorded && landed.unrecorded == exception)
		record_landed(thread, landed.words, landed.count);
	landed.unrecorded = 0;
	*to = (struct pending){.sp = sp, .ip = ip};
	if (landing_find(from, sp, &ended, &landing)) {
		landing_learn(&landing, ip, sp);
		to->count = landing_write(&landing, to->words);
		to->place = landing.count && landing.calls[0].start == landing.start ? landing.calls[0].place : 0;
	}
	if (passage == TO_CLEANUP) {
		defer_landing(thread, to, exception);
	} else if (passage == TO_CATCH_CLAUSE) {
		caught.exception = exception;
		caught.count = to->count;
		for (uint32_t i = 0; i < to->count; i++)
			caught.words[i] = to->words[i];
	} else {
		pending.count = index + 1;
		ip = (uint64_t)unwind_pad;
	}
	dwell_trace_work_end(thread, work);
	return ip;
}

/* Called by unwind_pad: the thread continues with this stack pointer. Returns the address where the thread continues. */
uint64_t unwind_landed(uint64_t sp)
{
	struct dwell_thread *thread = port_thread();
	const struct pending *from;
	uint32_t index = pending.count;

	/* A handler may have jumped out of pending unwinds: drop those. */
	while (index > 1 && sp - pending.of[index - 1].sp > PUSHED_MAX)
		index--;
	from = &pending.of[index ? index - 1 : 0];
	pending.count = index ? index - 1 : 0;
	if (!agent.on || !dwell_trace_is_recording(thread))
		return from->ip;
	record_landed(thread, from->words, from->count);
	note_landed(thread, from);
	return from->ip;
}

static void record_catch(struct dwell_thread *thread, uint64_t exception)
{
	if (caught.exception != exception)
		return;
	caught.exception = 0;
	record_landed(thread, caught.words, caught.count);
}

static void find_context(void)
{
	real_get_cfa = (uint64_t (*)(void *))unwind_find_real("_Unwind_GetCFA");
	real_get_gr = (uint64_t (*)(void *, int))unwind_find_real("_Unwind_GetGR");
}

static uint64_t follow_context(struct dwell_thread *thread, struct frame from, void *context, uint64_t ip)
{
	return real_get_cfa ? prepare_landing(thread, from, context, ip) : ip;
}
#else
static void forget_deferred(void)
{
}

static void find_context(void)
{
}

static uint64_t follow_context(struct dwell_thread *thread, struct frame from, void *context, uint64_t ip)
{
	(void)from;
	(void)context;
	dwell_trace_unwind(thread, DWELL_TAG_UNWIND_CATCH, 0);
	return ip;
}

static void record_catch(struct dwell_thread *thread, uint64_t exception)
{
	(void)exception;
	dwell_trace_unwind(thread, DWELL_TAG_UNWIND_CATCH, 0);
}
#endif

void INTERPOSED(_Unwind_SetIP)(void *context, uint64_t ip);
__attribute__((visibility("default"))) void INTERPOSED(_Unwind_SetIP)(void *context, uint64_t ip)
{
	struct dwell_thread *thread = port_thread();

	if (!real_set_ip) {
		find_context();
		real_set_ip = (set_ip_fn *)unwind_find_real("_Unwind_SetIP");
	}
	if (agent.on && dwell_trace_is_recording(thread))
		ip = follow_context(thread, frames_of_caller(), context, ip);
	real_set_ip(context, ip);
}

void *INTERPOSED(__cxa_begin_catch)(void *exception);
__attribute__((visibility("default"))) void *INTERPOSED(__cxa_begin_catch)(void *exception)
{
	struct dwell_thread *thread = port_thread();

	if (!real_begin_catch)
		real_begin_catch = (void *(*)(void *))unwind_find_real("__cxa_begin_catch");
	if (agent.on && dwell_trace_is_recording(thread))
		record_catch(thread, (uint64_t)exception);
	return real_begin_catch(exception);
}
