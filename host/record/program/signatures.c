/* signatures: searches files for byte sequences. */
#include "record/program/signatures.h"

#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/foreign_file.h"

bool signatures_is_hook(const char *name)
{
	static const struct signature hooks[] = {SIGNATURE("__cyg_profile_func_enter"), SIGNATURE("__fentry__")};
	size_t length = strcspn(name, "@");

	for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
		if (length == hooks[i].length && !memcmp(name, hooks[i].text, length))
			return true;
	return false;
}

bool signatures_are_in_file(const char *path, const struct signature *signatures, size_t count)
{
	struct stat info;
	int fd = foreign_file_open(path, &info);
	bool result = false;

	if (fd < 0)
		return false;
	if (info.st_size > 0) {
		void *file = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);

		if (file != MAP_FAILED) {
			for (size_t i = 0; i < count; i++)
				result |= memmem(file, (size_t)info.st_size, signatures[i].text, signatures[i].length) != NULL;
			munmap(file, (size_t)info.st_size);
		}
	}
	close(fd);
	return result;
}

bool signatures_are_in_sections(
	const char *path, uint32_t type, uint64_t mask, uint64_t flags, const struct signature *signatures, size_t count)
{
	int fd = foreign_file_open(path, NULL);
	bool result = false;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	for (Elf_Scn *section = NULL; elf && (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS || (header.sh_flags & mask) != flags ||
			(type && header.sh_type != type))
			continue;
		data = elf_rawdata(section, NULL);
		for (size_t i = 0; data && data->d_buf && i < count; i++)
			result |= memmem(data->d_buf, data->d_size, signatures[i].text, signatures[i].length) != NULL;
	}
	elf_end(elf);
	close(fd);
	return result;
}

bool signatures_of_patched_hooks(const char *path)
{
	static const struct signature signatures[] = {
		{"__fentry__", 11},
		SIGNATURE(HOOK_SLED),
		SIGNATURE("__patchable_function_entries"),
	};

	return signatures_are_in_file(path, signatures, sizeof signatures / sizeof *signatures);
}

bool signatures_of_hooks(const char *path)
{
	static const struct signature cyg[] = {{"__cyg_profile_func_enter", 25}};

	return signatures_are_in_file(path, cyg, 1) || signatures_of_patched_hooks(path);
}
