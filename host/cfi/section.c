/* section: see section.h. */
#include "cfi/section.h"

#include <stdlib.h>
#include <string.h>

#define SECTION_BYTES_MAX (UINT64_C(1) << 30)

static bool add(struct cfi_sections *sections, Elf_Scn *scn, const GElf_Shdr *header, uint8_t pointer_bytes, bool is_debug_frame)
{
	Elf_Data *data;
	uint8_t *copy;

	if (header->sh_type == SHT_NOBITS || header->sh_size > SECTION_BYTES_MAX)
		return true;
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
		.is_debug_frame = is_debug_frame};
	return true;
}

/* What a file has from an offset on, up to size bytes. Empty: nothing. */
static struct bytes get_bytes(Elf *elf, uint64_t file_bytes, uint64_t offset, uint64_t size)
{
	Elf_Data *data;

	if (offset >= file_bytes || offset > INT64_MAX)
		return (struct bytes){0, 0};
	size = size < file_bytes - offset ? size : file_bytes - offset;
	size = size < SECTION_BYTES_MAX ? size : SECTION_BYTES_MAX;
	data = elf_getdata_rawchunk(elf, (int64_t)offset, (size_t)size, ELF_T_BYTE);
	return data && data->d_buf ? (struct bytes){data->d_buf, data->d_size} : (struct bytes){0, 0};
}

/* The first segment of that kind that holds the address, if that is not 0. */
static bool find_segment(Elf *elf, uint32_t type, uint64_t address, GElf_Phdr *header)
{
	size_t count;

	if (elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count && i <= INT32_MAX; i++)
		if (gelf_getphdr(elf, (int)i, header) && header->p_type == type &&
			(!address || (address >= header->p_vaddr && address - header->p_vaddr < header->p_filesz)))
			return true;
	return false;
}

/* Where a file has no sections, or they are damaged: .eh_frame is where the program's own unwinder finds it, by a pointer in a segment of
 * its own. What follows it is not of it: its entries end with one of no length. */
static bool add_by_segments(struct cfi_sections *sections, Elf *elf, uint64_t file_bytes, uint8_t pointer_bytes)
{
	struct cfi_section pointer = {.pointer_bytes = pointer_bytes}, found = {.pointer_bytes = pointer_bytes};
	struct cursor cursor = {.at = 4}; /* version, three encodings */
	GElf_Phdr header;
	uint8_t *copy;

	if (!find_segment(elf, PT_GNU_EH_FRAME, 0, &header))
		return true;
	pointer.bytes = cursor.bytes = get_bytes(elf, file_bytes, header.p_offset, header.p_filesz < 16 ? header.p_filesz : 16);
	pointer.address = header.p_vaddr;
	if (!bytes_have(pointer.bytes, 0, 4) || pointer.bytes.data[0] != 1)
		return true;
	found.address = cfi_take_pointer(&cursor, &pointer, pointer.bytes.data[1]);
	if (cursor.bad || !found.address || !find_segment(elf, PT_LOAD, found.address, &header))
		return true;
	found.bytes = get_bytes(elf, file_bytes, header.p_offset + (found.address - header.p_vaddr),
		header.p_filesz - (found.address - header.p_vaddr));
	if (!found.bytes.size)
		return true;
	copy = malloc(found.bytes.size);
	if (!copy)
		return false;
	found.bytes.data = memcpy(copy, found.bytes.data, found.bytes.size);
	sections->list[sections->count++] = found;
	return true;
}

static bool add_by_names(struct cfi_sections *sections, Elf *elf, uint8_t pointer_bytes)
{
	static const char *const names[CFI_SECTIONS_MAX] = {".eh_frame", ".debug_frame"};
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings))
		return true;
	for (uint32_t i = 0; i < CFI_SECTIONS_MAX; i++)
		for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
			GElf_Shdr header;
			const char *name = gelf_getshdr(scn, &header) ? elf_strptr(elf, strings, header.sh_name) : NULL;

			if (!name || strcmp(name, names[i]))
				continue;
			if (!add(sections, scn, &header, pointer_bytes, i > 0))
				return false;
			break;
		}
	return true;
}

bool cfi_sections_read(struct cfi_sections *sections, Elf *elf, uint64_t file_bytes, uint8_t pointer_bytes)
{
	return add_by_names(sections, elf, pointer_bytes) &&
	       (sections->count || add_by_segments(sections, elf, file_bytes, pointer_bytes));
}

void cfi_sections_clear(struct cfi_sections *sections)
{
	for (uint32_t i = 0; i < sections->count; i++)
		free((void *)sections->list[i].bytes.data);
	*sections = (struct cfi_sections){0};
}
