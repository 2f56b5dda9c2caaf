#include "record/program/followed.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "record/session/threads.h"
#include "util/array.h"

#define TIDY_FIRST 64

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

/* Tens of thousands may come and go. */
static void tidy(struct followed *followed)
{
	if (followed->count < TIDY_FIRST || followed->count < followed->tidy_at)
		return;
	keep_if(followed, exists, NULL);
	followed->tidy_at = 2 * followed->count;
}

static struct followed_process *find_pid(struct followed *followed, uint32_t pid)
{
	for (size_t i = followed->count; i-- > 0;)
		if (followed->list[i].pid == pid)
			return &followed->list[i];
	return NULL;
}

void followed_begin_look(struct followed *followed, const struct session *session)
{
	followed->forks_told = __atomic_load_n(&session->shared->forks_told, __ATOMIC_ACQUIRE);
}

void followed_add(struct followed *followed, const struct message_process *process, uint64_t now_ns)
{
	/* exec: another program under the same number. A shell that has become the program has still started what it has started. */
	struct followed_process *entry = find_pid(followed, process->pid);

	if (!entry) {
		tidy(followed);
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

void followed_has_hooks(struct followed *followed, uint32_t process)
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

/* Whether a line of /proc/PID/maps is of the session. */
static bool is_line_of(const char *line, const struct stat *file)
{
	unsigned major_number, minor_number;
	unsigned long long inode;

	return sscanf(line, "%*s %*s %*s %x:%x %llu", &major_number, &minor_number, &inode) == 3 && inode == file->st_ino &&
	       (makedev(major_number, minor_number) == file->st_dev || strstr(line, "dwell"));
}

/* Of what cannot be looked into, another user's, it is taken to be so. */
static bool has_session(uint32_t pid, const struct stat *file)
{
	char path[32], line[4400];
	bool found = false;
	FILE *maps;

	snprintf(path, sizeof path, "/proc/%u/maps", pid);
	maps = fopen(path, "re");
	if (!maps)
		return errno == EACCES || errno == EPERM;
	while (!found && fgets(line, sizeof line, maps))
		found = is_line_of(line, file);
	fclose(maps);
	return found;
}

struct look {
	struct stat file;
	uint64_t now_ns;
};

static bool may_record(struct followed_process *process, const struct look *look)
{
	bool headless, alive = process_is_alive(process->pid, &headless);
	bool unmapped = !headless && !has_session(process->pid, &look->file);

	if (!alive)
		return false;
	if (unmapped && !process->unmapped)
		process->since_ns = look->now_ns;
	process->unmapped = unmapped;
	return !unmapped || look->now_ns - process->since_ns < FOLLOWED_PATIENCE_NS;
}

size_t followed_left(struct followed *followed, const struct session *session, uint64_t now_ns, bool *soon)
{
	const struct dwell_session *shared = session->shared;
	struct look look = {.now_ns = now_ns};
	size_t left = 0;

	*soon = false;
	if (fstat(session->fd, &look.file) < 0)
		return 0;
	keep_if(followed, exists, NULL);
	for (size_t i = 0; i < followed->count; i++) {
		struct followed_process *process = &followed->list[i];
		bool may = may_record(process, &look);

		left += may && process->counts;
		*soon |= may && now_ns - process->since_ns < FOLLOWED_PATIENCE_NS;
	}
	/* A child that was forked and has not run yet, or did so since the journal was read. */
	*soon |= __atomic_load_n(&shared->forks, __ATOMIC_ACQUIRE) > followed->forks_told;
	return left;
}

void followed_clear(struct followed *followed)
{
	free(followed->list);
	*followed = (struct followed){0};
}
