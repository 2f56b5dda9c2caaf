/* hooked: searches a program's files for hooks, by symbols, sections and code. */
#include "record/program/hooked.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/program/nops.h"
#include "record/program/signatures.h"
#include "util/foreign_file.h"

static bool has_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, bool library)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);

		if ((!library || symbol.st_shndx == SHN_UNDEF) && name && signatures_is_hook(name))
			return true;
	}
	return false;
}

static bool has_sleds(Elf_Scn *section)
{
	Elf_Data *data = elf_rawdata(section, NULL);

	return data && data->d_buf && memmem(data->d_buf, data->d_size, HOOK_SLED, sizeof HOOK_SLED - 1);
}

static bool has_hooks(Elf *elf, bool library)
{
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(section, &header))
			continue;
		name = elf_strptr(elf, names, header.sh_name);
		/* Tables of sites. */
		if (name && (!strcmp(name, "__patchable_function_entries") || !strcmp(name, "__mcount_loc")))
			return true;
		if ((header.sh_type == SHT_DYNSYM || header.sh_type == SHT_SYMTAB) && has_symbols(elf, section, &header, library))
			return true;
		if (header.sh_type == SHT_PROGBITS && header.sh_flags & SHF_EXECINSTR && has_sleds(section))
			return true;
	}
	return nops_are_sites(elf);
}

bool hooked_calls_mcount(const char *path)
{
	int fd = foreign_file_open(path, NULL);
	bool result = false;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	for (Elf_Scn *section = NULL; !result && elf && (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		GElf_Sym symbol;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || (header.sh_type != SHT_DYNSYM && header.sh_type != SHT_SYMTAB))
			continue;
		data = elf_getdata(section, NULL);
		for (int i = 0; !result && data && gelf_getsym(data, i, &symbol); i++) {
			const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

			result = name && (!strcmp(name, "mcount") || !strcmp(name, "_mcount") || !strncmp(name, "mcount@", 7));
		}
	}
	elf_end(elf);
	close(fd);
	return result;
}

bool hooked_file(const char *path, bool library)
{
	int fd = foreign_file_open(path, NULL);
	GElf_Ehdr header;
	bool result = false, has_sections = true;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &header)) {
		has_sections = header.e_shnum || header.e_shoff;
		result = has_hooks(elf, library);
	}
	elf_end(elf);
	close(fd);
	/* Without a section table: search all bytes of the file. */
	return result || (!has_sections && !library && signatures_of_hooks(path));
}

/* Reads the path of the program's loader. False: none, or a loader that might run code of the libraries in order to list them. */
static bool read_loader(const char *path, char *loader, size_t size)
{
	int fd = foreign_file_open(path, NULL);
	bool found = false;
	size_t count = 0;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_getphdrnum(elf, &count))
		count = 0;
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr header;
		ssize_t n;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_INTERP || header.p_filesz >= size)
			continue;
		n = pread(fd, loader, header.p_filesz, (off_t)header.p_offset);
		loader[n > 0 ? n : 0] = 0;
		found = n > 0 && strrchr(loader, '/') && !strncmp(strrchr(loader, '/'), "/ld-", 4);
	}
	elf_end(elf);
	close(fd);
	return found;
}

/* Runs the loader, which lists the libraries of the program at path. Returns its output; *child: the process to wait for.
 * Null: no process. */
static FILE *list_libraries(const char *loader, const char *path, pid_t *child)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return NULL;
	fflush(NULL);
	*child = fork();
	if (*child == 0) {
		int none = open("/dev/null", O_RDWR);

		dup2(none, 0);
		dup2(none, 2);
		dup2(ends[1], 1);
		execl(loader, loader, "--list", path, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	if (*child > 0)
		return fdopen(ends[0], "r");
	close(ends[0]);
	return NULL;
}

void hooked_each_library(const char *program, void (*each)(void *context, const char *path), void *context)
{
	char loader[256], line[4200];
	pid_t child = 0;
	FILE *list;

	if (!read_loader(program, loader, sizeof loader) || !(list = list_libraries(loader, program, &child)))
		return;
	while (fgets(line, sizeof line, list)) {
		char *path = strstr(line, "=> "), *end = strstr(line, " (0x");

		path = path ? path + 3 : line + strspn(line, " \t");
		if (!end || end < path)
			continue;
		*end = 0;
		if (strchr(path, '/')) /* perhaps relative, by a run path or LD_LIBRARY_PATH that is; the vdso has no slash */
			each(context, path);
	}
	fclose(list);
	while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}

void hooked_each_mapped(pid_t pid, const char *program, void (*each)(void *context, const char *path), void *context)
{
	char line[4200], path[4097] = "", before[4097] = "";
	FILE *maps;

	snprintf(line, sizeof line, "/proc/%ld/maps", (long)pid);
	maps = fopen(line, "re");
	/* Takes executable mappings of files only, and each file once: all mappings of a file follow one another. */
	while (maps && fgets(line, sizeof line, maps)) {
		if (sscanf(line, "%*s %*2cx%*s %*s %*s %*s %4096[^\n]", path) != 1 || *path != '/' || !strcmp(path, before) || !strcmp(path, program))
			continue;
		strcpy(before, path);
		each(context, path);
	}
	if (maps)
		fclose(maps);
}

static void check_library(void *context, const char *path)
{
	bool *result = context;

	*result = *result || hooked_file(path, true);
}

static bool libraries_have_hooks(const char *path)
{
	bool result = false;

	hooked_each_library(path, check_library, &result);
	return result;
}

/* Calls each for the words of text, a command line for a shell perhaps, that contain a slash and are programs with hooks. */
static void each_named(const char *text, void (*each)(void *context, const char *path), void *context)
{
	static const char between[] = " \t\n;&|()<>'\"`$=";
	char word[4096];

	for (text += strspn(text, between); *text; text += strspn(text, between)) {
		size_t length = strcspn(text, between);
		struct stat info;

		if (length < sizeof word && memchr(text, '/', length)) {
			memcpy(word, text, length);
			word[length] = 0;
			if (stat(word, &info) == 0 && S_ISREG(info.st_mode) && access(word, X_OK) == 0 && hooked_file(word, false))
				each(context, word);
		}
		text += length;
	}
}

void hooked_each_named(char *const *argv, void (*each)(void *context, const char *path), void *context)
{
	for (int i = 1; argv && argv[0] && argv[i]; i++)
		each_named(argv[i], each, context);
}

static void note_named(void *context, const char *path)
{
	(void)path;
	*(bool *)context = true;
}

bool hooked_program(const char *path, char *const *argv)
{
	bool named = false;

	if (hooked_file(path, false) || libraries_have_hooks(path))
		return true;
	hooked_each_named(argv, note_named, &named);
	return named;
}
