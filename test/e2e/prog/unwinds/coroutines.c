/* Coroutines: coroutines HOW [N]. Each makes calls, is suspended in the middle of them, and goes on later; what calls what is
 * always the same, whoever runs in between.
 *
 *     contexts   swapcontext, all at once, in turn
 *     ended      swapcontext away for ever, with calls open; the next one begins on the same memory
 *     own        swapcontext to a stack that is an array in main
 *     bare       a switch of our own, on stacks from malloc: nothing tells but the stack pointer
 *     bareended  the same, with calls left open
 *     marked     the same on stacks side by side in an array, with dwell_stack_switch
 *     jumps      siglongjmp from stack to stack
 *     threads    contexts, on four threads at a time
 *     signals    contexts, while a timer calls a handler on an alternate stack
 *     moved      each goes on on another thread than it began on */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>
#include <ucontext.h>

#include "../count.h"
#ifdef MARKED
#include "dwell/dwell.h"
#endif

enum { STACK_BYTES = 64 * 1024, MANY = 8 };

static volatile unsigned sink;
static int turns = 200;
static const char *how;

static void leaf(void)
{
	CALLED();
	sink++;
}

static void resumed(void)
{
	CALLED();
	leaf();
}

static void suspended(void)
{
	CALLED();
	leaf();
}

/* ---- what runs in a coroutine: the same for all kinds of switches ---- */

struct coroutine {
	ucontext_t context, back;
	sigjmp_buf inside, outside;
	void *pointer, *pointer_back;
	void (*yield)(struct coroutine *coroutine);
	unsigned char *stack;
	int ended, leaves;
};
static __thread struct coroutine *starting;

static void inner(struct coroutine *coroutine)
{
	CALLED();
	suspended();
	coroutine->yield(coroutine);
	resumed();
}

static void work(struct coroutine *coroutine)
{
	CALLED();
	for (int i = 0; i < turns; i++)
		inner(coroutine);
	if (coroutine->leaves) {
		coroutine->ended = 1;
		coroutine->yield(coroutine); /* never comes back */
	}
}

static void entry(void)
{
	struct coroutine *coroutine = starting;

	CALLED();
	work(coroutine);
	coroutine->ended = 1;
}

/* ---- makecontext ---- */

static void yield_context(struct coroutine *coroutine)
{
	CALLED();
	swapcontext(&coroutine->context, &coroutine->back);
}

static void begin_context(struct coroutine *coroutine)
{
	CALLED();
	getcontext(&coroutine->context);
	coroutine->context.uc_stack.ss_sp = coroutine->stack;
	coroutine->context.uc_stack.ss_size = STACK_BYTES;
	coroutine->context.uc_link = &coroutine->back;
	coroutine->yield = yield_context;
	coroutine->ended = 0;
	makecontext(&coroutine->context, entry, 0);
}

static void resume_context(struct coroutine *coroutine)
{
	CALLED();
	starting = coroutine;
	swapcontext(&coroutine->back, &coroutine->context);
}

/* ---- a switch of our own ---- */

#if defined(__x86_64__)
void switch_stack(void **from, void *to);
__asm__(".text\n.globl switch_stack\nswitch_stack:\n"
	"push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
	"mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
	"pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");

UNHOOKED static void mark(const void *id)
{
#ifdef MARKED
	dwell_stack_switch(id);
#else
	(void)id;
#endif
}

static void yield_bare(struct coroutine *coroutine)
{
	CALLED();
	mark(0);
	switch_stack(&coroutine->pointer, coroutine->pointer_back);
}

UNHOOKED static void start_bare(void)
{
	struct coroutine *coroutine = starting;

	entry();
	mark(0);
	switch_stack(&coroutine->pointer, coroutine->pointer_back);
	abort();
}

static void begin_bare(struct coroutine *coroutine)
{
	uintptr_t *top = (uintptr_t *)(((uintptr_t)coroutine->stack + STACK_BYTES) & ~(uintptr_t)15);

	CALLED();
	*--top = 0;
	*--top = 0;
	*--top = (uintptr_t)start_bare;
	for (int i = 0; i < 6; i++)
		*--top = 0;
	coroutine->pointer = top;
	coroutine->yield = yield_bare;
	coroutine->ended = 0;
}

static void resume_bare(struct coroutine *coroutine)
{
	CALLED();
	starting = coroutine;
	mark(coroutine);
	switch_stack(&coroutine->pointer_back, coroutine->pointer);
}

UNHOOKED static void ended_bare(struct coroutine *coroutine)
{
#ifdef MARKED
	dwell_stack_end(coroutine);
#else
	(void)coroutine;
#endif
}
#endif

/* ---- jumps ---- */

static void yield_jump(struct coroutine *coroutine)
{
	CALLED();
	if (!sigsetjmp(coroutine->inside, 0))
		siglongjmp(coroutine->outside, 1);
}

UNHOOKED static void start_jump(void)
{
	struct coroutine *coroutine = starting;

	entry();
	siglongjmp(coroutine->outside, 1);
}

static void resume_jump(struct coroutine *coroutine)
{
	CALLED();
	starting = coroutine;
	if (sigsetjmp(coroutine->outside, 0))
		return;
	if (coroutine->yield)
		siglongjmp(coroutine->inside, 1);
	/* the first time */
	getcontext(&coroutine->context);
	coroutine->context.uc_stack.ss_sp = coroutine->stack;
	coroutine->context.uc_stack.ss_size = STACK_BYTES;
	coroutine->yield = yield_jump;
	makecontext(&coroutine->context, start_jump, 0);
	setcontext(&coroutine->context);
}

/* ---- the other side ---- */

static void run_all(struct coroutine *list, int count, void (*resume)(struct coroutine *))
{
	int left = count;

	CALLED();
	while (left) {
		for (int i = 0; i < count; i++) {
			if (list[i].ended)
				continue;
			resume(&list[i]);
			leaf();
			left -= list[i].ended;
		}
	}
}

UNHOOKED static struct coroutine *make(int count, unsigned char *memory)
{
	struct coroutine *list = calloc((size_t)count, sizeof *list);

	for (int i = 0; i < count; i++)
		list[i].stack = memory ? memory + i * STACK_BYTES : malloc(STACK_BYTES);
	return list;
}

static void *run_contexts(void *unused)
{
	struct coroutine *list = make(MANY, 0);

	CALLED();
	for (int i = 0; i < MANY; i++)
		begin_context(&list[i]);
	run_all(list, MANY, resume_context);
	return unused;
}

static void run_ended(void (*begin)(struct coroutine *), void (*resume)(struct coroutine *), void (*end)(struct coroutine *))
{
	struct coroutine *one = make(1, 0);

	CALLED();
	one->leaves = 1;
	for (int i = 0; i < 300; i++) {
		begin(one);
		run_all(one, 1, resume);
		if (end)
			end(one);
	}
}

static void on_timer(int number)
{
	CALLED();
	(void)number;
	leaf();
}

UNHOOKED static void begin_timer(void)
{
	stack_t alternate = {.ss_sp = malloc(65536), .ss_size = 65536};
	struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_ONSTACK | SA_RESTART};
	struct itimerval every = {{0, 100}, {0, 100}};

	sigaltstack(&alternate, 0);
	sigaction(SIGALRM, &action, 0);
	setitimer(ITIMER_REAL, &every, 0);
}

UNHOOKED static void end_timer(void)
{
	struct itimerval never = {{0, 0}, {0, 0}};

	setitimer(ITIMER_REAL, &never, 0);
	signal(SIGALRM, SIG_IGN);
}

static struct coroutine *moving;

static void *go_on(void *unused)
{
	CALLED();
	run_all(moving, MANY, resume_context);
	return unused;
}

static void run_moved(void)
{
	pthread_t thread;

	CALLED();
	moving = make(MANY, 0);
	for (int i = 0; i < MANY; i++) {
		begin_context(&moving[i]);
		resume_context(&moving[i]);
	}
	if (pthread_create(&thread, 0, go_on, 0) || pthread_join(thread, 0))
		abort();
}

int main(int argc, char **argv)
{
	struct coroutine *list;
	pthread_t threads[4];

	CALLED();
	how = argc > 1 ? argv[1] : "contexts";
	turns = argc > 2 ? (int)strtol(argv[2], 0, 10) : turns;
	if (!strcmp(how, "contexts")) {
		run_contexts(0);
	} else if (!strcmp(how, "ended")) {
		run_ended(begin_context, resume_context, 0);
	} else if (!strcmp(how, "own")) {
		unsigned char memory[2 * STACK_BYTES];

		list = make(2, memory);
		begin_context(&list[0]);
		begin_context(&list[1]);
		run_all(list, 2, resume_context);
	} else if (!strcmp(how, "bareended")) {
		run_ended(begin_bare, resume_bare, ended_bare);
	} else if (!strcmp(how, "bare") || !strcmp(how, "marked")) {
		static unsigned char side_by_side[MANY * STACK_BYTES];

		list = make(MANY, strcmp(how, "bare") ? side_by_side : 0);
		for (int i = 0; i < MANY; i++)
			begin_bare(&list[i]);
		run_all(list, MANY, resume_bare);
	} else if (!strcmp(how, "jumps")) {
		list = make(MANY, 0);
		run_all(list, MANY, resume_jump);
	} else if (!strcmp(how, "threads")) {
		for (int i = 0; i < 4; i++)
			if (pthread_create(&threads[i], 0, run_contexts, 0))
				abort();
		for (int i = 0; i < 4; i++)
			pthread_join(threads[i], 0);
	} else if (!strcmp(how, "signals")) {
		begin_timer();
		run_contexts(0);
		end_timer();
	} else if (!strcmp(how, "moved")) {
		run_moved();
	}
	count_print();
	return 0;
}
