#define _GNU_SOURCE
#include "count.h"

#include <stdio.h>

#if defined(__x86_64__)
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "leaf.h"

#define TRAP_FLAG 0x100
#define CALLS 4096
#define RSEQ_UNREGISTER 1
#define RSEQ_SIGNATURE 0x53053053u
#define RSEQ_BYTES 32u

extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const char __start_leaf_hooked_code[], __stop_leaf_hooked_code[];

/* Where the call that is stepped through has come to. What it executes outside of the function is a hook. */
enum phase { BEFORE, IN_FUNCTION, IN_HOOK, ELSEWHERE };
static volatile enum phase phase = ELSEWHERE;
static volatile unsigned hook; /* 0: enter, 1: exit, 2: done */
static volatile unsigned long lengths[2];
static volatile unsigned long indirect; /* jumps and calls through memory or a register, of all hooks */

/* Whether the instruction is an indirect jump or call: ff /2 or ff /4, behind the prefixes that these may have. */
static bool is_indirect(const unsigned char *code)
{
	while (*code == 0xf2 || *code == 0x3e || (*code & 0xf0) == 0x40)
		code++;
	return *code == 0xff && ((code[1] >> 3 & 7) == 2 || (code[1] >> 3 & 7) == 4);
}

/* An instruction is about to be executed. */
static void step(int signal, siginfo_t *info, void *context)
{
	uintptr_t at = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	bool in_function = at >= (uintptr_t)__start_leaf_hooked_code && at < (uintptr_t)__stop_leaf_hooked_code;

	(void)signal;
	(void)info;
	if (in_function) {
		if (phase == IN_HOOK && ++hook == 2)
			phase = ELSEWHERE;
		else if (phase != ELSEWHERE)
			phase = IN_FUNCTION;
	} else if (phase == IN_FUNCTION || phase == IN_HOOK) {
		phase = IN_HOOK;
		lengths[hook]++;
		indirect += is_indirect((const unsigned char *)at);
	}
}

/* The kernel starts a restartable sequence again after each trap: it would never end. Unregistered, it is code like any other. */
static void leave_rseq(void)
{
	char *thread_pointer;

	if (!&__rseq_offset)
		return;
	__asm__("mov %%fs:0, %0" : "=r"(thread_pointer));
	syscall(SYS_rseq, thread_pointer + __rseq_offset, RSEQ_BYTES, RSEQ_UNREGISTER, RSEQ_SIGNATURE);
}

static void count_call(void)
{
	lengths[0] = lengths[1] = 0;
	hook = 0;
	phase = BEFORE;
	__asm__ volatile("pushf; orl %0, (%%rsp); popf" ::"i"(TRAP_FLAG) : "memory", "cc");
	leaf_hooked(1);
	__asm__ volatile("pushf; andl %0, (%%rsp); popf" ::"i"(~TRAP_FLAG) : "memory", "cc");
}

int count_print(void)
{
	struct sigaction action = {.sa_sigaction = step, .sa_flags = SA_SIGINFO};
	unsigned long least[2] = {-1ul, -1ul}, sum = 0;

	leave_rseq();
	sigaction(SIGTRAP, &action, NULL);
	leaf_hooked(0);
	for (int i = 0; i < CALLS; i++) {
		count_call();
		for (int h = 0; h < 2; h++) {
			sum += lengths[h];
			if (lengths[h] < least[h])
				least[h] = lengths[h];
		}
	}
	printf("enter %lu\nexit %lu\naverage %.2f\nindirect %.3f\n", least[0], least[1], (double)sum / (2.0 * CALLS),
		(double)indirect / (2.0 * CALLS));
	return least[0] && least[1];
}
#else
int count_print(void)
{
	return 0;
}
#endif
