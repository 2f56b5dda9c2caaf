/* SPDX-License-Identifier: MIT
 *
 * Mark Williams C: the GEMDOS header declares no symbols; behind the fix-ups stands the header of an l.out file, the compiler's
 * own format. Written from its documentation, without a program to test. So two things are guesses, which the code checks
 * against the header: the byte order, and that the file holds only what follows the program's segments (debugging, symbols).
 */
#include "classic/core/prg/prg_inner.h"

enum lout {
	MAGIC = 0x0107,
	MACHINE_68000 = 10,
	HEADER_BYTES = 44, /* at least: 48 where the entry has 32 bits; the header holds its own size */
	SIZES_AT = 8,
	SIZE_SHARED_TEXT = 0,
	SIZE_PRIVATE_TEXT = 1,
	SIZE_DEBUG = 6,
	SIZE_SYMBOLS = 7,
	ENTRY_BYTES = 22, /* name, type, value */
	NAME_BYTES = 16,
	TYPE_SEGMENT = 0x0F, /* 0 and 1 are text */
	TYPE_GLOBAL = 0x10,
};

/* A word in the machine's byte order (big end first), or in that of the PDP-11, where
 * the compiler comes from: words little end first, in longs the high word first. */
static uint16_t word(const uint8_t *p, bool is_pdp)
{
	return is_pdp ? (uint16_t)(p[1] << 8 | p[0]) : dwell_prg_u16(p);
}

static uint32_t long_word(const uint8_t *p, bool is_pdp)
{
	return (uint32_t)word(p, is_pdp) << 16 | word(p + 2, is_pdp);
}

/* Returns the offset behind the fix-ups, which end with a zero; the largest number if they have no end. */
static uint32_t skip_fixups(struct dwell_prg *prg)
{
	uint32_t at = dwell_prg_add(dwell_prg_add(DWELL_PRG_HEADER_BYTES, prg->text_bytes), prg->data_bytes);
	const uint8_t *p;

	if (!prg->has_fixups)
		return at;
	p = dwell_prg_at(prg, &prg->entries, at, 4);
	if (!p)
		return UINT32_MAX;
	at += 4;
	if (!dwell_prg_u32(p))
		return at;
	while ((p = dwell_prg_at(prg, &prg->entries, at, 1))) {
		at++;
		if (!*p)
			return at;
	}
	return UINT32_MAX;
}

bool dwell_prg_read_mark_williams(struct dwell_prg *prg, struct dwell_prg_taker *taker)
{
	uint32_t start = dwell_prg_add(skip_fixups(prg), 1) & ~1u, bytes, count, header_bytes;
	const uint8_t *header = dwell_prg_at(prg, &prg->entries, start, HEADER_BYTES);
	bool is_pdp;

	if (!header)
		return false;
	is_pdp = header[0] == (MAGIC & 0xFF);
	if (word(header, is_pdp) != MAGIC || word(header + 4, is_pdp) != MACHINE_68000)
		return false;
	header_bytes = word(header + 6, is_pdp);
	bytes = long_word(header + SIZES_AT + 4 * SIZE_SYMBOLS, is_pdp);
	if (header_bytes < HEADER_BYTES || !bytes ||
		dwell_prg_add(long_word(header + SIZES_AT + 4 * SIZE_SHARED_TEXT, is_pdp),
			long_word(header + SIZES_AT + 4 * SIZE_PRIVATE_TEXT, is_pdp)) > prg->text_bytes)
		return false;
	start = dwell_prg_add(start, header_bytes);
	start = dwell_prg_add(start, long_word(header + SIZES_AT + 4 * SIZE_DEBUG, is_pdp));
	prg->kind = DWELL_PRG_MARK_WILLIAMS;
	count = dwell_prg_table(prg, start, bytes, ENTRY_BYTES);
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *entry = dwell_prg_at(prg, &prg->entries, start + ENTRY_BYTES * i, ENTRY_BYTES);
		struct dwell_prg_symbol symbol = {0};
		uint32_t n = 0;
		uint16_t type;

		if (!entry)
			break;
		type = word(entry + NAME_BYTES, is_pdp);
		symbol.value = long_word(entry + NAME_BYTES + 2, is_pdp);
		symbol.is_global = type & TYPE_GLOBAL;
		for (; n < NAME_BYTES && entry[n]; n++)
			prg->name[n] = (char)entry[n];
		prg->name[n] = 0;
		if ((type & TYPE_SEGMENT) > 1)
			continue;
		if (!dwell_prg_take(prg, taker, symbol))
			break;
	}
	return true;
}
