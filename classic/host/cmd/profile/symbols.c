/* profile_symbols: see symbols.h. */
#include "classic/host/cmd/profile/symbols.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/image.h"
#include "symbol/symbol.h"
#include "util/name_match.h"

static bool starve(struct diag *diag)
{
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return false;
}

/* Fills the tally. Its symbols are relative to the text, and end at their size; a gap becomes a hole without a name. */
static bool read_symbols(struct profile_symbols *symbols, const char *path, uint32_t intervals, struct diag *diag)
{
	const struct symbol_request want = {.required = true};
	size_t count, bytes, outside = 0;
	int status = diag_status(diag);

	symbols->table = make_symbol_table(path, &want, diag);
	if (!symbols->table)
		return starve(diag);
	count = symbol_count(symbols->table);
	bytes = dwell_tally_bytes(2 * count, intervals);
	symbols->memory = bytes ? malloc(bytes) : NULL;
	if (!symbols->memory)
		return starve(diag);
	dwell_tally_init(&symbols->tally, symbols->memory, 2 * count, intervals, (uintptr_t)(symbols->high - symbols->low));
	for (size_t i = 0; i < count; i++) {
		const struct symbol *symbol = symbol_at(symbols->table, i);
		uint64_t end = symbol->address + symbol->size;

		if (symbol->address < symbols->low || symbol->address >= symbols->high) {
			outside++;
			continue;
		}
		dwell_tally_add(&symbols->tally, (uintptr_t)(symbol->address - symbols->low), symbol->name);
		if (end < symbols->high && (i + 1 == count || end < symbol_at(symbols->table, i + 1)->address))
			dwell_tally_add(&symbols->tally, (uintptr_t)(end - symbols->low), NULL);
	}
	dwell_tally_finish(&symbols->tally);
	if (outside)
		diag_add(diag, DIAG_NOTE, path, DIAG_NO_OFFSET, "symbols outside of the text, which are not used: %zu", outside);
	/* An earlier diag about the symbols already explains this. */
	if (!dwell_tally_symbols(&symbols->tally) && !diag_has_error(diag) && diag_status(diag) == status)
		diag_add(diag, DIAG_WARN, path, DIAG_NO_OFFSET, "has no symbols (stripped?): all of its text counts as '?'");
	return !diag_has_error(diag);
}

/* Finds a symbol by its demangled name, with or without arguments. */
static size_t find_display_name(const struct dwell_tally *tally, const char *wanted)
{
	for (int plain = 0; plain < 2; plain++)
		for (size_t i = 0; i < tally->count; i++) {
			char *name = !tally->names[i] ? NULL
				: plain       ? make_symbol_plain_name(tally->names[i])
					      : make_symbol_display_name(tally->names[i]);
			bool same = name && !strcmp(name, wanted);

			free(name);
			if (same)
				return i;
		}
	return DWELL_TALLY_NONE;
}

static bool choose_detail(
	struct profile_symbols *symbols, const char *path, const struct dwell_profile_options *options, struct diag *diag)
{
	struct dwell_tally *tally = &symbols->tally;
	const char *nearest = NULL;
	size_t index, letters, best;

	if (!options->detail)
		return true;
	index = dwell_tally_name(tally, options->detail, (uintptr_t)symbols->low);
	if (index == DWELL_TALLY_NONE)
		index = find_display_name(tally, options->detail);
	dwell_tally_split(tally, index, options->intervals);
	if (index != DWELL_TALLY_NONE && !strchr(options->detail, '@') && !dwell_tally_is_alone(tally, index))
		diag_add(diag, DIAG_NOTE, path, DIAG_NO_OFFSET, "x=%s: several symbols have this name; this is the one of x=%s@%" PRIx64,
			options->detail, tally->names[index], symbols->low + tally->starts[index]);
	if (index != DWELL_TALLY_NONE)
		return true;
	letters = strlen(options->detail);
	best = letters < 3 ? letters : 3; /* at most two wrong letters, and at least one right one */
	for (size_t i = 0; i < tally->count; i++) {
		size_t distance = tally->names[i] ? name_match_distance(options->detail, tally->names[i]) : SIZE_MAX;

		if (distance < best) {
			nearest = tally->names[i];
			best = distance;
		}
	}
	diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "x=%s: there is no text symbol of this name%s%s%s", options->detail,
		nearest ? "; did you mean '" : "", nearest ? nearest : "", nearest ? "'?" : "");
	return false;
}

/* Sets low and high. False: no program. */
static bool read_extent(struct profile_symbols *symbols, const char *path, struct diag *diag)
{
	struct symbol_image *image = make_symbol_image(path);

	for (size_t i = 0; image && i < symbol_image_count(image); i++) {
		struct symbol_span span = symbol_image_at(image, i);

		if (span.is_writable)
			continue;
		if (!symbols->high || span.low < symbols->low)
			symbols->low = span.low;
		if (span.high > symbols->high)
			symbols->high = span.high;
	}
	free_symbol_image(image);
	if (!symbols->high)
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"no ELF program: what runs it has no symbols of it (a script? profile its interpreter)");
	return symbols->high;
}

bool profile_symbols_read(
	struct profile_symbols *symbols, const char *path, const struct dwell_profile_options *options, struct diag *diag)
{
	return read_extent(symbols, path, diag) && read_symbols(symbols, path, options->detail ? options->intervals : 0, diag) &&
		choose_detail(symbols, path, options, diag);
}

void profile_symbols_show(struct profile_symbols *symbols, bool unseen)
{
	struct dwell_tally *tally = &symbols->tally;

	symbols->shown = calloc(tally->count + 1, sizeof *symbols->shown);
	for (size_t i = 0; symbols->shown && i < tally->count; i++) {
		char *name = tally->names[i] && (unseen || tally->counts[i] || i == tally->split) ?
			make_symbol_display_name(tally->names[i]) :
			NULL;

		if (!name)
			continue;
		symbols->shown[symbols->shown_count++] = name;
		tally->names[i] = name;
	}
}

void profile_symbols_clear(struct profile_symbols *symbols)
{
	for (size_t i = 0; i < symbols->shown_count; i++)
		free(symbols->shown[i]);
	free(symbols->shown);
	free(symbols->memory);
	free_symbol_table(symbols->table);
}
