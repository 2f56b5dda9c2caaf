/* linkage: a stub jumps by way of a slot. The relocation of the slot has the name (linkage.h). */
#include "symbol/linkage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfi/packed.h"
#include "symbol/linkage_code.h"
#include "util/array.h"
#include "util/sorted.h"

/* Limits for hostile files, whose sections may all claim the same bytes. The largest programs have some ten thousand stubs. */
#define SECTIONS_MAX 16u
#define SLOTS_MAX (1u << 20)
#define STUBS_MAX (1u << 18)
#define NAME_BYTES_MAX 4096u
#define ALL_NAMES_BYTES_MAX (64u << 20)

struct slot {
	uint64_t address;
	const char *name; /* empty: the slot gets what the function at target returns */
	uint64_t target;
};

struct linkage_reader {
	Elf *elf;
	const struct linkage_cpu *cpu;
	struct symbol_table *table;
	struct slot *slots; /* by address, after read_slots */
	size_t slot_count, slot_capacity, name_bytes;
};

static const char *find_symbol_name(Elf *elf, size_t symbols, size_t index)
{
	Elf_Scn *section = elf_getscn(elf, symbols);
	Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
	const char *name = NULL;
	GElf_Shdr header;
	GElf_Sym symbol;

	if (index <= INT32_MAX && data && data->d_type == ELF_T_SYM && gelf_getshdr(section, &header) &&
		!packed_section_bytes(elf_getscn(elf, header.sh_link)) && gelf_getsym(data, (int)index, &symbol))
		name = elf_strptr(elf, header.sh_link, symbol.st_name);
	return name && *name && strlen(name) <= NAME_BYTES_MAX ? name : NULL;
}

/* False: no memory. */
static bool add_slot(struct linkage_reader *reader, const GElf_Rela *relocation, size_t symbols)
{
	uint32_t type = (uint32_t)GELF_R_TYPE(relocation->r_info);
	struct slot slot = {.address = relocation->r_offset, .name = "", .target = (uint64_t)relocation->r_addend};

	if (type == reader->cpu->jump_slot || type == reader->cpu->global_data)
		slot.name = find_symbol_name(reader->elf, symbols, GELF_R_SYM(relocation->r_info));
	else if (type != reader->cpu->indirect)
		return true;
	if (!slot.name || reader->slot_count >= SLOTS_MAX)
		return true;
	if (!array_reserve(&reader->slots, &reader->slot_capacity, reader->slot_count + 1, sizeof *reader->slots))
		return false;
	reader->slots[reader->slot_count++] = slot;
	return true;
}

static int by_address(const void *a, const void *b)
{
	uint64_t left = ((const struct slot *)a)->address, right = ((const struct slot *)b)->address;

	return (left > right) - (left < right);
}

/* Reads the relocations that the loader applies. False: no memory. */
static bool read_slots(struct linkage_reader *reader)
{
	Elf_Scn *section = NULL;
	size_t sections = 0;
	bool good = true;

	while (good && sections < SECTIONS_MAX && (section = elf_nextscn(reader->elf, section))) {
		GElf_Shdr header;
		GElf_Rela relocation;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || !(header.sh_flags & SHF_ALLOC))
			continue;
		sections++;
		data = elf_getdata(section, NULL);
		for (int i = 0; good && data && i < (int)SLOTS_MAX && gelf_getrela(data, i, &relocation); i++)
			good = add_slot(reader, &relocation, header.sh_link);
	}
	if (reader->slot_count)
		qsort(reader->slots, reader->slot_count, sizeof *reader->slots, by_address);
	return good;
}

/* Null: the slot has no relocation. */
static const struct slot *find_slot(const struct linkage_reader *reader, uint64_t address)
{
	size_t count = SORTED_UP_TO(struct slot, address, reader->slots, reader->slot_count, address);

	return count && reader->slots[count - 1].address == address ? &reader->slots[count - 1] : NULL;
}

/* False: no memory. */
static bool add_stub(struct linkage_reader *reader, const struct linkage_stub *stub)
{
	const struct slot *slot = find_slot(reader, stub->slot);
	char *name;
	int bytes;
	bool good;

	if (!slot || reader->table->stub_count >= STUBS_MAX || reader->name_bytes >= ALL_NAMES_BYTES_MAX)
		return true;
	bytes = *slot->name ? asprintf(&name, "%s@plt", slot->name)
			    : asprintf(&name, "*ABS*+0x%llx@plt", (unsigned long long)slot->target);
	if (bytes < 0)
		return false;
	reader->name_bytes += (size_t)bytes;
	good = symbol_table_add_stub(reader->table, &(struct symbol){stub->address, stub->size, name});
	free(name);
	return good;
}

/* False: no memory. */
static bool read_stubs(struct linkage_reader *reader, Elf_Scn *section, uint64_t address)
{
	Elf_Data *data = elf_rawdata(section, NULL);
	struct linkage_stub stub;
	size_t offset = 0;
	bool good = true;

	if (!data || !data->d_buf || address > UINT64_MAX - data->d_size)
		return true;
	while (good && linkage_next(reader->cpu, (struct bytes){data->d_buf, data->d_size}, address, &offset, &stub))
		good = add_stub(reader, &stub);
	return good;
}

/* Reads .plt, .plt.sec, .plt.got and .iplt. False: no memory. */
static bool read_sections(struct linkage_reader *reader)
{
	Elf_Scn *section = NULL;
	size_t names, sections = 0;
	bool good = true;

	if (!packed_find_names(reader->elf, &names))
		return true;
	while (good && sections < SECTIONS_MAX && (section = elf_nextscn(reader->elf, section))) {
		GElf_Shdr header;
		const char *name = gelf_getshdr(section, &header) ? elf_strptr(reader->elf, names, header.sh_name) : NULL;

		if (!name || header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_EXECINSTR) ||
			(strncmp(name, ".plt", 4) && strcmp(name, ".iplt")))
			continue;
		sections++;
		good = read_stubs(reader, section, header.sh_addr);
	}
	return good;
}

bool read_linkage(Elf *elf, struct symbol_table *table)
{
	struct linkage_reader reader = {.elf = elf, .table = table};
	GElf_Ehdr header;
	bool good;

	if (!gelf_getehdr(elf, &header) || header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_ident[EI_CLASS] != ELFCLASS64 ||
		(header.e_type != ET_EXEC && header.e_type != ET_DYN))
		return true;
	reader.cpu = linkage_cpu_find(header.e_machine);
	good = !reader.cpu || (read_slots(&reader) && read_sections(&reader));
	free(reader.slots);
	return good;
}
