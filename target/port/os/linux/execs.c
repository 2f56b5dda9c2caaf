/* SPDX-License-Identifier: MIT
 *
 * Reports programs that a recorded program starts and that have more rights than their user (set-uid, set-gid, capabilities
 * of the file). The kernel loads no agent into such a program, and a linked agent takes no part (environment.h), so without
 * this report the loss would go unnoticed. Works through wrappers of libc's functions, so direct system calls and static
 * programs stay unreported.
 *
 * Also reports programs in another root folder or namespace that can open neither the session nor its held descriptor (held.h), or
 * that lack the agent's file. And programs that get an environment without the session, or with an LD_PRELOAD without the agent.
 *
 * Only in the preloaded agent, which is also in programs with another agent linked in.
 */
#include "port/os/linux/agent.h"
#include "port/os/linux/environment.h"
#include "port/os/linux/held.h"
#include "port/os/linux/image.h"
#include "port/os/linux/next.h"
#include "port/os/linux/system.h"

#include <linux/stat.h>
#include <stdarg.h>

#define NAME_BYTES 512u
#define EXPORTED __attribute__((visibility("default")))
#define PR_GET_NO_NEW_PRIVS 39
#define SET_UID 04000u
#define SET_GID 02010u /* with the group's right to execute; otherwise the bit has another meaning */

static char session[64]; /* name of the session, without the file's name behind the colon; empty: none */
static const char *agent_file; /* the agent's file as LD_PRELOAD has it; null: something else has loaded the agent */

typedef int execve_fn(const char *path, char *const argv[], char *const envp[]);
typedef int spawn_fn(
	int *pid, const char *path, const void *actions, const void *attributes, char *const argv[], char *const envp[]);
static execve_fn *real_execve, *real_execvpe;
static spawn_fn *real_spawn, *real_spawnp;
extern char **environ __attribute__((weak));

/* Takes the name by which the dynamic linker has loaded the agent. */
static int find_own_name(struct dl_phdr_info *info, size_t size, void *data)
{
	struct image image;

	(void)size;
	if (!image_open(&image, info->dlpi_addr, info->dlpi_phdr, info->dlpi_phnum) || (uint64_t)session < image.low ||
		(uint64_t)session >= image.high)
		return 0;
	*(const char **)data = info->dlpi_name;
	return 1;
}

__attribute__((constructor(102))) static void find_execs(int argc, char **argv, char **envp)
{
	const char *name = next_is_glibc() ? environment_session(argc, argv, envp) : 0;
	uint64_t before;

	for (unsigned n = 0; name && name[n] && name[n] != ':' && n + 1 < sizeof session; n++)
		session[n] = name[n];
	before = agent_begin_libc_call();
	if (name && next_list_files(find_own_name, &agent_file) && !environment_preloads(envp, agent_file))
		agent_file = 0;
	agent_end_libc_call(before);
	real_execve = (execve_fn *)unwind_find_real("execve");
	real_execvpe = (execve_fn *)unwind_find_real("execvpe");
	real_spawn = (spawn_fn *)unwind_find_real("posix_spawn");
	real_spawnp = (spawn_fn *)unwind_find_real("posix_spawnp");
}

/* Whether the kernel gives a program from this file more rights than its user has. Not considered: mounts that forbid set-uid. */
static bool gives_rights(const struct statx *file, const char *path)
{
	uint32_t uid = (uint32_t)system_call3(__NR_getuid, 0, 0, 0), gid = (uint32_t)system_call3(__NR_getgid, 0, 0, 0);
	bool other_user = (file->stx_mode & SET_UID) && file->stx_uid != uid;
	bool other_group = (file->stx_mode & SET_GID) == SET_GID && file->stx_gid != gid;

	return (other_user || other_group ||
		       (uid && system_call6(__NR_getxattr, (long)path, (long)"security.capability", 0, 0, 0, 0) > 0)) &&
	       system_call3(__NR_prctl, PR_GET_NO_NEW_PRIVS, 0, 0) != 1;
}

static unsigned append(char *to, unsigned at, const char *from, unsigned bytes)
{
	for (unsigned n = 0; n < bytes && from[n] && at + 2 < NAME_BYTES; n++)
		to[at++] = from[n];
	to[at] = 0;
	return at;
}

/* Writes a fact into the journal: its key, with the equals sign; the absolute path, cut to the room; a newline. */
static void report_fact(const char *key, const char *path)
{
	char text[NAME_BYTES], folder[NAME_BYTES];
	unsigned at = append(text, 0, key, NAME_BYTES);

	if (*path != '/' && system_getcwd(folder, sizeof folder) > 0) {
		at = append(text, at, folder, NAME_BYTES);
		at = append(text, at, "/", 1);
	}
	at = append(text, at, path, NAME_BYTES);
	text[at++] = '\n';
	membership_report(session, DWELL_CHUNK_INFO, text, at);
}

/* Reads mode and owner of a file. False: there is no such file. */
static bool get_status(const char *path, struct statx *file)
{
	return system_call6(__NR_statx, -100 /* AT_FDCWD */, (long)path, 0, STATX_MODE | STATX_UID | STATX_GID, (long)file, 0) >= 0;
}

/* Returns the value of an environment variable; null: not set. */
static const char *variable(const char *name)
{
	for (char **entry = &environ ? environ : 0; entry && *entry; entry++) {
		unsigned n = 0;

		while (name[n] && (*entry)[n] == name[n])
			n++;
		if (!name[n] && (*entry)[n] == '=')
			return *entry + n + 1;
	}
	return 0;
}

/* Whether the agent's file exists: the first in LD_PRELOAD, which may be missing in another root folder. True, too, if LD_PRELOAD
 * has no absolute path: then the answer is unknown. */
static bool has_agent(void)
{
	const char *preload = variable("LD_PRELOAD");
	char name[NAME_BYTES];
	struct statx file;
	unsigned n = 0;

	while (preload && preload[n] && preload[n] != ':' && preload[n] != ' ')
		n++;
	if (!n || *preload != '/')
		return true;
	append(name, 0, preload, n);
	return get_status(name, &file);
}

/* Whether the kernel may run the file. Without this, a shell's search for a program would report files. */
static bool is_executable(const char *path)
{
	return system_call3(__NR_faccessat, -100 /* AT_FDCWD */, (long)path, 1 /* X_OK */) >= 0;
}

/* Returns the key by which an environment without session or agent is reported; null: it has both. */
static const char *find_missing(char *const *envp)
{
	if (!environment_has_session(envp))
		return DWELL_UNLOADED_KEY "=";
	return agent_file && !environment_preloads(envp, agent_file) ? DWELL_UNPRELOADED_KEY "=" : 0;
}

/* Reports the program at path if dwell cannot record it. False: there is no such file. */
static bool report_program(const char *path, char *const *envp)
{
	const char *missing = find_missing(envp);
	struct statx file;

	if (!get_status(path, &file))
		return false;
	if (gives_rights(&file, path))
		report_fact(DWELL_PRIVILEGED_KEY "=", path);
	else if (!held_pass_on(session) || !has_agent())
		report_fact(DWELL_UNREACHED_KEY "=", path);
	else if (missing && is_executable(path))
		report_fact(missing, path);
	return true;
}

/* Finds the file of a program and reports it. path: argument of the call of libc; searched: the call searches in the folders of
 * PATH. */
static void search_program(const char *path, bool searched, char *const *envp)
{
	const char *folders, *slash = path;
	char name[NAME_BYTES];

	while (*slash && *slash != '/')
		slash++;
	folders = variable("PATH");
	if (!searched || *slash || !folders) {
		report_program(path, envp);
		return;
	}
	for (unsigned bytes; *folders; folders += bytes + (folders[bytes] == ':')) {
		for (bytes = 0; folders[bytes] && folders[bytes] != ':'; bytes++)
			;
		append(name, append(name, append(name, 0, folders, bytes), "/", bytes != 0), path, NAME_BYTES);
		if (report_program(name, envp))
			return;
	}
}

static void report_exec(const char *path, bool searched, char *const *envp)
{
	struct dwell_ring *work;

	agent_notice_child();
	work = agent.on ? dwell_trace_work_begin(port_thread()) : 0;
	if (*session && path)
		search_program(path, searched, envp);
	dwell_trace_work_end(port_thread(), work);
}

EXPORTED int execve(const char *path, char *const argv[], char *const envp[]);
EXPORTED int execve(const char *path, char *const argv[], char *const envp[])
{
	report_exec(path, false, envp);
	return real_execve(path, argv, envp);
}

EXPORTED int execv(const char *path, char *const argv[]);
EXPORTED int execv(const char *path, char *const argv[])
{
	return execve(path, argv, environ);
}

EXPORTED int execvpe(const char *file, char *const argv[], char *const envp[]);
EXPORTED int execvpe(const char *file, char *const argv[], char *const envp[])
{
	report_exec(file, true, envp);
	return real_execvpe(file, argv, envp);
}

EXPORTED int execvp(const char *file, char *const argv[]);
EXPORTED int execvp(const char *file, char *const argv[])
{
	return execvpe(file, argv, environ);
}

EXPORTED int posix_spawn(
	int *pid, const char *path, const void *actions, const void *attributes, char *const argv[], char *const envp[]);
EXPORTED int posix_spawn(
	int *pid, const char *path, const void *actions, const void *attributes, char *const argv[], char *const envp[])
{
	report_exec(path, false, envp);
	return real_spawn(pid, path, actions, attributes, argv, envp);
}

EXPORTED int posix_spawnp(
	int *pid, const char *file, const void *actions, const void *attributes, char *const argv[], char *const envp[]);
EXPORTED int posix_spawnp(
	int *pid, const char *file, const void *actions, const void *attributes, char *const argv[], char *const envp[])
{
	report_exec(file, true, envp);
	return real_spawnp(pid, file, actions, attributes, argv, envp);
}

/* Makes an array of a call's arguments in the wrapper's own frame, since the program decides how many there are. */
#define AS_ARRAY(first, last)                                                                                                      \
	va_list list;                                                                                                              \
	unsigned count = 1;                                                                                                        \
	va_start(list, first);                                                                                                     \
	while (va_arg(list, char *))                                                                                               \
		count++;                                                                                                           \
	va_end(list);                                                                                                              \
	char *argv[count + 1];                                                                                                     \
	argv[0] = (char *)first;                                                                                                   \
	va_start(list, first);                                                                                                     \
	for (unsigned i = 1; i <= count; i++)                                                                                      \
		argv[i] = va_arg(list, char *);                                                                                    \
	last;                                                                                                                      \
	va_end(list)

EXPORTED int execl(const char *path, const char *first, ...);
EXPORTED int execl(const char *path, const char *first, ...)
{
	AS_ARRAY(first, (void)0);
	return execve(path, argv, environ);
}

EXPORTED int execlp(const char *file, const char *first, ...);
EXPORTED int execlp(const char *file, const char *first, ...)
{
	AS_ARRAY(first, (void)0);
	return execvpe(file, argv, environ);
}

EXPORTED int execle(const char *path, const char *first, ...);
EXPORTED int execle(const char *path, const char *first, ...)
{
	AS_ARRAY(first, char *const *envp = va_arg(list, char *const *));
	return execve(path, argv, envp);
}
