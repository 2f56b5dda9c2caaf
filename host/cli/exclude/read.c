/* exclude: what record reads of a list. See exclude.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/exclude/exclude.h"
#include "symbol/build_id.h"

#define LIST_BYTES_MAX (1 << 20)

static char *read_text(const char *command, const char *path, struct diag *diag)
{
	FILE *in = fopen(path, "r");
	char *text = in ? calloc(1, LIST_BYTES_MAX + 2) : NULL;
	size_t bytes = text ? fread(text, 1, LIST_BYTES_MAX + 1, in) : 0;
	bool good = text && !ferror(in) && bytes <= LIST_BYTES_MAX && strlen(text) == bytes &&
		    !strncmp(text, EXCLUDE_HEAD, sizeof EXCLUDE_HEAD - 1);

	if (!good)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "%s: --exclude: %s", command,
			in ? "expected a list of dwell report --write-exclude, which begins with 'dwell exclude 1'" : "cannot be opened");
	if (in)
		fclose(in);
	if (!good) {
		free(text);
		return NULL;
	}
	return text;
}

/* "ID PATH". What is gone or was never here is no other build. */
static void check_build(const char *list, char *text, struct diag *diag)
{
	char *path = strchr(text, ' '), found[BUILD_ID_TEXT_BYTES] = "-";
	uint8_t id[BUILD_ID_BYTES_MAX];
	struct stat info;
	size_t bytes;

	if (!path)
		return;
	*path++ = 0;
	/* The list may be from elsewhere: a device or a pipe would be waited for. */
	if (stat(path, &info) < 0 || !S_ISREG(info.st_mode))
		return;
	if (!read_build_id(path, id, &bytes) || bytes > sizeof id)
		return;
	format_build_id(found, id, bytes);
	if (strcmp(found, text))
		diag_add(diag, DIAG_WARN, list, DIAG_NO_OFFSET,
			"was written for another build of %s: which functions are short and called often may have changed", path);
}

bool exclude_parse(const char *command, const char *path, char *text, struct filter_options *filter, struct diag *diag)
{
	char *line, *rest = text;

	for (uint32_t number = 1; (line = strsep(&rest, "\n")); number++) {
		if (!strncmp(line, "file ", 5))
			check_build(path, line + 5, diag);
		else if (*line && *line != '#' && number > 1 && (strncmp(line, "not ", 4) || !line[4]))
			diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET, "line %" PRIu32 ": '%.60s' leaves nothing out; expected 'not FUNCTION'", number,
				line);
		if (strncmp(line, "not ", 4) || !line[4])
			continue;
		if (filter->pattern_count == FILTER_PATTERNS_MAX) {
			diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "%s: --exclude: more than %u functions, with --only and --not", command,
				FILTER_PATTERNS_MAX);
			return false;
		}
		filter->patterns[filter->pattern_count++] = (struct filter_pattern){line + 4, "--exclude", true, true};
	}
	return true;
}

bool exclude_read(const char *command, const char *path, struct filter_options *filter, char **text, struct diag *diag)
{
	*text = read_text(command, path, diag);
	return *text && exclude_parse(command, path, *text, filter, diag);
}
