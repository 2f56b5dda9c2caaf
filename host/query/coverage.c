#include "query/coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ratio.h"
#include "model/function/module.h"
#include "symbol/symbol.h"
#include "util/array.h"
#include "util/utf8.h"

#define MISSING_MIN 5u /* percent: any program spends less in the C library and in its startup */
#define FILES_SHOWN 2u /* files named in the text */
#define SHARE_SAMPLES_MIN 100u /* with fewer samples, the text gives only the upper limit of the share */
/* With LIMIT_SAMPLES_MIN samples, but not COVERAGE_SAMPLES_MIN, the share counts only if
 * its upper limit is at most LIMIT_PERCENT_MAX percent. */
#define LIMIT_SAMPLES_MIN 12u
#define LIMIT_PERCENT_MAX 50u
#define NAME_BYTES 48u
#define PART_BYTES 64u

/* Whether the recording has calls of the function with a duration. */
static bool is_recorded(const struct profile *profile, uint32_t id)
{
	const struct profile_function *function = id < profile->function_count ? &profile->functions[id] : NULL;

	return function && function->calls > function->untimed_calls;
}

static bool is_agent(const char *path)
{
	const char *name = strrchr(path, '/');

	return !strncmp(name ? name + 1 : path, "libdwell.so", strlen("libdwell.so"));
}

/* For each file, whether a function of it was recorded. Null: memory ran out, or there are no files. */
static bool *make_recorded_files(const struct trace *trace, size_t count)
{
	const struct profile *profile = model_get_profile(trace->model);
	bool *recorded = count ? calloc(count, sizeof *recorded) : NULL;
	struct function_place place;

	for (uint32_t id = 0; recorded && id < profile->function_count; id++)
		if (is_recorded(profile, id) && functions_get_place(model_get_functions(trace->model), id, &place) &&
			place.file < count)
			recorded[place.file] = true;
	return recorded;
}

/* Adds the samples of a place to its file. path null: code in no file. recorded: the place is in a recorded function. */
static void add_to_file(
	struct coverage *coverage, const char *path, bool file_is_recorded, const struct message_cpu_place *place, bool recorded)
{
	struct coverage_file *file = NULL;

	for (size_t i = 0; i < coverage->count && !file; i++)
		if (coverage->files[i].path == path || (path && coverage->files[i].path && !strcmp(coverage->files[i].path, path)))
			file = &coverage->files[i];
	coverage->samples += place->count;
	coverage->recorded += recorded ? place->count : 0;
	if (!file && !array_reserve(&coverage->files, &coverage->capacity, coverage->count + 1, sizeof *coverage->files))
		return;
	if (!file) {
		file = &coverage->files[coverage->count++];
		*file = (struct coverage_file){.path = path};
	}
	file->is_recorded |= file_is_recorded;
	file->samples += place->count;
	file->recorded += recorded ? place->count : 0;
}

/* False if the recording lists its functions of the file, but none at this place. Then the file need not be read. */
static bool may_be_recorded(struct modules *modules, const struct module_match *match)
{
	const struct symbol_table *told = modules_get_all_recorded(modules, match->file);
	uint64_t address = match->address - match->bias;

	return !told || symbol_find(told, address) || symbol_extent_find(told, address);
}

/* Finds the file at the place. While the loader runs, the agent has not yet declared the process. So the place may belong to the
 * next process declared with this pid; then *process becomes that process. */
static struct module_match find_module(const struct trace *trace, const struct message_cpu_place *seen, uint32_t *process)
{
	const struct place place = {DWELL_PLACE_ADDRESS, seen->address};
	struct modules *modules = functions_get_modules(model_get_functions(trace->model));
	struct module_match match = modules_find(modules, *process, place, seen->ticks, UINT64_MAX);

	for (uint32_t i = 0; match.file == MODULE_FILE_NONE && i < model_process_count(trace->model); i++) {
		const struct model_process *later = model_get_process(trace->model, i);

		if (later->pid != seen->pid || later->start_ticks < seen->ticks)
			continue;
		*process = later->process;
		match = modules_find(modules, *process, place, seen->ticks, UINT64_MAX);
	}
	return match;
}

/* Adds a place. files: for each file, whether a function of the file was recorded. */
static void add_place(const struct trace *trace, struct coverage *coverage, const struct message_cpu_place *seen, const bool *files,
	size_t file_count)
{
	struct functions *functions = model_get_functions(trace->model);
	struct modules *modules = functions_get_modules(functions);
	const struct place place = {DWELL_PLACE_ADDRESS, seen->address};
	uint32_t process = model_find_process(trace->model, seen->pid, seen->ticks);
	struct module_match match;
	const char *path;
	bool in_recorded;

	if (process == UINT32_MAX) {
		coverage->samples += seen->count;
		coverage->other_processes += seen->count;
		return;
	}
	match = find_module(trace, seen, &process);
	path = match.file == MODULE_FILE_NONE ? NULL : modules_get_path(modules, match.file);
	if (path && is_agent(path))
		return;
	in_recorded = match.file < file_count && files[match.file];
	add_to_file(coverage, path, in_recorded, seen,
		in_recorded && may_be_recorded(modules, &match) &&
			is_recorded(
				model_get_profile(trace->model), functions_find_site(functions, process, place, seen->ticks).id));
}

static int by_missing(const void *a, const void *b)
{
	const struct coverage_file *left = a, *right = b;
	uint64_t left_missing = left->samples - left->recorded, right_missing = right->samples - right->recorded;

	return (left_missing < right_missing) - (left_missing > right_missing);
}

void coverage_find(const struct trace *trace, struct coverage *coverage)
{
	const struct message_cpu_places *seen = model_get_cpu_places(trace->model);
	size_t file_count = modules_file_count(functions_get_modules(model_get_functions(trace->model)));
	bool *files;

	*coverage = (struct coverage){0};
	if (!seen->count || trace->thread) /* samples cover the whole program and cannot describe one thread */
		return;
	files = make_recorded_files(trace, file_count);
	for (uint32_t i = 0; i < seen->count; i++)
		add_place(trace, coverage, &seen->places[i], files, files ? file_count : 0);
	free(files);
	if (coverage->count)
		qsort(coverage->files, coverage->count, sizeof *coverage->files, by_missing);
}

void coverage_clear(struct coverage *coverage)
{
	free(coverage->files);
	*coverage = (struct coverage){0};
}

static unsigned percent(const struct coverage *coverage, uint64_t samples)
{
	return (unsigned)((100 * samples + coverage->samples / 2) / coverage->samples);
}

/* The upper limit of the share of recorded functions, with 95 % certainty. */
static unsigned upper_percent(const struct coverage *coverage)
{
	uintptr_t low, high; /* hundredths of a percent */

	dwell_ratio_interval(coverage->recorded, coverage->samples, &low, &high);
	return (unsigned)((high + 99) / 100);
}

unsigned coverage_get_missing(const struct coverage *coverage)
{
	bool is_known = coverage->samples >= COVERAGE_SAMPLES_MIN ||
			(coverage->samples >= LIMIT_SAMPLES_MIN && upper_percent(coverage) <= LIMIT_PERCENT_MAX);
	unsigned missing = is_known ? percent(coverage, coverage->samples - coverage->recorded) : 0;

	return missing >= MISSING_MIN ? missing : 0;
}

static const char *file_name(const char *path, char name[static NAME_BYTES])
{
	const char *slash = strrchr(path, '/');

	utf8_copy(name, NAME_BYTES, slash ? slash + 1 : path);
	return name;
}

/* Writes the file's name as a pattern for all its versions: "liblzma.so*". */
static void format_pattern(const char *path, char pattern[static NAME_BYTES + 2])
{
	char *end;

	file_name(path, pattern);
	end = strstr(pattern, ".so");
	if (end)
		strcpy(end, ".so*");
}

/* Writes the part of the samples in a place, which is one of several. Few samples are written as numbers: percentages of them, next
 * to the upper limit of another share, would add up to more than 100. */
static void format_part(const struct coverage *coverage, uint64_t samples, bool is_first, char text[static PART_BYTES])
{
	if (coverage->samples >= SHARE_SAMPLES_MIN)
		snprintf(text, PART_BYTES, "%s%u %% %s", is_first ? "; about " : ", ", percent(coverage, samples), is_first ? "is in" : "in");
	else if (is_first)
		snprintf(text, PART_BYTES, "; %u of %u samples are in", (unsigned)samples, (unsigned)coverage->samples);
	else
		snprintf(text, PART_BYTES, ", %u in", (unsigned)samples);
}

void coverage_format(const struct trace *trace, const struct coverage *coverage, char text[static COVERAGE_TEXT_BYTES])
{
	const struct message_header *header = model_get_header(trace->model);
	const char *wanted = NULL;
	char name[NAME_BYTES + 2], part[PART_BYTES];
	unsigned recorded = coverage->samples < SHARE_SAMPLES_MIN ? upper_percent(coverage) : percent(coverage, coverage->recorded);
	int at = snprintf(text, COVERAGE_TEXT_BYTES, "recorded functions hold %s%u %% of the CPU time outside of the kernel",
		coverage->samples < SHARE_SAMPLES_MIN ? "at most " : recorded ? "about " : "less than ", recorded ? recorded : 1);

	for (size_t i = 0; i < coverage->count && i < FILES_SHOWN; i++) {
		const struct coverage_file *file = &coverage->files[i];
		uint64_t missing = file->samples - file->recorded;

		if (!percent(coverage, missing))
			break;
		format_part(coverage, missing, !i, part);
		at += snprintf(text + at, (size_t)(COVERAGE_TEXT_BYTES - at), "%s %s%s", part,
			file->is_recorded ? "other functions of " : "", file->path ? file_name(file->path, name) : "code of no file");
		wanted = wanted || file->is_recorded ? wanted : file->path;
	}
	if (coverage->other_processes && percent(coverage, coverage->other_processes)) {
		format_part(coverage, coverage->other_processes, false, part);
		at += snprintf(text + at, (size_t)(COVERAGE_TEXT_BYTES - at), "%s programs that are not recorded", part);
	}
	if (!wanted || !header || header->machine != 62 /* EM_X86_64, the only machine for --trace */)
		return;
	format_pattern(wanted, name);
	snprintf(text + at, (size_t)(COVERAGE_TEXT_BYTES - at), " (to record it: --trace --only 'module:%s')", name);
}
