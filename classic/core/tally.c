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

static bool is_same(const char *a, const char *b, bool any_case)
{
	while (*a && (*a == *b || (any_case && dwell_letter_lower(*a) == dwell_letter_lower(*b)))) {
		a++;
		b++;
	}
	return !*a && !*b;
}

size_t dwell_tally_name(const struct dwell_tally *tally, const char *name)
{
	for (unsigned way = 0; way < 4; way++) {
		bool with_underscore = way & 1, any_case = way & 2;

		for (size_t i = 0; i < tally->count; i++) {
			const char *theirs = tally->names[i];

			if (!theirs || (with_underscore && *theirs++ != '_'))
				continue;
			if (is_same(name, theirs, any_case))
				return i;
		}
	}
	return DWELL_TALLY_NONE;
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
