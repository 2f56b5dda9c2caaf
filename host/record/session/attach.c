/* attach: finds a running process and its agent, begins to record the process, and restores its code at the end (attach.h). */
#include "record/session/attach.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "record/program/explain.h"
#include "record/program/signatures.h"
#include "record/session/inject.h"
#include "record/session/may_inject.h"
#include "target/port/os/linux/session.h"
#include "util/guard.h"

/* How long give_order waits, in ms, until record has carried out an order. A few ms are usual, unless record has just died. */
#define ORDER_MS 2000
#define LOOK_NS 4000000 /* interval at which attach_turn_on_session checks the process */
/* Values of dwell_session.order. They differ from the first order, which is 0 or 1, so agents notice the change. */
#define ORDER_ON 3u
#define ORDER_OFF 4u

/* Copies the value of a line of /proc/PID/status. name: the word before the line's colon. False: no such line or process. */
static bool read_status(pid_t pid, const char *name, char *value, size_t size)
{
	char path[64], line[512];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	file = fopen(path, "re");
	while (file && !found && fgets(line, sizeof line, file)) {
		if (strncmp(line, name, strlen(name)) || line[strlen(name)] != ':')
			continue;
		snprintf(value, size, "%s", line + strlen(name) + 1 + strspn(line + strlen(name) + 1, " \t"));
		value[strcspn(value, "\n")] = 0;
		found = true;
	}
	if (file)
		fclose(file);
	return found;
}

/* Returns the target of a link of /proc, even if that file has been removed. To be freed. Null: errno gives the reason. */
static char *make_target(const char *path)
{
	static const char deleted[] = " (deleted)";
	char target[4096];
	ssize_t n = readlink(path, target, sizeof target - 1);

	if (n < 0)
		return NULL;
	target[n] = 0;
	if ((size_t)n > sizeof deleted && !strcmp(target + n - sizeof deleted + 1, deleted))
		target[(size_t)n - sizeof deleted + 1] = 0;
	return strdup(target);
}

/* Returns the path of the program that the process runs, to be freed. Null: errno gives the reason. */
static char *make_program(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/exe", (long)remote_live_thread(pid));
	return make_target(path);
}

static bool is_other_user(pid_t pid)
{
	char uid[64];

	return read_status(pid, "Uid", uid, sizeof uid) && strtoul(uid, NULL, 10) != geteuid();
}

/* Whether the process is a thread of the kernel. A missing program does not show that: an ending process has no program, either. */
static bool is_of_system(pid_t pid)
{
	char parent[64];

	return pid == 2 || (read_status(pid, "PPid", parent, sizeof parent) && strtol(parent, NULL, 10) == 2);
}

/* Whether Yama lets only the ancestors of a process, and root, read the process's memory, or permits even less. */
static bool is_restricted(void)
{
	FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "re");
	int scope = 0;
	bool restricted = file && fscanf(file, "%d", &scope) == 1 && scope > 0;

	if (file)
		fclose(file);
	return restricted;
}

/* Explains why dwell may not read the process's memory. errno: the error of the attempt. */
static void refuse_denied(const struct attach *attach, struct diag *diag)
{
	int error = errno;

	if (!geteuid())
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"the system does not let dwell read its memory (%s), although dwell is root here: it belongs to another container, or has "
			"rights that root lacks here, or a security module (Yama, SELinux) forbids it",
			strerror(error));
	else if (is_other_user(attach->control.pid))
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "belongs to another user, or has dropped rights: attach as root");
	else
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"the system does not let dwell read its memory (%s): %s; or give dwell the capability CAP_SYS_PTRACE; or start the program "
			"with `dwell record --off`, which needs neither",
			strerror(error),
			is_restricted() ? "as root, sysctl kernel.yama.ptrace_scope=0 allows it"
					: "it has forbidden that (prctl PR_SET_DUMPABLE), or has rights that its user lacks; attach as root");
}

/* Explains that the process has no agent, and how to start the program with one. agent: path of the library. */
static void refuse_without_agent(const struct attach *attach, const char *agent, struct diag *diag)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/exe", (long)attach->control.pid);
	if (explain_is_static(path))
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"no agent is in it: %s is linked statically; compile it with what `dwell cflags` prints, or -finstrument-functions, and "
			"link it with what `dwell cflags --link` prints",
			attach->program);
	else
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"no agent is in it%s: start the program with LD_PRELOAD=%s or with `dwell record --off`, or link it with what "
			"`dwell cflags --link` prints%s",
			signatures_of_hooks(path) ? "" : ", and no hooks", agent,
			signatures_of_hooks(path) ? "" : "; and compile it with what `dwell cflags` prints");
}

/* Opens a regular file, and nothing else: the process chose the name, and opening a device has effects. Opens exactly the
 * file that it has checked, even if the name leads elsewhere meanwhile. −1: no regular file, or not permitted. */
static int open_plain(const char *name, int flags)
{
	int found = open(name, O_PATH | O_CLOEXEC), fd = -1;
	struct stat info;
	char path[64];

	if (found < 0)
		return -1;
	snprintf(path, sizeof path, "/proc/self/fd/%d", found);
	if (fstat(found, &info) == 0 && S_ISREG(info.st_mode))
		fd = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	close(found);
	return fd;
}

/* Whether the owner, the process that drains the session, still lives. The kernel marks the word owner at the owner's death;
 * without the word, a zombie counts as alive. */
static bool has_owner(const struct dwell_session *session)
{
	if (session->owner && session->owner & DWELL_SESSION_OWNER_DIED)
		return false;
	return session->owner_pid && (kill((pid_t)session->owner_pid, 0) == 0 || errno != ESRCH);
}

/* Whether fd is an open session that is still drained. */
static bool is_drained(int fd)
{
	struct dwell_session header;

	return pread(fd, &header, sizeof header, 0) == (ssize_t)sizeof header && header.magic == DWELL_SESSION_MAGIC_WORD &&
	       header.version == DWELL_SESSION_VERSION && !header.closed && has_owner(&header);
}

/* Maps the header of the session that name leads to; unmap_session unmaps it. *bytes: the size of the mapping.
 * Null: name leads to no session, or the session is closed, or the session's owner has ended. */
static struct dwell_session *map_open_session(const char *name, uint64_t *bytes)
{
	struct dwell_session *session = MAP_FAILED;
	int looks = open_plain(name, O_RDONLY), fd = looks >= 0 && is_drained(looks) ? open_plain(name, O_RDWR) : -1;

	*bytes = sizeof *session;
	if (fd >= 0 && is_drained(fd)) /* checked again: name may lead to another file by now */
		session = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0)
		close(fd);
	if (looks >= 0)
		close(looks);
	if (session == MAP_FAILED)
		return NULL;
	guard_add(session, *bytes);
	return session;
}

static void unmap_session(struct dwell_session *session, uint64_t bytes)
{
	guard_remove(session);
	munmap(session, bytes);
}

/* Maps the header of the session that the process has joined. name: from the control block in the process's memory. The process
 * may have written any name there, so dwell opens only names of the form /proc/PID/fd/N. Null: no such session is open. */
static struct dwell_session *map_living_session(pid_t pid, const char *name, uint64_t *bytes)
{
	char own[64]; /* name without the path of the trace file, which follows a colon */
	int length, number, end = 0;

	if (sscanf(name, "/proc/thread-self/fd/%d", &number) == 1)
		length = snprintf(own, sizeof own, "/proc/%ld/fd/%d", (long)remote_live_thread(pid), number);
	else
		length = snprintf(own, sizeof own, "%.*s", (int)strcspn(name, ":"), name);
	if (sscanf(own, "/proc/%*[0-9]/fd/%*[0-9]%n", &end) < 0 || !end || end != length)
		return NULL;
	return map_open_session(own, bytes);
}

/* Maps the header of the session that the process drains: users may give the pid of the `dwell record` that they started.
 * *file: path of the trace file, to be freed; null: none, or unknown. Null: the process drains no session. */
static struct dwell_session *map_own_session(pid_t pid, uint64_t *bytes, char **file)
{
	struct dwell_session *session = NULL;
	char path[300];
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
	folder = opendir(path);
	while (folder && !session && (entry = readdir(folder))) {
		struct stat info;

		snprintf(path, sizeof path, "/proc/%ld/fd/%.20s", (long)pid, entry->d_name);
		if (stat(path, &info) < 0 || !S_ISREG(info.st_mode))
			continue;
		session = map_open_session(path, bytes);
		if (session && session->owner_pid != (uint32_t)pid) {
			unmap_session(session, *bytes);
			session = NULL;
		}
	}
	*file = session && *session->file ? strndup((const char *)session->file, sizeof session->file) : NULL;
	if (folder)
		closedir(folder);
	return session;
}

/* Sets attach->orders to the session that the process has joined, if there is one. False, and a diag: that session records now. */
static bool check_session(struct attach *attach, struct diag *diag)
{
	attach->orders = map_living_session(attach->control.pid, attach->control.block.session, &attach->orders_bytes);
	if (!attach->orders || !(attach->orders->order & 1))
		return true;
	diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "is being recorded already, by process %u; end that recording first", attach->orders->owner_pid);
	return false;
}

/* Finds the agent that dwell has just loaded into the process. False, and a diag: the process has no agent, or has ended. */
static bool find_loaded_agent(struct attach *attach, const char *agent, struct diag *diag)
{
	enum control_problem problem;

	control_close(&attach->control);
	problem = control_find(&attach->control, attach->control.pid);
	if (problem == CONTROL_FOUND)
		return true;
	if (problem == CONTROL_GONE)
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "ended, or became another program, while dwell loaded the agent; attach again");
	else
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"could not load the agent (%s): it may not be allowed to read or map that file, or lacks memory for it; `dwell attach "
			"--sample` needs no agent",
			agent);
	return false;
}

/* Loads the agent into the process: by path, or by a descriptor if the process
 * cannot read the path (it has another root folder or another user). False: a diag explains the problem. */
static bool load_agent(struct attach *attach, const char *agent, struct diag *diag)
{
	struct control *control = &attach->control;
	char name[32];
	enum remote_problem problem;

	if (may_read(control->pid, agent)) {
		if (!inject_agent(&control->image, attach->name, agent, diag))
			return false;
	} else {
		problem = hand_over_file(&attach->over, control, agent, name);
		if (problem != REMOTE_DONE)
			return inject_explain(attach->name, problem, diag);
		if (!inject_agent(&control->image, attach->name, name, diag))
			return false;
	}
	return find_loaded_agent(attach, agent, diag);
}

/* Finds the agent, and checks that the program has hooks. With attach->plans the program needs
 * no hooks, and dwell loads a missing agent. False: a diag explains the obstacle. */
static bool check_agent(struct attach *attach, const char *agent, struct diag *diag)
{
	switch (control_find(&attach->control, attach->control.pid)) {
	case CONTROL_FOUND:
		break;
	case CONTROL_DENIED:
		refuse_denied(attach, diag);
		return false;
	case CONTROL_GONE:
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "there is no such process");
		return false;
	case CONTROL_NO_AGENT:
		attach->why_untraceable = "no agent in it";
		if (attach->plans)
			return may_inject(&attach->control.image, attach->name, diag) && load_agent(attach, agent, diag);
		refuse_without_agent(attach, agent, diag);
		return false;
	case CONTROL_MISMATCH:
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"the agent in it is of another version of dwell than this one, or for another processor; restart it with this version");
		return false;
	}
	/* The process's own seccomp filter could kill it for the agent's system calls when the agent joins. */
	if (!may_make_system_calls(attach->control.pid, attach->name, diag)) {
		attach->why_untraceable = "it restricts its own system calls (seccomp)";
		return false;
	}
	if (attach->plans)
		return true;
	if ((attach->control.block.own_hooks || attach->control.block.begun) && !attach->control.block.hooked_modules)
		attach->why_untraceable = attach->control.block.own_hooks ? "it has hook functions of its own" : "no hooks";
	if (attach->control.block.own_hooks && !attach->control.block.hooked_modules)
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"the program has hook functions of its own (__cyg_profile_func_enter), which dwell does not replace; use --sample");
	else if (attach->control.block.begun && !attach->control.block.hooked_modules)
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"%s has no hooks; compile it with what `dwell cflags` prints, or -finstrument-functions", attach->program);
	else
		return true;
	return false;
}

/* Initializes attach for a process, except plans, which the caller has set. False, and a diag: no such process, or a process
 * that dwell cannot record. */
static bool find_process(struct attach *attach, pid_t pid, struct diag *diag)
{
	char value[128];

	*attach = (struct attach){.control = {.pid = pid, .image.memory = -1}, .plans = attach->plans};
	snprintf(attach->name, sizeof attach->name, "process %ld", (long)pid);
	if (!read_status(pid, "Tgid", value, sizeof value)) {
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "there is no such process");
		return false;
	}
	if (strtol(value, NULL, 10) != pid) {
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "is a thread of process %s; attach to that", value);
		return false;
	}
	/* The main thread alone may have ended. */
	if (read_status(remote_live_thread(pid), "State", value, sizeof value) && (*value == 'Z' || *value == 'X')) {
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "has ended already; only its exit status is left (a zombie), until its parent reads that");
		return false;
	}
	errno = 0;
	attach->program = make_program(pid);
	if (!attach->program) {
		if (errno == ESRCH || (errno == ENOENT && !is_of_system(pid)))
			diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "ended while dwell attached to it");
		else if (errno == ENOENT)
			diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "is a thread of the kernel, not a program");
		else
			refuse_denied(attach, diag);
		return false;
	}
	attach->runs = true;
	return true;
}

bool attach_find_or_inject(struct attach *attach, pid_t pid, const char *agent, struct diag *diag)
{
	attach->plans = true;
	return find_process(attach, pid, diag) && check_agent(attach, agent, diag) && check_session(attach, diag);
}

bool attach_find(struct attach *attach, pid_t pid, const char *agent, struct diag *diag)
{
	attach->plans = false;
	return find_process(attach, pid, diag) && check_agent(attach, agent, diag) && check_session(attach, diag);
}

bool attach_find_recorded(struct attach *attach, pid_t pid, const char *agent, struct diag *diag)
{
	attach->plans = false;
	if (!find_process(attach, pid, diag))
		return false;
	attach->orders = map_own_session(pid, &attach->orders_bytes, &attach->orders_file);
	if (attach->orders)
		return true;
	if (!check_agent(attach, agent, diag))
		return false;
	attach->orders = map_living_session(attach->control.pid, attach->control.block.session, &attach->orders_bytes);
	if (strchr(attach->control.block.session, ':'))
		attach->orders_file = strdup(strchr(attach->control.block.session, ':') + 1);
	if (!attach->orders)
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "is not being recorded; begin with `dwell record --ring` or `dwell attach --ring`");
	return attach->orders;
}

/* Whether the process, or another process with its pid, is there. */
static bool is_there(const struct attach *attach)
{
	return kill(attach->control.pid, 0) == 0 || errno == EPERM;
}

void attach_end(struct attach *attach)
{
	/* Unless attach_release has closed the descriptors: a refused recording gave the agent's alone. */
	if (attach->over.count && is_there(attach))
		hand_over_end(&attach->over, &attach->control);
	if (attach->orders)
		unmap_session(attach->orders, attach->orders_bytes);
	if (attach->control.pid)
		control_close(&attach->control);
	free(attach->program);
	free(attach->orders_file);
	*attach = (struct attach){.control.image.memory = -1};
}

/* Writes the order, and waits, for ORDER_MS at most, until the process that drains the session has carried the
 * order out. That process is the parent of the recorded process, so the kernel lets it open the gates. */
static void give_order(struct dwell_session *session, bool on)
{
	const struct timespec pause = {0, 1000000};
	uint32_t order = ((session->order & ~1u) + 2) | on;

	__atomic_store_n(&session->order, order, __ATOMIC_RELEASE);
	for (int i = 0; i < ORDER_MS && __atomic_load_n(&session->followed, __ATOMIC_ACQUIRE) != order; i++)
		nanosleep(&pause, NULL);
}

/* Does nothing without attach->plans. Makes a thread of the process call the agent, since the process may have no hook that
 * would read the request. Then changes the process's code, so that functions without hooks reach the agent. False: a diag. */
static bool begin_plans(struct attach *attach, void (*meanwhile)(void *context), void *context, struct diag *diag)
{
	if (!attach->plans)
		return true;
	if (!inject_join_session(&attach->control, attach->name, meanwhile, context, diag))
		return false;
	return inject_changes(&attach->control, attach->name, &attach->changed, diag);
}

void attach_turn_off(struct attach *attach, struct session *session)
{
	if (!attach || !attach->changed)
		return;
	__atomic_store_n(&session->shared->order, ORDER_OFF, __ATOMIC_RELEASE);
	session_force_slow_path(session, false);
	control_close_gates(&attach->control);
}

void attach_restore(struct attach *attach, struct diag *diag)
{
	if (attach->changed && is_there(attach))
		inject_restore(&attach->control, attach->name, diag);
	attach->changed = false;
}

void attach_release(struct attach *attach)
{
	if (!attach->plans || !is_there(attach))
		return;
	if (attach->request)
		inject_leave_session(&attach->control);
	hand_over_end(&attach->over, &attach->control);
}

void attach_restore_child(struct attach *attach, pid_t pid, struct diag *diag)
{
	struct control *parent = &attach->control, child;
	char name[32];

	if (!attach->plans || pid == parent->pid)
		return;
	snprintf(name, sizeof name, "process %ld", (long)pid);
	/* The pid may belong to another process by now, or another dwell may be attached. */
	if (control_find(&child, pid) == CONTROL_FOUND && child.address == parent->address &&
		child.block.request_pid == parent->own_pid && child.block.request == attach->request) {
		control_close_gates(&child);
		inject_restore(&child, name, diag);
		inject_leave_session(&child);
	}
	control_close(&child);
}

bool attach_begin(
	struct attach *attach, struct session *session, void (*meanwhile)(void *context), void *context, struct diag *diag)
{
	if (attach->plans) {
		enum remote_problem problem = hand_over_session(&attach->over, &attach->control, session);

		if (problem != REMOTE_DONE)
			return inject_explain(attach->name, problem, diag);
	}
	if (control_request(&attach->control, attach->plans ? attach->over.name : session->name, &attach->request)) {
		if (!begin_plans(attach, meanwhile, context, diag))
			return false;
		if (control_open_gates(&attach->control)) {
			/* Recording starts only now: until now, a function's entry gate could be open and its exit gate closed. */
			if (attach->plans)
				__atomic_store_n(&session->shared->order, ORDER_ON, __ATOMIC_RELEASE);
			return true;
		}
	}
	/* A write failed: the process has ended, or runs another program, where the agent's addresses mean nothing. */
	diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "%s",
		is_there(attach) ? "is just beginning to run another program; attach again"
								     : "ended while dwell attached to it");
	return false;
}

enum attach_state attach_get_state(struct attach *attach, struct diag *diag)
{
	const struct dwell_control *block = &attach->control.block;

	if (!control_read(&attach->control))
		return ATTACH_ENDED;
	if (attach->orders)
		return ATTACH_JOINED;
	if (block->answered != attach->request)
		return ATTACH_WAITING;
	if (!block->error)
		return ATTACH_JOINED;
	if (block->error == -ENOENT || block->error == -EACCES)
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"cannot open the memory that dwell shares with it (%s): it is in another container, or runs as another user; with --trace "
			"dwell hands it over",
			strerror(-block->error));
	else if (block->error == -ENOMEM)
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"its limit on address space (ulimit -v) has no room for the rings; use a smaller --ring");
	else
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "cannot be recorded: %s", strerror(-block->error));
	return ATTACH_REFUSED;
}

void attach_turn_on_session(struct attach *attach, struct launch *launch, uint64_t for_ns, struct diag *diag)
{
	launch_attach(launch, attach->control.pid, for_ns);
	give_order(attach->orders, true);
	while (!launch->ended && !launch->stopped && attach_get_state(attach, diag) == ATTACH_JOINED)
		launch_wait(launch, LOOK_NS);
	give_order(attach->orders, false);
	diag_add(diag, DIAG_NOTE, attach->name, DIAG_NO_OFFSET, "its calls are in the file of the dwell record that started it");
}
