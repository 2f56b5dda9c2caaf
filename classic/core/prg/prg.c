/* SPDX-License-Identifier: MIT */
#include "classic/core/prg/prg.h"

#include "classic/core/prg/prg_inner.h"

void dwell_prg_open(struct dwell_prg *prg, bool (*read)(void *context, uint32_t offset, uint8_t *into, uint32_t bytes),
	void *context, uint32_t file_bytes)
{
	*prg = (struct dwell_prg){.read = read, .context = context, .file_bytes = file_bytes};
}

bool dwell_prg_header(struct dwell_prg *prg)
{
	const uint8_t *header = dwell_prg_at(prg, &prg->entries, 0, DWELL_PRG_HEADER_BYTES);

	if (!header || dwell_prg_u16(header) != DWELL_PRG_MAGIC)
		return false;
	prg->text_bytes = dwell_prg_u32(header + 2);
	prg->data_bytes = dwell_prg_u32(header + 6);
	prg->bss_bytes = dwell_prg_u32(header + 10);
	prg->symbol_bytes = dwell_prg_u32(header + 14);
	prg->reserved = dwell_prg_u32(header + 18);
	prg->has_fixups = !dwell_prg_u16(header + 26);
	prg->cut = prg->text_bytes > prg->file_bytes - DWELL_PRG_HEADER_BYTES;
	return !prg->cut;
}

void dwell_prg_symbols(struct dwell_prg *prg, bool (*take)(void *context, const struct dwell_prg_symbol *symbol), void *context)
{
	struct dwell_prg_taker taker = {take, context, 0};

	prg->kind = DWELL_PRG_NO_TABLE;
	prg->taken = prg->outside = prg->nameless = prg->table_at = prg->table_bytes = 0;
	prg->unsorted = prg->cut = false;
	/* The Mark Williams reader comes last: the header has no mark of a
	 * Mark Williams table, so the reader only runs if no other one fits. */
	(void)(dwell_prg_read_elf(prg, &taker) || dwell_prg_read_aout(prg, &taker) || dwell_prg_read_dri(prg, &taker) ||
		dwell_prg_read_mark_williams(prg, &taker));
}

uint32_t dwell_prg_name_bytes_max(enum dwell_prg_kind kind)
{
	switch (kind) {
	case DWELL_PRG_DRI: return 8;
	case DWELL_PRG_GST: return 22;
	case DWELL_PRG_MARK_WILLIAMS: return 16;
	default: return DWELL_PRG_NAME_BYTES;
	}
}

const char *dwell_prg_kind_name(enum dwell_prg_kind kind)
{
	switch (kind) {
	case DWELL_PRG_DRI: return "DRI";
	case DWELL_PRG_GST: return "GST";
	case DWELL_PRG_AOUT: return "a.out";
	case DWELL_PRG_ELF: return "ELF";
	case DWELL_PRG_MARK_WILLIAMS: return "Mark Williams";
	case DWELL_PRG_NO_TABLE: break;
	}
	return "none";
}
