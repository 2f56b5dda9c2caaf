/* probe: finds the format of a file by its content, since file names mislead and pipes have none. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "classic/core/hook_records.h"
#include "classic/host/doors.h"
#include "reader/format.h"
#include "classic/host/reader/memory.h"

/* The formats in the order of trying: unambiguous formats first. */
static const struct reader_format *const formats[] = {&reader_dwell, &reader_session, &reader_perf_data, &reader_gmon,
	&reader_pprof, &reader_ccs, &reader_valgrind, &reader_folded, &reader_c6000};
#define FORMAT_COUNT (sizeof formats / sizeof *formats)

#define PROGRAM "this is a program or library (ELF), not a recording"

/* Files that users often give by mistake, and the advice for each. */
static const struct {
	const char *start;
	size_t bytes;
	const char *what;
} foreign_files[] = {
	{"\177ELF", 4, PROGRAM},
	{"\x1f\x8b", 2, "this is compressed with gzip: unpack it first"},
	{"\x28\xb5\x2f\xfd", 4, "this is compressed with zstd: unpack it first"},
	/* a memory dump as text, as some shells redirect it: "1651 …", "0x…" */
	{"\xff\xfe" "1\0", 4, "this is text in UTF-16: save it as UTF-8 first"},
	{"\xff\xfe" "0\0", 4, "this is text in UTF-16: save it as UTF-8 first"},
};

/* Returns the advice for a file that is no recording; null: an unknown kind of file. */
static const char *describe_foreign(struct bytes start)
{
	if (memory_is_core(start))
		return NULL;
	for (size_t i = 0; i < sizeof foreign_files / sizeof *foreign_files; i++)
		if (start.size >= foreign_files[i].bytes && !memcmp(start.data, foreign_files[i].start, foreign_files[i].bytes))
			return foreign_files[i].what;
	return NULL;
}

/* Returns whether start begins with the magic of a buffer of dwell's libraries
 * (classic/core/lines.h, classic/core/hook_records.h), in either byte order. */
static bool begins_with_buffer(struct bytes start)
{
	static const char magics[][5] = {"DWLN", "NLWD", "DWHK", "KHWD"};

	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
		if (start.size >= 4 && !memcmp(start.data, magics[i], 4))
			return true;
	return false;
}

/* Writes PATH.dwell to recording. Returns whether that file is readable. */
static bool has_recording(const char *path, char recording[static PATH_MAX])
{
	return snprintf(recording, PATH_MAX, "%s.dwell", path) < PATH_MAX && access(recording, R_OK) == 0;
}

/* Suggests the program's recording, if any: `dwell record` writes to
 * the current folder; a recording may also lie beside the program. */
static void suggest_recording(const char *path, struct diag *diag)
{
	const char *slash = strrchr(path, '/');
	char recording[PATH_MAX];

	if (has_recording(slash ? slash + 1 : path, recording) || has_recording(path, recording))
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, PROGRAM "; did you mean %s?", recording);
	else if (access(path, X_OK) == 0)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, PROGRAM "; to record it: dwell record %s%s", slash ? "" : "./", path);
	else
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, PROGRAM "; 'dwell record PROGRAM' makes one");
}

/* Adds the diag for a file that fits no format: what it is, or how it begins, and the formats that were expected. */
static void report_unknown(struct source *source, struct bytes start, struct diag *diag)
{
	char expected[1024] = "", found[8 * 3 + 1] = "", hint[80] = "";
	const char *other = memory_is_core(start) ? "this is an image of memory (an ELF core file) without a buffer of dwell's"
				    : begins_with_buffer(start) ? "this begins as a buffer of dwell's in an image of memory does, and is cut or damaged"
					  : describe_foreign(start);
	size_t used = 0;

	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (formats[i]->expected && used < sizeof expected)
			used += (size_t)snprintf(expected + used, sizeof expected - used, "%s%s", used ? " or " : "", formats[i]->expected);
	if (used < sizeof expected)
		snprintf(expected + used, sizeof expected - used, " or an image of memory with a buffer of dwell's in it, or a file of perf, gprof or pprof");
	if (!start.size) {
		diag_add(diag, DIAG_ERROR, source_name(source), 0, "is empty; expected %s", expected);
		return;
	}
	for (size_t i = 0; i < start.size && i < 8; i++)
		snprintf(found + 3 * i, 4, " %02x", start.data[i]);
	/* So few records fit many formats: suggest the option, do not guess. */
	if (start.size < 4 * HOOK_RECORD_BYTES && !(start.size % HOOK_RECORD_BYTES))
		snprintf(hint, sizeof hint, "; if these are records of function hooks, --format c6000 reads them");
	if (other && !strcmp(other, PROGRAM))
		suggest_recording(source_name(source), diag);
	else if (other)
		diag_add(diag, DIAG_ERROR, source_name(source), 0, "%s; expected %s", other, expected);
	else
		diag_add(diag, DIAG_ERROR, source_name(source), 0, "is no recording that dwell knows: it begins with%s; expected %s%s", found,
			expected, hint);
}

const struct reader_format *find_format(const char *option)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (formats[i]->option && !strcmp(formats[i]->option, option))
			return formats[i];
	return NULL;
}

/* Formats that may lie anywhere in an image of memory. */
static const struct reader_format *const image_formats[] = {&reader_lines, &reader_histogram, &reader_c6000};
#define IMAGE_FORMAT_COUNT (sizeof image_formats / sizeof *image_formats)
#define IMAGE_BYTES_MAX (UINT64_C(1) << 30) /* limit for an image from a pipe, which is read to the end first */

static bool is_in_image(const struct reader_format *format, struct source *source)
{
	return format->find && source_hold(source, IMAGE_BYTES_MAX) && format->find(source);
}

static const struct reader_format *find_in_image(struct source *source, struct bytes start)
{
	if (!start.size || describe_foreign(start))
		return NULL;
	for (size_t i = 0; i < IMAGE_FORMAT_COUNT; i++)
		if (is_in_image(image_formats[i], source))
			return image_formats[i];
	return NULL;
}

const struct reader_format *probe_format(struct source *source, const struct reader_format *otherwise, struct diag *diag)
{
	uint8_t buffer[4096];
	struct bytes start = {buffer, source_peek(source, buffer, sizeof buffer)};
	const struct reader_format *found;

	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (formats[i]->probe(start, start.size < sizeof buffer))
			return formats[i];
	if (otherwise && !describe_foreign(start) && (!memory_is_core(start) || is_in_image(otherwise, source)))
		return otherwise;
	found = find_in_image(source, start);
	if (found)
		return found;
	report_unknown(source, start, diag);
	return NULL;
}
