/* trace_file: renames earlier recordings before a recording, and restores them if it fails. */
#include "record/sink/trace_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *join(const char *name, const char *suffix)
{
	char *joined;

	return asprintf(&joined, "%s%s", name, suffix) < 0 ? NULL : joined;
}

static void forget(char **name)
{
	free(*name);
	*name = NULL;
}

/* Renames the file: appends the suffix to its name. *to becomes the new name, which the caller frees. If the file does not exist,
 * returns true, and *to stays as it was. False: errno has the reason, and *to is null. */
static bool rename_if_exists(const char *from, const char *suffix, char **to)
{
	if (access(from, F_OK) < 0)
		return true;
	*to = join(from, suffix);
	if (*to && rename(from, *to) == 0)
		return true;
	forget(to);
	return false;
}

static bool is_folder(const char *path)
{
	struct stat info;

	return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* Renames PROGRAM.dwell to .old, and an earlier .old to .old~. False: errno has the reason, and nothing has changed. */
static bool keep_earlier(struct trace_file *file)
{
	char *old = join(file->path, ".old");
	bool kept = old;

	if (old && access(file->path, F_OK) == 0) {
		errno = EISDIR;
		kept = !is_folder(old) && rename_if_exists(old, "~", &file->older);
	}
	if (kept && !rename_if_exists(file->path, ".old", &file->old)) {
		int error = errno;

		if (file->older)
			rename(file->older, old);
		errno = error;
		kept = false;
	}
	free(old);
	return kept;
}

bool trace_file_begin(struct trace_file *file, const char *wanted, const char *program, struct diag *diag)
{
	const char *slash = strrchr(program, '/');

	*file = (struct trace_file){0};
	file->path = wanted ? strdup(wanted) : join(slash ? slash + 1 : program, ".dwell");
	if (!file->path)
		diag_add(diag, DIAG_ERROR, program, DIAG_NO_OFFSET, "no memory to record with");
	else if (wanted || keep_earlier(file))
		return true;
	else
		diag_add(diag, DIAG_ERROR, file->path, DIAG_NO_OFFSET, "cannot be kept as %s.old: %s; nothing is recorded (-o FILE writes elsewhere)",
			file->path, strerror(errno));
	return false;
}

void trace_file_commit(struct trace_file *file)
{
	if (file->older)
		unlink(file->older);
}

void trace_file_get_result(const struct trace_file *file, uint64_t count, uint64_t ns, struct recorded *to)
{
	if (!to)
		return;
	recorded_clear(to);
	*to = (struct recorded){.path = strdup(file->path), .count = count, .ns = ns};
}

void recorded_clear(struct recorded *recorded)
{
	free(recorded->path);
	free(recorded->slow_path);
	free(recorded->slow_function);
	*recorded = (struct recorded){0};
}

void trace_file_roll_back(struct trace_file *file, bool remove)
{
	if (remove)
		unlink(file->path);
	if (file->old)
		rename(file->old, file->path);
	if (file->older)
		rename(file->older, file->old);
}

void trace_file_end(struct trace_file *file)
{
	forget(&file->path);
	forget(&file->old);
	forget(&file->older);
}
