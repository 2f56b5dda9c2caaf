/* remote_thread: traces single threads by ptrace(2), and reads their states from /proc. */
#include "record/remote/remote_thread.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/clock.h"

#define PATIENCE_MS 5000
#define PATIENCE_NEW_MS 20
#define REST_MAX_NS UINT64_C(100000000)

struct remote_stops remote_stops;

/* The last stop: the duration, and the time of the end. */
static struct {
	uint64_t ns, ended_ns;
} last;

uint64_t remote_rest_ns(void)
{
	uint64_t rest_ns = last.ns < REST_MAX_NS ? last.ns : REST_MAX_NS, passed_ns = clock_now_ns() - last.ended_ns;

	return passed_ns < rest_ns ? rest_ns - passed_ns : 0;
}

void remote_rest(void)
{
	for (uint64_t ns = remote_rest_ns(); ns; ns = remote_rest_ns())
		nanosleep(&(struct timespec){0, (long)ns}, NULL);
}

void remote_note_stop(uint64_t began_ns)
{
	uint64_t ns = clock_now_ns() - began_ns;

	remote_stops.count++;
	remote_stops.all_ns += ns;
	last.ns = ns;
	last.ended_ns = began_ns + ns;
	if (ns > remote_stops.longest_ns)
		remote_stops.longest_ns = ns;
}

void remote_pause_us(unsigned us)
{
	nanosleep(&(struct timespec){0, us * 1000L}, NULL);
}

/* Whether any process traces the thread. */
static bool has_tracer(pid_t tid)
{
	char path[64], line[256];
	long tracer = 0;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)tid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		sscanf(line, "TracerPid: %ld", &tracer);
	if (file)
		fclose(file);
	return tracer;
}

/* Why ptrace failed, by errno and by the thread's tracer. Sets errno for a message. */
static enum remote_problem problem_of(pid_t tid)
{
	bool traced;

	if (errno == ESRCH)
		return REMOTE_ENDED;
	traced = has_tracer(tid);
	errno = EPERM;
	return traced ? REMOTE_TRACED : REMOTE_DENIED;
}

pid_t remote_find_thread(pid_t pid, bool (*is_it)(pid_t tid))
{
	pid_t found = 0;
	struct dirent *entry;
	char path[64];
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	folder = opendir(path);
	while (folder && !found && (entry = readdir(folder))) {
		pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);

		found = *entry->d_name != '.' && is_it(tid) ? tid : 0;
	}
	if (folder)
		closedir(folder);
	return found;
}

bool remote_is_traced(pid_t pid)
{
	return remote_find_thread(pid, has_tracer) != 0;
}

bool remote_has_shadow_stack(pid_t tid)
{
	static const char key[] = "x86_Thread_features:";
	char path[64], line[256];
	bool has = false;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)tid);
	file = fopen(path, "re");
	while (file && !has && fgets(line, sizeof line, file))
		has = !strncmp(line, key, sizeof key - 1) && strstr(line, "shstk");
	if (file)
		fclose(file);
	return has;
}

/* Reads the text of /proc/TID/NAME. False: no such thread. */
static bool read_about(pid_t tid, const char *name, char *text, size_t bytes)
{
	char path[64];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof path, "/proc/%ld/%s", (long)tid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, text, bytes - 1);
		close(fd);
	}
	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

/* The thread's state letter in /proc. 'D': the kernel holds the thread; 'Z': the thread has ended. 0: no such thread. */
static char state_of(pid_t tid)
{
	char line[512];
	const char *behind = read_about(tid, "stat", line, sizeof line) ? strrchr(line, ')') : NULL;

	return behind && behind[1] ? behind[2] : 0;
}

uint64_t remote_count_runs(pid_t tid)
{
	uint64_t runs = 0;
	char line[128];

	if (read_about(tid, "schedstat", line, sizeof line))
		sscanf(line, "%*u %*u %" SCNu64, &runs);
	return runs;
}

bool remote_is_uninterruptible(pid_t tid)
{
	return state_of(tid) == 'D';
}

static bool stays_held(pid_t tid)
{
	for (unsigned ms = 0; remote_is_uninterruptible(tid); ms++) {
		if (ms == PATIENCE_MS)
			return true;
		remote_pause_us(1000);
	}
	return false;
}

bool remote_poll(pid_t tid, int *signal, int *event, bool *ended)
{
	int status;
	pid_t got = waitpid(tid, &status, __WALL | WNOHANG);

	*ended = got < 0 || (got == tid && !WIFSTOPPED(status));
	if (got != tid || *ended)
		return false;
	*event = status >> 16;
	*signal = WSTOPSIG(status);
	return true;
}

bool remote_stopped(pid_t tid, int *signal, int *event)
{
	bool ended;

	return remote_poll(tid, signal, event, &ended);
}

bool remote_exists(pid_t tid)
{
	char state = state_of(tid);

	return state && state != 'Z' && state != 'X';
}

bool remote_wait(pid_t tid, int *signal, int *event)
{
	for (unsigned us = 0; us < PATIENCE_MS * 1000u; us += us < 200 ? 10 : 250) {
		if (remote_stopped(tid, signal, event))
			return true;
		if (!remote_exists(tid))
			return false;
		/* Most threads stop soon. */
		remote_pause_us(us < 200 ? 1 : 200);
	}
	return false;
}

enum remote_problem remote_interrupt(pid_t tid)
{
	if (ptrace(PTRACE_SEIZE, tid, 0, PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC) < 0)
		return remote_exists(tid) ? problem_of(tid) : REMOTE_ENDED;
	return ptrace(PTRACE_INTERRUPT, tid, 0, 0) < 0 ? REMOTE_ENDED : REMOTE_DONE;
}

void remote_detach_new_program(pid_t pid)
{
	int signal, event;

	for (int ms = 0; ms < PATIENCE_NEW_MS; ms++) {
		if (remote_stopped(pid, &signal, &event)) {
			ptrace(PTRACE_DETACH, pid, 0, event ? 0 : signal);
			return;
		}
		if (ms)
			remote_pause_us(1000);
	}
}

enum remote_problem remote_seize(pid_t pid, pid_t tid, int *signal)
{
	enum remote_problem problem;
	int event;

	if (stays_held(tid))
		return REMOTE_UNINTERRUPTIBLE;
	problem = remote_interrupt(tid);
	if (problem != REMOTE_DONE)
		return problem;
	if (!remote_wait(tid, signal, &event)) {
		if (tid != pid && !remote_exists(tid))
			remote_detach_new_program(pid);
		return remote_is_uninterruptible(tid) ? REMOTE_UNINTERRUPTIBLE : REMOTE_ENDED;
	}
	if (event)
		*signal = 0;
	if (event != PTRACE_EVENT_EXEC)
		return REMOTE_DONE;
	remote_detach(tid, 0);
	return REMOTE_EXECED;
}

/* Detaches. If the thread has ended meanwhile, as by exec in another thread, reaps the thread, since the kernel waits for the
 * tracer. */
void remote_detach(pid_t tid, int signal)
{
	if (ptrace(PTRACE_DETACH, tid, 0, signal) < 0)
		waitpid(tid, NULL, __WALL | WNOHANG);
}
