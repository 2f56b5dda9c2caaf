/* A function that is interrupted before one of its instructions, of an x86-64. */
#ifndef DWELL_TEST_ULTRA_STEPPED_H
#define DWELL_TEST_ULTRA_STEPPED_H

#ifdef __x86_64__
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

static volatile bool stepping, interrupted;
static volatile int32_t instructions; /* until the interrupt comes */
static void (*step_interrupt)(void);

static void on_trap(int signal, siginfo_t *info, void *of)
{
	ucontext_t *context = of;

	(void)signal;
	(void)info;
	if (!stepping) {
		context->uc_mcontext.gregs[REG_EFL] &= ~0x100; /* the trap flag */
	} else if (instructions-- == 0) {
		interrupted = true;
		step_interrupt();
	}
}

/* Runs it, with the interrupt before its instruction number point. False: it has fewer. */
static bool stepped(void (*run)(void), void (*interrupt)(void), int32_t point)
{
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};

	sigaction(SIGTRAP, &action, NULL);
	step_interrupt = interrupt;
	instructions = point;
	interrupted = false;
	stepping = true;
	__asm__ volatile("pushfq\n\torq $0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc");
	run();
	stepping = false;
	__asm__ volatile("nop");
	return interrupted;
}
#endif

#endif
