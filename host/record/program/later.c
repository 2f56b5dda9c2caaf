/* later: see later.h. */
#include "record/program/later.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

static bool is_opener(const char *name, bool programs_matter)
{
	static const char *const openers[] = {"dlopen", "dlmopen", "execv", "execve", "execvp", "execvpe", "execveat", "fexecve", "execl",
		"execlp", "execle", "posix_spawn", "posix_spawnp", "system", "popen"};
	size_t count = programs_matter ? sizeof openers / sizeof *openers : 2;

	for (size_t i = 0; name && i < count; i++)
		if (!strcmp(name, openers[i]))
			return true;
	return false;
}

/* asked_for: names that are not defined there. */
static bool has_opener(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, bool asked_for, bool programs_matter)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Sym symbol;

	for (int i = 0; data && gelf_getsym(data, i, &symbol); i++)
		if ((symbol.st_shndx == SHN_UNDEF) == asked_for &&
			is_opener(elf_strptr(elf, header->sh_link, symbol.st_name), programs_matter))
			return true;
	return false;
}

static bool is_elf_that_may(Elf *elf, bool programs_matter)
{
	bool is_dynamic = false, has_names = false, may = false;

	for (int pass = 0; pass < 2 && !(pass && is_dynamic); pass++)
		for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
			GElf_Shdr header;

			if (!gelf_getshdr(section, &header) || header.sh_type != (pass ? SHT_SYMTAB : SHT_DYNSYM))
				continue;
			is_dynamic |= !pass;
			has_names |= pass;
			may |= has_opener(elf, section, &header, !pass, programs_matter);
		}
	return may || (!is_dynamic && !has_names);
}

bool later_may_come(const char *path, bool programs_matter)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool result = false;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		result = is_elf_that_may(elf, programs_matter);
	elf_end(elf);
	close(fd);
	return result;
}
