/* Stacks as a program's own unwinder sees them when a signal interrupts a gate.
 *
 *     from_gates [backtrace]
 *
 * backtrace: that of glibc, which loads libgcc when it is asked first, and that is here; else _Unwind_Backtrace, of whom this is
 * linked with. A gate is code that no file has. Prints how many of the stacks from there came to main. */
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unwind.h>

#define PLAIN __attribute__((noinline, noclone))
#define FRAMES_MAX 64
#define WANTED 100

static volatile unsigned gates, whole, frame_count;
static void *frames[FRAMES_MAX];
static bool by_backtrace;
int main(int argc, char **argv);

PLAIN static long leaf(long x)
{
	__asm__ volatile("" ::: "memory");
	return x + 1;
}

PLAIN static long middle(long x)
{
	long sum = 0;

	for (int i = 0; i < 10; i++)
		sum += leaf(x + i);
	return sum;
}

static _Unwind_Reason_Code take_frame(struct _Unwind_Context *context, void *unused)
{
	(void)unused;
	if (frame_count < FRAMES_MAX)
		frames[frame_count++] = (void *)_Unwind_GetIP(context);
	return _URC_NO_REASON;
}

static void on_signal(int number, siginfo_t *info, void *context)
{
	uint64_t pc = (uint64_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	bool has_main = false;
	Dl_info file;

	(void)number;
	(void)info;
	if (dladdr((void *)pc, &file))
		return;
	frame_count = 0;
	if (by_backtrace)
		frame_count = (unsigned)backtrace(frames, FRAMES_MAX);
	else
		_Unwind_Backtrace(take_frame, NULL);
	for (unsigned i = 0; i < frame_count; i++)
		has_main |= (uintptr_t)frames[i] - (uintptr_t)main < 500;
	gates++;
	whole += has_main;
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART};
	struct itimerval often = {{0, 1000}, {0, 1000}};
	long sum = 0;

	by_backtrace = argc > 1 && !strcmp(argv[1], "backtrace");
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &often, NULL);
	for (long i = 0; i < 100000000 && gates < WANTED; i++)
		sum += middle(i);
	printf("%u of %u\n", whole, gates);
	return sum == 0;
}
