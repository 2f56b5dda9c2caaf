/* SPDX-License-Identifier: MIT
 *
 * DRI and GST: entries of 14 bytes. In every known file the values of text symbols count from the start
 * of the text. Two conventions exist for data and bss, but this reader takes no symbols of those.
 */
#include "classic/core/prg/prg_inner.h"

enum dri {
	ENTRY_BYTES = 14,
	NAME_BYTES = 8,
	LONG_BYTES = 14, /* the rest of the name, in the next entry */
	TYPE_EQUATED_REGISTER = 0x1000,
	TYPE_EXTERNAL = 0x0800,
	TYPE_GLOBAL = 0x2000,
	TYPE_SECTIONS = 0x0700,
	TYPE_TEXT = 0x0200,
	TYPE_FILE = 0x0080, /* 0x0280 a file, 0x02C0 an archive */
	TYPE_LONG = 0x0048, /* both bits: an archive has one of them */
};

/* Appends up to bytes characters to prg->name, which has there characters. Returns the new length. */
static uint32_t add_name(struct dwell_prg *prg, uint32_t there, const uint8_t *text, uint32_t bytes)
{
	for (uint32_t i = 0; i < bytes && text[i]; i++)
		prg->name[there++] = (char)text[i];
	prg->name[there] = 0;
	return there;
}

bool dwell_prg_read_dri(struct dwell_prg *prg, struct dwell_prg_taker *taker)
{
	uint32_t start = dwell_prg_add(DWELL_PRG_HEADER_BYTES, dwell_prg_add(prg->text_bytes, prg->data_bytes)), count;

	if (!prg->symbol_bytes)
		return false;
	prg->kind = DWELL_PRG_DRI;
	count = dwell_prg_table(prg, start, prg->symbol_bytes, ENTRY_BYTES);
	for (uint32_t i = 0; i < count; i++) {
		const uint8_t *entry = dwell_prg_at(prg, &prg->entries, start + ENTRY_BYTES * i, ENTRY_BYTES);
		struct dwell_prg_symbol symbol = {0};
		uint32_t bytes;
		uint16_t type;

		if (!entry)
			break;
		bytes = add_name(prg, 0, entry, NAME_BYTES);
		type = dwell_prg_u16(entry + NAME_BYTES);
		symbol.value = dwell_prg_u32(entry + NAME_BYTES + 2);
		symbol.is_global = type & TYPE_GLOBAL;
		if ((type & TYPE_LONG) == TYPE_LONG) {
			prg->kind = DWELL_PRG_GST;
			if (++i == count)
				prg->cut = true;
			else if ((entry = dwell_prg_at(prg, &prg->entries, start + ENTRY_BYTES * i, ENTRY_BYTES)) &&
				 bytes == NAME_BYTES)
				add_name(prg, bytes, entry, LONG_BYTES);
		}
		/* Alcyon marks functions of its library as equated, and some
		 * linkers mark none as defined: so only the section decides. */
		if ((type & TYPE_SECTIONS) != TYPE_TEXT || type & (TYPE_FILE | TYPE_EXTERNAL | TYPE_EQUATED_REGISTER))
			continue;
		if (!dwell_prg_take(prg, taker, symbol))
			break;
	}
	return true;
}
