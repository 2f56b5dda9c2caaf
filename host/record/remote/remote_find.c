#include "record/remote/remote_find.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/remote/remote_thread.h"

#define CODE_MAX (UINT64_C(16) << 20)

/* A line of /proc/PID/maps. */
struct mapping {
	uint64_t start, end, offset;
	unsigned long inode;
	char access[5];
	char path[4096]; /* empty: none */
};

static FILE *open_maps(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
	return fopen(path, "re");
}

static bool read_mapping(FILE *maps, struct mapping *mapping)
{
	char line[4352];
	int path = 0;

	if (!maps || !fgets(line, sizeof line, maps))
		return false;
	*mapping = (struct mapping){0};
	if (sscanf(line, "%lx-%lx %4s %lx %*s %lu %n", &mapping->start, &mapping->end, mapping->access, &mapping->offset,
		    &mapping->inode, &path) == 5 &&
		path)
		snprintf(mapping->path, sizeof mapping->path, "%.*s", (int)strcspn(line + path, "\n"), line + path);
	return true;
}

static void close_maps(FILE *maps)
{
	if (maps)
		fclose(maps);
}

static bool is_library(const struct mapping *mapping, const char *library)
{
	const char *slash = strrchr(mapping->path, '/');

	return *mapping->path == '/' && !strncmp(slash + 1, library, strlen(library)) && strchr(".-", slash[1 + strlen(library)]) &&
	       slash[1 + strlen(library)];
}

/* Its first mapping. */
static uint64_t find_library(pid_t pid, const char *library, char *path, size_t bytes)
{
	FILE *maps = open_maps(pid);
	struct mapping mapping;
	uint64_t found = 0;

	while (!found && read_mapping(maps, &mapping)) {
		if (mapping.offset || !is_library(&mapping, library))
			continue;
		snprintf(path, bytes, "/proc/%ld/root%s", (long)pid, mapping.path);
		found = mapping.start;
	}
	close_maps(maps);
	return found;
}

static uint64_t find_symbol(Elf *elf, const char *function)
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
				GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
				(name = elf_strptr(elf, header.sh_link, symbol.st_name)) && !strcmp(name, function))
				return symbol.st_value;
		}
	}
	return 0;
}

/* The address of an exported function in a file that is mapped from start on; 0: it exports none. False: the file cannot be read. */
static bool find_in_file(const char *path, uint64_t start, const char *function, uint64_t *address)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool good;
	Elf *elf;

	*address = 0;
	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	good = elf;
	if (elf) {
		GElf_Phdr header;

		*address = find_symbol(elf, function);
		for (int i = 0; *address && gelf_getphdr(elf, i, &header); i++)
			if (header.p_type == PT_LOAD && header.p_offset == 0) {
				*address += start - header.p_vaddr;
				break;
			}
		elf_end(elf);
	}
	close(fd);
	return good;
}

uint64_t remote_find_function(pid_t pid, const char *library, const char *function)
{
	char path[4200];
	uint64_t start = find_library(pid, library, path, sizeof path), address = 0;

	return start && find_in_file(path, start, function, &address) ? address : 0;
}

uint64_t remote_find_code(pid_t pid, const char *library, const void *code, size_t bytes)
{
	FILE *maps = open_maps(pid);
	struct mapping mapping;
	uint64_t found = 0;

	while (!found && read_mapping(maps, &mapping)) {
		uint64_t size = mapping.end - mapping.start;
		uint8_t *copy, *at;

		if (mapping.access[2] != 'x' || size > CODE_MAX || !is_library(&mapping, library) || !(copy = malloc(size)))
			continue;
		if (remote_read(pid, mapping.start, copy, size) && (at = memmem(copy, size, code, bytes)))
			found = mapping.start + (uint64_t)(at - copy);
		free(copy);
	}
	close_maps(maps);
	return found;
}

/* Libraries whose code may hold a lock that loading a library needs, or run with the loader's: a C library, and what unwinds. */
static bool is_runtime(const struct mapping *mapping)
{
	static const char *const names[] = {"libc", "ld", "libpthread", "libdl", "librt", "libgcc_s", "libunwind", "libstdc++", "libc++", "libc++abi"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (is_library(mapping, names[i]))
			return true;
	return false;
}

/* Or may be one. */
static bool is_allocator(pid_t pid, const struct mapping *mapping)
{
	char path[4200];
	uint64_t address;

	snprintf(path, sizeof path, "/proc/%ld/root%s", (long)pid, mapping->path);
	return !find_in_file(path, mapping->start, "malloc", &address) || address;
}

static bool is_program(pid_t pid, const struct mapping *mapping)
{
	char path[64], program[4096];
	ssize_t n;

	snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
	n = readlink(path, program, sizeof program - 1);
	program[n > 0 ? n : 0] = 0;
	return n > 0 && !strncmp(mapping->path, program, (size_t)n);
}

bool remote_is_outside_of_locks(pid_t pid, uint64_t place)
{
	FILE *maps = open_maps(pid);
	struct mapping mapping;
	bool found = false;

	while (!found && read_mapping(maps, &mapping))
		found = place >= mapping.start && place < mapping.end;
	close_maps(maps);
	return found && *mapping.path == '/' && (is_program(pid, &mapping) || (!is_runtime(&mapping) && !is_allocator(pid, &mapping)));
}

uint64_t remote_find_end(pid_t pid, uint64_t place)
{
	FILE *maps = open_maps(pid);
	struct mapping mapping;
	uint64_t end = 0;

	while (!end && read_mapping(maps, &mapping))
		if (place >= mapping.start && place < mapping.end)
			end = mapping.end;
	close_maps(maps);
	return end;
}

uint64_t remote_find_stack_room(pid_t pid, uint64_t place, uint64_t thread_pointer)
{
	FILE *maps = open_maps(pid);
	struct mapping mapping;
	uint64_t room = 0;

	while (!room && read_mapping(maps, &mapping)) {
		if (place < mapping.start || place >= mapping.end)
			continue;
		if (!strcmp(mapping.path, "[stack]") || (thread_pointer > place && thread_pointer < mapping.end))
			room = place - mapping.start;
		break;
	}
	close_maps(maps);
	return room;
}

size_t remote_find_code_of(pid_t pid, uint64_t place, uint64_t (*ranges)[2], size_t max)
{
	FILE *maps = open_maps(pid);
	struct mapping mapping;
	unsigned long inode = 0;
	size_t count = 0;

	while (!inode && read_mapping(maps, &mapping))
		if (place >= mapping.start && place < mapping.end)
			inode = mapping.inode;
	if (maps)
		rewind(maps);
	while (inode && count < max && read_mapping(maps, &mapping))
		if (mapping.inode == inode && mapping.access[2] == 'x') {
			ranges[count][0] = mapping.start;
			ranges[count++][1] = mapping.end;
		}
	close_maps(maps);
	return count;
}
