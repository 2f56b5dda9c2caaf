/* sources: the source lines of the functions with the most time, if debug information has their places and the files are here. A
 * recording may come from anybody and name any file, so only files with the name of a source are read. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/html/page.h"
#include "model/function/lines.h"
#include "util/foreign_file.h"

#define SOURCES_BYTES_MAX (256u * 1024) /* text of all functions */
#define LINES_BEFORE 3u /* often comments on the function, or the result type */
#define LINES_MAX 100u  /* after the first line of each function */
#define LINE_BYTES_MAX 200u /* longer lines are cut */

static int by_falling_self(const void *left, const void *right, void *context)
{
	const struct profile *profile = context;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	if (profile->functions[a].self != profile->functions[b].self)
		return profile->functions[a].self > profile->functions[b].self ? -1 : 1;
	return a < b ? -1 : a > b;
}

static bool has_source_suffix(const char *path)
{
	static const char *const ends[] = {".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp",
		".tcc", ".m", ".mm", ".s", ".S", ".asm", ".rs", ".go", ".zig", ".d", ".f", ".f90", ".F90", ".y", ".l", ".pas", ".adb", ".nim"};
	const char *end = strrchr(path, '.');

	for (size_t i = 0; end && i < sizeof ends / sizeof *ends; i++)
		if (!strcmp(end, ends[i]))
			return true;
	return false;
}

/* Null: the file cannot be opened, or is no source. */
static FILE *open_source(const char *path, struct stat *status)
{
	int fd = has_source_suffix(path) ? foreign_file_open(path, status) : -1;
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;

	if (fd >= 0 && !file)
		close(fd);
	return file;
}

/* Reads lines first to last, each with a newline. Null: the file has no such line, or is no text. The caller frees the text. */
static char *read_lines(FILE *file, unsigned long first, unsigned long last)
{
	char *text = NULL, *line = NULL;
	size_t bytes = 0, capacity = 0;
	FILE *memory = open_memstream(&text, &bytes);
	bool good = memory;
	ssize_t length;

	for (unsigned long at = 1; good && at <= last && (length = getline(&line, &capacity, file)) >= 0; at++) {
		size_t kept = (size_t)length;

		if (at < first)
			continue;
		good = !memchr(line, 0, kept);
		while (kept && (line[kept - 1] == '\n' || line[kept - 1] == '\r'))
			kept--;
		if (kept > LINE_BYTES_MAX)
			for (kept = LINE_BYTES_MAX; kept && ((unsigned char)line[kept] & 0xc0) == 0x80;)
				kept--; /* never cut inside a character */
		fwrite(line, 1, kept, memory);
		fputc('\n', memory);
	}
	free(line);
	if (memory)
		good = !fclose(memory) && good;
	if (good && bytes)
		return text;
	free(text);
	return NULL;
}

/* Puts an array: [first line, the function's line, whether the file changed after the recording began, text]. Returns the
 * bytes of text; 0: no text. */
static size_t put_source(struct page *page, const struct trace *trace, struct html_code *code, uint32_t id)
{
	const struct message_header *header = model_get_header(trace->model);
	const char *place = lines_get(code->lines, id), *colon = place ? strrchr(place, ':') : NULL;
	unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0, first, last;
	char path[PATH_MAX], *text = NULL;
	struct stat status;
	size_t bytes = 0;
	FILE *file;

	if (!line || line > INT_MAX || (size_t)(colon - place) >= sizeof path)
		return 0;
	memcpy(path, place, (size_t)(colon - place));
	path[colon - place] = 0;
	file = open_source(path, &status);
	if (!file)
		return 0;
	first = line > LINES_BEFORE ? line - LINES_BEFORE : 1;
	last = lines_get_last(code->lines, id);
	last = last < line ? line + 1 : last > line + LINES_MAX ? line + LINES_MAX : last + 1;
	text = read_lines(file, first, last);
	fclose(file);
	if (text) {
		bytes = strlen(text);
		page_open_array(page, NULL);
		page_put_count(page, NULL, first);
		page_put_count(page, NULL, line);
		page_put_flag(page, NULL,
			header && header->start_unix_ns && (uint64_t)status.st_mtime > header->start_unix_ns / 1000000000);
		page_put_text(page, NULL, text);
		page_close(page);
		code->shown[code->count] = (struct shown_source){.function = id, .first = (uint32_t)first};
		for (size_t i = 0; i < bytes; i++)
			code->shown[code->count].count += text[i] == '\n';
		code->count++;
	}
	free(text);
	return bytes;
}

bool html_page_put_sources(struct page *page, const struct trace *trace, struct html_code *code)
{
	const struct profile *profile = model_get_profile(trace->model);
	uint32_t *ids = malloc((profile->function_count + 1) * sizeof *ids);
	size_t count = 0, left = SOURCES_BYTES_MAX;

	if (!ids)
		return false;
	for (uint32_t id = 0; id < profile->function_count; id++)
		if (profile->functions[id].self || profile->functions[id].calls)
			ids[count++] = id;
	if (count)
		qsort_r(ids, count, sizeof *ids, by_falling_self, (void *)profile);
	page_open_array(page, "sources_of"); /* function id, then the source or null */
	for (size_t i = 0; i < count && i < SHOWN_SOURCES_MAX && left; i++) {
		size_t bytes;

		page_put_count(page, NULL, ids[i]);
		bytes = put_source(page, trace, code, ids[i]);
		if (!bytes)
			page_put_null(page, NULL);
		left -= bytes < left ? bytes : left;
	}
	page_close(page);
	free(ids);
	return true;
}
