/* hand_over: checks whether a process may open dwell's files, and gives it copies of descriptors (remote_call.h). */
#include "record/session/hand_over.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#define NAME_BYTES 32
#define NAMES_MAX 4u

/* Copies a line of /proc/PID/status. name: the line's first characters, with the colon. Empty: no such line. */
static void read_line(pid_t pid, const char *name, char *line, size_t bytes)
{
	char path[32];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	file = fopen(path, "re");
	while (file && !found && fgets(line, (int)bytes, file))
		found = !strncmp(line, name, strlen(name));
	if (file)
		fclose(file);
	if (!found)
		*line = 0;
}

/* Whether a line of /proc/PID/status is another one for the process than for dwell. */
static bool status_differs(pid_t pid, const char *name)
{
	char theirs[128], mine[128];

	read_line(pid, name, theirs, sizeof theirs);
	read_line(getpid(), name, mine, sizeof mine);
	return strcmp(theirs, mine);
}

bool hand_over_is_needed(const struct control *control)
{
	return control->own_pid != (uint32_t)control->pid || status_differs(control->pid, "Uid:") || status_differs(control->pid, "Gid:") ||
	       prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 1;
}

/* Gives the process copies of descriptors. Adds the numbers that the copies have in the process to over->theirs. */
static enum remote_problem give_descriptors(struct hand_over *over, struct control *control, const int *descriptors, unsigned count)
{
	enum remote_problem problem =
		over->count + count <= REMOTE_DESCRIPTORS_MAX
			? remote_copy_descriptors(&control->image, descriptors, count, over->theirs + over->count)
			: REMOTE_NO_ROOM;

	if (problem == REMOTE_DONE)
		over->count += count;
	return problem;
}

enum remote_problem hand_over_session(struct hand_over *over, struct control *control, struct session *session)
{
	struct dwell_session *shared = session->shared;
	char *names[NAMES_MAX] = {over->name, shared->filter, shared->plans, shared->throttle}, *given[NAMES_MAX];
	int descriptors[NAMES_MAX];
	unsigned count = 0, first = over->count;
	enum remote_problem problem;

	snprintf(over->name, sizeof over->name, "%s", session->name);
	if (!hand_over_is_needed(control))
		return REMOTE_DONE;
	for (unsigned i = 0; i < NAMES_MAX; i++)
		if (sscanf(names[i], "/proc/%*d/fd/%d", &descriptors[count]) == 1)
			given[count++] = names[i];
	problem = give_descriptors(over, control, descriptors, count);
	for (unsigned i = 0; problem == REMOTE_DONE && i < count; i++)
		snprintf(given[i], NAME_BYTES, "/proc/thread-self/fd/%d", over->theirs[first + i]);
	return problem;
}

enum remote_problem hand_over_file(struct hand_over *over, struct control *control, const char *path, char *name)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum remote_problem problem = fd < 0 ? REMOTE_NO_ROOM : give_descriptors(over, control, &fd, 1);

	if (problem == REMOTE_DONE)
		snprintf(name, NAME_BYTES, "/proc/thread-self/fd/%d", over->theirs[over->count - 1]);
	if (fd >= 0)
		close(fd);
	return problem;
}

void hand_over_end(struct hand_over *over, struct control *control)
{
	if (over->count)
		remote_close_descriptors(&control->image, over->theirs, over->count);
	over->count = 0;
}
