/* filter: finds the files of the recording, and looks up the answer for each place. filter_file.c matches patterns with the
 * functions of a file; filter_check.c reports patterns without effect. */
#include "record/stage/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/program/hooked.h"
#include "record/stage/filter_inner.h"
#include "target/port/os/linux/filter.h"
#include "util/array.h"
#include "util/guard.h"

#define MODULES_MAX 1024u /* per process: as many as its agent keeps */

/* Append-only, so other threads read it without a lock. */
struct filter_process {
	uint32_t process;
	volatile uint32_t count;
	volatile bool overlaps; /* address ranges of files overlap: a file was mapped where another file had been */
	struct mapped {
		uint64_t low, high, bias, load_ticks;
		const struct filter_file *file;
		uint32_t first; /* number of functions in the files before */
	} modules[MODULES_MAX];
	struct filter_process *volatile next;
};

/* Counts the listed functions of the files before file: the finder's numbers of the file's functions begin behind them. */
static uint32_t count_before(const struct filter *filter, const struct filter_file *file)
{
	uint32_t count = 0;

	for (size_t i = 0; i < filter->count && filter->files[i] != file; i++)
		count += (uint32_t)filter->files[i]->count;
	return count;
}

static struct filter_file *add_file(struct filter *filter, const char *path, struct diag *diag)
{
	struct filter_file *file = make_filter_file(filter->options, path, diag);

	if (file && !array_reserve(&filter->files, &filter->capacity, filter->count + 1, sizeof(struct filter_file *))) {
		free_filter_file(file);
		file = NULL;
	}
	if (file)
		filter->files[filter->count++] = file;
	return file;
}

/* While the filter adds the files that are known before the program runs. */
struct adding {
	struct filter *filter;
	bool planned;
	struct diag *diag;
	bool failed;
};

/* Adds a file with hooks, or one whose functions get hooks by a plan. */
static void add_hooked(struct adding *adding, const char *path)
{
	struct filter_file *file = add_file(adding->filter, path, adding->diag);

	adding->filter->is_hooked = true;
	adding->failed |= !file;
	if (file)
		file->is_hooked = true;
}

/* Adds a program that was compiled without hooks. Unless the program is planned, dwell records none of the program's functions.
 * Such a program may only start other programs, so patterns that match nothing there need no warning. */
static void add_planned(struct adding *adding, const char *path)
{
	struct filter_file *file = add_file(adding->filter, path, adding->diag);

	adding->failed |= !file;
	if (file)
		file->is_hooked = adding->planned;
}

/* Adds a library without hooks. A program with hooks may contain inlined copies of functions that the library exports (functions of
 * std::string). The hooks of these copies record the library's addresses. */
static void add_named_by_hooks(struct adding *adding, const char *path)
{
	if (adding->filter->is_hooked && !adding->planned && !adding->filter->is_finder)
		adding->failed |= !add_file(adding->filter, path, adding->diag);
}

static void add_library(void *context, const char *path)
{
	struct adding *adding = context;

	if (hooked_file(path, true) || (adding->planned && filter_names_module(adding->filter->options, path)))
		add_hooked(adding, path);
	else
		add_named_by_hooks(adding, path);
}

static bool has_file(const struct filter *filter, const char *path)
{
	for (size_t i = 0; i < filter->count; i++)
		if (!strcmp(filter->files[i]->path, path))
			return true;
	return false;
}

/* Adds a library, unless another program has added it already. */
static void add_library_once(void *context, const char *path)
{
	if (!has_file(((struct adding *)context)->filter, path))
		add_library(context, path);
}

/* Adds a program that an argument names, with its libraries. */
static void add_named(void *context, const char *path)
{
	struct adding *adding = context;
	char *whole = realpath(path, NULL);

	if (whole && !has_file(adding->filter, whole)) {
		adding->filter->known_files = "it, its libraries and the programs that its arguments name";
		add_hooked(adding, whole);
		hooked_each_library(whole, add_library_once, adding);
	}
	free(whole);
}

static bool write_all(int fd, const void *data, size_t bytes)
{
	return write(fd, data, bytes) == (ssize_t)bytes;
}

/* Writes the agents' memory with the answers. */
static bool write_answers(struct filter *filter)
{
	struct dwell_filter head = {.magic = DWELL_FILTER_MAGIC, .module_count = (uint32_t)filter->count};
	uint64_t at = sizeof head + filter->count * sizeof(struct dwell_filter_module), paths;
	struct dwell_filter_module *modules = calloc(filter->count, sizeof *modules);
	bool good = modules != NULL;

	for (size_t i = 0; good && i < filter->count; i++) {
		const struct filter_file *file = filter->files[i];

		modules[i].functions = at;
		modules[i].function_count = (uint32_t)file->count;
		modules[i].lists_wanted = file->lists_wanted;
		modules[i].build_id_bytes = file->build_id_bytes;
		memcpy(modules[i].build_id, file->build_id, sizeof modules[i].build_id);
		at += file->count * sizeof(uint64_t);
	}
	paths = at;
	for (size_t i = 0; good && i < filter->count; i++) {
		modules[i].path = paths;
		paths += strlen(filter->files[i]->path) + 1;
	}
	head.bytes = paths;
	filter->fd = memfd_create("dwell-filter", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	good = good && filter->fd >= 0 && write_all(filter->fd, &head, sizeof head) &&
	       write_all(filter->fd, modules, filter->count * sizeof *modules);
	for (size_t i = 0; good && i < filter->count; i++)
		good = write_all(filter->fd, filter->files[i]->functions, filter->files[i]->count * sizeof(uint64_t));
	for (size_t i = 0; good && i < filter->count; i++)
		good = write_all(filter->fd, filter->files[i]->path, strlen(filter->files[i]->path) + 1);
	free(modules);
	if (good)
		guard_seal(filter->fd, GUARD_ALL);
	snprintf(filter->name, sizeof filter->name, "/proc/%ld/fd/%d", (long)getpid(), filter->fd);
	return good;
}

/* Adds the program, its libraries, and the programs named by its arguments. False: no memory. */
static bool add_known(struct filter *filter, const struct filter_program *program, struct diag *diag)
{
	const char *file = program->file;
	pid_t process = program->process;
	struct adding adding = {filter, program->planned, diag, false};

	if (process || hooked_file(file, false))
		add_hooked(&adding, file);
	else
		add_planned(&adding, file);
	if (process)
		hooked_each_mapped(process, file, add_library, &adding);
	else
		hooked_each_library(file, add_library, &adding);
	hooked_each_named(program->argv, add_named, &adding);
	return !adding.failed;
}

static struct filter *make(
	const struct filter_options *options, const struct filter_program *program, bool is_finder, struct diag *diag)
{
	struct filter *filter = calloc(1, sizeof *filter);
	bool good = filter;

	if (good) {
		filter->options = options;
		filter->is_finder = is_finder;
		filter->known_files = "it and its libraries";
		filter->fd = -1;
		good = add_known(filter, program, diag) && (is_finder || write_answers(filter));
	}
	if (!good)
		diag_add(diag, DIAG_ERROR, program->file, DIAG_NO_OFFSET, "no memory to record with");
	if (good) {
		filter_check(filter, program->file, diag);
		return filter;
	}
	free_filter(filter);
	return NULL;
}

struct filter *make_filter(const struct filter_options *options, const struct filter_program *program, struct diag *diag)
{
	return make(options, program, false, diag);
}

struct filter *make_finder(const struct filter_options *options, const struct filter_program *program, struct diag *diag)
{
	return make(options, program, true, diag);
}

void filter_clear(struct filter *filter)
{
	struct filter_process *next;

	for (size_t i = 0; i < filter->count; i++)
		free_filter_file(filter->files[i]);
	for (struct filter_process *process = filter->processes; process; process = next) {
		next = process->next;
		free(process);
	}
	if (filter->fd >= 0)
		close(filter->fd);
	free(filter->files);
}

void free_filter(struct filter *filter)
{
	if (filter)
		filter_clear(filter);
	free(filter);
}

static struct filter_process *find_process(struct filter *filter, uint32_t number)
{
	struct filter_process *process = __atomic_load_n(&filter->processes, __ATOMIC_ACQUIRE);

	while (process && process->process != number)
		process = process->next;
	return process;
}

/* Adds a file that was opened later. Drops the diags: reports of the recording describe errors in the file. */
static struct filter_file *add_later(struct filter *filter, const char *path)
{
	struct diag *discarded = make_diag();
	struct filter_file *file = add_file(filter, path, discarded);

	free_diag(discarded);
	return file;
}

static struct filter_file *find_file(struct filter *filter, const struct message_module *module)
{
	struct filter_file *file = filter_file_get(
		filter->files, filter->count, module->path, module->build_id, module->build_id_bytes);

	return file ? file : add_later(filter, module->path);
}

static bool is_same(const struct mapped *a, const struct mapped *b)
{
	return a->low == b->low && a->high == b->high && a->bias == b->bias && a->load_ticks == b->load_ticks && a->file == b->file;
}

void filter_add_module(struct filter *filter, const struct message_module *module)
{
	struct filter_process *process = find_process(filter, module->process);
	struct filter_file *file;
	struct mapped added;

	if (module->unmapped || !(file = find_file(filter, module)))
		return;
	file->is_hooked = true;
	if (!process) {
		process = calloc(1, sizeof *process);
		if (!process)
			return;
		process->process = module->process;
		process->next = filter->processes;
		__atomic_store_n(&filter->processes, process, __ATOMIC_RELEASE);
	}
	added = (struct mapped){module->low, module->high, module->bias, module->load_ticks, file, count_before(filter, file)};
	for (uint32_t i = 0; i < process->count; i++)
		if (is_same(&process->modules[i], &added))
			return;
	if (process->count == MODULES_MAX)
		return;
	process->modules[process->count] = added;
	for (uint32_t i = 0; i < process->count; i++)
		process->overlaps |= process->modules[i].low < module->high && module->low < process->modules[i].high;
	__atomic_store_n(&process->count, process->count + 1, __ATOMIC_RELEASE);
}

static uint32_t answer(const struct filter *filter, const struct mapped *mapped, uint64_t address)
{
	const struct filter_function *found;

	if (!filter->is_finder)
		return filter_file_drops(mapped->file, address);
	found = filter_file_find(mapped->file, address);
	return found ? mapped->first + (uint32_t)(found - mapped->file->chosen) + 1 : 0;
}

/* Searches the files mapped at ticks for the place, the file mapped last first. 0: no file has the place, or the answer is 0. */
static uint32_t look_up(
	const struct filter *filter, const struct filter_process *process, uint32_t count, uint64_t place, uint64_t ticks)
{
	while (count--) {
		const struct mapped *mapped = &process->modules[count];
		uint64_t offset = place >> 32 ? place - mapped->low : (uint32_t)place - (uint32_t)mapped->low;

		if (offset < mapped->high - mapped->low && mapped->load_ticks <= ticks)
			return answer(filter, mapped, mapped->low + offset - mapped->bias);
	}
	return 0;
}

void filter_cache_renew(struct filter *filter, struct filter_cache *memory, uint32_t process)
{
	uint32_t count;

	if (!memory->process)
		memory->process = find_process(filter, process);
	if (!memory->process)
		return;
	count = __atomic_load_n(&memory->process->count, __ATOMIC_ACQUIRE);
	if (count == memory->modules)
		return;
	memset(memory->places, 0, sizeof memory->places);
	memset(memory->none, 0, sizeof memory->none);
	memory->modules = count;
}

static uint32_t look_up_cached(struct filter *filter, struct filter_cache *memory, uint32_t process, uint64_t place, uint64_t ticks)
{
	uint32_t at = (uint32_t)((place >> 1 ^ place >> 13) % FILTER_CACHE_PLACES);

	filter_cache_renew(filter, memory, process);
	if (!memory->process)
		return 0;
	/* The answer depends on the time, so the cache does not apply. */
	if (memory->process->overlaps)
		return look_up(filter, memory->process, memory->modules, place, ticks);
	if (memory->places[at] != place || !place) {
		memory->answers[at] = look_up(filter, memory->process, memory->modules, place, ticks);
		memory->places[at] = place;
	}
	if (!memory->answers[at] && !(place >> 32))
		memory->none[filter_none_index((uint32_t)place)] = (uint32_t)place;
	return memory->answers[at];
}

bool filter_drops_place(struct filter *filter, struct filter_cache *memory, uint32_t process, uint64_t place, uint64_t ticks)
{
	return look_up_cached(filter, memory, process, place, ticks);
}

uint32_t filter_find_place(struct filter *filter, struct filter_cache *memory, uint32_t process, uint64_t place, uint64_t ticks)
{
	return look_up_cached(filter, memory, process, place, ticks);
}

const char *filter_get_function(const struct filter *finder, uint32_t number, uint32_t *pattern)
{
	for (size_t i = 0; i < finder->count; i++) {
		const struct filter_file *file = finder->files[i];

		if (number && number <= file->count) {
			*pattern = file->chosen[number - 1].pattern;
			return file->chosen[number - 1].name;
		}
		number -= number > file->count ? (uint32_t)file->count : number;
	}
	return NULL;
}
