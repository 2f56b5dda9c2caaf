/* SPDX-License-Identifier: MIT
 *
 * Finds record's numbers of the process and its threads. In a PID namespace of its own, a process has other numbers for
 * itself than record has. /proc translates numbers, if this /proc is record's; with another /proc, or none, record must
 * find the numbers itself.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/system.h"

#include <linux/stat.h>

static bool get_status(const char *path, struct statx *file)
{
	return system_call6(__NR_statx, -100 /* AT_FDCWD */, (long)path, 0, STATX_INO, (long)file, 0) >= 0;
}

/* Whether /proc is record's: a /proc of another namespace, in another root or not, is another device. */
static bool is_proc_of_record(const struct dwell_session *session)
{
	struct statx proc;

	return get_status("/proc", &proc) && dwell_session_device(proc.stx_dev_major, proc.stx_dev_minor) == session->proc_device;
}

/* Returns the task's number for record; if that is unknown, its own number with a mark. */
static uint32_t read_number(const struct dwell_session *session, const char *path, uint32_t own)
{
	uint32_t number = is_proc_of_record(session) ? system_read_number(path) : 0;

	return number ? number : own | DWELL_TASK_INNER;
}

/* Whether the process is in another PID namespace than record. A forked child with a parent pid is in its parent's namespace, since
 * the first process of a new namespace has none. So the check opens no file for such a child, and a program that may not open files
 * any more (seccomp) can fork. */
static bool is_inside(const struct dwell_session *session, bool is_child)
{
	struct statx space;

	if (is_child && system_parent_pid())
		return agent.is_inside;
	return session->task_space && (!get_status("/proc/self/ns/pid", &space) || space.stx_ino != session->task_space);
}

void numbers_begin(const struct dwell_session *session, bool is_child)
{
	agent.is_inside = is_inside(session, is_child);
	agent.pid = system_pid();
	agent.number = agent.is_inside ? read_number(session, "/proc/self", agent.pid) : agent.pid;
}

uint32_t numbers_thread(const struct dwell_session *session)
{
	uint32_t own = system_tid();

	if (!agent.is_inside)
		return own;
	return agent.number & DWELL_TASK_INNER ? own | DWELL_TASK_INNER : read_number(session, "/proc/thread-self", own);
}
