#include "record/attach.h"

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

#include "record/explain.h"
#include "target/port/os/linux/session.h"

/* How long an order is waited for. It takes a few milliseconds, unless whoever drains the session died just now. */
#define ORDER_MS 2000
#define LOOK_NS 4000000

/* A line of /proc/PID/status, without its name; false when there is none. */
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

static char *make_program(pid_t pid)
{
	static const char deleted[] = " (deleted)";
	char path[64], target[4096];
	ssize_t n;

	snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
	n = readlink(path, target, sizeof target - 1);
	if (n < 0)
		return NULL;
	target[n] = 0;
	if ((size_t)n > sizeof deleted && !strcmp(target + n - sizeof deleted + 1, deleted))
		target[(size_t)n - sizeof deleted + 1] = 0;
	return strdup(target);
}

static bool is_other_user(pid_t pid)
{
	char uid[64];

	return read_status(pid, "Uid", uid, sizeof uid) && strtoul(uid, NULL, 10) != geteuid();
}

static void refuse_denied(const struct attach *attach, struct diag *diag)
{
	int error = errno;

	if (is_other_user(attach->control.pid))
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "belongs to another user; attach as that user or as root");
	else
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"the system does not let it be looked into (%s): as root, sysctl kernel.yama.ptrace_scope=0 allows it; or give dwell the "
			"capability CAP_SYS_PTRACE; or start the program with `dwell record --off`, which needs neither",
			strerror(error));
}

static void refuse_without_agent(const struct attach *attach, const char *agent, struct diag *diag)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/exe", (long)attach->control.pid);
	if (explain_is_static(path))
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"no agent is in it: %s is linked statically; compile it with what `dwell cflags` prints, or -finstrument-functions, and "
			"link it with libdwell.a (-ldwell -u dwell_start)",
			attach->program);
	else
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"no agent is in it%s: start the program with LD_PRELOAD=%s or with `dwell record --off`, or link it with libdwell.a "
			"(-ldwell -u dwell_start)%s",
			explain_has_hooks(path) ? "" : ", and no hooks", agent,
			explain_has_hooks(path) ? "" : "; and compile it with what `dwell cflags` prints");
}

/* The session that the process says it is in, where somebody still drains it. */
static struct dwell_session *map_living_session(const char *name, uint64_t *bytes)
{
	char own[64]; /* behind a colon is the name of its file */
	int fd, length = snprintf(own, sizeof own, "%.*s", (int)strcspn(name, ":"), name);
	struct dwell_session *session = NULL;
	struct stat info;

	fd = length > 0 && length < (int)sizeof own ? open(own, O_RDWR | O_CLOEXEC) : -1;
	if (fd < 0)
		return NULL;
	if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && (uint64_t)info.st_size >= sizeof *session) {
		*bytes = sizeof *session;
		session = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		if (session == MAP_FAILED)
			session = NULL;
	}
	close(fd);
	if (session && (session->magic != DWELL_SESSION_MAGIC_WORD || session->version != DWELL_SESSION_VERSION || session->closed ||
			       !session->owner_pid || (kill((pid_t)session->owner_pid, 0) < 0 && errno == ESRCH))) {
		munmap(session, *bytes);
		session = NULL;
	}
	return session;
}

static bool check_session(struct attach *attach, struct diag *diag)
{
	attach->orders = map_living_session(attach->control.block.session, &attach->orders_bytes);
	if (!attach->orders || !(attach->orders->order & 1))
		return true;
	diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "is being recorded already, by process %u", attach->orders->owner_pid);
	return false;
}

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
		refuse_without_agent(attach, agent, diag);
		return false;
	case CONTROL_OTHER:
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"the agent in it is of another version of dwell than this one, or of another machine");
		return false;
	}
	if (attach->control.block.own_hooks && !attach->control.block.hooked_modules)
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"the program has hook functions of its own (__cyg_profile_func_enter), and keeps them");
	else if (attach->control.block.begun && !attach->control.block.hooked_modules)
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"%s has no hooks; compile it with what `dwell cflags` prints, or -finstrument-functions", attach->program);
	else
		return check_session(attach, diag);
	return false;
}

bool attach_find(struct attach *attach, pid_t pid, const char *agent, struct diag *diag)
{
	char value[128];

	*attach = (struct attach){.control = {.pid = pid, .memory = -1}};
	snprintf(attach->name, sizeof attach->name, "process %ld", (long)pid);
	if (!read_status(pid, "Tgid", value, sizeof value)) {
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "there is no such process");
		return false;
	}
	if (strtol(value, NULL, 10) != pid) {
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "is a thread of process %s; attach to that", value);
		return false;
	}
	if (read_status(pid, "State", value, sizeof value) && (*value == 'Z' || *value == 'X')) {
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "has ended already: nobody has asked for its exit status yet");
		return false;
	}
	errno = 0;
	attach->program = make_program(pid);
	if (!attach->program) {
		if (errno == ENOENT)
			diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "is no program, but a thread of the system");
		else
			refuse_denied(attach, diag);
		return false;
	}
	return check_agent(attach, agent, diag);
}

void attach_end(struct attach *attach)
{
	if (attach->orders)
		munmap(attach->orders, attach->orders_bytes);
	if (attach->control.pid)
		control_close(&attach->control);
	free(attach->program);
	*attach = (struct attach){.control.memory = -1};
}

/* Whoever drains the session sees it, and opens the gates: it may, since the process is its child. */
static void give_order(struct dwell_session *session, bool on)
{
	const struct timespec pause = {0, 1000000};
	uint32_t order = ((session->order & ~1u) + 2) | on;

	__atomic_store_n(&session->order, order, __ATOMIC_RELEASE);
	for (int i = 0; i < ORDER_MS && __atomic_load_n(&session->followed, __ATOMIC_ACQUIRE) != order; i++)
		nanosleep(&pause, NULL);
}

bool attach_begin(struct attach *attach, const char *session, struct diag *diag)
{
	if (control_request(&attach->control, session, &attach->request) && control_open_gates(&attach->control))
		return true;
	diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "ended while it was being attached to");
	return false;
}

enum attach_state attach_look(struct attach *attach, struct diag *diag)
{
	const struct dwell_control *block = &attach->control.block;

	if (!control_read(&attach->control))
		return ATTACH_OVER;
	if (attach->orders)
		return ATTACH_JOINED;
	if (block->answered != attach->request)
		return ATTACH_WAITING;
	if (!block->error)
		return ATTACH_JOINED;
	if (block->error == -ENOENT || block->error == -EACCES)
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"cannot open the memory that dwell shares with it (%s): it is in another container, or runs as another user; attach "
			"from there, as that user",
			strerror(-block->error));
	else if (block->error == -ENOMEM)
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET,
			"its limit on address space (ulimit -v) has no room for the rings; say a smaller --ring");
	else
		diag_add(diag, DIAG_ERROR, attach->name, DIAG_NO_OFFSET, "cannot be recorded: %s", strerror(-block->error));
	return ATTACH_REFUSED;
}

void attach_give_orders(struct attach *attach, struct launch *launch, uint64_t for_ns, struct diag *diag)
{
	launch_attach(launch, attach->control.pid, for_ns);
	give_order(attach->orders, true);
	while (!launch->ended && !launch->stopped && attach_look(attach, diag) == ATTACH_JOINED)
		launch_wait(launch, LOOK_NS);
	give_order(attach->orders, false);
	diag_add(diag, DIAG_NOTE, attach->name, DIAG_NO_OFFSET, "its calls are in the file of the dwell record that it was started with");
}
