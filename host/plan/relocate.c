/* relocate: applies relocations and finds pointers (relocate.h). Uses the dynamic section, like the loader,
 * because even files without section headers have a dynamic section.
 *
 * A program at a fixed address has no relocations for its own pointers. So each word of data that could be a code address counts as
 * a pointer. Excess pointers only reduce the bytes that may change. */
#include "plan/relocate.h"

#include <gelf.h>

#define DYNAMIC_MAX 512u

struct dynamic {
	uint64_t rela, rela_bytes, plt, plt_bytes, relr, relr_bytes, symbols, init, fini;
};

static bool find_dynamic(const struct plan_image *image, Elf *elf, struct dynamic *dynamic)
{
	GElf_Phdr header;
	size_t count;
	uint32_t at = PLAN_NOWHERE;

	*dynamic = (struct dynamic){0};
	if (elf_getphdrnum(elf, &count))
		return false;
	for (size_t i = 0; i < count && at == PLAN_NOWHERE; i++)
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_DYNAMIC)
			at = plan_place(image, header.p_vaddr);
	if (at == PLAN_NOWHERE)
		return false;
	for (unsigned i = 0; i < DYNAMIC_MAX && image->size - at >= sizeof(Elf64_Dyn); i++, at += sizeof(Elf64_Dyn)) {
		uint64_t tag = get_u64(image->bytes + at), value = get_u64(image->bytes + at + 8);
		uint64_t *to = tag == DT_RELA	    ? &dynamic->rela
			       : tag == DT_RELASZ   ? &dynamic->rela_bytes
			       : tag == DT_JMPREL   ? &dynamic->plt
			       : tag == DT_PLTRELSZ ? &dynamic->plt_bytes
			       : tag == DT_RELR	    ? &dynamic->relr
			       : tag == DT_RELRSZ   ? &dynamic->relr_bytes
			       : tag == DT_SYMTAB   ? &dynamic->symbols
			       : tag == DT_INIT	    ? &dynamic->init
			       : tag == DT_FINI	    ? &dynamic->fini
						    : NULL;
		if (tag == DT_NULL)
			break;
		if (to)
			*to = value;
	}
	return true;
}

static bool add_data_pointer(struct plan_image *image, uint64_t address, uint32_t word)
{
	uint32_t at = plan_place(image, address);

	return at == PLAN_NOWHERE || !plan_image_is_code(image, at) || plan_spans_add(&image->data_pointers, at, word);
}

/* Returns the image's bytes at an address, or null if not all of them are inside. */
static uint8_t *get_bytes_at(const struct plan_image *image, uint64_t address, uint64_t bytes)
{
	uint32_t at = plan_place(image, address);

	return at != PLAN_NOWHERE && bytes <= image->size - at ? image->bytes + at : NULL;
}

static bool apply_relocation(struct plan_image *image, const struct dynamic *dynamic, const uint8_t *entry)
{
	uint64_t where = get_u64(entry), info = get_u64(entry + 8), value = get_u64(entry + 16);
	uint8_t *word = get_bytes_at(image, where, 8);
	const uint8_t *symbol;

	switch (ELF64_R_TYPE(info)) {
	case R_X86_64_RELATIVE:
	case R_X86_64_IRELATIVE:
		break;
	case R_X86_64_64:
	case R_X86_64_GLOB_DAT:
	case R_X86_64_JUMP_SLOT:
		symbol = get_bytes_at(image, dynamic->symbols + ELF64_R_SYM(info) * sizeof(Elf64_Sym), sizeof(Elf64_Sym));
		if (!dynamic->symbols || !symbol || !get_u16(symbol + 6)) /* st_shndx */
			return true;
		value = get_u64(symbol + 8) + (ELF64_R_TYPE(info) == R_X86_64_64 ? value : 0);
		break;
	default:
		return true;
	}
	if (word && !plan_image_is_code(image, plan_place(image, where)))
		put_u64(word, value);
	return add_data_pointer(image, value, plan_place(image, where));
}

static bool relocate_all(struct plan_image *image, const struct dynamic *dynamic, uint64_t address, uint64_t bytes)
{
	const uint8_t *list = get_bytes_at(image, address, bytes);
	bool good = true;

	for (uint64_t at = 0; list && good && at + 24 <= bytes; at += 24) {
		uint8_t entry[24];

		memcpy(entry, list + at, sizeof entry); /* the relocation may overwrite itself */
		good = apply_relocation(image, dynamic, entry);
	}
	return good;
}

/* Reads relocations of the section .relr.dyn, for pointers that already have values in the file. An even entry is the address of
 * one pointer. An odd entry has a bit for each of the following 63 words. */
static bool relocate_packed(struct plan_image *image, uint64_t address, uint64_t bytes)
{
	const uint8_t *list = get_bytes_at(image, address, bytes);
	uint64_t where = 0;
	bool good = true;

	for (uint64_t at = 0; list && good && at + 8 <= bytes; at += 8) {
		uint64_t entry = get_u64(list + at);
		const uint8_t *word;

		if (!(entry & 1)) {
			word = get_bytes_at(image, entry, 8);
			good = !word || add_data_pointer(image, get_u64(word), plan_place(image, entry));
			where = entry + 8;
			continue;
		}
		for (unsigned bit = 1; bit < 64 && good; bit++)
			if (entry >> bit & 1 && (word = get_bytes_at(image, where + (bit - 1) * 8, 8)))
				good = add_data_pointer(image, get_u64(word), plan_place(image, where + (bit - 1) * 8));
		where += 63 * 8;
	}
	return good;
}

/* Adds all words of data with the value of a code address, for programs at a fixed address. */
static bool add_possible_pointers(struct plan_image *image)
{
	for (size_t i = 0; i < image->data.count; i++)
		for (uint64_t at = (image->data.list[i].low + 7ull) & ~7ull; at + 8 <= image->data.list[i].high; at += 8)
			if (!add_data_pointer(image, get_u64(image->bytes + at), (uint32_t)at))
				return false;
	return true;
}

bool plan_image_relocate(struct plan_image *image, Elf *elf)
{
	struct dynamic dynamic;

	if (find_dynamic(image, elf, &dynamic)) {
		if (!relocate_all(image, &dynamic, dynamic.rela, dynamic.rela_bytes) ||
			!relocate_all(image, &dynamic, dynamic.plt, dynamic.plt_bytes) ||
			!relocate_packed(image, dynamic.relr, dynamic.relr_bytes) ||
			!add_data_pointer(image, dynamic.init, PLAN_NOWHERE) ||
			!add_data_pointer(image, dynamic.fini, PLAN_NOWHERE))
			return false;
	}
	return !image->is_fixed || add_possible_pointers(image);
}
