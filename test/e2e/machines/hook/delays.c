/* The example of the application note: a timer switches three tasks in turn, each of which runs a delay function for ever. The
 * timer's interrupt has hooks, and so has one that interrupts it. The kernel counts ticks for each task; the records must say the
 * same. */
#include "board.h"
#include "hook.h"

#ifdef HOOK_CIRCULAR
#define task_switch_hook task_switch_hook_circular
#endif
#define TASKS 3
#define STACK_WORDS 512
#define TICKS 300

struct task {
	void *frame;
	uint32_t ticks, begun, done;
	uint32_t stack[STACK_WORDS] __attribute__((aligned(16)));
};

static struct task tasks[TASKS];
static volatile int running = -1;
static volatile uint32_t ticks;

void delay(uint32_t rounds);
void first_task(void);
void second_task(void);
void third_task(void);
void tick_interrupt(void);
void nested_interrupt(void);

__attribute__((noinline)) void delay(uint32_t rounds)
{
	struct task *own = &tasks[running];

	own->begun++;
	for (volatile uint32_t i = 0; i < rounds; i++)
		;
	own->done++;
}

__attribute__((noinline)) void first_task(void)
{
	for (;;)
		delay(200);
}

__attribute__((noinline)) void second_task(void)
{
	for (;;)
		delay(450);
}

__attribute__((noinline)) void third_task(void)
{
	for (;;)
		delay(90);
}

__attribute__((noinline)) void nested_interrupt(void)
{
	__asm__ volatile("");
}

__attribute__((noinline)) void tick_interrupt(void)
{
	board_nest();
	hook_tick();
}

NO_HOOKS static void print_handle(uintptr_t handle)
{
	char text[] = "task 00000000 ";

	for (int i = 0; i < 8; i++)
		text[5 + i] = "0123456789abcdef"[handle >> (28 - 4 * i) & 15];
	board_print(text);
}

NO_HOOKS static void finish(void)
{
	uint32_t records = uiProfileDataCnt;

	uiProfileDataCnt = 0xffffffff; /* nothing is recorded from here on */
	board_print_number("records ", records);
	for (int i = 0; i < TASKS; i++) {
		print_handle((uintptr_t)&tasks[i]);
		board_print_number("ticks ", tasks[i].ticks);
		print_handle((uintptr_t)&tasks[i]);
		board_print_number("begun ", tasks[i].begun);
		print_handle((uintptr_t)&tasks[i]);
		board_print_number("done ", tasks[i].done);
	}
	board_print_number("period ", PERIOD);
	board_write_file("dump.bin", ProfileData, 12 * (records < MAX_PROFILE_RECORD_NUM ? records : MAX_PROFILE_RECORD_NUM));
#ifdef STANDS
	uiProfileDataCnt = records;
	board_stand();
#endif
	board_exit(0);
}

NO_HOOKS void kernel_nested(void)
{
	nested_interrupt();
}

NO_HOOKS void kernel_tick(void)
{
	tick_interrupt();
	if (running >= 0)
		tasks[running].ticks++;
	if (++ticks == TICKS)
		finish();
}

NO_HOOKS void *kernel_switch(void *frame)
{
	int next = (running + 1) % TASKS;

	if (running >= 0)
		tasks[running].frame = frame;
	task_switch_hook(running < 0 ? 0 : (unsigned)(uintptr_t)&tasks[running], (unsigned)(uintptr_t)&tasks[next]);
	running = next;
	return tasks[next].frame;
}

NO_HOOKS int main(void)
{
	static void (*const functions[TASKS])(void) = {first_task, second_task, third_task};

	for (int i = 0; i < TASKS; i++)
		tasks[i].frame = board_make_frame(tasks[i].stack + STACK_WORDS, functions[i]);
	nested_interrupt(); /* before init: not recorded */
	task_switch_hook(4, 8);
	hook_init();
	board_come_round_in(0x100000); /* on the way */
	board_begin_ticks(PERIOD);
	for (;;)
		;
}
