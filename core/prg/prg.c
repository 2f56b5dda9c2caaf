/* SPDX-License-Identifier: MIT */
#include "core/prg/prg.h"

#include "core/prg/prg_inner.h"

void dwell_prg_open(struct dwell_prg *prg, bool (*read)(void *context, uint32_t offset, uint8_t *into, uint32_t bytes), void *context,
	uint32_t file_bytes)
{
	*prg = (struct dwell_prg){.read = read, .context = context, .file_bytes = file_bytes};
}

const uint8_t *dwell_prg_at(struct dwell_prg *prg, struct dwell_prg_window *window, uint32_t offset, uint32_t bytes)
{
	uint32_t rest;

	if (offset > prg->file_bytes || bytes > prg->file_bytes - offset)
		return NULL;
	if (offset < window->start || offset - window->start > window->bytes || bytes > window->bytes - (offset - window->start)) {
		rest = prg->file_bytes - offset;
		window->start = offset;
		window->bytes = rest < sizeof window->data ? rest : sizeof window->data;
		if (!prg->read(prg->context, offset, window->data, window->bytes)) {
			window->bytes = 0;
			prg->unreadable = true;
			return NULL;
		}
	}
	return window->data + (offset - window->start);
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

uint32_t dwell_prg_table(struct dwell_prg *prg, uint32_t offset, uint32_t table_bytes, uint32_t entry_bytes)
{
	uint32_t there = offset < prg->file_bytes ? prg->file_bytes - offset : 0;

	prg->table_at = offset;
	prg->table_bytes = table_bytes;
	if (table_bytes > there || table_bytes % entry_bytes)
		prg->cut = true;
	return (table_bytes < there ? table_bytes : there) / entry_bytes;
}

static bool ends_within(const uint8_t *text, uint32_t bytes)
{
	while (bytes && *text) {
		text++;
		bytes--;
	}
	return bytes;
}

bool dwell_prg_string(struct dwell_prg *prg, uint32_t strings_at, uint32_t strings_bytes, uint32_t offset)
{
	uint32_t at = dwell_prg_add(strings_at, offset), there = at < prg->file_bytes ? prg->file_bytes - at : 0;
	uint32_t bytes = 0, have;
	const uint8_t *text;

	if (offset >= strings_bytes || !there)
		return false;
	if (there > strings_bytes - offset)
		there = strings_bytes - offset;
	if (there > DWELL_PRG_NAME_BYTES)
		there = DWELL_PRG_NAME_BYTES;
	text = dwell_prg_at(prg, &prg->names, at, 1);
	if (!text)
		return false;
	/* Names stand close together: most are in the window whole. */
	have = prg->names.bytes - (at - prg->names.start);
	if (have < there && !ends_within(text, have)) {
		prg->names.bytes = 0;
		text = dwell_prg_at(prg, &prg->names, at, there);
		if (!text)
			return false;
	}
	while (bytes < there && text[bytes]) {
		prg->name[bytes] = (char)text[bytes];
		bytes++;
	}
	prg->name[bytes] = 0;
	return true;
}

static bool is_equal(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

/* Names that are no function's: object files and archives, GCC's marks, labels that compilers number. */
static bool is_noise(const char *name)
{
	const char *end = name, *digit;

	for (; *end; end++)
		if (*end == '/' && end[1] != '(') /* C++ has an operator of this name */
			return true;
	if (end - name > 2 && end[-2] == '.' && (end[-1] == 'o' || end[-1] == 'a'))
		return true;
	if (name[0] == '.' && name[1] == 'L')
		return true;
	if (name[0] == 'L' && name[1]) {
		for (digit = name + 1; *digit >= '0' && *digit <= '9'; digit++)
			;
		if (!*digit)
			return true;
	}
	return is_equal(name, "gcc2_compiled.") || is_equal(name, "___gnu_compiled_c");
}

bool dwell_prg_take(struct dwell_prg *prg, struct dwell_prg_taker *taker, struct dwell_prg_symbol symbol)
{
	symbol.name = prg->name;
	if (is_noise(symbol.name))
		return true;
	if (!symbol.name[0]) {
		prg->nameless++;
		return true;
	}
	if (symbol.value >= prg->text_bytes) {
		prg->outside++;
		return true;
	}
	if (symbol.value < taker->last)
		prg->unsorted = true;
	taker->last = symbol.value;
	prg->taken++;
	return taker->take(taker->context, &symbol);
}

void dwell_prg_symbols(struct dwell_prg *prg, bool (*take)(void *context, const struct dwell_prg_symbol *symbol), void *context)
{
	struct dwell_prg_taker taker = {take, context, 0};

	prg->kind = DWELL_PRG_NO_TABLE;
	prg->taken = prg->outside = prg->nameless = prg->table_at = prg->table_bytes = 0;
	prg->unsorted = prg->cut = false;
	/* The last is recognised by nothing in the header, and only where nothing else is. */
	(void)(dwell_prg_read_elf(prg, &taker) || dwell_prg_read_aout(prg, &taker) || dwell_prg_read_dri(prg, &taker) ||
		dwell_prg_read_mark_williams(prg, &taker));
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
