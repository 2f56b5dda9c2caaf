/* packed: adds up the sizes that headers of compressed sections claim (packed.h). libelf unpacks no more than these. */
#include "cfi/packed.h"

#include <string.h>
#include <unistd.h>

#include "util/saturate.h"

bool packed_is_plausible(uint64_t packed, uint64_t unpacked)
{
	return unpacked <= PACKED_DENSE_BYTES || unpacked / PACKED_RATIO_MAX <= packed;
}

uint64_t packed_section_bytes(Elf_Scn *section)
{
	GElf_Shdr header;
	GElf_Chdr packed;

	if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_COMPRESSED) || !gelf_getchdr(section, &packed))
		return 0;
	return packed.ch_size;
}

bool packed_find_names(Elf *elf, size_t *names)
{
	GElf_Shdr header;

	return !elf_getshdrstrndx(elf, names) && gelf_getshdr(elf_getscn(elf, *names), &header) &&
	       !(header.sh_flags & SHF_COMPRESSED);
}

/* The older kind: "ZLIB" and the size in eight bytes, the highest first. 0: the section is not of that kind. */
static uint64_t read_older_bytes(int fd, const GElf_Shdr *header, const char *name)
{
	uint8_t head[12];
	uint64_t bytes = 0;

	if (!name || strncmp(name, ".zdebug", 7) || pread(fd, head, sizeof head, (off_t)header->sh_offset) != sizeof head ||
		memcmp(head, "ZLIB", 4))
		return 0;
	for (size_t i = 4; i < sizeof head; i++)
		bytes = bytes << 8 | head[i];
	return bytes;
}

static uint64_t add_up(Elf *elf)
{
	uint64_t unpacked = 0;

	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));)
		saturate_add(&unpacked, packed_section_bytes(section));
	return unpacked;
}

static uint64_t add_up_older(Elf *elf, int fd)
{
	uint64_t unpacked = 0;
	GElf_Shdr header;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return 0;
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));)
		if (gelf_getshdr(section, &header))
			saturate_add(&unpacked, read_older_bytes(fd, &header, elf_strptr(elf, names, header.sh_name)));
	return unpacked;
}

/* The names of sections are read second: elf_strptr unpacks them if they are compressed. */
bool packed_file_is_plausible(Elf *elf, int fd, uint64_t file_bytes)
{
	uint64_t unpacked = add_up(elf);

	if (!packed_is_plausible(file_bytes, unpacked))
		return false;
	saturate_add(&unpacked, add_up_older(elf, fd));
	return packed_is_plausible(file_bytes, unpacked);
}
