/* What else programs do with processes, stacks and signals: kinds HOW. Counts are of all processes together, where they share
 * memory or say so themselves.
 *
 *     vfork     children of vfork that make calls on their parent's stack, and leave some open
 *     early     the first call of all is made by such a child
 *     spawn     posix_spawn of this program, again and again
 *     execs     becomes itself, again and again, in the middle of calls
 *     plain     _Fork, without the handlers of pthread_atfork
 *     jumps     every kind of setjmp and longjmp
 *     nested    handlers on an alternate stack, one on top of another, that jump out of both
 *     handler   exit() from a handler
 *     thread    exit() from a thread, while others make calls
 *     quick     at_quick_exit
 *     cancel    threads that are cancelled at any instruction
 *     many      2,000 short threads; 500 at once
 *     named     a thread that is given a name later
 *     reopen    a library that is loaded again at another address: kinds reopen LIBRARY */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "../count.h"

extern char **environ;
extern pid_t _Fork(void) __attribute__((weak));
static volatile unsigned sink;
static char *self;

static void leaf(void)
{
	CALLED();
	sink++;
}

static void after(void)
{
	CALLED();
	leaf();
}

/* ---- processes ---- */

static void child_leaves_open(void)
{
	CALLED();
	leaf();
	execl("/bin/true", "true", (char *)0);
	_exit(1);
}

static void child_ends(void)
{
	CALLED();
	leaf();
	_exit(0);
}

static void one_vfork(int how)
{
	int status;
	pid_t child;

	CALLED();
	child = vfork();
	if (!child) {
		leaf();
		if (how % 2)
			child_leaves_open();
		child_ends();
	}
	after();
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		abort();
}

UNHOOKED static void early(void)
{
	int status;
	pid_t child = vfork();

	if (!child)
		child_ends();
	waitpid(child, &status, 0);
}

static void one_spawn(void)
{
	char *arguments[] = {self, (char *)"child", 0};
	pid_t child;
	int status;

	CALLED();
	if (posix_spawn(&child, self, 0, 0, arguments, environ) || waitpid(child, &status, 0) != child || status)
		abort();
	after();
}

static void become(int left)
{
	char number[16];

	CALLED();
	for (int i = 0; i < 100; i++)
		after();
	snprintf(number, sizeof number, "%d", left - 1);
	count_print();
	if (left)
		execl(self, self, "execs", number, (char *)0);
}

static void one_plain(void)
{
	int status;
	pid_t child;

	CALLED();
	child = _Fork();
	if (!child) {
		for (int i = 0; i < 1000; i++)
			after();
		_exit(0);
	}
	for (int i = 0; i < 1000; i++)
		after();
	if (child < 0 || waitpid(child, &status, 0) != child || status)
		abort();
}

/* ---- jumps ---- */

static jmp_buf plain;
static sigjmp_buf with_mask;

static void jump_out(int how)
{
	CALLED();
	leaf();
	if (how == 0)
		longjmp(plain, 1);
	if (how == 1)
		_longjmp(plain, 1);
	siglongjmp(with_mask, 1);
}

static void between(int how)
{
	CALLED();
	jump_out(how);
}

static void land(int how)
{
	int back;

	CALLED();
	if (how == 0)
		back = setjmp(plain);
	else if (how == 1)
		back = _setjmp(plain);
	else
		back = sigsetjmp(with_mask, how & 1);
	if (!back)
		between(how);
	after();
}

/* ---- signals ---- */

static void inner_handler(int number)
{
	CALLED();
	leaf();
	siglongjmp(with_mask, number);
}

static void outer_handler(int number)
{
	CALLED();
	(void)number;
	leaf();
	raise(SIGUSR2);
}

static void interrupted(void)
{
	CALLED();
	leaf();
	raise(SIGUSR1);
}

static void land_from_handlers(void)
{
	CALLED();
	if (!sigsetjmp(with_mask, 1))
		interrupted();
	after();
}

static void on_alternate_stack(int number, void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};

	CALLED();
	sigaction(number, &action, 0);
}

static void handler_exits(int number)
{
	CALLED();
	leaf();
	count_print();
	exit(number);
}

/* ---- threads ---- */

static void *exits(void *unused)
{
	CALLED();
	after();
	count_print();
	exit(7);
	return unused;
}

static void at_quick(void)
{
	CALLED();
	leaf();
	count_print();
}

static pthread_barrier_t together;

static void *makes_few(void *waits)
{
	CALLED();
	for (int i = 0; i < 10; i++)
		leaf();
	if (waits)
		pthread_barrier_wait(&together);
	after();
	return 0;
}

static void start(pthread_t *threads, int count, void *waits)
{
	CALLED();
	for (int i = 0; i < count; i++)
		if (pthread_create(&threads[i], 0, makes_few, waits))
			abort();
}

static void join(pthread_t *threads, int count)
{
	CALLED();
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], 0);
}

static void many(void)
{
	static pthread_t threads[500];

	CALLED();
	for (int i = 0; i < 40; i++) {
		start(threads, 50, 0);
		join(threads, 50);
	}
	pthread_barrier_init(&together, 0, 501);
	start(threads, 500, &together);
	pthread_barrier_wait(&together);
	join(threads, 500);
}

static void never_called(void)
{
	CALLED();
	leaf();
}

static void *runs(void *unused)
{
	int before;

	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &before);
	for (;;)
		leaf();
	return unused;
}

static void cancel(void)
{
	pthread_t thread;
	void *result;

	CALLED();
	for (int i = 0; i < 300; i++) {
		if (pthread_create(&thread, 0, runs, 0))
			abort();
		usleep((useconds_t)(i * 7 % 400));
		if (pthread_cancel(thread) || pthread_join(thread, &result) || result != PTHREAD_CANCELED)
			abort();
	}
}

static void *is_named(void *unused)
{
	CALLED();
	leaf();
	pthread_setname_np(pthread_self(), "late name");
	usleep(200000);
	leaf();
	return unused;
}

/* ---- libraries ---- */

typedef void entry_fn(unsigned turns, void (*report)(const char *name, unsigned long calls));

UNHOOKED static void report(const char *name, unsigned long calls)
{
	(void)name;
	(void)calls;
}

static void use(const char *path, unsigned turns, void **at)
{
	void *library = dlopen(path, RTLD_NOW);
	entry_fn *entry;

	CALLED();
	if (!library || !(entry = (entry_fn *)dlsym(library, "alpha")))
		abort();
	entry(turns, report);
	*at = (void *)entry;
	dlclose(library);
}

static void reopen(const char *path)
{
	void *first, *again, *other;

	CALLED();
	use(path, 100, &first);
	use(path, 200, &again);
	mmap((void *)((unsigned long)first & ~4095ul), 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	use(path, 400, &other);
	count_line("places", first == again ? "same" : "different", first == other);
}

UNHOOKED int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	pthread_t thread;

	if (!strcmp(how, "early"))
		early();
	self = argv[0];
	if (!strcmp(how, "vfork")) {
		for (int i = 0; i < 100; i++)
			one_vfork(i);
	} else if (!strcmp(how, "spawn")) {
		for (int i = 0; i < 20; i++)
			one_spawn();
	} else if (!strcmp(how, "child") || !strcmp(how, "early")) {
		for (int i = 0; i < 10; i++)
			after();
	} else if (!strcmp(how, "execs")) {
		become(argc > 2 ? (int)strtol(argv[2], 0, 10) : 5);
		return 0;
	} else if (!strcmp(how, "plain")) {
		if (!_Fork)
			return 77;
		for (int i = 0; i < 10; i++)
			one_plain();
		count_line("count", "(children)", 10 * 1000);
	} else if (!strcmp(how, "jumps")) {
		for (int i = 0; i < 400; i++)
			land(i % 4);
	} else if (!strcmp(how, "nested")) {
		stack_t alternate = {.ss_sp = malloc(65536), .ss_size = 65536};

		sigaltstack(&alternate, 0);
		on_alternate_stack(SIGUSR1, outer_handler);
		on_alternate_stack(SIGUSR2, inner_handler);
		for (int i = 0; i < 500; i++)
			land_from_handlers();
	} else if (!strcmp(how, "handler")) {
		signal(SIGUSR1, handler_exits);
		interrupted();
	} else if (!strcmp(how, "thread")) {
		if (pthread_create(&thread, 0, exits, 0))
			abort();
		pthread_join(thread, 0);
	} else if (!strcmp(how, "quick")) {
		at_quick_exit(at_quick);
		after();
		quick_exit(9);
	} else if (!strcmp(how, "many")) {
		many();
	} else if (!strcmp(how, "cancel")) {
		cancel();
	} else if (!strcmp(how, "named")) {
		if (pthread_create(&thread, 0, is_named, 0))
			abort();
		pthread_join(thread, 0);
	} else if (!strcmp(how, "reopen")) {
		reopen(argv[2]);
	}
	if (argc > 100)
		never_called();
	count_print();
	return 0;
}
