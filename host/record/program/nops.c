/* nops: searches the code of an x86-64 file for nops at entries and exits. */
#include "record/program/nops.h"

#include <gelf.h>
#include <string.h>

#include "cfi/section.h"
#include "record/program/signatures.h"

/* Instructions: the nop of -mnop-mcount; endbr64. */
static const char plain[] = "\x0f\x1f\x44\x00\x00", endbr[] = "\xf3\x0f\x1e\xfa";
#define NOP_BYTES 5u

/* Finds the section of code with the address. *begin: address of the section. Empty: no such section. */
static struct bytes find_code(Elf *elf, uint64_t address, uint64_t *begin)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_EXECINSTR) ||
			address < header.sh_addr || address - header.sh_addr >= header.sh_size)
			continue;
		data = elf_rawdata(section, NULL);
		*begin = header.sh_addr;
		return data && data->d_buf ? (struct bytes){data->d_buf, data->d_size} : (struct bytes){0};
	}
	return (struct bytes){0};
}

/* Whether the code has a nop in front of a return, or of a jump to another function. */
static bool has_exit(struct bytes code)
{
	const uint8_t *end = code.data + code.size, *at = code.data;

	while ((at = memmem(at, (size_t)(end - at), plain, NOP_BYTES)) && end - at > (ptrdiff_t)NOP_BYTES) {
		at += NOP_BYTES;
		if (*at == 0xc3 || *at == 0xe9 || *at == 0xff || (*at == 0xf3 && end - at > 1 && at[1] == 0xc3))
			return true;
	}
	return false;
}

/* Whether a function of the unwind tables has a plain nop at its entry and another nop at an exit. */
static bool is_patchable(Elf *elf, const struct cfi_entry *entry)
{
	uint64_t begin = 0;
	struct bytes section = find_code(elf, entry->low, &begin), code;
	size_t at;

	code = bytes_part(section, entry->low - begin, entry->high - entry->low);
	at = bytes_have(code, 0, sizeof endbr - 1) && !memcmp(code.data, endbr, sizeof endbr - 1) ? sizeof endbr - 1 : 0;
	return bytes_have(code, at, NOP_BYTES) && !memcmp(code.data + at, plain, NOP_BYTES) &&
	       has_exit(bytes_part(code, at + NOP_BYTES, code.size - at - NOP_BYTES));
}

static bool code_holds_marked(Elf *elf)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		Elf_Data *data;

		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_EXECINSTR))
			continue;
		data = elf_rawdata(section, NULL);
		if (data && data->d_buf && memmem(data->d_buf, data->d_size, HOOK_NOP, NOP_BYTES))
			return true;
	}
	return false;
}

bool nops_are_sites(Elf *elf)
{
	struct cfi_sections sections = {0};
	struct cfi_entry entry;
	GElf_Ehdr header;
	bool result;

	if (!gelf_getehdr(elf, &header) || header.e_machine != EM_X86_64 || (header.e_type != ET_EXEC && header.e_type != ET_DYN))
		return false;
	result = code_holds_marked(elf);
	if (!result && cfi_sections_read(&sections, elf, 8))
		for (uint32_t i = 0; !result && i < sections.count; i++)
			for (uint64_t offset = 0; !result && cfi_next(&sections.list[i], &offset, &entry);)
				result = entry.high > entry.low && is_patchable(elf, &entry);
	cfi_sections_clear(&sections);
	return result;
}
