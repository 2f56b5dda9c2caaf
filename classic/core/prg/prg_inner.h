/* SPDX-License-Identifier: MIT
 *
 * Helpers that the readers of GEMDOS symbol tables share. Only classic/core/prg/prg*.c may include this file.
 */
#ifndef DWELL_CLASSIC_CORE_PRG_INNER_H
#define DWELL_CLASSIC_CORE_PRG_INNER_H

#include <stddef.h>

#include "classic/core/prg/prg.h"

/* The receiver of symbols. */
struct dwell_prg_taker {
	bool (*take)(void *context, const struct dwell_prg_symbol *symbol);
	void *context;
	uint32_t last; /* the value of the symbol before */
};

/* Each reads one kind of table; false: the file has none of this kind. */
bool dwell_prg_read_dri(struct dwell_prg *prg, struct dwell_prg_taker *taker);
bool dwell_prg_read_aout(struct dwell_prg *prg, struct dwell_prg_taker *taker);
bool dwell_prg_read_elf(struct dwell_prg *prg, struct dwell_prg_taker *taker);
bool dwell_prg_read_mark_williams(struct dwell_prg *prg, struct dwell_prg_taker *taker);

/* Returns the bytes at offset, valid until the next call with this window; null: they are not all in the file.
 * pre: bytes <= sizeof window->data. */
const uint8_t *dwell_prg_at(struct dwell_prg *prg, struct dwell_prg_window *window, uint32_t offset, uint32_t bytes);

/* Returns how many entries of a table (table_bytes at offset,
 * entry_bytes each) are in the file. Sets prg->cut if some are missing. */
uint32_t dwell_prg_table(struct dwell_prg *prg, uint32_t offset, uint32_t table_bytes, uint32_t entry_bytes);

/* Copies the zero-ended string at offset within a string table to prg->name. False: it is not in the file. */
bool dwell_prg_string(struct dwell_prg *prg, uint32_t strings_at, uint32_t strings_bytes, uint32_t offset);

/* Filters and checks a text symbol whose name is in prg->name, and passes it to the taker. False: stop. */
bool dwell_prg_take(struct dwell_prg *prg, struct dwell_prg_taker *taker, struct dwell_prg_symbol symbol);

/* a + b, or the largest number: an offset that is in no file. */
static inline uint32_t dwell_prg_add(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

static inline uint16_t dwell_prg_u16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static inline uint32_t dwell_prg_u32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

#endif
