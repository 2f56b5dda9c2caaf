#include "record/session/may_bring.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "record/program/explain.h"
#include "record/remote/remote_find.h"

/* A number in /proc/PID/status; -1: there is none. */
static long read_number(const char *process, const char *name)
{
	char path[64], line[512];
	long number = -1;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%s/status", process);
	file = fopen(path, "re");
	while (file && number < 0 && fgets(line, sizeof line, file))
		if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
			number = strtol(line + strlen(name) + 1, NULL, 10);
	if (file)
		fclose(file);
	return number;
}

/* A container has filters for all that is in it, which let a library be loaded. What a process has beyond those is its own. */
static bool is_confined(pid_t pid)
{
	char process[24];
	long mode;

	snprintf(process, sizeof process, "%ld", (long)pid);
	mode = read_number(process, "Seccomp");
	return mode == 1 || (mode == 2 && read_number(process, "Seccomp_filters") > read_number("self", "Seccomp_filters"));
}

/* Whether the process sees a file by the name that the agent has here. */
static bool sees(pid_t pid, const char *agent)
{
	char path[4200];
	struct stat info;

	snprintf(path, sizeof path, "/proc/%ld/root%s", (long)pid, agent);
	return *agent != '/' || stat(path, &info) == 0 || errno != ENOENT;
}

bool may_bring(pid_t pid, const char *name, const char *agent, struct diag *diag)
{
	char program[64];

	snprintf(program, sizeof program, "/proc/%ld/exe", (long)pid);
	if (explain_is_foreign(program))
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			"runs a program for another processor, or of 32 bits, and the agent is for this one; sample it: dwell attach --sample");
	else if (explain_is_of_musl(program))
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			"uses the C library musl, and the agent works with the GNU C library only; sample it: dwell attach --sample");
	else if (!remote_find_function(pid, "libc", "dlopen") && !remote_find_function(pid, "libdl", "dlopen"))
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			"%s, so dwell cannot load the agent into it; sample it: dwell attach --sample",
			explain_is_static(program) ? "is linked statically" : "has no dlopen");
	else if (is_confined(pid))
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			"restricts its own system calls (seccomp), and could be killed while dwell loads the agent; start it with `dwell "
			"record --trace`, or sample it: dwell attach --sample");
	else if (!sees(pid, agent))
		diag_add(diag, DIAG_ERROR, name, DIAG_NO_OFFSET,
			"does not see the agent's file (%s): it has other file systems mounted, as a container has; put a copy there, or sample "
			"it: dwell attach --sample",
			agent);
	else
		return true;
	return false;
}
