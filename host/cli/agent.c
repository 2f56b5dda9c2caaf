#include "cli/agent.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Folders that may contain dwell's files, relative to the program's folder: where dwell was built, or where `make install` puts the
 * files. The link share/dwell/lib leads to LIBDIR. */
static const char *const places[] = {"", "../lib/", "../share/dwell/", "../share/dwell/lib/", "../share/dwell/lib/dwell/"};

/* Finds the file `name`. blanks: characters that the path must not contain; why: the message about a path that contains such a
 * character. package: the Debian package with the file. The caller frees the result; null with a diag: not found. */
static char *make_path(const char *name, const char *blanks, const char *why, const char *package, struct diag *diag)
{
	char self[PATH_MAX], *slash, *path, *plain;
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = 0;
	slash = strrchr(self, '/');
	if (slash)
		slash[1] = 0;
	for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
		if (asprintf(&path, "%s%s%s", self, places[i], name) < 0)
			break;
		plain = access(path, R_OK) == 0 ? realpath(path, NULL) : NULL;
		free(path);
		if (plain && !strpbrk(plain, blanks))
			return plain;
		if (plain)
			diag_add(diag, DIAG_ERROR, plain, DIAG_NO_OFFSET, "%s", why);
		free(plain);
	}
	diag_add(diag, DIAG_ERROR, self, DIAG_NO_OFFSET,
		"cannot find %s in this folder, nor in ../lib or ../share/dwell/lib beside it: install dwell again (Debian: package %s)", name,
		package);
	return NULL;
}

/* Like make_path, but adds no diag. */
static char *make_path_quietly(const char *name, const char *blanks)
{
	struct diag *ignored = make_diag();
	char *path = make_path(name, blanks, "", "", ignored);

	free_diag(ignored);
	return path;
}

char *make_agent_path(struct diag *diag)
{
	return make_path("libdwell.so.1", ": ", "the agent cannot be preloaded from a folder with a blank or a colon in its name", "libdwell1",
		diag);
}

char *make_timer_agent_path(void)
{
	return make_path_quietly("libdwell-timer.so", ": ");
}

char *make_linked_agent_path(struct diag *diag)
{
	return make_path("libdwell.a", " \t\n", "a folder with a blank in its name cannot be given to a compiler by a command's output",
		"libdwell-dev", diag);
}

char *make_specs_folder(void)
{
	char *path = make_path_quietly("gcc.specs", " \t\n");

	if (path)
		*strrchr(path, '/') = 0;
	return path;
}

char *make_documentation_folder(void)
{
	char *path = make_path_quietly("../doc/dwell/examples", ""); /* beside share/dwell */

	if (path)
		*strrchr(path, '/') = 0;
	return path;
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
