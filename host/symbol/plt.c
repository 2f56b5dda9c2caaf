/* plt: see plt.h.
 *
 * Which entry is whose could also be counted: they stand in the order of the relocations. But linkers put a head of one or two entries
 * in front, or none, and have up to three such tables. What an entry jumps through is in its code. */
#include "symbol/plt.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define X86_64_ENTRY_BYTES 16u
#define AARCH64_ENTRY_BYTES 16u

/* Of the dynamic linker: this word gets the address of that symbol. */
struct fixup {
	uint64_t address;
	uint32_t symbol, table; /* table: index of the section */
};

struct plt {
	Elf *elf;
	GElf_Half machine;
	struct fixup *fixups;
	size_t count, capacity;
};

static uint32_t get_u32(const uint8_t *bytes)
{
	return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool is_fixup(const struct plt *plt, uint64_t type)
{
	if (plt->machine == EM_X86_64)
		return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
	return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT;
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

/* Where the jump's address is, of the entry that begins here, and the entry's size. False: this is none. */
static bool decode_x86_64(const uint8_t *code, uint64_t bytes, uint64_t address, uint64_t *word, uint64_t *size)
{
	static const uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
	uint64_t at = bytes >= sizeof endbr && !memcmp(code, endbr, sizeof endbr) ? sizeof endbr : 0;

	if (at < bytes && code[at] == 0xf2) /* bnd */
		at++;
	if (bytes - at < 6 || code[at] != 0xff || code[at + 1] != 0x25) /* jmp *distance(%rip) */
		return false;
	*word = address + at + 6 + (uint64_t)(int64_t)(int32_t)get_u32(code + at + 2);
	/* .plt.got has short ones, without what calls the dynamic linker. */
	*size = !at && bytes >= 8 && code[6] == 0x66 && code[7] == 0x90 ? 8 : X86_64_ENTRY_BYTES;
	return true;
}

static bool decode_aarch64(const uint8_t *code, uint64_t bytes, uint64_t address, uint64_t *word, uint64_t *size)
{
	uint64_t at = bytes >= 4 && get_u32(code) == 0xd503245fu ? 4 : 0; /* bti c */
	uint32_t adrp, ldr;
	int64_t pages;

	if (bytes - at < 8)
		return false;
	adrp = get_u32(code + at); /* adrp x16, page */
	ldr = get_u32(code + at + 4); /* ldr x17, [x16, #offset] */
	if ((adrp & 0x9f00001fu) != 0x90000010u || (ldr & 0xffc003ffu) != 0xf9400211u)
		return false;
	pages = (int64_t)((uint64_t)(adrp >> 5 & 0x7ffffu) << 2 | (adrp >> 29 & 3u));
	pages = pages & 1 << 20 ? pages - (1 << 21) : pages;
	*word = ((address + at) & ~UINT64_C(0xfff)) + (uint64_t)pages * 4096u + (ldr >> 10 & 0xfffu) * 8u;
	*size = at ? 24 : AARCH64_ENTRY_BYTES;
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
	uint64_t step = plt->machine == EM_X86_64 ? 8 : 4;

	if (!data || !data->d_buf)
		return true;
	for (uint64_t at = 0; at < data->d_size;) {
		const uint8_t *code = (const uint8_t *)data->d_buf + at;
		uint64_t left = data->d_size - at, word, size = step;
		bool is_entry = plt->machine == EM_X86_64 ? decode_x86_64(code, left, header->sh_addr + at, &word, &size)
							  : decode_aarch64(code, left, header->sh_addr + at, &word, &size);
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

	if (!gelf_getehdr(elf, &header) || (header.e_machine != EM_X86_64 && header.e_machine != EM_AARCH64) ||
		(header.e_type != ET_EXEC && header.e_type != ET_DYN))
		return true;
	plt.machine = header.e_machine;
	good = read_fixups(&plt) && (!plt.count || read_sections(&plt, take, context));
	free(plt.fixups);
	return good;
}
