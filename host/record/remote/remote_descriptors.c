/* remote_descriptors: gives the process copies of dwell's descriptors, and closes these copies. */
#include "record/remote/remote_call_inner.h"

#ifdef __x86_64__

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct borrowed borrowed;
static const struct remote_meanwhile nothing;

/* Makes a system call. An error result becomes errno and REMOTE_NO_ROOM. */
static enum remote_problem make_checked_syscall(long number, const uint64_t arguments[6], uint64_t *result)
{
	if (!remote_make_syscall(&borrowed, number, arguments, result))
		return REMOTE_ENDED;
	errno = *result >= (uint64_t)-4095ll ? (int)-*result : 0;
	return errno ? REMOTE_NO_ROOM : REMOTE_DONE;
}

/* Sends the descriptors into a socket of the process, of which dwell gets a copy. socket: the process's number. */
static bool send_all(int pidfd, int socket, const int *descriptors, unsigned count)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(REMOTE_DESCRIPTORS_MAX * sizeof *descriptors)];
	} control = {
		.head = {.cmsg_len = CMSG_LEN(count * sizeof *descriptors), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
	char byte = 0;
	struct iovec vector = {&byte, 1};
	struct msghdr message = {.msg_iov = &vector,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = CMSG_SPACE(count * sizeof *descriptors)};
	int mine = (int)syscall(SYS_pidfd_getfd, pidfd, socket, 0);
	bool good;

	if (mine < 0)
		return false;
	memcpy(CMSG_DATA(&control.head), descriptors, count * sizeof *descriptors);
	good = sendmsg(mine, &message, MSG_NOSIGNAL) == 1;
	close(mine);
	return good;
}

/* The data with which the process receives a message, at the lowest address of the call's stack. */
struct received {
	struct msghdr message;
	struct iovec vector;
	char byte[8];
	int sockets[2];
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(REMOTE_DESCRIPTORS_MAX * sizeof(int))];
	} control;
};

/* Lets the thread receive the message, and reads the numbers of its descriptors. at: the address of received in the process. */
static enum remote_problem receive(uint64_t at, const struct received *received, unsigned count, int *theirs)
{
	struct received got;
	uint64_t arguments[6] = {(uint64_t)received->sockets[1], at, MSG_CMSG_CLOEXEC | MSG_DONTWAIT}, result;
	enum remote_problem problem = make_checked_syscall(SYS_recvmsg, arguments, &result);

	if (problem != REMOTE_DONE)
		return problem;
	if (!remote_read(borrowed.image, at, &got, sizeof got) || got.control.head.cmsg_len != CMSG_LEN(count * sizeof *theirs))
		return REMOTE_NO_ROOM;
	memcpy(theirs, CMSG_DATA(&got.control.head), count * sizeof *theirs);
	return REMOTE_DONE;
}

/* Lets the thread make a pair of sockets, sends the descriptors through the pair, and closes it. */
static enum remote_problem exchange(int pidfd, const int *descriptors, unsigned count, int *theirs)
{
	uint64_t at = borrowed.stack, result;
	const uint64_t pair[6] = {AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, at + offsetof(struct received, sockets)};
	struct received received = {
		.message = {.msg_iov = (void *)(at + offsetof(struct received, vector)),
			.msg_iovlen = 1,
			.msg_control = (void *)(at + offsetof(struct received, control)),
			.msg_controllen = CMSG_SPACE(count * sizeof *theirs)},
		.vector = {(void *)(at + offsetof(struct received, byte)), 1}};
	enum remote_problem problem = make_checked_syscall(SYS_socketpair, pair, &result);

	if (problem != REMOTE_DONE)
		return problem;
	if (!remote_read(borrowed.image, pair[3], received.sockets, sizeof received.sockets) ||
		!remote_write(borrowed.image, at, &received, sizeof received))
		return REMOTE_ENDED;
	problem = send_all(pidfd, received.sockets[0], descriptors, count) ? receive(at, &received, count, theirs) : REMOTE_NO_ROOM;
	for (int i = 0; i < 2 && problem != REMOTE_ENDED; i++)
		if (!remote_make_syscall(&borrowed, SYS_close, (const uint64_t[6]){(uint64_t)received.sockets[i]}, &result))
			problem = REMOTE_ENDED;
	return problem;
}

/* Opens a pidfd of the process, by a thread with files: a main thread that has
 * ended has no files. Before Linux 6.9 only main threads can be opened. */
static int open_process(pid_t pid)
{
	pid_t task = remote_live_thread(pid);

	return (int)syscall(SYS_pidfd_open, task, task == pid ? 0 : O_EXCL /* PIDFD_THREAD */);
}

enum remote_problem remote_copy_descriptors(struct remote_image *image, const int *descriptors, unsigned count, int *theirs)
{
	int pidfd = open_process(image->pid);
	enum remote_problem problem = pidfd < 0 ? REMOTE_NO_ROOM : remote_begin_calls(&borrowed, image, REMOTE_ANYWHERE, &nothing);

	if (problem == REMOTE_DONE) {
		problem = exchange(pidfd, descriptors, count, theirs);
		remote_end_calls(&borrowed, problem);
	}
	if (pidfd >= 0)
		close(pidfd);
	return problem;
}

enum remote_problem remote_close_descriptors(struct remote_image *image, const int *theirs, unsigned count)
{
	enum remote_problem problem = remote_begin_calls(&borrowed, image, REMOTE_ANYWHERE, &nothing);
	uint64_t result;

	if (problem != REMOTE_DONE)
		return problem;
	for (unsigned i = 0; i < count && problem == REMOTE_DONE; i++)
		if (!remote_make_syscall(&borrowed, SYS_close, (const uint64_t[6]){(uint64_t)theirs[i]}, &result))
			problem = REMOTE_ENDED;
	remote_end_calls(&borrowed, problem);
	return problem;
}

#else

enum remote_problem remote_copy_descriptors(struct remote_image *image, const int *descriptors, unsigned count, int *theirs)
{
	(void)image;
	(void)descriptors;
	(void)count;
	(void)theirs;
	return REMOTE_FOREIGN;
}

enum remote_problem remote_close_descriptors(struct remote_image *image, const int *theirs, unsigned count)
{
	(void)image;
	(void)theirs;
	(void)count;
	return REMOTE_FOREIGN;
}

#endif
