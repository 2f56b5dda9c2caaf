/* For which processes a recording waits, where the numbers are what a program may have written: those with the session mapped,
 * which are not dwell and did not start before it. */
#include "record/program/followed.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static struct session session;

static uint64_t count(pid_t pid)
{
	const struct message_process announced = {.process = 7, .pid = (uint32_t)pid};
	struct followed followed = {0};
	uint64_t left;
	bool soon;

	followed_add(&followed, &announced, 0);
	followed_set_hooks(&followed, 7);
	left = followed_count_recording(&followed, &session, FOLLOWED_PATIENCE_NS + 1, &soon);
	followed_clear(&followed);
	return left;
}

/* A process with the session mapped. */
static pid_t begin(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		pause();
		_exit(0);
	}
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

TEST(those_that_record)
{
	pid_t child = begin();

	CHECK_EQ(count(child), 1);
	end(child);
	CHECK_EQ(count(child), 0);
	CHECK_EQ(count(0), 0);
}

TEST(dwell_itself)
{
	CHECK_EQ(count(getpid()), 0);
}

TEST(one_that_is_older)
{
	pid_t older = begin(), dwell;
	int status = -1;

	usleep(50000); /* the kernel tells the start in hundredths of a second */
	dwell = fork();
	if (dwell == 0)
		_exit((int)count(older));
	waitpid(dwell, &status, 0);
	CHECK_EQ(status, 0);
	end(older);
}

int main(void)
{
	session.fd = memfd_create("dwell", MFD_CLOEXEC);
	CHECK(ftruncate(session.fd, sizeof *session.shared) == 0);
	session.shared = mmap(NULL, sizeof *session.shared, PROT_READ | PROT_WRITE, MAP_SHARED, session.fd, 0);
	CHECK(session.shared != MAP_FAILED);
	RUN(those_that_record);
	RUN(dwell_itself);
	RUN(one_that_is_older);
	return tap_done();
}
