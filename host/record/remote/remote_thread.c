#include "record/remote/remote_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 5000

void remote_pause_us(unsigned us)
{
	nanosleep(&(struct timespec){0, us * 1000L}, NULL);
}

static enum remote_problem problem_of(pid_t tid)
{
	char path[64], line[256];
	long tracer = 0;
	FILE *file;

	if (errno == ESRCH)
		return REMOTE_GONE;
	snprintf(path, sizeof path, "/proc/%ld/status", (long)tid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		sscanf(line, "TracerPid: %ld", &tracer);
	if (file)
		fclose(file);
	errno = EPERM;
	return tracer ? REMOTE_TRACED : REMOTE_DENIED;
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

/* 'D' where it is held, 'Z' where it has ended, 0 where it is gone. */
static char state_of(pid_t tid)
{
	char path[64], line[512];
	const char *behind;
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof path, "/proc/%ld/stat", (long)tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		n = read(fd, line, sizeof line - 1);
		close(fd);
	}
	if (n <= 0)
		return 0;
	line[n] = 0;
	behind = strrchr(line, ')');
	return behind && behind[1] ? behind[2] : 0;
}

bool remote_is_held(pid_t tid)
{
	return state_of(tid) == 'D';
}

static bool stays_held(pid_t tid)
{
	for (unsigned ms = 0; remote_is_held(tid); ms++) {
		if (ms == PATIENCE_MS)
			return true;
		remote_pause_us(1000);
	}
	return false;
}

bool remote_stopped(pid_t tid, int *signal, int *event)
{
	int status;

	if (waitpid(tid, &status, __WALL | WNOHANG) != tid || !WIFSTOPPED(status))
		return false;
	*event = status >> 16;
	*signal = WSTOPSIG(status);
	return true;
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
		/* Soon, mostly. */
		remote_pause_us(us < 200 ? 1 : 200);
	}
	return false;
}

enum remote_problem remote_seize(pid_t tid, int *signal)
{
	int event;

	if (stays_held(tid))
		return REMOTE_HELD;
	if (ptrace(PTRACE_SEIZE, tid, 0, PTRACE_O_TRACESYSGOOD) < 0)
		return remote_exists(tid) ? problem_of(tid) : REMOTE_GONE;
	if (ptrace(PTRACE_INTERRUPT, tid, 0, 0) < 0)
		return REMOTE_GONE;
	if (!remote_wait(tid, signal, &event))
		return remote_is_held(tid) ? REMOTE_HELD : REMOTE_GONE;
	if (event)
		*signal = 0;
	return REMOTE_DONE;
}

void remote_let_go(pid_t tid, int signal)
{
	ptrace(PTRACE_DETACH, tid, 0, signal);
}

bool remote_write(pid_t pid, uint64_t address, const void *data, size_t bytes)
{
	char path[64];
	bool done;
	int fd;

	snprintf(path, sizeof path, "/proc/%ld/mem", (long)pid);
	fd = open(path, O_RDWR | O_CLOEXEC);
	done = fd >= 0 && pwrite(fd, data, bytes, (off_t)address) == (ssize_t)bytes;
	if (fd >= 0)
		close(fd);
	return done;
}

bool remote_read(pid_t pid, uint64_t address, void *data, size_t bytes)
{
	struct iovec mine = {data, bytes}, theirs = {(void *)(uintptr_t)address, bytes};

	return process_vm_readv(pid, &mine, 1, &theirs, 1, 0) == (ssize_t)bytes;
}
