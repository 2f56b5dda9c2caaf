/* Stacks of real programs, unwound from a copy: against what libgcc says of the same stack, and of a child that goes on by single
 * instructions, at each of which its callers must be found. */
#include "unwind/unwind.h"

#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

#include "check.h"

#define FRAMES_MAX 512u
#define COPY_BYTES 65536u

static struct unwind_space *space;
static struct unwind_file *files[64];
static unsigned file_count;

static int add_module(struct dl_phdr_info *info, size_t size, void *context)
{
	const char *path = *info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
	struct unwind_file *file = make_unwind_file(path, NULL);

	(void)size;
	(void)context;
	if (file)
		files[file_count++] = file;
	for (unsigned i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
			uint64_t low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			CHECK(unwind_space_map(space, low, low + info->dlpi_phdr[i].p_memsz, info->dlpi_addr, file));
		}
	return 0;
}

static uint64_t stack_end;

static void find_stack_end(void)
{
	char line[512];
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long low, high;

	while (maps && fgets(line, sizeof line, maps))
		if (strstr(line, "[stack]") && sscanf(line, "%lx-%lx", &low, &high) == 2)
			stack_end = high;
	if (maps)
		fclose(maps);
}

#ifdef __x86_64__

struct seen {
	uint64_t ours[FRAMES_MAX];
	void *theirs[FRAMES_MAX];
	struct unwind_result result;
	uint64_t signals;
	int their_count;
	size_t copy_bytes;
};
static struct seen seen;

/* The sanitizers' backtrace() has frames of its own. */
static _Unwind_Reason_Code add_theirs(struct _Unwind_Context *context, void *nothing)
{
	(void)nothing;
	if (seen.their_count == (int)FRAMES_MAX || !_Unwind_GetIP(context))
		return _URC_END_OF_STACK;
	seen.theirs[seen.their_count++] = (void *)_Unwind_GetIP(context);
	return _URC_NO_REASON;
}

/* Where it is called from, by both. */
__attribute__((noinline)) static void look(void)
{
	struct unwind_registers registers;
	struct unwind_stack stack = {.next_stack = NULL};

	__asm__ volatile("mov %%rsp, 56(%1)\n\tmov %%rbp, 48(%1)\n\tmov %%rbx, 24(%1)\n\tmov %%r12, 96(%1)\n\tmov %%r13, 104(%1)\n\t"
			 "mov %%r14, 112(%1)\n\tmov %%r15, 120(%1)\n\tlea 0(%%rip), %0"
			 : "=&r"(registers.pc)
			 : "r"(registers.values)
			 : "memory");
	registers.known = 0xf0c8;
	stack.address = registers.values[cpu_x86_64.sp];
	stack.bytes = (struct bytes){(const uint8_t *)stack.address, stack_end - stack.address};
	if (stack.bytes.size > seen.copy_bytes)
		stack.bytes.size = seen.copy_bytes;
	seen.result = unwind_stack(space, &registers, &stack, seen.ours, FRAMES_MAX, &seen.signals);
	seen.their_count = 0;
	_Unwind_Backtrace(add_theirs, NULL);
}

/* All but the first, which is in different places of look. */
static void check_agreement(const char *what)
{
	printf("# %s: %u frames, state %u\n", what, seen.result.count, seen.result.state);
	CHECK_EQ(seen.result.state, DWELL_STACK_COMPLETE);
	CHECK_EQ(seen.result.count, seen.their_count);
	for (uint32_t i = 1; i < seen.result.count && (int)i < seen.their_count; i++)
		CHECK_EQ(seen.ours[i], (uint64_t)seen.theirs[i]);
}

TEST(a_plain_call)
{
	look();
	check_agreement("plain");
}

__attribute__((noinline)) static int dive(int depth)
{
	volatile char room[64];

	room[0] = (char)depth;
	if (!depth) {
		look();
		return 0;
	}
	return dive(depth - 1) + room[0];
}

TEST(recursion)
{
	dive(100);
	check_agreement("recursion");
	CHECK(seen.result.count > 100);
}

/* What is beyond the copy is truncated, and what is there is right. */
TEST(a_short_copy)
{
	uint32_t whole;

	dive(100);
	whole = seen.result.count;
	for (size_t bytes = 0; bytes < 6000; bytes += 8) {
		seen.copy_bytes = bytes;
		dive(100);
		CHECK_EQ(seen.result.state, DWELL_STACK_TRUNCATED);
		CHECK(seen.result.count < whole);
		for (uint32_t i = 1; i < seen.result.count; i++)
			CHECK_EQ(seen.ours[i], (uint64_t)seen.theirs[i]);
	}
	seen.copy_bytes = SIZE_MAX;
}

static int compare(const void *a, const void *b)
{
	static int once;

	if (!once++)
		look();
	return *(const int *)a - *(const int *)b;
}

TEST(through_a_library)
{
	int numbers[] = {3, 1, 2};

	qsort(numbers, 3, sizeof *numbers, compare);
	check_agreement("qsort");
}

static void on_signal(int number)
{
	(void)number;
	look();
}

TEST(through_a_signal)
{
	unsigned trampoline;

	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	check_agreement("signal");
	CHECK_EQ(seen.signals & 1, 1);
	CHECK_EQ(__builtin_popcountll(seen.signals), 3); /* the trampoline, and raise, which was interrupted */
	trampoline = (unsigned)__builtin_ctzll(seen.signals & ~UINT64_C(1));
	CHECK(seen.signals >> trampoline == 3);
	/* Not the byte before it: mov $SYS_rt_sigreturn, %rax. */
	CHECK(!memcmp((void *)seen.ours[trampoline], "\x48\xc7\xc0\x0f\0\0", 7));
}

/* A trampoline whose table begins where it does, behind code of which nothing is known. */
void bare_leaf(void);
void bare_trampoline(void);
__asm__(".text\n"
	"bare_leaf: .cfi_startproc\n nop\n .cfi_endproc\n"
	".skip 16, 0x90\n"
	"bare_trampoline: .cfi_startproc\n .cfi_signal_frame\n nop\n .cfi_endproc\n"
	".skip 16, 0x90\n");

TEST(a_trampoline_without_a_byte_before)
{
	uint64_t words[] = {(uint64_t)bare_trampoline, (uint64_t)bare_leaf, 0}, frames[8], signals;
	struct unwind_stack stack = {{(const uint8_t *)words, sizeof words}, 0x10000};
	struct unwind_registers registers = {.pc = (uint64_t)bare_leaf, .known = 1u << cpu_x86_64.sp};
	struct unwind_result result;

	registers.values[cpu_x86_64.sp] = stack.address;
	result = unwind_stack(space, &registers, &stack, frames, 8, &signals);
	CHECK_EQ(result.state, DWELL_STACK_COMPLETE);
	CHECK_EQ(result.count, 3);
	CHECK_EQ(frames[1], (uint64_t)bare_trampoline);
	CHECK_EQ(signals, 7);
}

static char other_stack[65536] __attribute__((aligned(16)));

TEST(on_another_stack)
{
	stack_t stack = {.ss_sp = other_stack, .ss_size = sizeof other_stack};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};

	CHECK(!sigaltstack(&stack, NULL));
	sigaction(SIGUSR2, &action, NULL);
	raise(SIGUSR2);
	/* The frames outside of the handler are on a stack of which there is no copy. */
	CHECK(seen.result.count >= 3);
	CHECK(seen.result.state == DWELL_STACK_TRUNCATED || seen.result.state == DWELL_STACK_COMPLETE);
	for (uint32_t i = 1; i < seen.result.count; i++)
		CHECK_EQ(seen.ours[i], (uint64_t)seen.theirs[i]);
	stack.ss_flags = SS_DISABLE;
	sigaltstack(&stack, NULL);
}

__attribute__((noinline)) static int allocate(size_t bytes)
{
	volatile char *room = __builtin_alloca(bytes);

	room[0] = 1;
	look();
	return room[0];
}

TEST(a_frame_of_no_fixed_size)
{
	CHECK_EQ(allocate((size_t)getpid() % 1000 + 1), 1);
	check_agreement("alloca");
}

/* ---- a child, instruction by instruction ---- */

static int order(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

/* Calls through the PLT, into libraries, callbacks, recursion, variable frames. */
__attribute__((noinline)) static void walk(void)
{
	int numbers[] = {5, 2, 9, 1};
	char text[64];

	qsort(numbers, 4, sizeof *numbers, order);
	snprintf(text, sizeof text, "%d %s %g", numbers[0], "text", 0.5);
	dive(0);
	allocate(strlen(text));
	free(malloc(100));
}

__attribute__((noinline)) static void child(void)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGSTOP);
	walk();
	_exit(0);
}

static uint8_t copy[COPY_BYTES];

static struct unwind_result unwind_child(pid_t pid, uint64_t *frames)
{
	struct user_regs_struct user;
	struct unwind_registers registers;
	struct unwind_stack stack = {.next_stack = NULL};
	struct iovec to = {copy, sizeof copy}, from;
	uint64_t signals;
	ssize_t got;

	ptrace(PTRACE_GETREGS, pid, 0, &user);
	registers = (struct unwind_registers){.pc = user.rip,
		.values = {user.rax, user.rdx, user.rcx, user.rbx, user.rsi, user.rdi, user.rbp, user.rsp, user.r8, user.r9,
			user.r10, user.r11, user.r12, user.r13, user.r14, user.r15},
		.known = 0xffff};
	from = (struct iovec){(void *)user.rsp, sizeof copy};
	if (user.rsp < stack_end && stack_end - user.rsp < sizeof copy)
		from.iov_len = stack_end - user.rsp;
	got = process_vm_readv(pid, &to, 1, &from, 1, 0);
	stack = (struct unwind_stack){{copy, got > 0 ? (size_t)got : 0}, user.rsp};
	return unwind_stack(space, &registers, &stack, frames, FRAMES_MAX, &signals);
}

TEST(at_each_instruction)
{
	static uint64_t base[FRAMES_MAX], frames[FRAMES_MAX];
	struct unwind_result start;
	unsigned steps = 0, bad = 0;
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		child();
	waitpid(pid, &status, 0);
	start = unwind_child(pid, base);
	CHECK_EQ(start.state, DWELL_STACK_COMPLETE);
	for (; steps < 30000 && !ptrace(PTRACE_SINGLESTEP, pid, 0, 0) && waitpid(pid, &status, 0) == pid && WIFSTOPPED(status);
		steps++) {
		struct unwind_result now = unwind_child(pid, frames);
		/* Whatever it does, the outermost frames are those of the test program: from child's caller on. */
		bool good = now.state == DWELL_STACK_COMPLETE && now.count >= 4;

		for (unsigned i = 1; good && i < 4; i++)
			good = frames[now.count - i] == base[start.count - i];
		if (!good && bad++ < 10)
			for (unsigned i = 0; i < now.count; i++) {
				Dl_info info = {0};

				dladdr((void *)frames[i], &info); /* the child's memory is as ours */
				printf("# step %u: frame %u of %u, state %u: %s+0x%lx %s\n", steps, i, now.count, now.state,
					info.dli_fname ? info.dli_fname : "?", frames[i] - (uint64_t)info.dli_fbase,
					info.dli_sname ? info.dli_sname : "");
			}
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	printf("# %u instructions, callers not found at %u\n", steps, bad);
	CHECK(steps > 3000);
	CHECK_EQ(bad, 0);
}

#endif

TEST(what_is_mapped)
{
	struct unwind_space *map = make_unwind_space(&cpu_x86_64);
	uint8_t nothing[64] = {0};
	struct unwind_stack stack = {{nothing, sizeof nothing}, 0x1000};
	struct unwind_registers registers = {.pc = 0x5000, .known = 1u << cpu_x86_64.sp | 1u << cpu_x86_64.fp};
	uint64_t frames[4], signals;

	registers.values[cpu_x86_64.sp] = 0x1000;
	registers.values[cpu_x86_64.fp] = 0x1010;
	/* A chain of one frame pointer, whose return address is 0: the outermost. */
	CHECK(unwind_space_map(map, 0x4000, 0x8000, 0, NULL));
	CHECK_EQ(unwind_stack(map, &registers, &stack, frames, 4, &signals).state, DWELL_STACK_COMPLETE);
	put_u64(nothing + 0x18, 0x6000);
	put_u64(nothing + 0x10, 0x1000);
	CHECK_EQ(unwind_stack(map, &registers, &stack, frames, 4, &signals).state, DWELL_STACK_BROKEN); /* inwards */
	CHECK_EQ(frames[1], 0x6000);
	put_u64(nothing + 0x10, 0x9999999999);
	CHECK_EQ(unwind_stack(map, &registers, &stack, frames, 1, &signals).count, 1);
	free_unwind_space(map);
}

/* The loader's _start has no table: that the frame pointer is 0 says that it is the outermost. Code of no file may use it for
 * anything. */
TEST(outermost)
{
	struct diag *diag = make_diag();
	struct unwind_file *self = make_unwind_file("/proc/self/exe", diag);
	struct unwind_space *map = make_unwind_space(&cpu_x86_64);
	uint8_t nothing[64] = {0};
	struct unwind_stack stack = {{nothing, sizeof nothing}, 0x1000};
	struct unwind_registers registers = {.pc = 0x5000, .known = 1u << cpu_x86_64.sp | 1u << cpu_x86_64.fp};
	uint64_t frames[4], signals;

	registers.values[cpu_x86_64.sp] = 0x1000;
	CHECK(!unwind_space_is_mapped(map, 0x5000));
	CHECK(unwind_space_map(map, 0x4000, 0x8000, UINT64_C(0) - (UINT64_C(1) << 40), self)); /* no table reaches as far */
	CHECK(unwind_space_is_mapped(map, 0x4000) && unwind_space_is_mapped(map, 0x7fff) && !unwind_space_is_mapped(map, 0x8000));
	CHECK_EQ(unwind_stack(map, &registers, &stack, frames, 4, &signals).state, DWELL_STACK_COMPLETE);
	CHECK(unwind_space_map(map, 0x4000, 0x8000, 0, NULL));
	CHECK_EQ(unwind_stack(map, &registers, &stack, frames, 4, &signals).state, DWELL_STACK_BROKEN);
	free_unwind_space(map);
	free_unwind_file(self);
	free_diag(diag);
}

TEST(no_such_file)
{
	struct diag *diag = make_diag();

	CHECK(!make_unwind_file("/no/such/file", diag));
	CHECK(!make_unwind_file("/etc/passwd", diag));
	CHECK_EQ(diag_status(diag), 1);
	free_diag(diag);
}

int main(void)
{
	space = make_unwind_space(&cpu_x86_64);
	find_stack_end();
	_Unwind_Backtrace(add_theirs, NULL); /* binds what it calls */
	dl_iterate_phdr(add_module, NULL);
#ifdef __x86_64__
	seen.copy_bytes = SIZE_MAX;
	RUN(a_plain_call);
	RUN(recursion);
	RUN(a_short_copy);
	RUN(through_a_library);
	RUN(through_a_signal);
	RUN(a_trampoline_without_a_byte_before);
	RUN(on_another_stack);
	RUN(a_frame_of_no_fixed_size);
	RUN(at_each_instruction);
#endif
	RUN(what_is_mapped);
	RUN(outermost);
	RUN(no_such_file);
	free_unwind_space(space);
	for (unsigned i = 0; i < file_count; i++)
		free_unwind_file(files[i]);
	return tap_done();
}
