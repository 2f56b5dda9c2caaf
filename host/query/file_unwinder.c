/* file_unwinder: opens the mapped files, each once, and unwinds stacks as sampling does (unwind/unwind.h). Uses a file with the
 * recorded build-id: that at the path, or that in perf's cache. Code of a missing file stays unmapped, so stacks end there. */
#include "query/file_unwinder.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "symbol/build_cache.h"
#include "symbol/build_id.h"
#include "symbol/image.h"
#include "symbol/vdso.h"
#include "unwind/unwind.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/mapped_file.h"
#include "util/numbers.h"

#define FRAMES_MAX 8192u /* more than a copy of a stack can hold: a record has less than 64 KiB */
#define PROCESSES_MAX (1u << 20)

struct file {
	char *path;
	uint8_t build_id[BUILD_ID_BYTES_MAX];
	size_t build_id_bytes;
	struct unwind_file *unwind; /* null: no file of this build is there, or it is no ELF file */
	/* The mapping that was looked up last, [offset, offset + bytes) of the file: most processes map a file in the same way. */
	uint64_t offset, bytes, address;
	bool is_code; /* address is where the file has these bytes; false: they are not loaded */
};

struct unwinder {
	const struct cpu *cpu;
	struct unwind_space **spaces; /* by process; null: nothing was mapped there */
	size_t space_count, space_capacity;
	struct file *files;
	size_t file_count, file_capacity;
	struct numbers by_hash; /* hash → index + 1 of a file; after a collision, the next free hash */
	uint64_t frames[FRAMES_MAX];
};

static void *make(uint32_t machine)
{
	const struct cpu *cpu = cpu_find(machine);
	struct unwinder *unwinder = cpu && cpu->pointer_bytes && cpu->perf_registers ? calloc(1, sizeof *unwinder) : NULL;

	if (unwinder)
		unwinder->cpu = cpu;
	return unwinder;
}

static void release(void *state)
{
	struct unwinder *unwinder = state;

	if (!unwinder)
		return;
	for (size_t i = 0; i < unwinder->space_count; i++)
		free_unwind_space(unwinder->spaces[i]);
	for (size_t i = 0; i < unwinder->file_count; i++) {
		free_unwind_file(unwinder->files[i].unwind);
		free(unwinder->files[i].path);
	}
	numbers_clear(&unwinder->by_hash);
	free(unwinder->spaces);
	free(unwinder->files);
	free(unwinder);
}

/* Null: no memory, or too many processes. */
static struct unwind_space *get_space(struct unwinder *unwinder, uint32_t process)
{
	if (process >= PROCESSES_MAX ||
		!array_reserve(&unwinder->spaces, &unwinder->space_capacity, (size_t)process + 1, sizeof(*unwinder->spaces)))
		return NULL;
	while (unwinder->space_count <= process)
		unwinder->spaces[unwinder->space_count++] = NULL;
	if (!unwinder->spaces[process])
		unwinder->spaces[process] = make_unwind_space(unwinder->cpu);
	return unwinder->spaces[process];
}

static bool is_build(const struct file *file, const char *path)
{
	uint8_t found[BUILD_ID_BYTES_MAX];
	size_t bytes;

	return !file->build_id_bytes || (read_build_id(path, found, &bytes) && bytes == file->build_id_bytes &&
						!memcmp(found, file->build_id, bytes));
}

/* Looks up where the file has the bytes of a mapping; at the first time, reads the file's tables. */
static void look_up(struct file *file, const struct reader_mapping *mapping, bool is_first)
{
	char kept[PATH_MAX], copy[MAPPED_NAME_BYTES];
	const char *path = build_cache_find(file->path, file->build_id, file->build_id_bytes, kept);
	int vdso = strcmp(path, VDSO_NAME) ? -1 : open_vdso_of_build(file->build_id, file->build_id_bytes);
	struct symbol_image *image = NULL;

	if (vdso >= 0) {
		mapped_name_descriptor(copy, vdso);
		path = copy;
	}
	if (*path == '/' && is_build(file, path)) {
		if (is_first)
			file->unwind = make_unwind_file(path, NULL);
		image = make_symbol_image(path);
	}
	file->offset = mapping->offset;
	file->bytes = mapping->high - mapping->low;
	file->is_code = image && symbol_image_find(image, file->offset, file->bytes, &file->address);
	free_symbol_image(image);
	if (vdso >= 0)
		close(vdso);
}

static bool is_file(const struct file *file, const struct reader_mapping *mapping)
{
	return file->build_id_bytes == mapping->build_id_bytes &&
	       (!file->build_id_bytes || !memcmp(file->build_id, mapping->build_id, file->build_id_bytes)) &&
	       !strcmp(file->path, mapping->path);
}

/* Null: no memory. pre: the build-id is not too long. */
static struct file *find_file(struct unwinder *unwinder, const struct reader_mapping *mapping)
{
	uint64_t key = hash_bytes(hash_text(HASH_BEGIN, mapping->path), mapping->build_id, mapping->build_id_bytes);
	struct file *file;
	uint32_t *at;

	while ((at = numbers_put(&unwinder->by_hash, key)) && *at) {
		file = &unwinder->files[*at - 1];
		if (is_file(file, mapping)) {
			if (file->unwind && (file->offset != mapping->offset || file->bytes != mapping->high - mapping->low))
				look_up(file, mapping, false);
			return file;
		}
		key++;
	}
	if (!at || !array_reserve(&unwinder->files, &unwinder->file_capacity, unwinder->file_count + 1, sizeof *unwinder->files))
		return NULL;
	file = &unwinder->files[unwinder->file_count];
	*file = (struct file){.path = strdup(mapping->path), .build_id_bytes = mapping->build_id_bytes};
	if (!file->path)
		return NULL;
	if (mapping->build_id_bytes)
		memcpy(file->build_id, mapping->build_id, mapping->build_id_bytes);
	*at = (uint32_t)++unwinder->file_count;
	look_up(file, mapping, true);
	return file;
}

static bool map(void *state, uint32_t process, const struct reader_mapping *mapping)
{
	struct unwinder *unwinder = state;
	struct unwind_space *space = get_space(unwinder, process);
	struct file *file;

	if (!space)
		return false;
	if (mapping->is_generated) /* frame pointers lead through it, if anything does */
		return unwind_space_map(space, mapping->low, mapping->high, 0, NULL);
	if (mapping->build_id_bytes > BUILD_ID_BYTES_MAX || (*mapping->path != '/' && strcmp(mapping->path, VDSO_NAME)))
		return true;
	file = find_file(unwinder, mapping);
	return file && (!file->unwind || !file->is_code ||
			       unwind_space_map(space, mapping->low, mapping->high, mapping->low - file->address, file->unwind));
}

static bool unmap(void *state, uint32_t process, uint64_t low, uint64_t high)
{
	struct unwind_space *space = get_space(state, process);

	return space && unwind_space_unmap(space, low, high);
}

static struct reader_callers find(void *state, uint32_t process, const struct reader_stack *stack)
{
	struct unwinder *unwinder = state;
	struct unwind_space *space = get_space(unwinder, process);
	struct unwind_registers registers = {0};
	struct unwind_stack copy = {.bytes = stack->bytes};
	struct reader_callers callers = {.frames = unwinder->frames, .signals = 1, .state = DWELL_STACK_BROKEN};
	struct unwind_result result;
	const uint8_t *at = stack->registers;

	for (unsigned i = 0; i < 64; i++)
		if (stack->mask >> i & 1) {
			unwind_registers_set(&registers, unwinder->cpu, i, get_u64(at));
			at += 8;
		}
	if (!registers.pc || !(registers.known >> unwinder->cpu->sp & 1))
		return callers;
	unwinder->frames[0] = registers.pc;
	callers.count = 1;
	if (!space || !unwind_space_is_mapped(space, registers.pc))
		return callers;
	copy.address = registers.values[unwinder->cpu->sp];
	result = unwind_stack(space, &registers, &copy, unwinder->frames, FRAMES_MAX, &callers.signals);
	callers.count = result.count;
	callers.state = result.state;
	return callers;
}

const struct reader_unwinder file_unwinder = {make, release, map, unmap, find};
