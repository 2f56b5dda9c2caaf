/* followed: keeps the list of recorded processes, and checks in /proc whether they can still record. */
#include "record/program/followed.h"

#include <stdlib.h>
#include <unistd.h>

#include "record/session/threads.h"
#include "util/array.h"

#define DROP_ENDED_FIRST 64 /* a shorter list keeps its ended processes */

/* Removes all processes from the list for which keep returns false. */
static void keep_if(struct followed *followed, bool (*keep)(const struct followed_process *, const void *), const void *context)
{
	size_t kept = 0;

	for (size_t i = 0; i < followed->count; i++)
		if (keep(&followed->list[i], context))
			followed->list[kept++] = followed->list[i];
	followed->count = kept;
}

static bool exists(const struct followed_process *process, const void *context)
{
	(void)context;
	return process_exists(process->pid);
}

/* Removes processes that do not exist any more, since tens of thousands may come and go. */
static void drop_ended(struct followed *followed)
{
	if (followed->count < DROP_ENDED_FIRST || followed->count < followed->drop_ended_at)
		return;
	keep_if(followed, exists, NULL);
	followed->drop_ended_at = 2 * followed->count;
}

static struct followed_process *find_pid(struct followed *followed, uint32_t pid)
{
	for (size_t i = followed->count; i-- > 0;)
		if (followed->list[i].pid == pid)
			return &followed->list[i];
	return NULL;
}

void followed_read_forks(struct followed *followed, const struct session *session)
{
	followed->forks_reported = __atomic_load_n(&session->shared->forks_reported, __ATOMIC_ACQUIRE);
}

void followed_add(struct followed *followed, const struct message_process *process, uint64_t now_ns)
{
	/* exec: another program with the same pid takes over the entry, and
	 * stays the parent of the processes that the earlier program started. */
	struct followed_process *entry = find_pid(followed, process->pid);

	if (!process->pid || process->pid & DWELL_TASK_INNER)
		return; /* the process has ended, or its end cannot be observed */
	if (!entry) {
		drop_ended(followed);
		if (!array_reserve(&followed->list, &followed->capacity, followed->count + 1, sizeof *followed->list))
			return;
		entry = &followed->list[followed->count++];
	}
	*entry = (struct followed_process){
		.process = process->process,
		.pid = process->pid,
		.parent_pid = process->parent_pid,
		.since_ns = now_ns,
	};
}

void followed_set_hooks(struct followed *followed, uint32_t process)
{
	for (size_t i = followed->count; i-- > 0;) {
		struct followed_process *entry = &followed->list[i], *parent;

		if (entry->process != process)
			continue;
		entry->counts = true;
		parent = find_pid(followed, entry->parent_pid);
		if (parent)
			parent->counts = true;
		return;
	}
}

bool followed_is_current(const struct followed *followed, uint32_t pid, uint32_t process)
{
	for (size_t i = followed->count; i-- > 0;)
		if (followed->list[i].pid == pid)
			return followed->list[i].process == process;
	return true;
}

struct look {
	int fd; /* of the session */
	uint64_t now_ns;
	uint64_t start_ticks; /* of dwell */
};

/* Whether the process may still record: it has the session mapped, or unmapped the session a moment ago. The number is from memory
 * that a faulty program can write over: dwell itself, and processes older than dwell, are not the program's. */
static bool may_record(struct followed_process *process, const struct look *look)
{
	struct process_life life = process_read_life(process->pid);
	bool unmapped;

	if (!life.alive || life.start_ticks < look->start_ticks || process->pid == (uint32_t)getpid())
		return false;
	unmapped = !life.headless && !tasks_session_is_mapped(process->pid, look->fd, true);
	if (unmapped && !process->unmapped)
		process->since_ns = look->now_ns;
	process->unmapped = unmapped;
	return !unmapped || look->now_ns - process->since_ns < FOLLOWED_PATIENCE_NS;
}

size_t followed_count_recording(struct followed *followed, const struct session *session, uint64_t now_ns, bool *soon)
{
	const struct dwell_session *shared = session->shared;
	const struct look look = {session->fd, now_ns, process_read_life((uint32_t)getpid()).start_ticks};
	size_t left = 0;

	*soon = false;
	keep_if(followed, exists, NULL);
	for (size_t i = 0; i < followed->count; i++) {
		struct followed_process *process = &followed->list[i];
		bool may = may_record(process, &look);

		left += may && process->counts;
		*soon |= may && now_ns - process->since_ns < FOLLOWED_PATIENCE_NS;
	}
	/* A forked child has not announced itself yet, or did so after record had read the journal. */
	*soon |= __atomic_load_n(&shared->forks, __ATOMIC_ACQUIRE) > followed->forks_reported;
	return left;
}

void followed_clear(struct followed *followed)
{
	free(followed->list);
	*followed = (struct followed){0};
}
