/* Functions that count their calls, on Linux: with hooks by the compiler, or by hand with what the other forms of the library
 * record. */
#include <stdio.h>

#include "hook.h"

#define NO_HOOKS __attribute__((no_instrument_function))

static unsigned leaves, nodes;

__attribute__((noinline)) void leaf(void);
__attribute__((noinline)) void node(int depth);

#if HOOK_PARM == HOOK_PARM_NAME
static const char leaf_name[] __attribute__((aligned(4))) = "leaf", node_name[] __attribute__((aligned(4))) = "node";
#define ENTER(name) __entry_hook(name##_name)
#define LEAVE(name) __exit_hook(name##_name)
#elif HOOK_PARM == HOOK_PARM_NONE
#define ENTER(name) __entry_hook()
#define LEAVE(name) __exit_hook()
#else
#define ENTER(name) (void)0
#define LEAVE(name) (void)0
#endif

void leaf(void)
{
	ENTER(leaf);
	leaves++;
	LEAVE(leaf);
	__asm__ volatile("");
}

void node(int depth)
{
	ENTER(node);
	nodes++;
	for (int i = 0; depth && i < 3; i++) {
		node(depth - 1);
		leaf();
	}
	LEAVE(node);
	__asm__ volatile("");
}

NO_HOOKS int main(void)
{
	FILE *file = fopen("dump.bin", "wb");
	unsigned count;

	node(2);
	leaves = nodes = 0;
	hook_init();
	task_switch_hook(0, 0x1230);
	node(6);
	task_switch_hook(0x1230, 0x4560);
	leaf();
	count = uiProfileDataCnt;
	if (!file || fwrite(ProfileData, sizeof *ProfileData, count, file) != count || fclose(file))
		return 1;
	printf("leaf %u\nnode %u\nrecords %u\n", leaves, nodes, count);
	return 0;
}
