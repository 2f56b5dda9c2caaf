/* Numbers that tasks have for themselves in a PID namespace, and which those are here: found by the kernel's word and by the
 * session that is mapped; where two could be meant, none is taken. */
#include "record/session/tasks.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "record/session/threads.h"

#define INNER DWELL_TASK_INNER

static int session, other;

/* A process that is number 1 of a namespace of its own and has something mapped. −1: not permitted. */
static pid_t begin(int maps)
{
	int ready[2];
	char word;
	pid_t pid;

	CHECK(pipe(ready) == 0);
	pid = (pid_t)syscall(SYS_clone, CLONE_NEWPID | (geteuid() ? CLONE_NEWUSER : 0) | SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid == 0) {
		if (mmap(NULL, 4096, PROT_READ, MAP_SHARED, maps, 0) == MAP_FAILED || write(ready[1], "", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	close(ready[1]);
	if (pid > 0)
		CHECK(read(ready[0], &word, 1) == 1);
	close(ready[0]);
	return pid;
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

TEST(found_by_what_is_mapped)
{
	struct tasks *tasks = make_tasks(session);
	pid_t first = begin(session), stranger = begin(other), second;
	uint32_t pid = 1 | INNER, parent = 0 | INNER, tid = 1 | INNER;

	if (first < 0) {
		free_tasks(tasks);
		return; /* no such namespaces here */
	}
	tasks_add_process(tasks, 4, &pid, &parent);
	CHECK_EQ(pid, first);
	CHECK_EQ(parent, getpid());
	CHECK_EQ(tasks_number(tasks, 4), first);
	CHECK_EQ(tasks_number(tasks, 3), 0);
	pid = 1 | INNER;
	tasks_translate(tasks, 4, &pid, &tid);
	CHECK_EQ(pid, first);
	CHECK_EQ(tid, first);
	CHECK(thread_is_alive(pid, tid));

	/* Of a thread that is not there it is known that it has ended; a number that nobody has is nobody's. */
	pid = 1 | INNER;
	tid = 77 | INNER;
	tasks_translate(tasks, 4, &pid, &tid);
	CHECK_EQ(pid, first);
	CHECK_EQ(tid, 0);
	pid = tid = 3999999 | INNER;
	tasks_translate(tasks, 5, &pid, &tid);
	CHECK_EQ(pid, 0);
	CHECK(!thread_is_alive(pid, tid) && !process_exists(pid));

	/* Two that could be meant. */
	second = begin(session);
	pid = tid = 1 | INNER;
	tasks_translate(tasks, 6, &pid, &tid);
	CHECK_EQ(pid, 1 | INNER);
	CHECK(thread_is_alive(pid, tid));
	CHECK_EQ(task_without_mark(pid), 1);
	/* What was found stays so. */
	pid = tid = 1 | INNER;
	tasks_translate(tasks, 4, &pid, &tid);
	CHECK_EQ(pid, first);
	end(first);
	end(second);
	end(stranger);
	free_tasks(tasks);
}

/* Numbers of this namespace are as they are, and without memory for more all are. */
TEST(plain_numbers)
{
	struct tasks *tasks = make_tasks(session);
	uint32_t pid = 123, tid = 456, parent = 7;
	uint64_t space, device;

	CHECK(!thread_is_alive((uint32_t)getpid(), 0)); /* 0: it has ended */
	tasks_translate(tasks, 0, &pid, &tid);
	tasks_add_process(tasks, 0, &pid, &parent);
	tasks_translate(NULL, 0, &pid, &tid);
	CHECK(pid == 123 && tid == 456 && parent == 7);
	CHECK_EQ(tasks_number(tasks, 0), 123);
	CHECK_EQ(tasks_number(NULL, 0), 0);
	tasks_describe(&space, &device);
	CHECK(space && device);
	CHECK(!tasks_session_is_mapped((uint32_t)getpid(), session, true));
	free_tasks(tasks);
}

int main(void)
{
	session = memfd_create("dwell", MFD_CLOEXEC);
	other = memfd_create("stranger", MFD_CLOEXEC);
	CHECK(ftruncate(session, 4096) == 0 && ftruncate(other, 4096) == 0);
	RUN(found_by_what_is_mapped);
	RUN(plain_numbers);
	return tap_done();
}
