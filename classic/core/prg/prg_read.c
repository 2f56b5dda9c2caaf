/* SPDX-License-Identifier: MIT
 *
 * Reads bytes, names and symbols of a GEMDOS program, for the readers of its tables.
 */
#include "classic/core/prg/prg_inner.h"

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
	/* Names stand close together: most are completely in the window. */
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

/* Names that belong to no function: object files and archives, GCC's marks, labels that compilers number. */
static bool is_noise(const char *name)
{
	const char *end = name, *digit;

	for (; *end; end++)
		if (*end == '/' && end[1] != '(') /* the name of C++'s operator/ has a slash, too */
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
