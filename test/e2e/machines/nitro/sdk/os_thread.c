/* A thread's profile is kept with it, as doc/nitro.md says. */
#include "sdk.h"

#define THREADS 4
#define STACK_BYTES 65536

static struct thread {
	_Alignas(16) char stack[STACK_BYTES];
	void (*function)(void);
	void *profile;
	int is_over;
} threads[THREADS];
static int count = 1, running;

static void begin(void)
{
	struct thread *own = &threads[running];

	own->function();
	OS_ReleaseProfile(0);
	own->is_over = 1;
	for (;;)
		OS_YieldThread();
}

#ifdef __linux__
#include <ucontext.h>

static ucontext_t contexts[THREADS];

static void make(int thread)
{
	getcontext(&contexts[thread]);
	contexts[thread].uc_stack.ss_sp = threads[thread].stack;
	contexts[thread].uc_stack.ss_size = STACK_BYTES;
	makecontext(&contexts[thread], begin, 0);
}

static void swap(int from, int to)
{
	swapcontext(&contexts[from], &contexts[to]);
}
#else
static u32 *frames[THREADS];

void swap_frames(u32 **save, u32 *next);
__asm__(".arm\n.text\n"
	"swap_frames:\n"
	"	stmfd	sp!, {r4-r11, lr}\n"
	"	str	sp, [r0]\n"
	"	mov	sp, r1\n"
	"	ldmfd	sp!, {r4-r11, pc}\n");

static void make(int thread)
{
	frames[thread] = (u32 *)(threads[thread].stack + STACK_BYTES) - 10;
	frames[thread][8] = (u32)begin;
}

static void swap(int from, int to)
{
	swap_frames(&frames[from], frames[to]);
}
#endif

void OS_CreateThread(void (*function)(void))
{
	threads[count].function = function;
	make(count++);
}

void OS_YieldThread(void)
{
	int before = running, next = before;

	do
		next = (next + 1) % count;
	while (threads[next].is_over);
	if (next == before)
		return;
	threads[before].profile = OS_SwitchProfile(threads[next].profile);
	running = next;
	swap(before, next);
}

void OS_JoinThreads(void)
{
	int left;

	do {
		OS_YieldThread();
		left = 0;
		for (int i = 1; i < count; i++)
			left += !threads[i].is_over;
	} while (left);
}
