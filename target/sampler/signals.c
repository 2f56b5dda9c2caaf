/* SPDX-License-Identifier: MIT
 *
 * Keeps one signal for the sampler, unnoticed by the program. Programs may reset the signal's handler (daemons that set all
 * handlers to their defaults) or block the signal (threads that leave signals to another thread). Wrappers of the functions for
 * that leave this signal out. They store the program's own action, and the sampler carries it out when anything but its own timers
 * sends the signal. A program with direct system calls of this kind can turn sampling off for a thread, or for the whole process.
 */
#include "linux_signal.h"
#include "port/os/linux/next.h"
#include "port/os/linux/system.h"
#include "sampler/sampler.h"

#define SET_WORDS 16 /* of libc's sigset_t */
#define OURS (UINT64_C(1) << (DWELL_SAMPLER_SIGNAL - 1))
#define HOW_BLOCK 0
#define HOW_UNBLOCK 1
#define HOW_SET 2
#define ENOSYS 38

/* As in glibc and musl. */
struct libc_set {
	uint64_t words[SET_WORDS];
};
struct libc_action {
	void *handler;
	struct libc_set mask;
	int flags;
	void *restorer;
};

struct kernel_action {
	void *handler;
	uint64_t flags;
	void *restorer;
	uint64_t mask;
};

typedef void plain_handler(int signal);
typedef void full_handler(int signal, void *info, void *context);

static struct libc_action program_action; /* the program's own action */

static int (*real_sigaction)(int, const struct libc_action *, struct libc_action *);
static plain_handler *(*real_signal)(int, plain_handler *);
static plain_handler *(*real_sysv_signal)(int, plain_handler *);
static int (*real_sigprocmask)(int, const struct libc_set *, struct libc_set *);
static int (*real_pthread_sigmask)(int, const struct libc_set *, struct libc_set *);

SIGNAL_DEFINE_RESTORE(sampler_restore);

/* Sets the kernel's action for the sampler's signal. */
static void act(const struct kernel_action *action)
{
	system_call6(__NR_rt_sigaction, DWELL_SAMPLER_SIGNAL, (long)action, 0, 8, 0, 0);
}

/* Carries out the program's own action: the signal is not from a timer of the sampler. */
static void run_program_action(int signal, void *info, void *context)
{
	const struct kernel_action by_default = {.handler = SIG_DFL, .flags = SIGNAL_RESTORER, .restorer = (void *)sampler_restore};

	if (program_action.handler == (void *)SIG_IGN)
		return;
	if (program_action.handler == (void *)SIG_DFL) {
		act(&by_default);
		system_call3(__NR_tgkill, (long)sampler.pid, (long)system_tid(), signal);
	} else if (program_action.flags & SA_SIGINFO) {
		((full_handler *)program_action.handler)(signal, info, context);
	} else {
		((plain_handler *)program_action.handler)(signal);
	}
}

static void on_signal(int signal, void *of, void *context)
{
	const siginfo_t *info = of;

	if (info->si_code == SI_TIMER && info->si_ptr == &sampler_this_thread.timers[SAMPLER_WALL])
		schedule_on_timer(SAMPLER_WALL, context);
	else if (info->si_code == SI_TIMER && info->si_ptr == &sampler_this_thread.timers[SAMPLER_CPU])
		schedule_on_timer(SAMPLER_CPU, context);
	else
		run_program_action(signal, of, context);
}

void signals_unblock(void)
{
	uint64_t ours = OURS;

	system_call6(__NR_rt_sigprocmask, HOW_UNBLOCK, (long)&ours, 0, sizeof ours, 0, 0);
}

void signals_find_originals(void)
{
	real_sigaction = (int (*)(int, const struct libc_action *, struct libc_action *))next_find("sigaction");
	real_signal = (plain_handler * (*)(int, plain_handler *)) next_find("signal");
	real_sysv_signal = (plain_handler * (*)(int, plain_handler *)) next_find("__sysv_signal");
	real_sigprocmask = (int (*)(int, const struct libc_set *, struct libc_set *))next_find("sigprocmask");
	real_pthread_sigmask = (int (*)(int, const struct libc_set *, struct libc_set *))next_find("pthread_sigmask");
}

/* Installs the sampler's handler. All signals are blocked in the handler: another handler that jumps away would leave a record half
 * filled in. The handler runs on a signal stack, the program's or the sampler's (signal_stack.c): coroutines may have little. */
void signals_begin(void)
{
	const struct kernel_action action = {
		.handler = (void *)on_signal,
		.flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK | SIGNAL_RESTORER,
		.restorer = (void *)sampler_restore,
		.mask = ~UINT64_C(0),
	};

	act(&action);
}

/* Whether the signal is the sampler's, and this process is sampled. */
static bool is_ours(int signal)
{
	return signal == DWELL_SAMPLER_SIGNAL && sampler.shared;
}

/* Returns the set without the sampler's signal. */
static struct libc_set without_sampler_signal(const struct libc_set *set)
{
	struct libc_set copy = *set;

	copy.words[0] &= ~OURS;
	return copy;
}

/* Stores the program's own handler for the sampler's signal. Returns the handler before. */
static plain_handler *set_program_action(plain_handler *handler)
{
	plain_handler *before = (plain_handler *)program_action.handler;

	program_action = (struct libc_action){.handler = (void *)handler};
	return before;
}

EXPORTED int sigaction(int signal, const struct libc_action *action, struct libc_action *before);
EXPORTED plain_handler *signal(int signal, plain_handler *handler);
EXPORTED plain_handler *__sysv_signal(int signal, plain_handler *handler);
EXPORTED int sigprocmask(int how, const struct libc_set *set, struct libc_set *before);
EXPORTED int pthread_sigmask(int how, const struct libc_set *set, struct libc_set *before);

int sigaction(int signal, const struct libc_action *action, struct libc_action *before)
{
	struct libc_action was = program_action;

	if (!is_ours(signal))
		return real_sigaction ? real_sigaction(signal, action, before) : -1;
	if (action)
		program_action = *action;
	if (before)
		*before = was;
	return 0;
}

plain_handler *signal(int signal, plain_handler *handler)
{
	if (is_ours(signal))
		return set_program_action(handler);
	return real_signal ? real_signal(signal, handler) : (plain_handler *)SIG_ERR;
}

plain_handler *__sysv_signal(int signal, plain_handler *handler)
{
	if (is_ours(signal))
		return set_program_action(handler);
	return real_sysv_signal ? real_sysv_signal(signal, handler) : (plain_handler *)SIG_ERR;
}

int sigprocmask(int how, const struct libc_set *set, struct libc_set *before)
{
	struct libc_set other;

	if (set && how != HOW_UNBLOCK && sampler.shared) {
		other = without_sampler_signal(set);
		set = &other;
	}
	return real_sigprocmask ? real_sigprocmask(how, set, before) : -1;
}

int pthread_sigmask(int how, const struct libc_set *set, struct libc_set *before)
{
	struct libc_set other;

	if (set && how != HOW_UNBLOCK && sampler.shared) {
		other = without_sampler_signal(set);
		set = &other;
	}
	return real_pthread_sigmask ? real_pthread_sigmask(how, set, before) : ENOSYS;
}
