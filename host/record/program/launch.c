/* launch: starts the program in a child process, and waits for signals, for the end of the program or of an attached process. */
#include "record/program/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "target/port/os/linux/session.h"
#include "util/clock.h"

/* Signals to dwell that launch_wait passes on to the program. */
static const int passed_signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGWINCH};
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* The signals that launch_wait takes; they are blocked otherwise. */
static sigset_t blocked_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (size_t i = 0; i < COUNT(passed_signals); i++)
		sigaddset(&set, passed_signals[i]);
	return set;
}

/* Joins a folder of PATH and a name. An empty folder means the current one. */
static char *join(const char *folder, size_t length, const char *name)
{
	char *path = malloc(length + strlen(name) + 3);

	if (path)
		sprintf(path, "%.*s/%s", (int)(length ? length : 1), length ? folder : ".", name);
	return path;
}

static bool is_executable(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

/* Finds an executable file in the folders of PATH. Null: none. */
static char *search_path(const char *name)
{
	const char *folders = getenv("PATH");

	for (const char *end; folders; folders = *end ? end + 1 : NULL) {
		char *path;

		end = strchrnul(folders, ':');
		path = join(folders, (size_t)(end - folders), name);
		if (path && is_executable(path))
			return path;
		free(path);
	}
	return NULL;
}

char *make_program_path(const char *name, struct diag *diag)
{
	struct stat info;
	char *path;

	if (!strchr(name, '/')) {
		path = search_path(name);
		if (!path && (!strcmp(name, ".") || !strcmp(name, "..")))
			diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot run it: it is a folder, not a program");
		else if (!path)
			diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
				"no such program in PATH%s", access(name, F_OK) == 0 ? " (to run the one in this folder, type ./ before its name)" : "");
		return path;
	}
	if (stat(name, &info) < 0)
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot run it: %s", strerror(errno));
	else if (S_ISDIR(info.st_mode))
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot run it: it is a folder, not a program");
	else if (access(name, X_OK) < 0)
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot run it: %s", strerror(errno));
	else if (S_ISREG(info.st_mode) && !info.st_size)
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "cannot run it: the file is empty");
	else
		return strdup(name);
	return NULL;
}

/* Adds the agent to LD_PRELOAD, in front: the loader must find the agent's hook functions before libc's empty ones. */
static bool set_environment(const char *agent, const char *session)
{
	const char *before = getenv("LD_PRELOAD");
	char *preload;
	bool set;

	if (asprintf(&preload, before && *before ? "%s:%s" : "%s", agent, before) < 0)
		return false;
	set = setenv("LD_PRELOAD", preload, 1) == 0 && setenv(DWELL_SESSION_ENV, session, 1) == 0;
	free(preload);
	return set;
}

/* In the child: waits until the pipe `wait` has a byte or closes, then becomes the program. If exec fails, writes errno into
 * the pipe `error_pipe`. */
static void become_program(const char *path, char *const argv[], const char *agent, const char *session, const sigset_t *mask,
	int wait, int error_pipe)
{
	char word;
	ssize_t got;
	int error;

	/* A byte from the parent: with the agent. End of file: without. */
	while ((got = read(wait, &word, 1)) < 0 && errno == EINTR)
		;
	signal(SIGXFSZ, SIG_DFL); /* record ignores these signals */
	signal(SIGPIPE, SIG_DFL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (!agent || got != 1 || set_environment(agent, session))
		execv(path, argv);
	error = errno;
	while (write(error_pipe, &error, sizeof error) < 0 && errno == EINTR)
		;
	_exit(127);
}

/* Makes the pipes from the child (errno) and to the child (permission to go on). */
static bool make_pipes(int error_pipe[2], int go[2])
{
	if (pipe2(error_pipe, O_CLOEXEC) < 0)
		return false;
	if (pipe2(go, O_CLOEXEC) == 0)
		return true;
	close(error_pipe[0]);
	close(error_pipe[1]);
	return false;
}

bool launch_begin(struct launch *launch, const char *path, char *const argv[], const char *agent, const char *session,
	launch_ready_fn *ready, void *context, struct diag *diag)
{
	sigset_t take = blocked_signals(), before;
	int error_pipe[2], go[2], error = 0;

	*launch = (struct launch){0};
	if (!make_pipes(error_pipe, go)) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot start it: %s", strerror(errno));
		return false;
	}
	sigprocmask(SIG_BLOCK, &take, &before);
	fflush(NULL);
	launch->pid = fork();
	if (launch->pid == 0) {
		close(error_pipe[0]);
		close(go[1]);
		become_program(path, argv, agent, session, &before, go[0], error_pipe[1]);
	}
	if (launch->pid < 0)
		error = errno;
	close(error_pipe[1]);
	close(go[0]);
	if (launch->pid > 0)
		ready(context, launch->pid);
	while (launch->pid > 0 && agent && !launch->bare && write(go[1], "", 1) < 0 && errno == EINTR)
		;
	close(go[1]);
	while (launch->pid > 0 && read(error_pipe[0], &error, sizeof error) < 0 && errno == EINTR)
		;
	close(error_pipe[0]);
	if (!error)
		return true;
	if (launch->pid > 0)
		waitpid(launch->pid, NULL, 0);
	sigprocmask(SIG_SETMASK, &before, NULL);
	diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot start it: %s", strerror(error));
	return false;
}

void launch_attach(struct launch *launch, pid_t pid, uint64_t for_ns)
{
	sigset_t take = blocked_signals();

	sigprocmask(SIG_BLOCK, &take, NULL);
	*launch = (struct launch){.pid = pid, .attached = true, .exit_fd = (int)syscall(SYS_pidfd_open, pid, 0)};
	launch->until_ns = for_ns ? clock_now_ns() + for_ns : 0;
}

void launch_end(struct launch *launch)
{
	if (launch->attached && launch->exit_fd >= 0)
		close(launch->exit_fd);
	launch->exit_fd = -1;
}

/* Whether the attached process has ended. */
static bool is_over(const struct launch *launch)
{
	struct pollfd exit_fd = {.fd = launch->exit_fd, .events = POLLIN};

	if (launch->exit_fd < 0)
		return kill(launch->pid, 0) < 0 && errno == ESRCH;
	return poll(&exit_fd, 1, 0) > 0;
}

/* launch_wait for an attached process. */
static void wait_for_attached(struct launch *launch, long wait_ns)
{
	sigset_t take = blocked_signals();
	uint64_t now = clock_now_ns();
	struct timespec wait;
	int signal;

	if (launch->until_ns && launch->until_ns < now + (uint64_t)wait_ns)
		wait_ns = launch->until_ns > now ? (long)(launch->until_ns - now) : 0;
	wait = (struct timespec){wait_ns / 1000000000, wait_ns % 1000000000};
	signal = sigtimedwait(&take, NULL, &wait);
	launch->stopped |= signal == SIGINT || signal == SIGQUIT || signal == SIGTERM || signal == SIGHUP;
	launch->stopped |= launch->until_ns && clock_now_ns() >= launch->until_ns;
	launch->ended = is_over(launch);
}

void launch_wait(struct launch *launch, long wait_ns)
{
	sigset_t take = blocked_signals();
	struct timespec wait = {wait_ns / 1000000000, wait_ns % 1000000000};
	siginfo_t info;
	int signal;

	if (launch->attached) {
		wait_for_attached(launch, wait_ns);
		return;
	}
	signal = sigtimedwait(&take, &info, &wait);

	if (launch->ended) {
		launch->stopped |= signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
		return;
	}
	/* The terminal sends signals to the whole foreground group, including
	 * the program; only signals from processes to dwell are passed on. */
	for (size_t i = 0; signal > 0 && i < COUNT(passed_signals); i++)
		if (signal == passed_signals[i] && info.si_code <= 0)
			kill(launch->pid, signal);
	if (signal == SIGCHLD && waitpid(launch->pid, &launch->status, WNOHANG) == launch->pid)
		launch->ended = true;
}

int launch_status(const struct launch *launch)
{
	return WIFEXITED(launch->status) ? WEXITSTATUS(launch->status) : LAUNCH_KILLED + WTERMSIG(launch->status);
}

bool launch_was_killed_by_seccomp(const struct launch *launch)
{
	return launch->ended && !launch->attached && WIFSIGNALED(launch->status) && WTERMSIG(launch->status) == SIGSYS;
}
