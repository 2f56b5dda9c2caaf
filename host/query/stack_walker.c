#include "query/stack_walker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cpu/cpu.h"
#include "symbol/build_id.h"
#include "symbol/image.h"
#include "unwind/unwind.h"
#include "util/array.h"

#define FILES_MAX 4096u
#define FRAMES_MAX 1024u

struct walker_file {
	char *path;
	struct unwind_file *unwind; /* null: it has no tables */
	struct symbol_image *image; /* null: it is no file that is loaded */
	uint8_t build_id[BUILD_ID_BYTES_MAX];
	size_t build_id_bytes;
};

/* A map that was told before anybody knew of which machine it is. */
struct walker_map {
	uint64_t low, high, offset;
	struct walker_file *file; /* null: none that is used */
};

struct walker_process {
	struct unwind_space *space; /* null: nobody has walked in it */
	struct walker_map *maps;
	size_t count, capacity;
};

struct stack_walker {
	struct walker walker; /* the first */
	struct walker_file **files;
	size_t file_count, file_capacity;
	struct walker_process *processes;
	size_t process_count, process_capacity;
	uint64_t frames[FRAMES_MAX];
};

static struct walker_file *open_file(const char *path)
{
	struct walker_file *file = calloc(1, sizeof *file);
	struct stat info;

	if (!file || !(file->path = strdup(path))) {
		free(file);
		return NULL;
	}
	if (*path == '/' && !stat(path, &info) && S_ISREG(info.st_mode)) {
		file->unwind = make_unwind_file(path, NULL);
		file->image = make_symbol_image(path);
		read_build_id(path, file->build_id, &file->build_id_bytes);
	}
	return file;
}

/* Null: no memory, or too many of them. */
static struct walker_file *find_file(struct stack_walker *walker, const char *path)
{
	struct walker_file *file;

	for (size_t i = walker->file_count; i--;)
		if (!strcmp(walker->files[i]->path, path))
			return walker->files[i];
	if (walker->file_count >= FILES_MAX ||
		!array_reserve(&walker->files, &walker->file_capacity, walker->file_count + 1, sizeof(*walker->files)))
		return NULL;
	file = open_file(path);
	if (file)
		walker->files[walker->file_count++] = file;
	return file;
}

static bool is_that_build(const struct walker_file *file, const struct message_module *module)
{
	return !module->build_id_bytes || !file->build_id_bytes ||
	       (module->build_id_bytes == file->build_id_bytes && !memcmp(module->build_id, file->build_id, file->build_id_bytes));
}

static void clear_processes(struct stack_walker *walker)
{
	for (size_t i = 0; i < walker->process_count; i++) {
		free_unwind_space(walker->processes[i].space);
		free(walker->processes[i].maps);
	}
	walker->process_count = 0;
}

static void begin(struct walker *base)
{
	clear_processes((struct stack_walker *)base);
}

static struct walker_process *find_process(struct stack_walker *walker, uint32_t process)
{
	size_t had = walker->process_count;

	if (process >= had) {
		if (!array_reserve(&walker->processes, &walker->process_capacity, (size_t)process + 1, sizeof *walker->processes))
			return NULL;
		memset(walker->processes + had, 0, (process + (size_t)1 - had) * sizeof *walker->processes);
		walker->process_count = process + (size_t)1;
	}
	return &walker->processes[process];
}

/* What cannot be mapped, for want of memory, leads to nothing: paths end there. */
static void map_into(struct unwind_space *space, const struct walker_map *map)
{
	uint64_t address = map->offset;

	if (map->file && map->file->image && symbol_image_find(map->file->image, map->offset, map->high - map->low, &address))
		unwind_space_map(space, map->low, map->high, map->low - address, map->file->unwind);
	else
		unwind_space_map(space, map->low, map->high, map->low - map->offset, NULL);
}

static void map(struct walker *base, const struct message_module *module)
{
	struct stack_walker *walker = (struct stack_walker *)base;
	struct walker_process *process = find_process(walker, module->process);
	struct walker_map map = {module->low, module->high, module->low - module->bias, NULL};

	if (!process || module->low >= module->high)
		return;
	if (module->unmapped) {
		for (size_t i = process->count; i--;)
			if (process->maps[i].low == module->low && process->maps[i].high == module->high)
				process->maps[i] = process->maps[--process->count];
		if (process->space)
			unwind_space_unmap(process->space, module->low, module->high);
		return;
	}
	map.file = find_file(walker, module->path);
	if (map.file && !is_that_build(map.file, module))
		map.file = NULL;
	if (!array_reserve(&process->maps, &process->capacity, process->count + 1, sizeof *process->maps))
		return;
	process->maps[process->count++] = map;
	if (process->space)
		map_into(process->space, &map);
}

static struct walker_path walk(struct walker *base, const struct walker_stack *stack)
{
	struct stack_walker *walker = (struct stack_walker *)base;
	struct walker_process *process = find_process(walker, stack->process);
	struct unwind_registers registers = {0};
	struct unwind_stack copy = {.bytes = stack->bytes};
	struct walker_path path = {.frames = walker->frames};
	struct unwind_result result;
	const struct cpu *cpu = cpu_find(stack->machine);
	const uint8_t *p = stack->registers;

	if (process && !process->space) {
		process->space = make_unwind_space(cpu);
		for (size_t i = 0; process->space && i < process->count; i++)
			map_into(process->space, &process->maps[i]);
	}
	if (!process || !process->space)
		return path;
	for (unsigned i = 0; i < 64; i++)
		if (stack->mask >> i & 1) {
			unwind_registers_set(&registers, cpu, i, get_u64(p));
			p += 8;
		}
	copy.address = registers.values[cpu->sp];
	result = unwind_stack(process->space, &registers, &copy, walker->frames, FRAMES_MAX, &path.signals);
	path.count = result.count;
	path.state = result.state;
	return path;
}

static void free_it(struct walker *base)
{
	struct stack_walker *walker = (struct stack_walker *)base;

	clear_processes(walker);
	for (size_t i = 0; i < walker->file_count; i++) {
		free_unwind_file(walker->files[i]->unwind);
		free_symbol_image(walker->files[i]->image);
		free(walker->files[i]->path);
		free(walker->files[i]);
	}
	free(walker->files);
	free(walker->processes);
	free(walker);
}

struct walker *make_stack_walker(void)
{
	struct stack_walker *walker = calloc(1, sizeof *walker);

	if (!walker)
		return NULL;
	walker->walker = (struct walker){begin, map, walk, free_it};
	return &walker->walker;
}
