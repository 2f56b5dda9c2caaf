/* SPDX-License-Identifier: MIT
 *
 * Reads the headers, notes and dynamic section of a mapped ELF file; see image.h.
 */
#include "port/os/linux/image.h"
#include "port/os/linux/control.h"
#include "port/os/linux/system.h"

static bool is_inside(const struct image *image, uint64_t address, uint64_t bytes)
{
	return address >= image->low && address < image->high && bytes <= image->high - address;
}

/* Returns the address of a value of the dynamic section. glibc relocates these values in memory; other C libraries do not, and no
 * dynamic linker can in a section that is mapped read-only. */
static uint64_t pointer(const struct image *image, uint64_t value)
{
	return is_inside(image, value, 1) ? value : value + image->bias;
}

static bool is_agents(const ElfW(Nhdr) *note)
{
	static const char name[] = DWELL_CONTROL_NOTE;
	const char *n = (const char *)(note + 1);

	if (note->n_type != DWELL_CONTROL_NOTE_TYPE || note->n_namesz != sizeof name || note->n_descsz != sizeof(int64_t))
		return false;
	for (unsigned i = 0; i < sizeof name; i++)
		if (n[i] != name[i])
			return false;
	return true;
}

static void read_note(struct image *image, uint64_t address, uint64_t bytes)
{
	while (bytes >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)address;
		uint64_t name = ((uint64_t)note->n_namesz + 3) & ~3ull, description = ((uint64_t)note->n_descsz + 3) & ~3ull;
		uint64_t all = sizeof *note + name + description;

		if (all > bytes)
			return;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && *(const uint32_t *)(note + 1) == 0x00554e47 /* "GNU" */) {
			image->build_id = (const uint8_t *)(note + 1) + name;
			image->build_id_bytes = note->n_descsz;
		}
		if (is_agents(note)) {
			uint64_t distance, at = (uint64_t)(note + 1) + name;

			__builtin_memcpy(&distance, (const void *)at, sizeof distance);
			image->control = at + distance;
		}
		address += all;
		bytes -= all;
	}
}

static void read_dynamic(struct image *image, uint64_t address, uint64_t bytes)
{
	const ElfW(Dyn) *dynamic = (const ElfW(Dyn) *)address;
	uint64_t plt = 0, plt_bytes = 0, rela = 0, rela_bytes = 0;

	for (uint64_t i = 0; i < bytes / sizeof *dynamic && dynamic[i].d_tag != DT_NULL; i++) {
		uint64_t value = dynamic[i].d_un.d_val;

		switch (dynamic[i].d_tag) {
		case DT_SYMTAB:
			image->symbols = (const ElfW(Sym) *)pointer(image, value);
			break;
		case DT_STRTAB:
			image->strings = (const char *)pointer(image, value);
			break;
		case DT_STRSZ:
			image->strings_bytes = value;
			break;
		case DT_JMPREL:
			plt = pointer(image, value);
			break;
		case DT_PLTRELSZ:
			plt_bytes = value;
			break;
		case DT_RELA:
			rela = pointer(image, value);
			break;
		case DT_RELASZ:
			rela_bytes = value;
			break;
		case DT_GNU_HASH:
			image->gnu_hash = (const uint32_t *)pointer(image, value);
			break;
		case DT_HASH:
			image->hash = (const uint32_t *)pointer(image, value);
			break;
		}
	}
	if (!is_inside(image, (uint64_t)image->symbols, sizeof *image->symbols) ||
		!is_inside(image, (uint64_t)image->strings, image->strings_bytes)) {
		image->symbols = 0;
		return;
	}
	if (is_inside(image, plt, plt_bytes)) {
		image->relocations[0] = (const ElfW(Rela) *)plt;
		image->relocation_count[0] = plt_bytes / sizeof(ElfW(Rela));
	}
	if (is_inside(image, rela, rela_bytes)) {
		image->relocations[1] = (const ElfW(Rela) *)rela;
		image->relocation_count[1] = rela_bytes / sizeof(ElfW(Rela));
	}
}

bool image_open(struct image *image, uint64_t bias, const ElfW(Phdr) *headers, unsigned count)
{
	*image = (struct image){.bias = bias, .low = UINT64_MAX, .headers = headers, .header_count = count};
	for (unsigned i = 0; i < count; i++) {
		uint64_t begin = bias + headers[i].p_vaddr, end = begin + headers[i].p_memsz;

		if (headers[i].p_type == PT_GNU_RELRO) {
			image->relro_low = begin;
			image->relro_high = end;
		}
		if (headers[i].p_type != PT_LOAD || !headers[i].p_memsz)
			continue;
		if (begin < image->low)
			image->low = begin;
		if (end > image->high)
			image->high = end;
	}
	if (image->low >= image->high)
		return false;
	for (unsigned i = 0; i < count; i++) {
		uint64_t begin = bias + headers[i].p_vaddr;

		if (!is_inside(image, begin, headers[i].p_memsz))
			continue;
		if (headers[i].p_type == PT_NOTE) {
			read_note(image, begin, headers[i].p_memsz);
		} else if (headers[i].p_type == PT_DYNAMIC) {
			read_dynamic(image, begin, headers[i].p_memsz);
		} else if (headers[i].p_type == PT_GNU_EH_FRAME) {
			image->unwind_index = begin;
			image->unwind_index_bytes = headers[i].p_memsz;
		}
	}
	return true;
}

bool image_open_loaded(struct image *image, uint64_t bias, const ElfW(Dyn) *dynamic)
{
	*image = (struct image){.bias = bias, .low = bias ? bias : 1, .high = UINT64_MAX};
	if (dynamic)
		read_dynamic(image, (uint64_t)dynamic, UINT64_MAX);
	return image->symbols != 0;
}

/* Returns the lower of two addresses; 0 is none. */
static uint64_t lower(uint64_t a, const void *table)
{
	uint64_t b = (uint64_t)table;

	return a && (!b || a < b) ? a : b;
}

bool image_find_headers(uint64_t bias, const ElfW(Dyn) *dynamic, const ElfW(Phdr) **headers, ElfW(Half) *count)
{
	struct image image;
	uint64_t first, page;
	const ElfW(Ehdr) *header;

	if (bias > (uint64_t)dynamic || !image_open_loaded(&image, bias, dynamic))
		return false;
	first = lower(lower(lower((uint64_t)image.symbols, image.strings), image.gnu_hash), image.hash);
	page = first & ~4095ull;
	header = (const ElfW(Ehdr) *)page;
	if (first - page < sizeof *header || *(const uint32_t *)header->e_ident != 0x464c457f /* "\177ELF" */ ||
		header->e_phentsize != sizeof **headers || header->e_phoff > first - page ||
		header->e_phnum > (first - page - header->e_phoff) / sizeof **headers)
		return false;
	*headers = (const ElfW(Phdr) *)(page + header->e_phoff);
	*count = header->e_phnum;
	return true;
}

bool image_is_libc(const struct image *image)
{
	return image_find_symbol(image, "gnu_get_libc_version") != 0;
}

static bool is_name(const struct image *image, uint32_t offset, const char *name)
{
	for (; offset < image->strings_bytes; offset++, name++) {
		if (image->strings[offset] != *name)
			return false;
		if (!*name)
			return true;
	}
	return false;
}

static const ElfW(Sym) *get_definition(const struct image *image, uint32_t index, const char *name)
{
	const ElfW(Sym) *symbol = image->symbols + index;

	if (!is_inside(image, (uint64_t)symbol, sizeof *symbol) || symbol->st_shndx == SHN_UNDEF ||
		!is_name(image, symbol->st_name, name))
		return 0;
	return symbol;
}

static const ElfW(Sym) *find_gnu(const struct image *image, const char *name)
{
	const uint32_t *table = image->gnu_hash, *buckets, *chains;
	uint32_t bucket_count = table[0], first = table[1], bloom = table[2], hash = 5381, index;

	for (const char *p = name; *p; p++)
		hash = hash * 33 + (unsigned char)*p;
	buckets = table + 4 + (uint64_t)bloom * (sizeof(ElfW(Addr)) / 4);
	chains = buckets + bucket_count;
	if (!bucket_count || !is_inside(image, (uint64_t)chains, 4))
		return 0;
	index = buckets[hash % bucket_count];
	if (index < first)
		return 0;
	for (;; index++) {
		const uint32_t *chain = chains + (index - first);
		const ElfW(Sym) *symbol;

		if (!is_inside(image, (uint64_t)chain, 4))
			return 0;
		if ((*chain | 1) == (hash | 1) && (symbol = get_definition(image, index, name)))
			return symbol;
		if (*chain & 1)
			return 0;
	}
}

static const ElfW(Sym) *find_definition(const struct image *image, const char *name)
{
	if (!image->symbols)
		return 0;
	if (is_inside(image, (uint64_t)image->gnu_hash, 16))
		return find_gnu(image, name);
	if (!is_inside(image, (uint64_t)image->hash, 8))
		return 0;
	for (uint32_t i = 1; i < image->hash[1]; i++) {
		const ElfW(Sym) *symbol = get_definition(image, i, name);

		if (symbol)
			return symbol;
	}
	return 0;
}

uint64_t image_find_symbol(const struct image *image, const char *name)
{
	const ElfW(Sym) *symbol = find_definition(image, name);

	return symbol ? image->bias + symbol->st_value : 0;
}

/* Returns the protection of the mapped page at address, by the program headers. */
static int protection_at(const struct image *image, uint64_t address)
{
	for (unsigned i = 0; i < image->header_count; i++) {
		const ElfW(Phdr) *header = image->headers + i;

		if (header->p_type == PT_LOAD && address - image->bias - header->p_vaddr < header->p_memsz)
			return (header->p_flags & PF_R ? 1 : 0) | (header->p_flags & PF_W) | (header->p_flags & PF_X ? 4 : 0);
	}
	return 1;
}

bool image_set_symbol(const struct image *image, const char *name, uint64_t address)
{
	ElfW(Sym) *symbol = (ElfW(Sym) *)find_definition(image, name);
	uint64_t value = address - image->bias, at, page;
	int protection;

	if (!symbol || symbol->st_value == value)
		return true;
	at = (uint64_t)&symbol->st_value;
	page = at & ~4095ull;
	protection = protection_at(image, at);
	if (system_mprotect((void *)page, 4096, protection | 2) < 0)
		return false;
	__atomic_store_n(&symbol->st_value, value, __ATOMIC_RELEASE);
	system_mprotect((void *)page, 4096, protection);
	return true;
}

unsigned image_find_slots(const struct image *image, const char *name, void **slots[], unsigned max)
{
	unsigned found = 0;

	if (!image->symbols)
		return 0;
	for (int table = 0; table < 2; table++) {
		for (uint64_t i = 0; i < image->relocation_count[table] && found < max; i++) {
			const ElfW(Rela) *relocation = image->relocations[table] + i;
			uint64_t slot = image->bias + relocation->r_offset;
			const ElfW(Sym) *symbol = image->symbols + ELF64_R_SYM(relocation->r_info);

			if (LINUX_IS_SLOT(ELF64_R_TYPE(relocation->r_info)) && is_inside(image, slot, sizeof(void *)) &&
				is_inside(image, (uint64_t)symbol, sizeof *symbol) && is_name(image, symbol->st_name, name))
				slots[found++] = (void **)slot;
		}
	}
	return found;
}

static bool is_relative(const char *name)
{
	if (name[0] == '/')
		return false;
	while (*name && *name != '/')
		name++;
	return *name; /* the name has a slash: one without (the vdso) is no path */
}

void image_write_path(const char *name, char *path, unsigned bytes)
{
	long got = 0;
	unsigned n = 0;

	if (is_relative(name)) {
		got = system_getcwd(path, bytes - 1); /* got includes the final zero */
		if (got > 0)
			path[got - 1] = '/';
	}
	n = got > 0 ? (unsigned)got : 0;
	for (; n + 1 < bytes && *name; name++)
		path[n++] = *name;
	path[n] = 0;
}
