/* plt: see plt.h.
 *
 * Which entry is whose could also be counted: they stand in the order of the relocations. But linkers put a head of one or two entries
 * in front, or none, and have up to three such tables. What an entry jumps through is in its code. */
#include "symbol/plt.h"

#include <stdlib.h>
#include <string.h>

#include "cpu/cpu.h"
#include "util/array.h"

/* Of the dynamic linker: this word gets the address of that symbol. */
struct fixup {
	uint64_t address;
	uint32_t symbol, table; /* table: index of the section */
};

struct plt {
	Elf *elf;
	const struct cpu *cpu;
	struct fixup *fixups;
	size_t count, capacity;
};

static bool is_fixup(const struct plt *plt, uint64_t type)
{
	return type == plt->cpu->plt_relocations[0] || type == plt->cpu->plt_relocations[1];
}

static int by_address(const void *a, const void *b)
{
	const struct fixup *left = a, *right = b;

	return left->address < right->address ? -1 : left->address > right->address;
}

static bool read_fixups(struct plt *plt)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(plt->elf, section))) {
		GElf_Shdr header;
		Elf_Data *data;
		GElf_Rela rela;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA)
			continue;
		data = elf_getdata(section, NULL);
		if (!data || !data->d_buf || data->d_type != ELF_T_RELA)
			continue;
		for (int i = 0; gelf_getrela(data, i, &rela); i++) {
			if (!is_fixup(plt, GELF_R_TYPE(rela.r_info)) || !GELF_R_SYM(rela.r_info))
				continue;
			if (!array_reserve(&plt->fixups, &plt->capacity, plt->count + 1, sizeof *plt->fixups))
				return false;
			plt->fixups[plt->count++] =
				(struct fixup){rela.r_offset, (uint32_t)GELF_R_SYM(rela.r_info), header.sh_link};
		}
	}
	if (plt->count)
		qsort(plt->fixups, plt->count, sizeof *plt->fixups, by_address);
	return true;
}

static const struct fixup *find_fixup(const struct plt *plt, uint64_t word)
{
	const struct fixup key = {.address = word};

	return plt->count ? bsearch(&key, plt->fixups, plt->count, sizeof *plt->fixups, by_address) : NULL;
}

static const char *name_of(const struct plt *plt, const struct fixup *fixup)
{
	Elf_Scn *section = elf_getscn(plt->elf, fixup->table);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	GElf_Shdr header;
	GElf_Sym symbol;

	if (!data || data->d_type != ELF_T_SYM || !gelf_getshdr(section, &header) || fixup->symbol > INT32_MAX ||
		!gelf_getsym(data, (int)fixup->symbol, &symbol))
		return NULL;
	return elf_strptr(plt->elf, header.sh_link, symbol.st_name); /* null beyond the table, or without its zero */
}

static bool read_entries(const struct plt *plt, Elf_Scn *section, const GElf_Shdr *header, plt_take *take, void *context)
{
	const Elf_Data *data = elf_rawdata(section, NULL);
	uint64_t step = plt->cpu->plt_step;

	if (!data || !data->d_buf)
		return true;
	for (uint64_t at = 0; at < data->d_size;) {
		const uint8_t *code = (const uint8_t *)data->d_buf + at;
		uint64_t left = data->d_size - at, word, size = step;
		bool is_entry = plt->cpu->decode_plt(code, left, header->sh_addr + at, &word, &size);
		const struct fixup *fixup = is_entry ? find_fixup(plt, word) : NULL;
		const char *name = fixup ? name_of(plt, fixup) : NULL;

		if (name && *name && !take(context, header->sh_addr + at, size < left ? size : left, name))
			return false;
		at += name ? size : step;
	}
	return true;
}

static bool read_sections(const struct plt *plt, plt_take *take, void *context)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(plt->elf, &names))
		return true;
	while ((section = elf_nextscn(plt->elf, section))) {
		GElf_Shdr header;
		const char *name;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_EXECINSTR))
			continue;
		name = elf_strptr(plt->elf, names, header.sh_name);
		if (name && !strncmp(name, ".plt", 4) && !read_entries(plt, section, &header, take, context))
			return false;
	}
	return true;
}

bool plt_read(Elf *elf, plt_take *take, void *context)
{
	struct plt plt = {.elf = elf};
	GElf_Ehdr header;
	bool good;

	if (!gelf_getehdr(elf, &header) || (header.e_type != ET_EXEC && header.e_type != ET_DYN))
		return true;
	plt.cpu = cpu_find(header.e_machine);
	if (!plt.cpu || !plt.cpu->decode_plt)
		return true;
	good = read_fixups(&plt) && (!plt.count || read_sections(&plt, take, context));
	free(plt.fixups);
	return good;
}
