/* images: follows the mappings of the sampled processes, and declares processes and modules in the trace. */
#include "sample/code/images.h"

#include <errno.h>
#include <gelf.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "sample/code/agent_code.h"
#include "symbol/build_id.h"
#include "symbol/vdso.h"
#include "util/array.h"
#include "util/foreign_file.h"
#include "util/mapped_file.h"
#include "util/overlap.h"

#define SEGMENTS_MAX 16u
#define AGENT_CODES_MAX 65536u /* in all processes together: their tables take memory */

/* A file, shared by all of its mappings. */
struct image_file {
	char *path;
	dev_t device;
	ino_t inode;
	struct unwind_file *unwind; /* null: not an ELF file */
	uint8_t build_id[20];       /* as written for its modules */
	size_t build_id_bytes;
	uint32_t names;             /* index in images->names; UINT32_MAX: none yet */
	bool is_unreachable;                  /* the path does not lead to the mapped file, and no other way does */
	/* Descriptor of readable code that has no file (the vdso, the agent's code), or of a file that is not at its path; -1: not
	 * needed. */
	int copy;
	const struct image_file *named_as; /* the file whose copy has the names; null: this file */
	struct {
		uint64_t offset, address, bytes;
	} segments[SEGMENTS_MAX]; /* with code */
	uint32_t segment_count;
};

/* Reads the file's segments with code from its program headers. Does nothing for a file that is not ELF. */
static void read_segments(struct image_file *file, const char *path)
{
	int fd = foreign_file_open(path, NULL);
	Elf *elf;
	size_t count = 0;

	if (fd < 0)
		return;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_getphdrnum(elf, &count))
		count = 0;
	for (size_t i = 0; i < count && file->segment_count < SEGMENTS_MAX; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD || !(header.p_flags & PF_X))
			continue;
		file->segments[file->segment_count].offset = header.p_offset;
		file->segments[file->segment_count].address = header.p_vaddr;
		file->segments[file->segment_count++].bytes = header.p_filesz;
	}
	elf_end(elf);
	close(fd);
}

/* The kernel maps the same vdso into every process. */
static void take_vdso(struct image_file *file)
{
	char path[64];

	file->copy = open_vdso();
	if (file->copy < 0)
		return;
	snprintf(path, sizeof path, "/proc/self/fd/%d", file->copy);
	file->unwind = make_unwind_file(path, NULL);
	read_segments(file, path);
}

/* Null: no memory. */
static struct image_file *add_file(struct images *images, const char *path)
{
	struct image_file *file;

	if (!array_reserve(&images->files, &images->file_capacity, images->file_count + 1, sizeof(*images->files)) ||
		!(file = calloc(1, sizeof *file)))
		return NULL;
	file->path = strdup(path);
	if (!file->path) {
		free(file);
		return NULL;
	}
	file->names = UINT32_MAX;
	file->copy = -1;
	images->files[images->file_count++] = file;
	return file;
}

/* Whether a file is the mapped one, as far as the kernel reports that: by the build-id, or else by the inode. */
static bool is_mapped_one(const struct perf_record *record, const struct stat *info, const uint8_t *build_id, size_t build_id_bytes)
{
	const struct mapped mapped = {.major = record->map.major, .minor = record->map.minor, .inode = record->map.inode};

	if (record->map.build_id_bytes)
		return build_id_bytes == record->map.build_id_bytes && !memcmp(build_id, record->map.build_id, build_id_bytes);
	return !mapped.inode || mapped_is_file(&mapped, info);
}

/* Returns the known file of this path, if the record mapped the same file. Null: none. */
static struct image_file *find_known(
	struct images *images, const struct perf_record *record, const char *path, const struct stat *info)
{
	for (size_t i = 0; i < images->file_count; i++) {
		struct image_file *file = images->files[i];
		bool is_there = file->device == info->st_dev && file->inode == info->st_ino;

		if ((file->is_unreachable || is_there) && !strcmp(file->path, path) &&
			is_mapped_one(record, info, file->build_id, file->build_id_bytes))
			return file;
	}
	return NULL;
}

/* Adds the file at path. from: the path under which dwell can read it now. Null: no memory. */
static struct image_file *open_file(struct images *images, const char *path, const char *from, const struct stat *info)
{
	struct image_file *file = add_file(images, path);

	if (!file)
		return NULL;
	file->device = info->st_dev;
	file->inode = info->st_ino;
	if (!strcmp(path, VDSO_NAME)) {
		take_vdso(file);
	} else if (S_ISREG(info->st_mode)) {
		file->unwind = make_unwind_file(from, NULL);
		read_segments(file, from);
		read_build_id(from, file->build_id, &file->build_id_bytes);
	}
	return file;
}

/* Opens a file through the process, since the path leads to another file here, or to none. */
static struct image_file *find_in_process(struct images *images, const struct perf_record *record)
{
	struct image_file *file = NULL;
	char from[MAPPED_NAME_BYTES];
	struct mapped mapped;
	struct stat info;
	int fd = mapped_find((pid_t)record->pid, record->map.low, &mapped) ? mapped_open_file((pid_t)record->pid, &mapped) : -1;

	if (fd < 0 || fstat(fd, &info) < 0) {
		file = find_known(images, record, record->map.path, &(struct stat){0});
		if (!file && (file = add_file(images, record->map.path)))
			file->is_unreachable = true;
		return file;
	}
	mapped_name_descriptor(from, fd);
	file = find_known(images, record, mapped.path, &info);
	if (!file && (file = open_file(images, mapped.path, from, &info)) && !mapped_is_at_path(&mapped))
		file->copy = fd;
	if (!file || file->copy != fd)
		close(fd);
	return file;
}

/* Returns the mapped file of a record, added if it is new. Null: no memory. */
static struct image_file *find_file(struct images *images, const struct perf_record *record)
{
	const char *path = record->map.path;
	uint8_t build_id[BUILD_ID_BYTES_MAX];
	struct image_file *file;
	struct stat info = {0};
	size_t bytes = 0;

	stat(path, &info);
	file = find_known(images, record, path, &info);
	if (file)
		return file;
	if (record->map.build_id_bytes && S_ISREG(info.st_mode))
		read_build_id(path, build_id, &bytes);
	return *path == '[' || is_mapped_one(record, &info, build_id, bytes) ? open_file(images, path, path, &info)
									     : find_in_process(images, record);
}

/* Run-time address − address in the file. A mapping begins with a page, of any size: before its segment of code. */
static uint64_t find_bias(const struct image_file *file, uint64_t low, uint64_t bytes, uint64_t offset)
{
	uint64_t most = 0, bias = low - offset;

	for (uint32_t i = 0; i < file->segment_count; i++) {
		uint64_t shared = overlap_bytes(file->segments[i].offset, file->segments[i].bytes, offset, bytes);

		if (shared <= most)
			continue;
		most = shared;
		bias = low - (file->segments[i].address + (offset - file->segments[i].offset));
	}
	return bias;
}

static struct image *add_image(struct images *images, uint32_t pid, uint32_t parent_pid)
{
	struct image *image;

	if (!array_reserve(&images->images, &images->capacity, images->count + 1, sizeof(*images->images)) ||
		!(image = calloc(1, sizeof *image))) {
		images->starved++;
		return NULL;
	}
	image->space = make_unwind_space(cpu_native());
	if (!image->space) {
		free(image);
		images->starved++;
		return NULL;
	}
	image->pid = pid;
	image->parent_pid = parent_pid;
	image->process = (uint32_t)images->count;
	images->images[images->count++] = image;
	return image;
}

static struct image *find_image(const struct images *images, uint32_t pid)
{
	for (size_t i = images->count; i--;)
		if (images->images[i]->pid == pid)
			return images->images[i];
	return NULL;
}

struct image *images_find(struct images *images, uint32_t pid, uint64_t ns)
{
	struct image *image = find_image(images, pid);

	if (!image)
		image = add_image(images, pid, 0);
	if (image && !image->is_declared)
		images_declare(images, image, NULL, NULL, ns, false, 0);
	return image;
}

void images_declare(
	struct images *images, struct image *image, const char *path, char *const *argv, uint64_t ns, bool ended, int status)
{
	struct message_process process = {
		.process = image->process,
		.pid = image->pid,
		.parent_pid = image->parent_pid,
		.ended = ended,
		.status = status,
		.argv = (const char *const *)argv,
	};

	if (path && !image->path)
		image->path = strdup(path);
	if (ns && !image->begin_ns)
		image->begin_ns = ns;
	process.start_ticks = image->begin_ns;
	while (argv && argv[process.argc])
		process.argc++;
	process.path = image->path ? image->path : "";
	image->is_declared = true;
	image->ended = ended;
	trace_writer_process(images->writer, &process);
}

static void declare_module(
	struct images *images, const struct image *image, const struct image_map *map, uint64_t ns, bool unmapped)
{
	const struct message_module module = {
		.process = image->process,
		.low = map->low,
		.high = map->high,
		.bias = map->bias,
		.load_ticks = ns,
		.unmapped = unmapped,
		.build_id = map->file->build_id,
		.build_id_bytes = (uint32_t)map->file->build_id_bytes,
		.path = map->file->path,
	};

	trace_writer_module(images->writer, &module);
}

/* Removes the mappings in [low, high), and writes their end to the trace. Returns whether any existed. */
static bool remove_maps(struct images *images, struct image *image, uint64_t low, uint64_t high, uint64_t ns)
{
	size_t kept = 0, count = image->map_count;

	for (size_t i = 0; i < count; i++)
		if (image->maps[i].high <= low || image->maps[i].low >= high)
			image->maps[kept++] = image->maps[i];
		else
			/* Without an end, a reader would ignore a later mapping of the same file at the same addresses. */
			declare_module(images, image, &image->maps[i], ns, true);
	image->map_count = kept;
	return kept < count;
}

static void add_map(struct images *images, struct image *image, const struct image_map *map, uint64_t ns)
{
	image->changes++;
	remove_maps(images, image, map->low, map->high, ns);
	images->starved += !jit_unmap(&image->jit, image->process, map->low, map->high, ns, images->writer);
	if (!array_reserve(&image->maps, &image->map_capacity, image->map_count + 1, sizeof *image->maps) ||
		!unwind_space_map(image->space, map->low, map->high, map->bias, map->file->unwind)) {
		images->starved++;
		return;
	}
	image->maps[image->map_count++] = *map;
}

static bool has_agent(const struct image *image)
{
	for (size_t i = 0; i < image->map_count; i++)
		if (agent_code_is_agent(image->maps[i].file->path))
			return true;
	return false;
}

/* Adds the agent's code within [low, high), which is code without a file. */
static void add_agent_code(struct images *images, struct image *image, uint64_t low, uint64_t high, uint64_t ns)
{
	struct agent_code code;
	char path[32];

	if (!has_agent(image))
		return;
	for (uint64_t at = low; images->agent_codes < AGENT_CODES_MAX && agent_code_next(image->pid, &at, high, &code);) {
		struct image_file *file = add_file(images, AGENT_CODE_NAME);
		const struct image_map map = {code.low, code.high, code.low, file};

		if (!file) {
			close(code.file);
			images->starved++;
			return;
		}
		images->agent_codes++;
		snprintf(path, sizeof path, "/proc/self/fd/%d", code.file);
		file->unwind = make_unwind_file(path, NULL);
		if (images->agent_code)
			close(code.file); /* file->unwind has a copy of the tables, and the first agent's file has the names */
		else
			file->copy = code.file;
		file->named_as = images->agent_code;
		images->agent_code = images->agent_code ? images->agent_code : file;
		add_map(images, image, &map, ns);
		declare_module(images, image, &map, ns, false);
	}
}

/* Adds code without a file, where a file may have been mapped before. Such code has
 * no unwind tables; only its frame pointers, if any, lead to the callers beyond. */
static void add_jit(struct images *images, struct image *image, uint64_t low, uint64_t high, uint64_t ns)
{
	const struct jit_range *range;

	image->changes += remove_maps(images, image, low, high, ns);
	if (jit_find(&image->jit, low, high))
		return;
	range = jit_map(&image->jit, low, high, ns) ? jit_find(&image->jit, low, high) : NULL;
	images->starved += !range || !unwind_space_map(image->space, range->low, range->high, 0, NULL);
	add_agent_code(images, image, low, high, ns);
}

/* Whether a mapping without a path is a program in memory (memfd), which is an ELF file, unlike code made at run time. */
static bool is_program_in_memory(const struct perf_record *record)
{
	struct mapped mapped;
	char head[SELFMAG] = "";
	int fd = !strncmp(record->map.path, "/memfd:", 7) && mapped_find((pid_t)record->pid, record->map.low, &mapped)
			 ? mapped_open_file((pid_t)record->pid, &mapped)
			 : -1;

	if (fd < 0)
		return false;
	if (pread(fd, head, sizeof head, 0) < 0)
		*head = 0;
	close(fd);
	return !memcmp(head, ELFMAG, SELFMAG);
}

void images_map(struct images *images, const struct perf_record *record)
{
	struct image *image = images_find(images, record->pid, record->ns);
	const char *path = record->map.path;
	struct image_map map = {.low = record->map.low, .high = record->map.high};

	bool is_jit = jit_is_path(path) && !is_program_in_memory(record);

	if (image && is_jit)
		add_jit(images, image, map.low, map.high, record->ns);
	if (!image || is_jit || *path == 0 || (*path == '[' && strcmp(path, VDSO_NAME)))
		return;
	map.file = find_file(images, record);
	if (!map.file) {
		images->starved++;
		return;
	}
	if (record->map.build_id_bytes && record->map.build_id_bytes <= sizeof map.file->build_id) {
		/* The kernel's build-id belongs to the mapped file; the file at the path may be another by now. */
		memcpy(map.file->build_id, record->map.build_id, record->map.build_id_bytes);
		map.file->build_id_bytes = record->map.build_id_bytes;
	}
	map.bias = find_bias(map.file, map.low, map.high - map.low, record->map.offset);
	add_map(images, image, &map, record->ns);
	/* The first mapped file is the program. By now, /proc may show the next program. */
	if (!image->path)
		images_declare(images, image, path, NULL, record->ns, false, 0);
	declare_module(images, image, &map, record->ns, false);
}

void images_map_running(struct images *images, uint32_t pid)
{
	struct perf_record record = {.kind = PERF_MAP, .pid = pid, .tid = pid}; /* ns 0: mapped before sampling */
	struct mapped mapped;
	FILE *maps;

	/* First the files: code without a file may belong to an agent, which is one of the files. */
	for (int pass = 0; pass < 2; pass++) {
		maps = mapped_open((pid_t)pid);
		while (mapped_next(maps, &mapped)) {
			const char *path = *mapped.path ? mapped.path : "//anon";

			if (mapped.access[2] != 'x' || jit_is_path(path) != (pass == 1))
				continue;
			record.map.low = mapped.low;
			record.map.high = mapped.high;
			record.map.offset = mapped.offset;
			record.map.path = path;
			record.map.major = mapped.major;
			record.map.minor = mapped.minor;
			record.map.inode = mapped.inode;
			images_map(images, &record);
		}
		mapped_close(maps);
	}
}

void images_fork(struct images *images, uint32_t pid, uint32_t parent_pid, uint64_t ns)
{
	struct image *parent = find_image(images, parent_pid), *image = add_image(images, pid, parent_pid);

	if (!image)
		return;
	if (parent && parent->path)
		image->path = strdup(parent->path);
	images_declare(images, image, NULL, NULL, ns, false, 0);
	for (size_t i = 0; parent && i < parent->map_count; i++) {
		add_map(images, image, &parent->maps[i], ns);
		declare_module(images, image, &parent->maps[i], ns, false);
	}
	for (size_t i = 0; parent && i < parent->jit.count; i++)
		add_jit(images, image, parent->jit.ranges[i].low, parent->jit.ranges[i].high, ns);
}

void images_exec(struct images *images, uint32_t pid, uint64_t ns)
{
	struct image *before = find_image(images, pid);

	if (before && !before->changes)
		return; /* the process has shown no code yet: this is its first program */
	if (add_image(images, pid, before ? before->parent_pid : 0))
		images_find(images, pid, ns);
}

const struct image_file *images_place(const struct image *image, uint64_t address, uint64_t *begin)
{
	for (size_t i = 0; i < image->map_count; i++) {
		const struct image_map *map = &image->maps[i];
		uint64_t high;

		if (address < map->low || address >= map->high)
			continue;
		if (!map->file->unwind || !unwind_file_find(map->file->unwind, address - map->bias, begin, &high))
			*begin = (address - map->bias) & ~UINT64_C(0xfff);
		return map->file;
	}
	return NULL;
}

void images_note(struct images *images, struct image *image, uint64_t address)
{
	const struct image_file *named;
	char copy[64];

	if (jit_note(&image->jit, image->process, image->pid, image->begin_ns, address, images->writer))
		return;

	for (size_t i = 0; i < image->map_count; i++) {
		const struct image_map *map = &image->maps[i];

		if (address < map->low || address >= map->high)
			continue;
		if (map->file->is_unreachable)
			return;
		named = map->file->named_as ? map->file->named_as : map->file;
		snprintf(copy, sizeof copy, "/proc/self/fd/%d", named->copy);
		if (map->file->names == UINT32_MAX)
			map->file->names = names_file(&images->names, map->file->path, named->copy < 0 ? NULL : copy,
				map->file->build_id, (uint32_t)map->file->build_id_bytes);
		names_add(&images->names, map->file->names, address - map->bias);
		return;
	}
}

const char *images_path(const struct image_file *file)
{
	return file->path;
}

size_t images_list_alive(const struct images *images, uint32_t *pids, size_t max)
{
	size_t alive = 0;

	/* Counts a process by the kernel's reports, some of which may be lost,
	 * and by whether it exists. The last image stands for a process. */
	for (size_t i = 0; i < images->count; i++) {
		const struct image *image = images->images[i];

		if (!image->threads || find_image(images, image->pid) != image ||
			(kill((pid_t)image->pid, 0) < 0 && errno != EPERM))
			continue;
		if (alive < max)
			pids[alive] = image->pid;
		alive++;
	}
	return alive;
}

void images_clear(struct images *images)
{
	for (size_t i = 0; i < images->count; i++) {
		free_unwind_space(images->images[i]->space);
		jit_clear(&images->images[i]->jit);
		free(images->images[i]->maps);
		free(images->images[i]->path);
		free(images->images[i]);
	}
	for (size_t i = 0; i < images->file_count; i++) {
		free_unwind_file(images->files[i]->unwind);
		if (images->files[i]->copy >= 0)
			close(images->files[i]->copy);
		free(images->files[i]->path);
		free(images->files[i]);
	}
	names_clear(&images->names);
	free(images->images);
	free(images->files);
	*images = (struct images){0};
}
