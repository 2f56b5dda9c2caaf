/* heir: a process that outlives record and saves the session's memory to a file. */
#include "record/session/heir.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "util/hidden_file.h"

#define LOOK_NS 20000000 /* interval at which the heir checks for mappings */

/* Copies the bytes from at to end, at the same offsets. False: a read or a write failed. */
static bool copy(int from, int to, off_t at, off_t end)
{
	static char buffer[1 << 16];

	while (at < end) {
		size_t part = end - at < (off_t)sizeof buffer ? (size_t)(end - at) : sizeof buffer;
		ssize_t got = pread(from, buffer, part, at), put = 0;

		if (got <= 0)
			return false;
		for (ssize_t done; put < got; put += done) {
			done = pwrite(to, buffer + put, (size_t)(got - put), at + put);
			if (done <= 0)
				return false;
		}
		at += got;
	}
	return true;
}

/* Copies the memory; pages that were never written become holes in the file. */
static bool copy_data(int from, int to, off_t bytes)
{
	off_t at = 0, end;

	if (ftruncate(to, bytes) < 0)
		return false;
	while ((at = lseek(from, at, SEEK_DATA)) >= 0 && at < bytes) {
		end = lseek(from, at, SEEK_HOLE);
		if (end < 0 || !copy(from, to, at, end < bytes ? end : bytes))
			return false;
		at = end;
	}
	return true;
}

bool session_save(int fd, uint64_t bytes, const char *path)
{
	char *temporary;
	int to = hidden_file_open(path, O_RDWR, &temporary), error;
	bool good = to >= 0 && copy_data(fd, to, (off_t)bytes) && hidden_file_publish(to, path, temporary);

	error = errno;
	if (to >= 0)
		close(to);
	hidden_file_drop(temporary);
	errno = error;
	return good;
}

/* Waits until no program has the memory mapped for writing. No system table lists mappings of such
 * memory, but sealing against writing succeeds only without writable mappings. */
static void wait_for_programs(int fd)
{
	const struct timespec pause = {0, LOOK_NS};

	while (fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) < 0 && errno == EBUSY)
		nanosleep(&pause, NULL);
}

/* Waits for a byte from record, and then does nothing. If the pipe closes without a byte, record was killed: writes the file. */
static void wait_and_save(int lifeline_end, int fd, uint64_t bytes, const char *path)
{
	char word;
	ssize_t got;

	while ((got = read(lifeline_end, &word, 1)) < 0 && errno == EINTR)
		;
	if (got != 0)
		return;
	wait_for_programs(fd);
	session_save(fd, bytes, path);
}

/* Becomes the heir. Ignores the signals from a terminal or to a process group, which are meant for other processes. */
static void become_heir(int lifeline_end, int fd, void *shared, uint64_t bytes, const char *path)
{
	static const int ignored[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP, SIGXFSZ, SIGUSR1, SIGUSR2};

	setsid();
	for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
		signal(ignored[i], SIG_IGN);
	prctl(PR_SET_NAME, "dwell-heir");
	munmap(shared, bytes);
	wait_and_save(lifeline_end, fd, bytes, path);
	_exit(0);
}

/* Starts the heir as a grandchild: record waits for its children, and so
 * may the program that started record; neither may wait for the heir. */
static void begin_grandchild(const int lifeline[2], int names, int fd, void *shared, uint64_t bytes, const char *path)
{
	pid_t pid = fork();

	if (pid == 0) {
		close(lifeline[1]);
		close(names);
		become_heir(lifeline[0], fd, shared, bytes, path);
	}
	while (pid > 0 && write(names, &pid, sizeof pid) < 0 && errno == EINTR)
		;
	_exit(0);
}

bool heir_begin(struct heir *heir, int fd, void *shared, uint64_t bytes, const char *path)
{
	int lifeline[2], names[2];
	pid_t child;

	*heir = (struct heir){.lifeline = -1};
	if (pipe2(lifeline, O_CLOEXEC) < 0)
		return false;
	if (pipe2(names, O_CLOEXEC) < 0) {
		close(lifeline[0]);
		close(lifeline[1]);
		return false;
	}
	child = fork();
	if (child == 0)
		begin_grandchild(lifeline, names[1], fd, shared, bytes, path);
	close(names[1]);
	close(lifeline[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	if (child < 0 || read(names[0], &heir->pid, sizeof heir->pid) != sizeof heir->pid)
		heir->pid = 0;
	close(names[0]);
	if (!heir->pid)
		close(lifeline[1]);
	else
		heir->lifeline = lifeline[1];
	return heir->pid != 0;
}

void heir_end(struct heir *heir)
{
	if (!heir->pid)
		return;
	while (write(heir->lifeline, "", 1) < 0 && errno == EINTR)
		;
	close(heir->lifeline);
	heir->pid = 0;
}
