/* Symbols of GEMDOS programs of the Atari ST, with the reader that also runs on the ST (classic/core/prg/prg.h):
 * DRI, GST, MiNT's a.out and ELF, Mark Williams C. Addresses count from the start of the text, as in these files. */
#include <stdlib.h>
#include <string.h>

#include "classic/core/prg/prg.h"
#include "classic/host/doors.h"
#include "symbol/format.h"

/* The most bytes of all names. Entries of a few bytes may share a
 * long name, so a hostile file could make gigabytes of megabytes. */
#define NAMES_BYTES_MAX (64u << 20)

struct names {
	struct symbol_table *table;
	char *bytes; /* null during the counting pass */
	size_t used, counted;
};

static bool claims(struct bytes head)
{
	return bytes_have(head, 0, 2) && head.data[0] == DWELL_PRG_MAGIC >> 8 && head.data[1] == (DWELL_PRG_MAGIC & 0xFF);
}

static bool read_at(void *context, uint32_t offset, uint8_t *into, uint32_t bytes)
{
	return symbol_input_read(context, offset, into, bytes);
}

static bool count_name(void *context, const struct dwell_prg_symbol *symbol)
{
	struct names *names = context;

	names->used += strlen(symbol->name) + 1;
	return names->used <= NAMES_BYTES_MAX;
}

/* The bounds are checked because the file may have changed since the counting pass. */
static bool add_symbol(void *context, const struct dwell_prg_symbol *symbol)
{
	struct names *names = context;
	size_t bytes = strlen(symbol->name) + 1;
	uint32_t rank = symbol->is_global ? RAW_GLOBAL : RAW_LOCAL;
	struct raw_symbol raw = {.address = symbol->value, .size = symbol->bytes, .name = names->bytes + names->used};

	if (bytes > names->counted - names->used)
		return false;
	memcpy(names->bytes + names->used, symbol->name, bytes);
	names->used += bytes;
	raw.rank = symbol->is_label ? RAW_LABEL + rank : rank;
	return symbol_table_add(names->table, &raw);
}

static void say_what_is_wrong(const struct symbol_input *input, const struct dwell_prg *prg)
{
	const char *kind = dwell_prg_kind_name(prg->kind);

	if (prg->kind == DWELL_PRG_NO_TABLE)
		return;
	if (prg->unreadable)
		diag_add(input->diag, DIAG_WARN, input->path, prg->table_at, "%s symbol table: cannot be read", kind);
	else if (prg->cut)
		diag_add(input->diag, DIAG_WARN, input->path, prg->table_at,
			"%s symbol table of 0x%x bytes (file of 0x%llx bytes) ends within an entry: cut or corrupted", kind,
			prg->table_bytes, (unsigned long long)input->size);
	if (prg->outside)
		diag_add(input->diag, DIAG_WARN, input->path, prg->table_at,
			"%u text symbols have values outside of the text (0x%x bytes): not used", prg->outside, prg->text_bytes);
	if (prg->nameless)
		diag_add(input->diag, DIAG_WARN, input->path, prg->table_at, "%u text symbols have no names: not used", prg->nameless);
	if (!prg->taken)
		diag_add(input->diag, DIAG_WARN, input->path, prg->table_at, "%s symbol table without text symbols", kind);
	if (prg->unsorted)
		diag_add(input->diag, DIAG_NOTE, input->path, prg->table_at, "%s symbol table is not sorted by value; sorted now", kind);
}

static enum symbol_state read_gemdos(const struct symbol_input *input, struct symbol_table *table)
{
	struct names names = {.table = table};
	struct symbol_input source = *input;
	uint64_t text_end;
	struct dwell_prg prg;

	table->pointer_bytes = 4;
	dwell_prg_open(&prg, read_at, &source, input->size < UINT32_MAX ? (uint32_t)input->size : UINT32_MAX);
	if (!dwell_prg_header(&prg)) {
		diag_add(input->diag, input->level, input->path, 0,
			"GEMDOS program with a text of 0x%x bytes in a file of 0x%llx: cut or corrupted", prg.text_bytes,
			(unsigned long long)input->size);
		return SYMBOL_FOREIGN;
	}
	dwell_prg_symbols(&prg, count_name, &names);
	say_what_is_wrong(input, &prg);
	if (!names.used)
		return SYMBOL_READ;
	if (names.used > NAMES_BYTES_MAX)
		diag_add(input->diag, DIAG_WARN, input->path, prg.table_at, "names of more than 64 MiB: only the first are used");
	names.bytes = malloc(names.used);
	if (names.bytes) {
		table->strings[table->string_count++] = names.bytes;
		names.counted = names.used;
		names.used = 0;
		dwell_prg_symbols(&prg, add_symbol, &names);
		text_end = prg.text_bytes;
	}
	if (!names.bytes || !symbol_table_finish(table, &text_end))
		diag_add(input->diag, input->level, input->path, DIAG_NO_OFFSET, "no memory for its symbols");
	return SYMBOL_READ;
}

const struct symbol_format symbol_format_gemdos = {"GEMDOS", claims, read_gemdos};
