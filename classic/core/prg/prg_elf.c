/* SPDX-License-Identifier: MIT
 *
 * ELF behind a GEMDOS header: the header's reserved word holds the offset of the ELF header.
 * Offsets in the ELF headers count from the start of the file, values from the start of the text.
 */
#include "classic/core/prg/prg_inner.h"

enum elf {
	MARK = 0x454C4600, /* "ELF"; the low byte is the offset of the ELF header */
	MARK_MASK = 0xFF,
	HEADER_MIN = 40,
	HEADER_BYTES = 52,
	SECTION_BYTES = 40,
	ENTRY_BYTES = 16,
	MACHINE_68K = 4,
	KIND_SYMBOLS = 2,
	FLAG_EXECUTABLE = 4,
	SECTIONS_MAX = 256, /* symbols of later sections are not taken */
	TYPE_LABEL = 0,
	TYPE_FUNCTION = 2,
};

struct elf_view {
	uint32_t sections_at, sections;
	uint8_t is_text[SECTIONS_MAX];
	uint32_t symbols_at, symbols_bytes, strings;
};

static bool read_header(struct dwell_prg *prg, struct elf_view *view)
{
	static const uint8_t magic[] = {0x7F, 'E', 'L', 'F', 1, 2}; /* 32 bits, big end first */
	uint32_t at = prg->reserved & MARK_MASK;
	const uint8_t *header;

	if ((prg->reserved & ~(uint32_t)MARK_MASK) != MARK || at < HEADER_MIN)
		return false;
	header = dwell_prg_at(prg, &prg->entries, at, HEADER_BYTES);
	for (size_t i = 0; header && i < sizeof magic; i++)
		if (header[i] != magic[i])
			return false;
	if (!header || dwell_prg_u16(header + 18) != MACHINE_68K || dwell_prg_u16(header + 46) != SECTION_BYTES)
		return false;
	view->sections_at = dwell_prg_u32(header + 32);
	view->sections = dwell_prg_u16(header + 48);
	return true;
}

static const uint8_t *section_at(struct dwell_prg *prg, const struct elf_view *view, uint32_t index)
{
	if (index >= view->sections)
		return NULL;
	return dwell_prg_at(prg, &prg->entries, dwell_prg_add(view->sections_at, SECTION_BYTES * index), SECTION_BYTES);
}

/* False: the section headers are not all in the file. */
static bool read_sections(struct dwell_prg *prg, struct elf_view *view)
{
	for (uint32_t i = 0; i < view->sections; i++) {
		const uint8_t *section = section_at(prg, view, i);

		if (!section)
			return false;
		if (i < SECTIONS_MAX)
			view->is_text[i] = dwell_prg_u32(section + 8) & FLAG_EXECUTABLE ? 1 : 0;
		if (dwell_prg_u32(section + 4) == KIND_SYMBOLS && !view->symbols_bytes) {
			view->symbols_at = dwell_prg_u32(section + 16);
			view->symbols_bytes = dwell_prg_u32(section + 20);
			view->strings = dwell_prg_u32(section + 24);
		}
	}
	return true;
}

bool dwell_prg_read_elf(struct dwell_prg *prg, struct dwell_prg_taker *taker)
{
	struct elf_view view = {0};
	const uint8_t *section;
	uint32_t count, strings_at = 0, strings_bytes = 0;

	if (!read_header(prg, &view))
		return false;
	prg->kind = DWELL_PRG_ELF;
	prg->cut = !read_sections(prg, &view);
	if (!view.symbols_bytes) {
		if (!prg->cut)
			prg->kind = DWELL_PRG_NO_TABLE; /* stripped */
		return true;
	}
	section = section_at(prg, &view, view.strings);
	if (section) {
		strings_at = dwell_prg_u32(section + 16);
		strings_bytes = dwell_prg_u32(section + 20);
	}
	count = dwell_prg_table(prg, view.symbols_at, view.symbols_bytes, ENTRY_BYTES);
	for (uint32_t i = 1; i < count; i++) {
		const uint8_t *entry = dwell_prg_at(prg, &prg->entries, view.symbols_at + ENTRY_BYTES * i, ENTRY_BYTES);
		struct dwell_prg_symbol symbol = {0};
		uint32_t name, index, type;

		if (!entry)
			break;
		name = dwell_prg_u32(entry);
		symbol.value = dwell_prg_u32(entry + 4);
		symbol.bytes = dwell_prg_u32(entry + 8);
		symbol.is_global = entry[12] >> 4;
		type = entry[12] & 15;
		symbol.is_label = type == TYPE_LABEL;
		index = dwell_prg_u16(entry + 14);
		if ((type != TYPE_LABEL && type != TYPE_FUNCTION) || index >= SECTIONS_MAX || !view.is_text[index])
			continue;
		if (!dwell_prg_string(prg, strings_at, strings_bytes, name)) {
			prg->nameless++;
			continue;
		}
		if (!dwell_prg_take(prg, taker, symbol))
			break;
	}
	return true;
}
