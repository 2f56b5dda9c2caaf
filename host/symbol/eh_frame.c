/* eh_frame: adds the functions in unwind tables as extents. */
#include "symbol/eh_frame.h"

#include "cfi/section.h"

#define SEGMENTS_MAX 16u

/* The executable segments. Entries of functions that the linker discarded have address 0, outside of all segments. */
struct code {
	uint64_t low[SEGMENTS_MAX], high[SEGMENTS_MAX];
	uint32_t count;
};

static void find_code(Elf *elf, struct code *code)
{
	size_t count;

	code->count = 0;
	if (elf_getphdrnum(elf, &count))
		return;
	for (size_t i = 0; i < count && i <= INT32_MAX && code->count < SEGMENTS_MAX; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD || !(header.p_flags & PF_X) ||
			header.p_vaddr > UINT64_MAX - header.p_memsz)
			continue;
		code->low[code->count] = header.p_vaddr;
		code->high[code->count++] = header.p_vaddr + header.p_memsz;
	}
}

static bool is_code(const struct code *code, const struct cfi_entry *entry)
{
	for (uint32_t i = 0; i < code->count; i++)
		if (entry->low >= code->low[i] && entry->high <= code->high[i])
			return true;
	return false;
}

bool read_eh_frame(Elf *elf, struct symbol_table *table, const char **left_out)
{
	struct cfi_sections sections = {0};
	struct cfi_entry entry;
	struct code code;
	GElf_Ehdr header;
	bool good;

	if (!gelf_getehdr(elf, &header) || header.e_ident[EI_DATA] != ELFDATA2LSB ||
		(header.e_type != ET_EXEC && header.e_type != ET_DYN))
		return true;
	find_code(elf, &code);
	good = cfi_sections_read(&sections, elf, header.e_ident[EI_CLASS] == ELFCLASS32 ? 4 : 8);
	for (uint32_t i = 0; good && i < sections.count; i++)
		for (uint64_t offset = 0; good && cfi_next(&sections.list[i], &offset, &entry);)
			if (entry.high > entry.low && is_code(&code, &entry))
				good = symbol_table_add_extent(table, entry.low, entry.high);
	*left_out = sections.left_out;
	cfi_sections_clear(&sections);
	return good;
}
