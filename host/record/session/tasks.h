/* tasks: translates process and thread numbers from other PID namespaces. Agents use numbers of record's
 * namespace if they can. Else they set the bit DWELL_TASK_INNER: the number is an inner number, of the agent's
 * own namespace. session_read_slot and the journal translate inner numbers for all other parts of record.
 *
 * The kernel lists all numbers of a task (NSpid in /proc/PID/status). Of several processes with the same inner
 * number, the right process has the session mapped. If several of them have it mapped, or none, the number stays untranslated.
 *
 *     0               the task has ended
 *     inner number    not translated: record reads nothing of the task in /proc, and does not wait for it */
#ifndef DWELL_HOST_RECORD_SESSION_TASKS_H
#define DWELL_HOST_RECORD_SESSION_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "target/port/os/linux/session.h"

struct tasks;

/* fd: of the session; borrowed. Null: no memory; then no number is translated. */
struct tasks *make_tasks(int fd);
void free_tasks(struct tasks *tasks);
/* Writes this process's PID namespace into the session's fields: the inode
 * of the namespace and the device of /proc. 0: /proc does not show them. */
void tasks_describe(uint64_t *space, uint64_t *proc_device);

/* Call when a process announces itself: translates *pid, and keeps the number. If *parent_pid
 * is an inner number, and *pid is not, *parent_pid comes from /proc. tasks may be null. */
void tasks_add_process(struct tasks *tasks, uint32_t process, uint32_t *pid, uint32_t *parent_pid);
/* The number of a process that has announced itself. 0: unknown, not translated, or the process had ended before
 * tasks_add_process. The number stays when the process ends. */
uint32_t tasks_number(const struct tasks *tasks, uint32_t process);
/* Translates the pid and tid of a thread's slot; leaves numbers of record's namespace alone. tasks may be null. */
void tasks_translate(struct tasks *tasks, uint32_t process, uint32_t *pid, uint32_t *tid);

/* Whether process pid has the session mapped. fd: of the session. unseen: the result if dwell may not read the mappings of pid. */
bool tasks_session_is_mapped(uint32_t pid, int fd, bool unseen);

/* The number for people and for the trace: translated, or else the inner one. */
static inline uint32_t task_without_mark(uint32_t number)
{
	return number & ~DWELL_TASK_INNER;
}

#endif
