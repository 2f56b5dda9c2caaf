/* SPDX-License-Identifier: MIT
 *
 * MiNT's a.out: behind the GEMDOS header, the first bytes of the text are a jump and the header of an a.out file. The
 * symbols follow the data as in a DRI table, and their names follow them; the GEMDOS header holds the size of both together.
 */
#include "classic/core/prg/prg_inner.h"

enum aout {
	MINT = 0x4D694E54, /* in the reserved word of the GEMDOS header */
	JUMP_AT = DWELL_PRG_HEADER_BYTES,
	HEADER_AT = JUMP_AT + 8, /* twelve words: info, text, data, bss, symbols,
	                          * entry, two sizes of relocations, …, symbol format */
	HEADER_BYTES = 48,
	TEXT_AT = 0x100,
	ENTRY_BYTES = 12, /* name, type, other, description, value */
	TYPE_STAB = 0xE0,
	TYPE_FILE = 0x1F,
	TYPE_EXTERNAL = 0x01,
	TYPE_TEXT = 0x04,
	TYPE_WEAK_TEXT = 0x0F,
};

static bool is_jump(const uint8_t *p)
{
	uint32_t first = dwell_prg_u32(p), second = dwell_prg_u32(p + 4);

	return (first == 0x283A001A && second == 0x4EFB48FA) || (first == 0x203A001A && second == 0x4EFB08FA);
}

bool dwell_prg_read_aout(struct dwell_prg *prg, struct dwell_prg_taker *taker)
{
	const uint8_t *header = NULL;
	uint32_t start = TEXT_AT, bytes, strings, count;

	if (prg->reserved == MINT)
		header = dwell_prg_at(prg, &prg->entries, JUMP_AT, 8 + HEADER_BYTES);
	if (!header || !is_jump(header) || dwell_prg_u32(header + 8 + 44)) /* another symbol format: DRI's */
		return false;
	header += 8;
	start = dwell_prg_add(start, dwell_prg_u32(header + 4)); /* text */
	start = dwell_prg_add(start, dwell_prg_u32(header + 8)); /* data */
	start = dwell_prg_add(start, dwell_prg_u32(header + 24)); /* relocations of each */
	start = dwell_prg_add(start, dwell_prg_u32(header + 28));
	bytes = dwell_prg_u32(header + 16);
	if (!bytes)
		return false;
	prg->kind = DWELL_PRG_AOUT;
	strings = dwell_prg_add(start, bytes);
	count = dwell_prg_table(prg, start, bytes, ENTRY_BYTES);
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *entry = dwell_prg_at(prg, &prg->entries, start + ENTRY_BYTES * i, ENTRY_BYTES);
		struct dwell_prg_symbol symbol = {0};
		uint32_t name;
		uint8_t type;

		if (!entry)
			break;
		name = dwell_prg_u32(entry);
		type = entry[4];
		symbol.value = dwell_prg_u32(entry + 8);
		symbol.is_global = type & TYPE_EXTERNAL;
		if (type & TYPE_STAB || type == TYPE_FILE || ((type & ~TYPE_EXTERNAL) != TYPE_TEXT && type != TYPE_WEAK_TEXT))
			continue;
		if (!dwell_prg_string(prg, strings, prg->symbol_bytes > bytes ? prg->symbol_bytes - bytes : 0, name)) {
			prg->nameless++;
			continue;
		}
		if (!dwell_prg_take(prg, taker, symbol))
			break;
	}
	return true;
}
