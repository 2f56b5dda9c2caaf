/* SPDX-License-Identifier: MIT
 *
 * Interposes prctl, and takes note of syscall (interpose.S): a thread may give up what recording needs. Then the next event would
 * kill the program. So the process stops recording for good, just before the call.
 *
 *   PR_SET_TSC    reading the clock becomes a SIGSEGV
 *   strict mode   of seccomp: likewise, and each system call but read, write, exit and sigreturn kills the thread
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#include "dwell/dwell.h"

#include <linux/prctl.h>
#include <linux/seccomp.h>

typedef int prctl_fn(int option, long a, long b, long c, long d);
static prctl_fn *real_prctl;

void confined_note_call(long number, long a, long b) HIDDEN;

__attribute__((constructor(102))) static void find_prctl(void)
{
	real_prctl = (prctl_fn *)unwind_find_real("prctl");
}

static void stop_for_good(void)
{
	static const char fact[] = DWELL_CONFINED_KEY "=stopped\n";

	if (agent.is_confined)
		return;
	journal_append(DWELL_CHUNK_INFO, fact, sizeof fact - 1);
	dwell_stop();
	agent.is_confined = 1;
}

static void note_prctl(long option, long value)
{
	if ((option == PR_SET_TSC && value == PR_TSC_SIGSEGV) || (option == PR_SET_SECCOMP && value == SECCOMP_MODE_STRICT))
		stop_for_good();
}

/* For syscall(SYS_prctl, …) and syscall(SYS_seccomp, …). */
void confined_note_call(long number, long a, long b)
{
	if (number == __NR_prctl)
		note_prctl(a, b);
	else if (a == SECCOMP_SET_MODE_STRICT)
		stop_for_good();
}

bool confined_begin(const char *session)
{
	static const char fact[] = DWELL_CONFINED_KEY "=began\n";
	int mode = 0;

	if (system_call3(__NR_prctl, PR_GET_TSC, (long)&mode, 0) < 0 || mode != PR_TSC_SIGSEGV)
		return false;
	if (session)
		membership_report(session, DWELL_CHUNK_INFO, fact, sizeof fact - 1);
	return true;
}

prctl_fn INTERPOSED(prctl);
__attribute__((visibility("default"))) int INTERPOSED(prctl)(int option, long a, long b, long c, long d)
{
	note_prctl(option, a);
	return real_prctl ? real_prctl(option, a, b, c, d) : (int)system_call6(__NR_prctl, option, a, b, c, d, 0);
}
