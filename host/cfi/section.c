/* section: loads .eh_frame and .debug_frame (section.h). */
#include "cfi/section.h"

#include <stdlib.h>
#include <string.h>

#include "cfi/packed.h"

#define SECTION_BYTES_MAX (UINT64_C(1) << 30)

/* Adds a copy of the section; skips a section that is empty, too large or unreadable. False: no memory. */
static bool add_section(
	struct cfi_sections *sections, Elf_Scn *scn, const GElf_Shdr *header, uint8_t pointer_bytes, const char *name)
{
	uint64_t unpacked = packed_section_bytes(scn);
	Elf_Data *data;
	uint8_t *copy;

	if (header->sh_type == SHT_NOBITS || header->sh_size > SECTION_BYTES_MAX)
		return true;
	if (unpacked > SECTION_BYTES_MAX || !packed_is_plausible(header->sh_size, unpacked)) {
		sections->left_out = name;
		return true;
	}
	if (header->sh_flags & SHF_COMPRESSED && elf_compress(scn, 0, 0) < 0)
		return true;
	data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf || !data->d_size)
		return true;
	copy = malloc(data->d_size);
	if (!copy)
		return false;
	memcpy(copy, data->d_buf, data->d_size);
	sections->list[sections->count++] = (struct cfi_section){.bytes = {copy, data->d_size},
		.address = header->sh_addr,
		.pointer_bytes = pointer_bytes,
		.is_debug_frame = !strcmp(name, ".debug_frame")};
	return true;
}

bool cfi_sections_read(struct cfi_sections *sections, Elf *elf, uint8_t pointer_bytes)
{
	static const char *const names[CFI_SECTIONS_MAX] = {".eh_frame", ".debug_frame"};
	size_t strings;

	if (!packed_find_names(elf, &strings))
		return true;
	for (uint32_t i = 0; i < CFI_SECTIONS_MAX; i++)
		for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
			GElf_Shdr header;
			const char *name = gelf_getshdr(scn, &header) ? elf_strptr(elf, strings, header.sh_name) : NULL;

			if (!name || strcmp(name, names[i]))
				continue;
			if (!add_section(sections, scn, &header, pointer_bytes, names[i]))
				return false;
			break;
		}
	return true;
}

void cfi_sections_clear(struct cfi_sections *sections)
{
	for (uint32_t i = 0; i < sections->count; i++)
		free((void *)sections->list[i].bytes.data);
	*sections = (struct cfi_sections){0};
}
