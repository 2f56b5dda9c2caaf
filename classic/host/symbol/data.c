#include "classic/host/symbol/data.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "symbol/elf_file.h"
#include "util/foreign_file.h"

/* Whether a symbol is in memory that is no code. */
static bool is_data(Elf *elf, const GElf_Sym *symbol)
{
	uint32_t type = GELF_ST_TYPE(symbol->st_info);
	GElf_Shdr section;

	if ((type != STT_OBJECT && type != STT_NOTYPE) || symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_COMMON)
		return false;
	if (symbol->st_shndx >= SHN_LORESERVE) /* maybe defined by the linker script */
		return symbol->st_shndx == SHN_ABS || symbol->st_shndx == SHN_XINDEX;
	return gelf_getshdr(elf_getscn(elf, symbol->st_shndx), &section) && section.sh_flags & SHF_ALLOC &&
	       !(section.sh_flags & SHF_EXECINSTR && type == STT_NOTYPE);
}

static size_t find_in_table(
	Elf *elf, Elf_Scn *section, const GElf_Shdr *header, const char *name, struct symbol_data *found, size_t count)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t entries = data && header->sh_entsize ? data->d_size / header->sh_entsize : 0;

	for (size_t i = 0; i < entries && i < INT32_MAX; i++) {
		const char *its_name;
		GElf_Sym symbol;

		if (!gelf_getsym(data, (int)i, &symbol))
			break;
		its_name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (!its_name || strcmp(its_name, name) || !is_data(elf, &symbol))
			continue;
		if (!count)
			*found = (struct symbol_data){symbol.st_value, symbol.st_size};
		count += !count || symbol.st_value != found->address;
	}
	return count;
}

size_t symbol_find_data(const char *path, const char *name, struct symbol_data *data)
{
	int fd = foreign_file_open(path, NULL);
	Elf *elf = fd < 0 ? NULL : make_elf(fd);
	Elf_Scn *section = NULL;
	size_t count = 0;

	while (elf && (section = elf_nextscn(elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB)
			count = find_in_table(elf, section, &header, name, data, count);
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return count;
}
