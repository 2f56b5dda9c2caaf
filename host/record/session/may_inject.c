/* may_inject: reads from /proc and from the process's files what would make the agent fail in the process. */
#include "record/session/may_inject.h"

#include <errno.h>
#include <linux/kcmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/program/explain.h"
#include "record/remote/remote_find.h"

/* Reads a number from /proc/PID/status; −1: none. pid 0: this process. */
static long read_number(pid_t pid, const char *name)
{
	char path[64], line[512];
	long number = -1;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)(pid ? pid : getpid()));
	file = fopen(path, "re");
	while (file && number < 0 && fgets(line, sizeof line, file))
		if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
			number = strtol(line + strlen(name) + 1, NULL, 10);
	if (file)
		fclose(file);
	return number;
}

/* Whether the process has seccomp filters of its own, beyond dwell's. A
 * container's filters apply to dwell, too, and permit a library to be loaded. */
static bool is_confined(pid_t pid)
{
	long mode = read_number(pid, "Seccomp");

	return mode == 1 || (mode == 2 && read_number(pid, "Seccomp_filters") > read_number(0, "Seccomp_filters"));
}

/* Whether the loader of a dynamic program has not mapped the C library yet. */
static bool is_beginning(const struct remote_image *image)
{
	for (size_t i = 0; i < image->map_count; i++)
		if (remote_is_library(&image->maps[i], "libc"))
			return false;
	return true;
}

/* False also for a process of another user, since any folder on the path may be closed to that user. */
bool may_read(pid_t pid, const char *path)
{
	char there[4200];
	struct stat here, info;

	snprintf(there, sizeof there, "/proc/%ld/root%s", (long)remote_live_thread(pid), path);
	return *path == '/' && read_number(pid, "Uid") == (long)geteuid() && stat(path, &here) == 0 && stat(there, &info) == 0 &&
	       here.st_ino == info.st_ino && here.st_dev == info.st_dev;
}

/* Whether /proc is mounted in the process's root folder: the agent opens the files that dwell hands over by names in /proc. */
static bool sees_proc(pid_t pid)
{
	char path[64];
	struct stat info;

	snprintf(path, sizeof path, "/proc/%ld/root/proc/uptime", (long)remote_live_thread(pid));
	return stat(path, &info) == 0;
}

/* Whether the process is a child of vfork, in its parent's memory until exec. */
static bool is_in_parents_memory(pid_t pid)
{
	long parent = read_number(pid, "PPid");

	return parent > 0 && syscall(SYS_kcmp, pid, (pid_t)parent, KCMP_VM, 0, 0) == 0;
}

bool may_make_system_calls(pid_t pid, const char *name, struct diag *diag)
{
	if (!is_confined(pid))
		return true;
	diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
		"restricts its own system calls (seccomp), and could be killed for those that dwell has it make; start it with `dwell record`, "
		"or sample it: dwell attach --sample");
	return false;
}

bool may_inject(const struct remote_image *image, const char *name, struct diag *diag)
{
	char program[64];

	snprintf(program, sizeof program, "/proc/%ld/exe", (long)remote_live_thread(image->pid));
	if (explain_is_foreign(program))
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			"runs a program for another processor, or of 32 bits, and the agent is for this one; sample it: dwell attach --sample");
	else if (explain_is_of_musl(program))
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			"uses the C library musl, and the agent works with the GNU C library only; sample it: dwell attach --sample");
	else if (!remote_find_function(image, "libc", "dlopen") && !remote_find_function(image, "libdl", "dlopen"))
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET, "%s",
			!remote_image_is_current(image) ? "is just beginning to run another program; attach again"
			: explain_is_static(program)
				? "is linked statically, so dwell cannot load the agent into it; sample it: dwell attach --sample"
			: is_beginning(image) ? "is just beginning to run another program; attach again"
				: "has no dlopen, so dwell cannot load the agent into it; sample it: dwell attach --sample");
	else if (is_in_parents_memory(image->pid))
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			"runs in the memory of its parent, as a child of vfork does until it becomes another program; attach again");
	else if (!sees_proc(image->pid))
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			"has no /proc, as in a chroot, by which it opens what dwell gives it; mount one there, or sample it: dwell attach --sample");
	else
		return may_make_system_calls(image->pid, name, diag);
	return false;
}
