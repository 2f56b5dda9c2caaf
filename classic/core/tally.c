/* SPDX-License-Identifier: MIT */
#include "classic/core/tally.h"

#include "classic/core/letter.h"
#include "core/ratio.h"
#include "classic/core/sort.h"

size_t dwell_tally_bytes(size_t symbols, size_t intervals)
{
	size_t limit = SIZE_MAX / sizeof(uintptr_t) / 16;

	if (symbols > limit || intervals > limit)
		return 0;
	return (4 * symbols + 2 + 2 * intervals) * sizeof(uintptr_t);
}

void dwell_tally_init(struct dwell_tally *tally, void *memory, size_t symbols, size_t intervals, uintptr_t text_bytes)
{
	uintptr_t *word = memory;

	tally->text_bytes = text_bytes;
	tally->count = 0;
	tally->name_bytes_max = 0;
	tally->capacity = symbols;
	tally->names = (const char **)memory;
	word += symbols;
	tally->starts = word;
	word += symbols;
	tally->counts = word;
	word += symbols + 1;
	tally->order = word;
	word += symbols + 1;
	tally->split_starts = word;
	word += intervals;
	tally->split_counts = word;
	tally->split_capacity = intervals;
	tally->split_count = 0;
	tally->split = DWELL_TALLY_NONE;
	tally->system = 0;
	for (size_t i = 0; i <= symbols; i++)
		tally->counts[i] = 0;
}

bool dwell_tally_add(struct dwell_tally *tally, uintptr_t start, const char *name)
{
	if (start >= tally->text_bytes || tally->count == tally->capacity)
		return false;
	tally->starts[tally->count] = start;
	tally->names[tally->count++] = name;
	return true;
}

/* A shorter name is better, then the first in byte order; null is worst. */
static bool is_better(const char *a, const char *b)
{
	size_t i = 0;

	if (!a || !b)
		return a != NULL && !b;
	while (a[i] && b[i])
		i++;
	if (a[i] || b[i])
		return !a[i];
	for (i = 0; a[i] && a[i] == b[i]; i++)
		;
	return (unsigned char)a[i] < (unsigned char)b[i];
}

static bool is_before(const void *context, size_t a, size_t b)
{
	const struct dwell_tally *tally = context;

	if (tally->starts[a] != tally->starts[b])
		return tally->starts[a] < tally->starts[b];
	return is_better(tally->names[a], tally->names[b]);
}

static void swap(void *context, size_t a, size_t b)
{
	struct dwell_tally *tally = context;
	uintptr_t start = tally->starts[a];
	const char *name = tally->names[a];

	tally->starts[a] = tally->starts[b];
	tally->names[a] = tally->names[b];
	tally->starts[b] = start;
	tally->names[b] = name;
}

void dwell_tally_finish(struct dwell_tally *tally)
{
	size_t kept = 0;

	dwell_sort(&(struct dwell_sort){is_before, swap, tally}, tally->count);
	for (size_t i = 0; i < tally->count; i++)
		if (!i || tally->starts[i] != tally->starts[kept - 1])
			swap(tally, kept++, i);
	tally->count = kept;
}

size_t dwell_tally_symbols(const struct dwell_tally *tally)
{
	size_t count = 0;

	for (size_t i = 0; i < tally->count; i++)
		count += tally->names[i] != NULL;
	return count;
}

/* How a name may differ from a symbol's: a number below WAYS, the least difference first. */
enum way { AS_IT_IS, SYMBOL_HAS_UNDERSCORE, NAME_HAS_UNDERSCORE, SYMBOL_ENDS_WITH_UNDERSCORE, UNDERSCORES, ANY_CASE = UNDERSCORES };
#define MAY_BE_CUT (2u * ANY_CASE)
#define WAYS (2u * MAY_BE_CUT)

static size_t length(const char *name)
{
	size_t bytes = 0;

	while (name[bytes])
		bytes++;
	return bytes;
}

static bool is_same_letter(char a, char b, bool any_case)
{
	return a == b || (any_case && dwell_letter_lower(a) == dwell_letter_lower(b));
}

/* Whether the symbol's name begins as the name, for up to all of the name's bytes. */
static bool fits(const struct dwell_tally *tally, const char *name, size_t bytes, const char *symbol, unsigned way)
{
	unsigned underscore = way % UNDERSCORES;
	bool any_case = way / ANY_CASE % 2, is_cut = way / MAY_BE_CUT;
	size_t i = 0;

	if (is_cut && (!tally->name_bytes_max || length(symbol) < tally->name_bytes_max))
		return false;
	if (underscore == SYMBOL_HAS_UNDERSCORE && *symbol++ != '_')
		return false;
	if (underscore == NAME_HAS_UNDERSCORE && (bytes-- < 2 || *name++ != '_'))
		return false;
	while (i < bytes && symbol[i] && is_same_letter(name[i], symbol[i], any_case))
		i++;
	if (i == bytes && underscore == SYMBOL_ENDS_WITH_UNDERSCORE)
		return symbol[i] == '_' && !symbol[i + 1];
	return !symbol[i] && (i == bytes || is_cut);
}

/* start: of the symbol; UINTPTR_MAX: any. ways: how many are tried. */
static size_t find_name(const struct dwell_tally *tally, const char *name, size_t bytes, uintptr_t start, unsigned ways)
{
	for (unsigned way = 0; way < ways; way++)
		for (size_t i = 0; i < tally->count; i++)
			if (tally->names[i] && (start == UINTPTR_MAX || tally->starts[i] == start) &&
				fits(tally, name, bytes, tally->names[i], way))
				return i;
	return DWELL_TALLY_NONE;
}

/* Converts digits of hex; UINTPTR_MAX: the text is no number. */
static uintptr_t read_hex(const char *text)
{
	uintptr_t value = 0;

	if (!*text || length(text) > 2 * sizeof value)
		return UINTPTR_MAX;
	for (; *text; text++) {
		char letter = dwell_letter_lower(*text);

		if ((letter < '0' || letter > '9') && (letter < 'a' || letter > 'f'))
			return UINTPTR_MAX;
		value = value << 4 | (uintptr_t)(letter <= '9' ? letter - '0' : letter - 'a' + 10);
	}
	return value;
}

size_t dwell_tally_name(const struct dwell_tally *tally, const char *name, uintptr_t base)
{
	size_t bytes = length(name), at = bytes, index;
	uintptr_t address;

	while (at && name[at] != '@')
		at--;
	if (!at)
		return find_name(tally, name, bytes, UINTPTR_MAX, WAYS);
	index = find_name(tally, name, bytes, UINTPTR_MAX, MAY_BE_CUT); /* a versioned name has an @ */
	address = read_hex(name + at + 1);
	if (index != DWELL_TALLY_NONE || address == UINTPTR_MAX || address < base)
		return index;
	return find_name(tally, name, at, address - base, WAYS);
}

bool dwell_tally_is_alone(const struct dwell_tally *tally, size_t index)
{
	const char *name = tally->names[index];

	for (size_t i = 0; i < tally->count; i++)
		if (i != index && tally->names[i] && fits(tally, name, length(name), tally->names[i], AS_IT_IS))
			return false;
	return true;
}

uintptr_t dwell_tally_end(const struct dwell_tally *tally, size_t index)
{
	return index + 1 < tally->count ? tally->starts[index + 1] : tally->text_bytes;
}

void dwell_tally_split(struct dwell_tally *tally, size_t index, size_t intervals)
{
	uintptr_t bytes;

	tally->split = index;
	tally->split_count = 0;
	if (index == DWELL_TALLY_NONE)
		return;
	bytes = dwell_tally_end(tally, index) - tally->starts[index];
	if (intervals > tally->split_capacity)
		intervals = tally->split_capacity;
	if (intervals > bytes)
		intervals = bytes;
	tally->split_count = intervals;
	for (size_t i = 0; i < intervals; i++) {
		tally->split_starts[i] = tally->starts[index] + dwell_ratio_truncate(bytes, i, intervals);
		tally->split_counts[i] = 0;
	}
}

size_t dwell_tally_find(const uintptr_t *starts, size_t count, uintptr_t offset)
{
	const uintptr_t *at = starts;

	if (!count || offset < *at)
		return DWELL_TALLY_NONE;
	while (count > 1) { /* *at <= offset; at[count] and all behind it are above offset */
		size_t half = count / 2;

		if (at[half] <= offset)
			at += half;
		count -= half;
	}
	return (size_t)(at - starts);
}

void dwell_tally_sample(struct dwell_tally *tally, uintptr_t offset)
{
	size_t index;

	if (offset >= tally->text_bytes) {
		tally->system++;
		return;
	}
	index = dwell_tally_find(tally->starts, tally->count, offset);
	if (index == DWELL_TALLY_NONE)
		index = tally->count;
	tally->counts[index]++;
	if (index == tally->split) {
		index = dwell_tally_find(tally->split_starts, tally->split_count, offset);
		if (index != DWELL_TALLY_NONE)
			tally->split_counts[index]++;
	}
}
