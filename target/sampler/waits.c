/* SPDX-License-Identifier: MIT
 *
 * Interposes waits that end with EINTR after a handler has run, whatever SA_RESTART says: a program that sleeps would wake too
 * early. The wrappers block the sampler's signal until the wait is over. (The kernel restarts all other waits, unnoticed by the
 * program.) That costs two system calls, but has an advantage, too: a thread in one of these waits is never woken for a look.
 *
 * Built with unwind tables, since a thread may be cancelled in here.
 */
#include "port/os/linux/next.h"
#include "port/os/linux/system.h"
#include "sampler/sampler.h"

#define OURS (UINT64_C(1) << (DWELL_SAMPLER_SIGNAL - 1))
#define SET_WORDS 16 /* of libc's sigset_t */

struct libc_set {
	uint64_t words[SET_WORDS];
};

static bool begin_wait(void)
{
	uint64_t ours = OURS;

	if (!sampler_this_thread.tid)
		return false;
	sampler_this_thread.in_wait = true;
	system_call6(__NR_rt_sigprocmask, 0 /* SIG_BLOCK */, (long)&ours, 0, sizeof ours, 0, 0);
	return true;
}

static void end_wait(bool begun)
{
	if (!begun)
		return;
	signals_unblock();
	sampler_this_thread.in_wait = false;
}

/* Adds the signal to the mask of a wait that has a mask of its own. */
static const struct libc_set *with_ours(const struct libc_set *set, struct libc_set *copy)
{
	if (!set || !sampler_this_thread.tid)
		return set;
	*copy = *set;
	copy->words[0] |= OURS;
	sampler_this_thread.in_wait = true;
	return copy;
}

/* Removes the signal from the set of a wait for signals: a program that waits for all signals could not handle it. */
static const struct libc_set *without_ours(const struct libc_set *set, struct libc_set *copy)
{
	*copy = *set;
	copy->words[0] &= ~OURS;
	return sampler.shared ? copy : set;
}

/* WAIT(type, name, parameters, arguments, waits): a wrapper that blocks the signal if the call waits at all. */
#define WAIT(type, name, parameters, arguments, waits)                                                                             \
	static type(*real_##name) parameters;                                                                                      \
	EXPORTED type name parameters;                                                                                             \
	type name parameters                                                                                                       \
	{                                                                                                                          \
		bool begun = (waits) && begin_wait();										   \
		type result = real_##name ? real_##name arguments : (type)-1;                                                      \
		end_wait(begun);												   \
		return result;                                                                                                     \
	}

/* MASKED_WAIT: a wrapper of a wait with a parameter mask: adds the signal to the mask, or blocks the signal if mask is null. */
#define MASKED_WAIT(type, name, parameters, arguments)                                                                             \
	static type(*real_##name) parameters;                                                                                      \
	EXPORTED type name parameters;                                                                                             \
	type name parameters                                                                                                       \
	{                                                                                                                          \
		struct libc_set copy;                                                                                              \
		bool begun = !mask && begin_wait();										   \
		type result;                                                                                                       \
		mask = with_ours(mask, &copy);                                                                                     \
		result = real_##name ? real_##name arguments : (type)-1;                                                           \
		end_wait(begun);												   \
		sampler_this_thread.in_wait = false;                                                                               \
		return result;                                                                                                     \
	}

/* clang-format off */
WAIT(unsigned, sleep, (unsigned seconds), (seconds), seconds)
WAIT(int, usleep, (unsigned microseconds), (microseconds), true)
WAIT(int, nanosleep, (const void *time, void *left), (time, left), true)
WAIT(int, clock_nanosleep, (int clock, int flags, const void *time, void *left), (clock, flags, time, left), true)
WAIT(int, pause, (void), (), true)
WAIT(int, poll, (void *files, unsigned long count, int timeout), (files, count, timeout), timeout)
WAIT(int, __poll_chk, (void *files, unsigned long count, int timeout, size_t bytes), (files, count, timeout, bytes), timeout)
WAIT(int, select, (int count, void *in, void *out, void *error, void *time), (count, in, out, error, time), true)
WAIT(int, epoll_wait, (int epoll, void *events, int count, int timeout), (epoll, events, count, timeout), timeout)
WAIT(int, sem_timedwait, (void *semaphore, const void *time), (semaphore, time), true)
WAIT(long, msgrcv, (int queue, void *message, size_t bytes, long type, int flags), (queue, message, bytes, type, flags), true)
WAIT(int, msgsnd, (int queue, const void *message, size_t bytes, int flags), (queue, message, bytes, flags), true)
WAIT(int, semop, (int semaphores, void *operations, size_t count), (semaphores, operations, count), true)
WAIT(int, semtimedop, (int semaphores, void *operations, size_t count, const void *time),
	(semaphores, operations, count, time), true)
MASKED_WAIT(int, ppoll, (void *files, unsigned long count, const void *time, const struct libc_set *mask),
	(files, count, time, mask))
MASKED_WAIT(int, __ppoll_chk, (void *files, unsigned long count, const void *time, const struct libc_set *mask, size_t bytes),
	(files, count, time, mask, bytes))
MASKED_WAIT(int, pselect, (int count, void *in, void *out, void *error, const void *time, const struct libc_set *mask),
	(count, in, out, error, time, mask))
MASKED_WAIT(int, epoll_pwait, (int epoll, void *events, int count, int timeout, const struct libc_set *mask),
	(epoll, events, count, timeout, mask))
MASKED_WAIT(int, epoll_pwait2, (int epoll, void *events, int count, const void *time, const struct libc_set *mask),
	(epoll, events, count, time, mask))
MASKED_WAIT(int, sigsuspend, (const struct libc_set *mask), (mask))

#define SIGNAL_WAIT(name, parameters, arguments)                                                                                   \
	static int(*real_##name) parameters;                                                                                       \
	EXPORTED int name parameters;                                                                                              \
	int name parameters                                                                                                        \
	{                                                                                                                          \
		struct libc_set copy;                                                                                              \
		bool begun = begin_wait();											   \
		int result;                                                                                                        \
		set = without_ours(set, &copy);                                                                                    \
		result = real_##name ? real_##name arguments : -1;                                                                 \
		end_wait(begun);												   \
		return result;                                                                                                     \
	}
SIGNAL_WAIT(sigwait, (const struct libc_set *set, int *signal), (set, signal))
SIGNAL_WAIT(sigwaitinfo, (const struct libc_set *set, void *info), (set, info))
SIGNAL_WAIT(sigtimedwait, (const struct libc_set *set, void *info, const void *time), (set, info, time))

#define FIND(name) real_##name = (__typeof__(real_##name))next_find(#name)
/* clang-format on */

void waits_begin(void)
{
	FIND(sleep);
	FIND(usleep);
	FIND(nanosleep);
	FIND(clock_nanosleep);
	FIND(pause);
	FIND(poll);
	FIND(__poll_chk);
	FIND(select);
	FIND(epoll_wait);
	FIND(sem_timedwait);
	FIND(msgrcv);
	FIND(msgsnd);
	FIND(semop);
	FIND(semtimedop);
	FIND(ppoll);
	FIND(__ppoll_chk);
	FIND(pselect);
	FIND(epoll_pwait);
	FIND(epoll_pwait2);
	FIND(sigsuspend);
	FIND(sigwait);
	FIND(sigwaitinfo);
	FIND(sigtimedwait);
}
