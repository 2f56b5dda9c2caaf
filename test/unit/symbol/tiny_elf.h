/* ELF files made by hand, for machines and faults that no compiler here gives: either width, either byte order.
 *
 * Sections: 1 .text (64 bytes at 0x1000) · 2 .note.gnu.build-id · 3 .symtab · 4 .strtab · 5 .data (16 bytes at 0x2000). */
#ifndef DWELL_TEST_SYMBOL_TINY_ELF_H
#define DWELL_TEST_SYMBOL_TINY_ELF_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

struct tiny_symbol {
	const char *name;
	uint64_t value, size;
	uint8_t info; /* ELF32_ST_INFO(bind, type) */
	uint16_t section;
};

struct tiny_elf {
	uint8_t *data;
	size_t bytes, capacity;
	bool is_wide, is_big;
	size_t symtab, strtab, headers; /* where they are */
};

enum { TINY_TEXT = 1, TINY_NOTE, TINY_SYMTAB, TINY_STRTAB, TINY_DATA, TINY_SECTIONS };

__attribute__((noinline, unused)) static void tiny_put(struct tiny_elf *elf, uint64_t value, size_t width)
{
	if (!array_reserve(&elf->data, &elf->capacity, elf->bytes + width, 1))
		abort();
	for (size_t i = 0; i < width; i++)
		elf->data[elf->bytes++] = (uint8_t)(value >> 8 * (elf->is_big ? width - 1 - i : i));
}

static inline void tiny_put_word(struct tiny_elf *elf, uint64_t value)
{
	tiny_put(elf, value, elf->is_wide ? 8 : 4);
}

__attribute__((noinline, unused)) static void tiny_put_bytes(struct tiny_elf *elf, const void *bytes, size_t count)
{
	if (!array_reserve(&elf->data, &elf->capacity, elf->bytes + count, 1))
		abort();
	memcpy(elf->data + elf->bytes, bytes, count);
	elf->bytes += count;
}

static inline void tiny_put_section(struct tiny_elf *elf, uint32_t type, uint64_t flags, uint64_t address, uint64_t offset,
	uint64_t bytes, uint32_t link, uint64_t entry_bytes)
{
	tiny_put(elf, 0, 4); /* no names: nothing reads them */
	tiny_put(elf, type, 4);
	tiny_put_word(elf, flags);
	tiny_put_word(elf, address);
	tiny_put_word(elf, offset);
	tiny_put_word(elf, bytes);
	tiny_put(elf, link, 4);
	tiny_put(elf, 0, 4);
	tiny_put_word(elf, 4);
	tiny_put_word(elf, entry_bytes);
}

static inline void tiny_put_symbol(struct tiny_elf *elf, uint32_t name, const struct tiny_symbol *symbol)
{
	tiny_put(elf, name, 4);
	if (elf->is_wide) {
		tiny_put(elf, symbol->info, 1);
		tiny_put(elf, 0, 1);
		tiny_put(elf, symbol->section, 2);
		tiny_put(elf, symbol->value, 8);
		tiny_put(elf, symbol->size, 8);
	} else {
		tiny_put(elf, symbol->value, 4);
		tiny_put(elf, symbol->size, 4);
		tiny_put(elf, symbol->info, 1);
		tiny_put(elf, 0, 1);
		tiny_put(elf, symbol->section, 2);
	}
}

/* The caller frees data. */
static inline struct tiny_elf make_tiny_elf(
	bool is_wide, bool is_big, uint16_t machine, uint16_t type, const struct tiny_symbol *symbols, size_t count)
{
	static const uint8_t code[64], note_id[8] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
	struct tiny_elf elf = {.is_wide = is_wide, .is_big = is_big};
	size_t header_bytes = is_wide ? 64 : 52, section_bytes = is_wide ? 64 : 40, symbol_bytes = is_wide ? 24 : 16,
	       string_bytes = 1;
	size_t text = header_bytes, note = text + sizeof code, symtab = note + 24, strtab = symtab + (count + 1) * symbol_bytes;
	uint32_t name = 1;

	for (size_t i = 0; i < count; i++)
		string_bytes += strlen(symbols[i].name) + 1;
	tiny_put_bytes(&elf, (const uint8_t[16]){0x7f, 'E', 'L', 'F', is_wide ? 2 : 1, is_big ? 2 : 1, 1}, 16);
	tiny_put(&elf, type, 2);
	tiny_put(&elf, machine, 2);
	tiny_put(&elf, 1, 4);
	tiny_put_word(&elf, 0x1000);
	tiny_put_word(&elf, 0);
	tiny_put_word(&elf, strtab + string_bytes);
	tiny_put(&elf, 0, 4);
	tiny_put(&elf, header_bytes, 2);
	tiny_put(&elf, 0, 2);
	tiny_put(&elf, 0, 2);
	tiny_put(&elf, section_bytes, 2);
	tiny_put(&elf, TINY_SECTIONS, 2);
	tiny_put(&elf, 0, 2);
	tiny_put_bytes(&elf, code, sizeof code);
	tiny_put(&elf, 4, 4);
	tiny_put(&elf, sizeof note_id, 4);
	tiny_put(&elf, NT_GNU_BUILD_ID, 4);
	tiny_put_bytes(&elf, "GNU", 4);
	tiny_put_bytes(&elf, note_id, sizeof note_id);
	elf.symtab = elf.bytes;
	tiny_put_symbol(&elf, 0, &(struct tiny_symbol){0});
	for (size_t i = 0; i < count; i++) {
		tiny_put_symbol(&elf, name, &symbols[i]);
		name += (uint32_t)strlen(symbols[i].name) + 1;
	}
	elf.strtab = elf.bytes;
	tiny_put(&elf, 0, 1);
	for (size_t i = 0; i < count; i++)
		tiny_put_bytes(&elf, symbols[i].name, strlen(symbols[i].name) + 1);
	elf.headers = elf.bytes;
	tiny_put_section(&elf, SHT_NULL, 0, 0, 0, 0, 0, 0);
	tiny_put_section(&elf, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, text, sizeof code, 0, 0);
	tiny_put_section(&elf, SHT_NOTE, SHF_ALLOC, 0, note, 24, 0, 0);
	tiny_put_section(&elf, SHT_SYMTAB, 0, 0, symtab, strtab - symtab, TINY_STRTAB, symbol_bytes);
	tiny_put_section(&elf, SHT_STRTAB, 0, 0, strtab, string_bytes, 0, 0);
	tiny_put_section(&elf, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, 0x2000, text, 16, 0, 0);
	return elf;
}

/* Functions and what is none, with every fault of ordinary files: aliases, no sizes, overlaps, labels. */
static const struct tiny_symbol tiny_usual[] = {
	{"behind", 0x1040, 0, ELF32_ST_INFO(STB_GLOBAL, STT_NOTYPE), TINY_TEXT}, /* like _etext */
	{"second", 0x1010, 0, ELF32_ST_INFO(STB_LOCAL, STT_FUNC), TINY_TEXT},
	{"first_long", 0x1000, 16, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), TINY_TEXT},
	{"first", 0x1000, 12, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), TINY_TEXT},
	{"f0", 0x1000, 0, ELF32_ST_INFO(STB_WEAK, STT_FUNC), TINY_TEXT},
	{"start_of_text", 0x1000, 0, ELF32_ST_INFO(STB_GLOBAL, STT_NOTYPE), TINY_TEXT},
	{"third_b", 0x1020, 0x80, ELF32_ST_INFO(STB_LOCAL, STT_FUNC), TINY_TEXT}, /* reaches beyond the section */
	{"third_a", 0x1020, 8, ELF32_ST_INFO(STB_LOCAL, STT_FUNC), TINY_TEXT},
	{"label", 0x1028, 0, ELF32_ST_INFO(STB_LOCAL, STT_NOTYPE), TINY_TEXT},
	{"entry_in_third", 0x1024, 0, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), TINY_TEXT},
	{"$d", 0x1014, 0, ELF32_ST_INFO(STB_LOCAL, STT_NOTYPE), TINY_TEXT},
	{".L4", 0x1018, 0, ELF32_ST_INFO(STB_LOCAL, STT_NOTYPE), TINY_TEXT},
	{"object", 0x1030, 4, ELF32_ST_INFO(STB_GLOBAL, STT_OBJECT), TINY_TEXT},
	{"data", 0x2000, 4, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), TINY_DATA},
	{"absolute", 0x1004, 4, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), SHN_ABS},
	{"undefined", 0, 0, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), SHN_UNDEF},
};
#define TINY_USUAL_COUNT (sizeof tiny_usual / sizeof *tiny_usual)

#endif
