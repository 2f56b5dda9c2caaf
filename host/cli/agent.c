#include "cli/agent.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* blanks: what cannot be in the folder's name. */
static char *make_path(const char *name, const char *blanks, const char *use, struct diag *diag)
{
	static const char *const places[] = {"", "../lib/", "../lib/dwell/", "../share/dwell/"};
	char self[PATH_MAX], *slash, *path;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = 0;
	slash = strrchr(self, '/');
	if (slash)
		slash[1] = 0;
	for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
		if (asprintf(&path, "%s%s%s", self, places[i], name) < 0)
			break;
		if (access(path, R_OK) == 0 && !strpbrk(path, blanks))
			return path;
		if (access(path, R_OK) == 0)
			diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "%s", use);
		free(path);
	}
	diag_add(diag, DIAG_ERROR, self, DIAG_NO_OFFSET, "the agent, %s, is neither in this folder nor in ../lib of it", name);
	return NULL;
}

char *make_agent_path(struct diag *diag)
{
	return make_path("libdwell.so", ": ", "the agent cannot be preloaded from a folder with a blank or a colon in its name", diag);
}

char *make_timer_agent_path(void)
{
	struct diag *unsaid = make_diag();
	char *path = make_path("libdwell-timer.so", ": ", "", unsaid);

	free_diag(unsaid);
	return path;
}

char *make_linked_agent_path(struct diag *diag)
{
	return make_path("libdwell.a", " \t\n", "a folder with a blank in its name cannot be given to a compiler by a command's output", diag);
}

char *make_specs_path(void)
{
	struct diag *unsaid = make_diag();
	char *path = make_path("gcc.specs", " \t\n", "", unsaid), *plain = path ? realpath(path, NULL) : NULL;

	free_diag(unsaid);
	free(path);
	return plain;
}

char *make_command_line(int argc, char **argv)
{
	char *line = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&line, &size);

	if (!stream)
		return NULL;
	fputs("dwell", stream);
	for (int i = 0; i < argc; i++)
		fprintf(stream, " %s", argv[i]);
	fclose(stream);
	return line;
}
