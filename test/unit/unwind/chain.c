/* Frame pointers where the copy of the stack ends: against what libgcc says of the same stack, with copies of every length, and with
 * chains that lie. */
#include "unwind/unwind.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "check.h"

#ifdef __x86_64__

#define FRAMES_MAX 512u
#define DEEP 100

static struct unwind_space *space;
static struct unwind_file *files[64];
static unsigned file_count;

static int add_module(struct dl_phdr_info *info, size_t size, void *context)
{
	struct unwind_file *file = make_unwind_file(*info->dlpi_name ? info->dlpi_name : "/proc/self/exe", NULL);

	(void)size;
	(void)context;
	if (file && file_count < sizeof files / sizeof *files)
		files[file_count++] = file;
	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
			uint64_t low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;

			CHECK(unwind_space_map(space, low, low + info->dlpi_phdr[i].p_memsz, info->dlpi_addr, file));
		}
	return 0;
}

static struct {
	size_t copy_bytes;
	uint64_t change_from, change_to; /* of the chain: this one of its addresses is another one */
	uint64_t ours[FRAMES_MAX], chain[FRAMES_MAX];
	uint64_t chain_count;
	void *theirs[FRAMES_MAX];
	struct unwind_result result;
	uint32_t their_count;
} seen;

static _Unwind_Reason_Code add_theirs(struct _Unwind_Context *context, void *nothing)
{
	(void)nothing;
	if (seen.their_count == FRAMES_MAX || !_Unwind_GetIP(context))
		return _URC_END_OF_STACK;
	seen.theirs[seen.their_count++] = (void *)_Unwind_GetIP(context);
	return _URC_NO_REASON;
}

/* As the kernel does it: from the frame pointer on, as long as it leads outwards. */
static void follow_pointers(const struct unwind_registers *registers)
{
	uint64_t fp = registers->values[cpu_x86_64.fp], before = registers->values[cpu_x86_64.sp];

	seen.chain[0] = registers->pc;
	for (seen.chain_count = 1; seen.chain_count < FRAMES_MAX - 1 && fp > before && fp - before < 100000 && fp % 8 == 0;
		seen.chain_count++) {
		seen.chain[seen.chain_count] = ((const uint64_t *)fp)[1];
		before = fp;
		fp = ((const uint64_t *)fp)[0];
	}
	if (seen.change_from && seen.change_from < seen.chain_count)
		seen.chain[seen.change_from] = seen.change_to;
}

__attribute__((noinline)) static void look(void)
{
	struct unwind_chain chain = {(const uint8_t *)seen.chain, 0};
	struct unwind_registers registers;
	struct unwind_stack stack;
	uint64_t signals;

	__asm__ volatile("mov %%rsp, 56(%1)\n\tmov %%rbp, 48(%1)\n\tmov %%rbx, 24(%1)\n\tmov %%r12, 96(%1)\n\tmov %%r13, 104(%1)\n\t"
			 "mov %%r14, 112(%1)\n\tmov %%r15, 120(%1)\n\tlea 0(%%rip), %0"
			 : "=&r"(registers.pc)
			 : "r"(registers.values)
			 : "memory");
	registers.known = 0xf0c8;
	follow_pointers(&registers);
	chain.count = seen.chain_count;
	stack.address = registers.values[cpu_x86_64.sp];
	stack.bytes = (struct bytes){(const uint8_t *)stack.address, seen.copy_bytes};
	seen.result = unwind_stack_and_chain(space, &registers, &stack, &chain, seen.ours, FRAMES_MAX, &signals);
	seen.their_count = 0;
	_Unwind_Backtrace(add_theirs, NULL);
}

/* What is on the stack is not known before: so it has a frame pointer whatever the compiler was told. */
__attribute__((noinline)) static int with_pointer(int depth)
{
	volatile char *room = __builtin_alloca((size_t)(64 + depth % 3 * 16));

	room[0] = (char)depth;
	if (!depth)
		look();
	else
		with_pointer(depth - 1);
	return room[0];
}

static void check_prefix(uint32_t from)
{
	for (uint32_t i = from; i < seen.result.count; i++)
		CHECK(i < seen.their_count && seen.ours[i] == (uint64_t)seen.theirs[i]);
}

/* Whatever was copied: the frames that are there are right, and those with a pointer are all there when their first one is. */
TEST(copies_of_every_length)
{
	uint32_t least = UINT32_MAX;

	for (size_t bytes = 0; bytes < 4096; bytes += 8) {
		seen.copy_bytes = bytes;
		with_pointer(DEEP);
		check_prefix(1);
		CHECK(seen.result.state == DWELL_STACK_TRUNCATED);
		if (bytes >= 512 + sizeof(struct unwind_registers))
			least = seen.result.count < least ? seen.result.count : least;
	}
	printf("# at least %u frames of %u\n", least, seen.their_count);
	CHECK(least >= DEEP);
}

/* Somewhere in it an address of no code: up to there, and it is said. */
TEST(chains_that_lie)
{
	seen.copy_bytes = 1024;
	for (uint64_t at = 1; at < DEEP; at++) {
		seen.change_from = at;
		seen.change_to = at % 2 ? 0 : 0x123456789;
		with_pointer(DEEP);
		check_prefix(1);
		CHECK(seen.result.state == DWELL_STACK_BROKEN || seen.result.count < DEEP);
		CHECK(seen.result.count <= (at < 20 ? 60 : at + 10)); /* those in the copy are found without it */
	}
	seen.change_from = 0;
}

/* A thread's first function ends it. */
extern char _start;
TEST(up_to_the_end)
{
	seen.copy_bytes = 1024;
	seen.change_from = DEEP;
	seen.change_to = (uint64_t)&_start + 0x20;
	with_pointer(DEEP + 10);
	CHECK_EQ(seen.result.state, DWELL_STACK_COMPLETE);
	CHECK_EQ(seen.ours[seen.result.count - 1], (uint64_t)&_start + 0x20);
	seen.change_from = 0;
}

int main(void)
{
	space = make_unwind_space(&cpu_x86_64);
	dl_iterate_phdr(add_module, NULL);
	RUN(copies_of_every_length);
	RUN(chains_that_lie);
	RUN(up_to_the_end);
	free_unwind_space(space);
	while (file_count)
		free_unwind_file(files[--file_count]);
	return tap_done();
}

#else

int main(void)
{
	printf("1..0 # SKIP for x86-64\n");
	return 0;
}

#endif
