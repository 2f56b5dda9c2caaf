/* closing: makes the last line of a recording, with the next command to type. */
#include "cli/closing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/term.h"
#include "util/units.h"

static bool is_plain(const char *path)
{
	return *path && !path[strspn(path, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/+,:@%-")];
}

char *make_shell_word(const char *path)
{
	const char *folder = *path == '-' ? "./" : ""; /* with a folder in front, a path that begins with a dash is no option */
	size_t size = 0;
	char *word = NULL;
	FILE *stream = open_memstream(&word, &size);

	if (!stream)
		return NULL;
	if (is_plain(path)) {
		fprintf(stream, "%s%s", folder, path);
	} else {
		fprintf(stream, "'%s", folder);
		for (const char *p = path; *p; p++)
			if (*p == '\'')
				fputs("'\\''", stream);
			else
				putc(*p, stream);
		putc('\'', stream);
	}
	fclose(stream);
	return word;
}

/* Makes the text with the next command: dwell report, or dwell slowest if --snapshot-when found a slow call. The caller frees the
 * text. Null: memory ran out. */
static char *make_next(const struct recorded *recorded)
{
	bool slow = recorded->slow_path && recorded->slow_function;
	char *file = make_shell_word(slow ? recorded->slow_path : recorded->path), *next = NULL;
	char *function = slow ? make_shell_word(recorded->slow_function) : NULL;

	if (file && (slow ? asprintf(&next, "to see the first slow call: dwell slowest -n 1 %s %s", function ? function : "FUNC", file)
			  : asprintf(&next, "to see them: dwell report %s", file)) < 0)
		next = NULL;
	free(file);
	free(function);
	return next;
}

static bool is_regular(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Whether somebody may read standard error: a terminal, or a pipe, as of `| tee` and of CI logs. A file of its own keeps problems
 * only. */
bool closing_is_read(void)
{
	struct stat info;

	return term_is_terminal(stderr) || (fstat(STDERR_FILENO, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode)));
}

void closing_add_line(struct recorded *recorded, bool is_sampled, struct diag *diag)
{
	char count[UNITS_TEXT_BYTES], time[UNITS_TEXT_BYTES], *next;

	if (recorded->path && recorded->count && closing_is_read() && is_regular(recorded->path) &&
		(next = make_next(recorded))) {
		units_format_count(count, recorded->count);
		units_format_ns(time, recorded->ns);
		diag_add(diag, DIAG_NOTE, recorded->path, DIAG_NO_OFFSET, "%s %s%s in %s; %s", count,
			is_sampled ? "sample" : "entries and exits of functions", is_sampled && recorded->count != 1 ? "s" : "", time, next);
		free(next);
	}
	recorded_clear(recorded);
}
