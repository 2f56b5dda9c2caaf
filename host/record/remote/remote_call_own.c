/* remote_call_own: lets a borrowed thread do its own work, with the call paused. */
#include "record/remote/remote_call_inner.h"

#ifdef __x86_64__

#include <signal.h>
#include <sys/ptrace.h>

#include "util/clock.h"

#define PATIENCE_NS 90000000000ull /* for a thread that the kernel holds */
#define RUN_PATIENCE_NS 100000000u /* a thread that is stopped or frozen does not run: then dwell waits no longer */

bool remote_let_run(struct borrowed *borrowed, int signal)
{
	borrowed->runs = remote_count_runs(borrowed->tid);
	borrowed->let_run_ns = clock_now_ns();
	borrowed->run_ns = 0;
	return ptrace(PTRACE_CONT, borrowed->tid, 0, signal) == 0;
}

uint64_t remote_time_run_ns(struct borrowed *borrowed)
{
	uint64_t now_ns = clock_now_ns();

	if (borrowed->run_ns)
		return now_ns - borrowed->run_ns;
	if (!borrowed->runs || remote_count_runs(borrowed->tid) != borrowed->runs ||
		now_ns - borrowed->let_run_ns > RUN_PATIENCE_NS)
		borrowed->run_ns = now_ns;
	return 0;
}

enum remote_problem remote_run_own(struct borrowed *borrowed, uint64_t ns, const struct remote_meanwhile *meanwhile)
{
	while (remote_time_run_ns(borrowed) < ns || remote_rest_ns()) {
		int signal, event;
		bool ended;

		if (remote_poll(borrowed->tid, &signal, &event, &ended)) {
			if (event == PTRACE_EVENT_EXEC)
				return REMOTE_EXECED;
			/* A thread that was stopped by a stop signal stays stopped. */
			ptrace(event == PTRACE_EVENT_STOP && signal != SIGTRAP ? PTRACE_LISTEN : PTRACE_CONT, borrowed->tid, 0,
				event ? 0 : signal);
			continue;
		}
		if (ended)
			return REMOTE_ENDED;
		if (meanwhile->act)
			meanwhile->act(meanwhile->context);
		remote_pause_us(100);
	}
	return REMOTE_DONE;
}

/* Whether the stopped thread is outside restartable sequences. */
static bool is_outside_sequence(const struct borrowed *borrowed)
{
	struct user_regs_struct registers;

	return ptrace(PTRACE_GETREGS, borrowed->tid, 0, &registers) == 0 &&
	       !remote_is_in_sequence(borrowed->image, borrowed->tid, registers.rip);
}

enum remote_problem remote_stop_own(struct borrowed *borrowed)
{
	uint64_t began = clock_now_ns();

	if (ptrace(PTRACE_INTERRUPT, borrowed->tid, 0, 0) < 0)
		return REMOTE_ENDED;
	while (clock_now_ns() - began < PATIENCE_NS) {
		int signal, event;

		borrowed->stopped_ns = clock_now_ns();
		if (!remote_wait(borrowed->tid, &signal, &event)) {
			if (!remote_exists(borrowed->tid))
				return REMOTE_ENDED;
			continue; /* the kernel holds the thread, which may wait for the child of a vfork */
		}
		if (event == PTRACE_EVENT_EXEC)
			return REMOTE_EXECED;
		if (event && !remote_image_is_current(borrowed->image))
			return REMOTE_EXECED;
		if (event && is_outside_sequence(borrowed))
			return REMOTE_DONE;
		if (ptrace(PTRACE_CONT, borrowed->tid, 0, event ? 0 : signal) < 0)
			return REMOTE_ENDED;
		if (event && ptrace(PTRACE_INTERRUPT, borrowed->tid, 0, 0) < 0)
			return REMOTE_ENDED;
	}
	return REMOTE_UNINTERRUPTIBLE;
}

#endif
