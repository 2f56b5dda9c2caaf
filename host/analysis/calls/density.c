#include "analysis/calls/density.h"

#include <stdlib.h>
#include <string.h>

#define CAPACITY_FIRST 1024u

/* Each table has places of its own. Otherwise pieces that go from one table to another would come in the order of their places, and fill a
 * part of it before the next: quadratic. */
static size_t place_of(const struct density *density, const struct density_piece *piece)
{
	uint64_t key = piece->slice ^ (uint64_t)(uintptr_t)density->pieces >> 4;

	key = (key ^ key >> 32) * 0x9e3779b97f4a7c15u ^ ((uint64_t)piece->stream << 32 | piece->function);
	key = (key ^ key >> 29) * 0xc2b2ae3d27d4eb4fu ^ piece->depth;
	key = (key ^ key >> 32) * 0x165667b19e3779f9u;
	return (size_t)(key >> 32) & (density->capacity - 1);
}

static bool is_same(const struct density_piece *a, const struct density_piece *b)
{
	return a->slice == b->slice && a->function == b->function && a->depth == b->depth && a->stream == b->stream;
}

/* pre: there is a free place. */
static size_t put(struct density *density, const struct density_piece *piece)
{
	size_t at = place_of(density, piece);

	while (density->pieces[at].is_used && !is_same(&density->pieces[at], piece))
		at = (at + 1) & (density->capacity - 1);
	if (!density->pieces[at].is_used) {
		density->pieces[at] = *piece;
		density->pieces[at].is_used = 1;
		density->count++;
		return at;
	}
	density->pieces[at].ticks += piece->ticks;
	density->pieces[at].calls += piece->calls;
	return at;
}

/* All pieces once more, into a table of that size; slices as the shift is now. */
static bool rebuild(struct density *density, size_t capacity, uint32_t more_shift)
{
	struct density_piece *old = density->pieces;
	size_t old_capacity = density->capacity;

	density->pieces = calloc(capacity, sizeof *density->pieces);
	if (!density->pieces) {
		density->pieces = old;
		density->has_failed = true;
		return false;
	}
	density->capacity = capacity;
	density->count = 0;
	memset(density->recent, 0, sizeof density->recent);
	for (size_t i = 0; i < old_capacity; i++) {
		if (!old[i].is_used)
			continue;
		old[i].slice >>= more_shift;
		put(density, &old[i]);
	}
	free(old);
	return true;
}

void density_coarsen(struct density *density, uint32_t shift)
{
	uint32_t more = shift > density->shift ? shift - density->shift : 0;

	if (!more || (density->count && !rebuild(density, density->capacity, more)))
		return;
	density->shift += more;
	density->first_slice >>= more;
	density->last_slice >>= more;
}

uint32_t density_shift_for(uint64_t first_ticks, uint64_t last_ticks)
{
	uint32_t shift = 0;

	while (shift < 63 && last_ticks > first_ticks && (last_ticks >> shift) - (first_ticks >> shift) >= DENSITY_SLICES_MAX)
		shift++;
	return shift;
}

/* False: no memory. */
static bool add_piece(struct density *density, struct density_piece *piece)
{
	while (density->count >= DENSITY_PIECES_MAX) {
		uint32_t shift = density->shift;

		if (shift >= 63)
			return false; /* as many functions, in one slice: never */
		density_coarsen(density, shift + 1);
		if (density->shift == shift)
			return false;
		piece->slice >>= 1;
	}
	if (density->count * 2 >= density->capacity &&
		!rebuild(density, density->capacity ? density->capacity * 2 : CAPACITY_FIRST, 0))
		return false;
	density->recent[piece->depth] = put(density, piece);
	return true;
}

/* Whether it was counted where the one before it was. */
static inline bool add_to_recent(struct density *density, const struct density_piece *piece)
{
	struct density_piece *recent = &density->pieces[density->recent[piece->depth]];

	if (!recent->is_used || !is_same(recent, piece))
		return false;
	recent->ticks += piece->ticks;
	recent->calls += piece->calls;
	return true;
}

static void include(struct density *density, uint64_t first_ticks, uint64_t last_ticks)
{
	uint64_t first = first_ticks >> density->shift, last = last_ticks >> density->shift;
	uint32_t shift;

	if (density->count && first >= density->first_slice && last <= density->last_slice)
		return;
	if (density->count) {
		first = first < density->first_slice ? first : density->first_slice;
		last = last > density->last_slice ? last : density->last_slice;
	}
	shift = density_shift_for(first, last);
	density->first_slice = first;
	density->last_slice = last;
	density_coarsen(density, density->shift + shift);
}

void density_add(struct density *density, const struct call *call)
{
	uint64_t begin = call->enter_ticks, end = call->exit_ticks;

	if (call->depth >= DENSITY_DEPTH_MAX || end < begin)
		return;
	include(density, begin, end);
	for (uint64_t at = begin;;) {
		uint64_t slice = at >> density->shift, next = (slice + 1) << density->shift;
		uint64_t until = next < end && next > at ? next : end;
		struct density_piece piece = {.slice = slice,
			.stream = call->stream,
			.function = call->function,
			.depth = call->depth,
			.ticks = until - at,
			.calls = at == begin};

		if (!(density->count && add_to_recent(density, &piece)) && !add_piece(density, &piece)) {
			density->has_failed = true;
			return;
		}
		if (until == end)
			return;
		at = until;
	}
}

void density_empty(struct density *density)
{
	if (density->pieces)
		memset(density->pieces, 0, density->capacity * sizeof *density->pieces);
	memset(density->recent, 0, sizeof density->recent);
	density->count = 0;
	density->shift = 0;
	density->first_slice = density->last_slice = 0;
	density->has_failed = false;
}

void density_merge(struct density *into, struct density *take_from)
{
	into->has_failed |= take_from->has_failed;
	density_coarsen(take_from, into->shift);
	density_coarsen(into, take_from->shift);
	if (take_from->count)
		include(into, take_from->first_slice << take_from->shift, take_from->last_slice << take_from->shift);
	for (size_t i = 0; i < take_from->capacity && take_from->count; i++) {
		struct density_piece piece = take_from->pieces[i];

		if (!piece.is_used)
			continue;
		piece.slice >>= into->shift - take_from->shift;
		if (!add_piece(into, &piece)) {
			into->has_failed = true;
			break;
		}
	}
	density_empty(take_from);
}

void density_renumber(struct density *density, const uint32_t *map, size_t count)
{
	for (size_t i = 0; i < density->capacity; i++)
		if (density->pieces[i].is_used && density->pieces[i].function < count)
			density->pieces[i].function = map[density->pieces[i].function];
	if (density->count)
		rebuild(density, density->capacity, 0);
}

static int compare(const void *left, const void *right)
{
	const struct density_piece *a = left, *b = right;

	if (a->stream != b->stream)
		return a->stream < b->stream ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	if (a->slice != b->slice)
		return a->slice < b->slice ? -1 : 1;
	if (a->ticks != b->ticks)
		return a->ticks > b->ticks ? -1 : 1;
	return a->function < b->function ? -1 : a->function > b->function;
}

void density_sort(struct density *density)
{
	size_t count = 0;

	for (size_t i = 0; i < density->capacity; i++)
		if (density->pieces[i].is_used)
			density->pieces[count++] = density->pieces[i];
	if (count)
		qsort(density->pieces, count, sizeof *density->pieces, compare);
}

void density_clear(struct density *density)
{
	free(density->pieces);
	*density = (struct density){0};
}
