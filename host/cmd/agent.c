#include "cmd/agent.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *make_agent_path(struct diag *diag)
{
	static const char *const places[] = {"libdwell.so", "../lib/libdwell.so", "../lib/dwell/libdwell.so"};
	char self[PATH_MAX], *slash, *path;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = 0;
	slash = strrchr(self, '/');
	if (slash)
		slash[1] = 0;
	for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
		if (asprintf(&path, "%s%s", self, places[i]) < 0)
			break;
		if (access(path, R_OK) == 0 && !strpbrk(path, ": "))
			return path;
		if (access(path, R_OK) == 0)
			diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
				"the agent cannot be preloaded from a folder with a blank or a colon in its name");
		free(path);
	}
	diag_add(diag, DIAG_ERROR, self, DIAG_NO_OFFSET, "the agent, libdwell.so, is neither in this folder nor in ../lib of it");
	return NULL;
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
