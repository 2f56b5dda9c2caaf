/* match: groups functions by file and name, then joins functions that moved to another file. */
#include "analysis/diff/match.h"

#include <stdlib.h>
#include <string.h>

static const char *const suffixes[] = {"part", "cold", "isra", "constprop", "lto_priv", "localalias", "llvm", "warm", "hot", "specialized"};

/* Where a suffix ".word.123", with its end at end, begins in name; end: no such suffix. */
static size_t find_suffix(const char *name, size_t end)
{
	size_t at = end;

	while (at && ((name[at - 1] >= '0' && name[at - 1] <= '9') || name[at - 1] == '.'))
		at--;
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		size_t bytes = strlen(suffixes[i]);

		if (at > bytes + 1 && (at == end || name[at] == '.') && name[at - bytes - 1] == '.' &&
			!memcmp(name + at - bytes, suffixes[i], bytes))
			return at - bytes - 1;
	}
	return end;
}

char *make_match_normal(const char *name)
{
	char *normal = strdup(name);
	size_t end = normal ? strlen(normal) : 0, before;

	do {
		static const char clone[] = " [clone ";
		char *bracket;

		before = end;
		if (end && normal[end - 1] == ']') {
			size_t inner = find_suffix(normal, end - 1);

			bracket = inner >= sizeof clone - 1 ? normal + inner - (sizeof clone - 1) : NULL;
			if (inner < end - 1 && bracket && !memcmp(bracket, clone, sizeof clone - 1))
				end = (size_t)(bracket - normal);
		} else {
			end = find_suffix(normal, end);
		}
		if (normal)
			normal[end] = 0;
	} while (end != before);
	return normal;
}

/* Functions of one group are neighbours, sorted by name within the group, then by address. */
static int by_place(const void *a, const void *b)
{
	const struct match *x = a, *y = b;
	int order = strcmp(x->file, y->file);

	if (!order)
		order = (x->nameless > y->nameless) - (x->nameless < y->nameless);
	if (!order)
		order = strcmp(x->normal, y->normal);
	if (!order)
		order = strcmp(x->name, y->name);
	if (!order)
		order = compare_match_numbers(x->build, y->build);
	return order ? order : compare_match_numbers(x->address, y->address);
}

static bool is_group(const struct match *a, const struct match *b)
{
	return !strcmp(a->file, b->file) && a->nameless == b->nameless && (a->nameless || !strcmp(a->normal, b->normal));
}

/* Whether each name of the group exists on both sides; for nameless functions, whether all are of one build. */
static bool is_alike(const struct match *list, size_t begin, size_t end)
{
	size_t next;

	for (size_t i = begin; i < end; i = next) {
		unsigned sides = 0;

		for (next = i; next < end && !strcmp(list[next].name, list[i].name); next++) {
			sides |= 1u << list[next].side;
			if (list[i].nameless && (!list[next].build || list[next].build != list[begin].build))
				return false;
		}
		if (sides != 3 && !list[i].nameless)
			return false;
	}
	return true;
}

/* Whether two entries, neighbours in the sorted list, are two functions of one name in one build of their file. */
static bool are_twins(const struct match *a, const struct match *b)
{
	return !a->nameless && a->build && a->build == b->build && a->address != b->address && !strcmp(a->name, b->name);
}

/* Whether the group has twins, and all entries of one build: then each of the twins is the same function on both sides. */
static bool has_twins(const struct match *list, size_t begin, size_t end)
{
	bool any = false;

	for (size_t i = begin + 1; i < end; i++) {
		any |= are_twins(&list[i - 1], &list[i]);
		if (list[i].build != list[begin].build)
			return false;
	}
	return any;
}

/* Names the row for all nameless functions of a file. */
static const char *name_group(struct match *first)
{
	static const char text[] = "[no names] ";
	size_t bytes = sizeof text + strlen(first->file);
	char *name = malloc(bytes);

	if (!name)
		return text;
	memcpy(name, text, sizeof text - 1);
	memcpy(name + sizeof text - 1, first->file, bytes - sizeof text + 1);
	free(first->normal);
	return first->normal = name;
}

static size_t make_rows(struct match *list, size_t count)
{
	size_t end, rows = 0;

	for (size_t begin = 0; begin < count; begin = end) {
		const char *row_name = NULL;
		bool alike, twins;

		for (end = begin + 1; end < count && is_group(&list[begin], &list[end]); end++)
			;
		twins = has_twins(list, begin, end);
		alike = twins || is_alike(list, begin, end);
		if (!alike && strcmp(list[begin].name, list[end - 1].name))
			row_name = list[begin].nameless ? name_group(&list[begin]) : list[begin].normal;
		for (size_t i = begin; i < end; i++) {
			if (i == begin || (alike && strcmp(list[i].name, list[i - 1].name)) ||
				(twins && are_twins(&list[i - 1], &list[i])))
				rows++;
			list[i].is_twin = twins;
			list[i].row = (uint32_t)(rows - 1);
			list[i].row_name = row_name ? row_name : twins && list[i].longer ? list[i].longer : list[i].name;
		}
	}
	return rows;
}

/* A row while rows are joined. */
struct row {
	struct match *first; /* its first entry in the list */
	unsigned sides;      /* bits of the sides with an entry; at the end the new number of the row */
	uint32_t into; /* index of the row to which match() has joined this row; this row's index: not joined */
};

static int by_sides(const void *a, const void *b)
{
	const struct row *x = *(const struct row *const *)a, *y = *(const struct row *const *)b;
	int order = strcmp(x->first->normal, y->first->normal);

	return order ? order : (int)x->sides - (int)y->sides;
}

/* Joins rows of functions that moved to another file: two rows, one of each side, with equal names. False: memory ran out. */
static bool join_moved(struct match *list, size_t count, size_t *row_count)
{
	struct row *rows = calloc(*row_count + 1, sizeof *rows), **single = calloc(*row_count + 1, sizeof *single);
	size_t singles = 0, end;
	uint32_t next = 0;

	if (!rows || !single) {
		free(rows);
		free(single);
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		struct row *row = &rows[list[i].row];

		row->first = row->sides ? row->first : &list[i];
		row->sides |= 1u << list[i].side;
	}
	for (size_t i = 0; i < *row_count; i++) {
		rows[i].into = (uint32_t)i;
		if (rows[i].sides != 3 && !rows[i].first->nameless && !rows[i].first->is_twin)
			single[singles++] = &rows[i];
	}
	if (singles)
		qsort(single, singles, sizeof *single, by_sides);
	for (size_t begin = 0; begin < singles; begin = end) {
		for (end = begin + 1; end < singles && !strcmp(single[begin]->first->normal, single[end]->first->normal); end++)
			;
		if (end - begin == 2 && single[begin]->sides != single[begin + 1]->sides)
			single[begin]->into = single[begin + 1]->into;
	}
	for (size_t i = 0; i < *row_count; i++) /* numbers without holes; a row is only joined with a row that stays */
		rows[i].sides = rows[i].into == i ? next++ : UINT32_MAX;
	for (size_t i = 0; i < count; i++) {
		const struct row *row = &rows[list[i].row];

		list[i].row_name = rows[row->into].first->row_name;
		list[i].row = rows[row->into].sides;
	}
	*row_count = next;
	free(rows);
	free(single);
	return true;
}

size_t match(struct match *list, size_t count)
{
	size_t rows;
	bool good = true;

	for (size_t i = 0; i < count; i++) {
		list[i].normal = make_match_normal(list[i].name);
		good &= list[i].normal != NULL;
	}
	if (!good)
		return SIZE_MAX;
	if (count)
		qsort(list, count, sizeof *list, by_place);
	rows = make_rows(list, count);
	return join_moved(list, count, &rows) ? rows : SIZE_MAX;
}

void free_matches(struct match *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(list[i].normal);
		list[i].normal = NULL;
	}
}
