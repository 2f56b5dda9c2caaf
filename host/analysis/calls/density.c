/* density: adds up the time of calls by function, depth and slice, and makes the slices longer when there are too many. */
#include "analysis/calls/density.h"

#include <stdlib.h>
#include <string.h>

#include "util/array.h"

static uint32_t hash_of(const struct density_piece *piece)
{
	uint64_t cell = piece->slice * DENSITY_DEPTH_MAX + piece->depth;

	return hash_number((uint64_t)hash_pair(piece->stream, piece->function) << 32 ^ cell);
}

static bool is_same(const struct density_piece *a, const struct density_piece *b)
{
	return a->slice == b->slice && a->function == b->function && a->depth == b->depth && a->stream == b->stream;
}

/* Adds the piece to the piece of the same slice, stream, depth and function, or appends it. False: memory ran out. */
static bool put(struct density *density, const struct density_piece *piece)
{
	uint32_t hash = hash_of(piece);

	for (uint32_t at = hash, item; (item = lookup_next(&density->lookup, hash, &at)) != LOOKUP_NONE;) {
		struct density_piece *same = &density->pieces[item];

		if (!is_same(same, piece))
			continue;
		same->ticks += piece->ticks;
		same->calls += piece->calls;
		density->recent[piece->depth] = item;
		return true;
	}
	if (!array_reserve(&density->pieces, &density->capacity, density->count + 1, sizeof *density->pieces) ||
		!lookup_put(&density->lookup, hash, (uint32_t)density->count))
		return false;
	density->recent[piece->depth] = density->count;
	density->pieces[density->count++] = *piece;
	return true;
}

/* Puts all pieces again, because slices became longer or functions have other ids, so that some pieces may now be equal. The memory
 * is always sufficient. */
static void rebuild_lookup(struct density *density)
{
	size_t count = density->count;

	lookup_reset(&density->lookup);
	density->count = 0;
	memset(density->recent, 0, sizeof density->recent);
	for (size_t i = 0; i < count; i++) {
		struct density_piece piece = density->pieces[i];

		put(density, &piece);
	}
}

void density_coarsen(struct density *density, uint32_t shift)
{
	uint32_t more = shift > density->shift ? shift - density->shift : 0;

	if (!more)
		return;
	for (size_t i = 0; i < density->count; i++)
		density->pieces[i].slice >>= more;
	rebuild_lookup(density);
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

/* As put, but makes slices longer if there are too many pieces. False: memory ran out. */
static bool add_piece(struct density *density, struct density_piece *piece)
{
	while (density->count >= DENSITY_PIECES_MAX) {
		if (density->shift >= 63)
			return false; /* cannot happen: a single slice would contain too many functions */
		density_coarsen(density, density->shift + 1);
		piece->slice >>= 1;
	}
	return put(density, piece);
}

/* Adds the piece to the piece counted last at its depth. False: the two are different. */
static inline bool add_to_recent(struct density *density, const struct density_piece *piece)
{
	struct density_piece *recent = &density->pieces[density->recent[piece->depth]];

	if (!is_same(recent, piece))
		return false;
	recent->ticks += piece->ticks;
	recent->calls += piece->calls;
	return true;
}

/* Extends the range of slices to these times, and makes slices longer if the range has too many. */
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
	lookup_reset(&density->lookup);
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
	for (size_t i = 0; i < take_from->count; i++) {
		struct density_piece piece = take_from->pieces[i];

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
	for (size_t i = 0; i < density->count; i++)
		if (density->pieces[i].function < count)
			density->pieces[i].function = map[density->pieces[i].function];
	rebuild_lookup(density);
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
	if (density->count)
		qsort(density->pieces, density->count, sizeof *density->pieces, compare);
	lookup_clear(&density->lookup);
}

void density_clear(struct density *density)
{
	free(density->pieces);
	lookup_clear(&density->lookup);
	*density = (struct density){0};
}
