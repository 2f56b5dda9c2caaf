/* small_stacks MILLISECONDS [CASE]: computes in coroutines that have 2 KB of stack each, and says how far below their own use of it
 * something was written: no handler shall run there. Cases:
 *     (none)     of the main thread
 *     thread     of 100 threads, one after the other; says how much memory the process has more than after the tenth
 *     fork       of a forked child, after a child of vfork
 *     own        a program with a signal stack of its own for a while, which is all it sees of signal stacks
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define STACK 2048u
#define BELOW 65536u /* memory in front of the stack: what overruns it is seen, and does no harm */
#define PATTERN 0xa5

static int failures;

static void must(int good, const char *what)
{
	if (!good)
		printf("broken: %s\n", what);
	failures += !good;
}

static int64_t cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct coroutine {
	ucontext_t own, back;
	uint64_t turns, sum;
	unsigned char *memory;
};

/* Calls nothing: no use of the stack beyond its frame. */
static __attribute__((noinline)) uint64_t compute(uint64_t turns)
{
	volatile uint64_t sum = 0;

	while (turns--)
		sum += turns;
	return sum;
}

static void body(unsigned low, unsigned high)
{
	struct coroutine *coroutine = (struct coroutine *)((uintptr_t)high << 32 | low);

	for (;;) {
		coroutine->sum += compute(coroutine->turns);
		swapcontext(&coroutine->own, &coroutine->back);
	}
}

/* Bytes in use at the end of the memory. */
static size_t used(const struct coroutine *coroutine)
{
	size_t at = 0;

	while (at < BELOW + STACK && coroutine->memory[at] == PATTERN)
		at++;
	return BELOW + STACK - at;
}

/* Computes for some CPU time. Returns how many bytes of the stack were used in it, beyond what switching to the coroutine takes. */
static size_t run(int64_t milliseconds)
{
	struct coroutine *coroutine = calloc(1, sizeof *coroutine);
	uintptr_t at = (uintptr_t)coroutine;
	int64_t end;
	size_t first, depth;
	sigset_t all, before;

	coroutine->memory = malloc(BELOW + STACK);
	memset(coroutine->memory, PATTERN, BELOW + STACK);
	getcontext(&coroutine->own);
	coroutine->own.uc_stack.ss_sp = coroutine->memory + BELOW;
	coroutine->own.uc_stack.ss_size = STACK;
	makecontext(&coroutine->own, (void (*)(void))body, 2, (unsigned)at, (unsigned)(at >> 32));
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	coroutine->turns = 1;
	swapcontext(&coroutine->back, &coroutine->own);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	coroutine->turns = 100000;
	first = used(coroutine);
	for (end = cpu_ms() + milliseconds; cpu_ms() < end;)
		swapcontext(&coroutine->back, &coroutine->own);
	depth = used(coroutine) - first;
	free(coroutine->memory);
	free(coroutine);
	return depth;
}

static void report(const char *where, size_t depth)
{
	printf("%s: %zu bytes\n", where, depth);
}

static long memory_pages(void)
{
	FILE *file = fopen("/proc/self/statm", "r");
	long pages = 0;

	must(file && fscanf(file, "%ld", &pages) == 1, "statm");
	fclose(file);
	return pages;
}

static void *thread_main(void *milliseconds)
{
	return (void *)run((intptr_t)milliseconds);
}

static void threads(int64_t milliseconds)
{
	size_t depth = 0;
	long pages = 0;

	for (int i = 0; i < 100; i++) {
		pthread_t thread;
		void *of_thread;

		if (i == 10)
			pages = memory_pages();
		pthread_create(&thread, NULL, thread_main, (void *)(intptr_t)(milliseconds / 100));
		pthread_join(thread, &of_thread);
		depth = (size_t)of_thread > depth ? (size_t)of_thread : depth;
	}
	report("threads", depth);
	must((memory_pages() - pages) * sysconf(_SC_PAGESIZE) < 90 * 65536, "memory of threads that have ended");
}

static void children(int64_t milliseconds)
{
	pid_t child = vfork();
	int status = 1;

	if (!child)
		_exit(0);
	waitpid(child, &status, 0);
	must(!status, "the child of vfork");
	report("parent", run(milliseconds / 2));
	fflush(stdout);
	child = fork();
	if (!child) {
		report("child", run(milliseconds / 2));
		fflush(stdout);
		_exit(failures);
	}
	waitpid(child, &status, 0);
	must(!status, "the child of fork");
}

static volatile uintptr_t handler_at;

static void on_signal(int number)
{
	(void)number;
	handler_at = (uintptr_t)__builtin_frame_address(0);
}

static int has_none(void)
{
	stack_t stack;

	return !sigaltstack(NULL, &stack) && stack.ss_flags == SS_DISABLE;
}

static void own(int64_t milliseconds)
{
	static char memory[1 << 16];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory}, before;
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

	sigaction(SIGUSR1, &action, NULL);
	must(has_none(), "a signal stack that the program has not set");
	report("before", run(milliseconds / 3));
	must(!sigaltstack(&stack, &before) && before.ss_flags == SS_DISABLE, "what was before the program's");
	must(!sigaltstack(NULL, &before) && before.ss_sp == memory && before.ss_size == sizeof memory, "the program's own");
	raise(SIGUSR1);
	must(handler_at - (uintptr_t)memory < sizeof memory, "a handler's stack");
	report("with its own", run(milliseconds / 3));
	stack.ss_flags = SS_DISABLE;
	must(!sigaltstack(&stack, &before) && before.ss_sp == memory, "what was before none");
	must(has_none(), "a signal stack that is gone");
	report("after", run(milliseconds / 3));
	must(sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = 1}, NULL) == -1, "too small a stack");
}

int main(int argc, char **argv)
{
	int64_t milliseconds = argc > 1 ? atol(argv[1]) : 300;
	const char *which = argc > 2 ? argv[2] : "";

	if (!strcmp(which, "thread"))
		threads(milliseconds);
	else if (!strcmp(which, "fork"))
		children(milliseconds);
	else if (!strcmp(which, "own"))
		own(milliseconds);
	else
		report("main", run(milliseconds));
	return failures != 0;
}
