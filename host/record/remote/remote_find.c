/* remote_find: reads the ELF files that a process has mapped, for addresses in the process. */
#include "record/remote/remote_find.h"

#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/mapped_file.h"

#define CODE_MAX (UINT64_C(16) << 20)
#define PAGE_BYTES UINT64_C(4096)

bool remote_is_library(const struct remote_mapping *mapping, const char *library)
{
	const char *slash = strrchr(mapping->path, '/');

	return *mapping->path == '/' && !strncmp(slash + 1, library, strlen(library)) && strchr(".-", slash[1 + strlen(library)]) &&
	       slash[1 + strlen(library)];
}

int remote_open_file(const struct remote_image *image, const struct remote_mapping *mapping)
{
	pid_t task = remote_live_thread(image->pid);
	struct mapped mapped;

	return mapped_find(task, mapping->low, &mapped) && mapped.inode == mapping->inode ? mapped_open_file(task, &mapped) : -1;
}

static bool find_bias(Elf *elf, const struct remote_mapping *mapping, uint64_t *bias)
{
	bool is_code = mapping->access[2] == 'x';
	GElf_Phdr header;

	for (int i = 0; gelf_getphdr(elf, i, &header); i++)
		if (header.p_type == PT_LOAD && (!is_code || (header.p_flags & PF_X)) &&
			(header.p_offset & ~(PAGE_BYTES - 1)) <= mapping->offset &&
			mapping->offset < header.p_offset + header.p_filesz) {
			*bias = mapping->low - mapping->offset + header.p_offset - header.p_vaddr;
			return true;
		}
	return false;
}

static void each_symbol(
	Elf *elf, uint64_t bias, void (*see)(void *context, const char *name, uint64_t low, uint64_t high), void *context)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM || !header.sh_entsize ||
			!(data = elf_getdata(section, NULL)))
			continue;
		for (size_t i = 0; i < header.sh_size / header.sh_entsize; i++) {
			GElf_Sym symbol;
			const char *name;

			if (gelf_getsym(data, (int)i, &symbol) && symbol.st_shndx != SHN_UNDEF &&
				(GELF_ST_TYPE(symbol.st_info) == STT_FUNC || GELF_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC) &&
				(name = elf_strptr(elf, header.sh_link, symbol.st_name)))
				see(context, name, bias + symbol.st_value, bias + symbol.st_value + symbol.st_size);
		}
	}
}

/* Opens the file of a mapping. Null: the file cannot be read. Call close_elf in any case. */
static Elf *open_elf(const struct remote_image *image, const struct remote_mapping *mapping, int *fd)
{
	*fd = remote_open_file(image, mapping);
	elf_version(EV_CURRENT);
	return *fd < 0 ? NULL : elf_begin(*fd, ELF_C_READ_MMAP, NULL);
}

static void close_elf(Elf *elf, int fd)
{
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}

bool remote_find_bias(const struct remote_image *image, const struct remote_mapping *mapping, uint64_t *bias)
{
	int fd;
	Elf *elf = open_elf(image, mapping, &fd);
	bool good = elf && find_bias(elf, mapping, bias);

	close_elf(elf, fd);
	return good;
}

bool remote_each_function(const struct remote_image *image, const struct remote_mapping *mapping,
	void (*see)(void *context, const char *name, uint64_t low, uint64_t high), void *context)
{
	uint64_t bias;
	int fd;
	Elf *elf = open_elf(image, mapping, &fd);
	bool good = elf && find_bias(elf, mapping, &bias);

	if (good)
		each_symbol(elf, bias, see, context);
	close_elf(elf, fd);
	return good;
}

struct search {
	const char *name;
	uint64_t found;
};

static void compare_name(void *context, const char *name, uint64_t low, uint64_t high)
{
	struct search *search = context;

	(void)high;
	if (!search->found && !strcmp(name, search->name))
		search->found = low;
}

uint64_t remote_find_function(const struct remote_image *image, const char *library, const char *function)
{
	struct search search = {.name = function};

	for (size_t i = 0; i < image->map_count; i++)
		if (!image->maps[i].offset && remote_is_library(&image->maps[i], library)) {
			remote_each_function(image, &image->maps[i], compare_name, &search);
			break;
		}
	return search.found;
}

uint64_t remote_find_code(const struct remote_image *image, const char *library, const void *code, size_t bytes)
{
	uint64_t found = 0;

	for (size_t i = 0; !found && i < image->map_count; i++) {
		const struct remote_mapping *mapping = &image->maps[i];
		uint64_t size = mapping->high - mapping->low;
		uint8_t *copy, *at;

		if (mapping->access[2] != 'x' || size > CODE_MAX || !remote_is_library(mapping, library) || !(copy = malloc(size)))
			continue;
		if (remote_read(image, mapping->low, copy, size) && (at = memmem(copy, size, code, bytes)))
			found = mapping->low + (uint64_t)(at - copy);
		free(copy);
	}
	return found;
}

uint64_t remote_find_stack_room(const struct remote_image *image, uint64_t place, uint64_t thread_pointer)
{
	const struct remote_mapping *mapping = remote_image_at(image, place);

	return mapping && (!strcmp(mapping->path, "[stack]") || (thread_pointer > place && thread_pointer < mapping->high))
		       ? place - mapping->low
		       : 0;
}

size_t remote_find_file_code(const struct remote_image *image, uint64_t place, uint64_t (*ranges)[2], size_t max)
{
	const struct remote_mapping *at = remote_image_at(image, place);
	size_t count = 0;

	for (size_t i = 0; at && at->inode && i < image->map_count && count < max; i++)
		if (image->maps[i].inode == at->inode && image->maps[i].access[2] == 'x') {
			ranges[count][0] = image->maps[i].low;
			ranges[count++][1] = image->maps[i].high;
		}
	return count;
}
