/* SPDX-License-Identifier: MIT
 *
 * What the readers of symbol tables of GEMDOS programs share. For core/prg*.c alone.
 */
#ifndef DWELL_CORE_PRG_INNER_H
#define DWELL_CORE_PRG_INNER_H

#include <stddef.h>

#include "core/prg/prg.h"

/* What is done with a symbol. */
struct dwell_prg_taker {
	bool (*take)(void *context, const struct dwell_prg_symbol *symbol);
	void *context;
	uint32_t last; /* the value before */
};

/* Each reads one kind of table; false: it is not there. */
bool dwell_prg_read_dri(struct dwell_prg *prg, struct dwell_prg_taker *taker);
bool dwell_prg_read_aout(struct dwell_prg *prg, struct dwell_prg_taker *taker);
bool dwell_prg_read_elf(struct dwell_prg *prg, struct dwell_prg_taker *taker);
bool dwell_prg_read_mark_williams(struct dwell_prg *prg, struct dwell_prg_taker *taker);

/* The bytes at offset, until the next call with this window; null: they are not all in the file. pre: bytes <= sizeof window->data.
 * */
const uint8_t *dwell_prg_at(struct dwell_prg *prg, struct dwell_prg_window *window, uint32_t offset, uint32_t bytes);

/* How many entries of entry_bytes are in the file of a table of table_bytes at offset. Says so (cut) when it is not all of them. */
uint32_t dwell_prg_table(struct dwell_prg *prg, uint32_t offset, uint32_t table_bytes, uint32_t entry_bytes);

/* The zero-ended string at offset within a string table, into prg->name. False: it is not in the file. */
bool dwell_prg_string(struct dwell_prg *prg, uint32_t strings_at, uint32_t strings_bytes, uint32_t offset);

/* A text symbol with its name in prg->name: filtered, checked, given to the taker. False: stop. */
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
