/* mini_debug: finds and unpacks .gnu_debugdata (mini_debug.h). libdw can unpack it, too, but without a limit. */
#include "symbol/debug/mini_debug.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "cfi/packed.h"

#define UNPACK_MEMORY_MAX (128u << 20) /* of liblzma: xz -9 needs 65 MiB */

/* Null: none. */
static Elf_Scn *find_section(Elf *elf, GElf_Shdr *header)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		const char *name = gelf_getshdr(section, header) ? elf_strptr(elf, names, header->sh_name) : NULL;

		if (name && !strcmp(name, ".gnu_debugdata") && header->sh_type != SHT_NOBITS)
			return section;
	}
	return NULL;
}

static const char *explain(lzma_ret result)
{
	return result == LZMA_BUF_ERROR		? "is cut, or becomes too large when it is unpacked"
	       : result == LZMA_MEM_ERROR	? "needs more memory than there is"
	       : result == LZMA_MEMLIMIT_ERROR	? "needs more than 128 MiB of memory to unpack"
	       : result == LZMA_FORMAT_ERROR	? "is not packed by xz"
						: "is corrupted";
}

/* Returns how many bytes a section of this size may unpack to. */
static size_t unpacked_max(size_t packed)
{
	uint64_t bytes = (uint64_t)packed * PACKED_RATIO_MAX;

	bytes = bytes > PACKED_DENSE_BYTES ? bytes : PACKED_DENSE_BYTES;
	return (size_t)(bytes < MINI_DEBUG_BYTES_MAX ? bytes : MINI_DEBUG_BYTES_MAX);
}

char *make_mini_debug(Elf *elf, const struct symbol_input *input, size_t *bytes)
{
	GElf_Shdr header;
	Elf_Scn *section = find_section(elf, &header);
	Elf_Data *packed = section ? elf_rawdata(section, NULL) : NULL;
	uint64_t memory = UNPACK_MEMORY_MAX;
	size_t at = 0, used = 0, most;
	lzma_ret result = LZMA_MEM_ERROR;
	char *unpacked;

	if (!packed || !packed->d_buf)
		return NULL;
	most = unpacked_max(packed->d_size);
	unpacked = malloc(most);
	if (unpacked)
		result = lzma_stream_buffer_decode(&memory, 0, NULL, packed->d_buf, &at, packed->d_size, (uint8_t *)unpacked, &used,
			most);
	if (result == LZMA_OK) {
		char *fitted = realloc(unpacked, used ? used : 1);

		*bytes = used;
		return fitted ? fitted : unpacked;
	}
	free(unpacked);
	diag_add(input->diag, DIAG_WARN, input->path, header.sh_offset, ".gnu_debugdata %s: its symbols are not used", explain(result));
	return NULL;
}
