/* perf_map: checks and reads a perf map, and finds the function at each sampled address. */
#include "sample/code/perf_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/array.h"
#include "util/foreign_file.h"
#include "util/jit_map.h"

#define NO_FUNCTION UINT32_MAX

FILE *perf_map_open(const char *path, uid_t owner, struct timespec since, char why[static 100])
{
	struct stat status;
	int fd = foreign_file_open_unlinked(path, &status);
	FILE *file;

	*why = 0;
	if (fd < 0 && !errno)
		snprintf(why, 100, "it is %s", foreign_file_kind(&status));
	else if (fd >= 0 && status.st_uid != owner)
		snprintf(why, 100, "it belongs to user %lu, and the process to user %lu", (unsigned long)status.st_uid, (unsigned long)owner);
	else if (fd >= 0 && (status.st_mtim.tv_sec < since.tv_sec ||
				    (status.st_mtim.tv_sec == since.tv_sec && status.st_mtim.tv_nsec < since.tv_nsec)))
		snprintf(why, 100, "it is older than the process, so it is of another one");
	if (fd >= 0 && !*why && (file = fdopen(fd, "r")))
		return file;
	if (fd >= 0)
		close(fd);
	if (*why)
		errno = 0;
	return NULL;
}

/* Reads a line. False: the line is malformed. */
static bool take_line(const char *text, struct message_name *function)
{
	function->name = jit_map_read_line(text, &function->address, &function->size);
	return function->name;
}

/* Adds a copy of the function to the map. False: no memory. */
static bool add_function(struct perf_map *map, const struct message_name *function)
{
	char *name;

	if (!array_reserve(&map->names, &map->capacity, map->count + 1, sizeof *map->names) || !(name = strdup(function->name)))
		return false;
	map->text_bytes += strlen(name) + 1;
	map->names[map->count++] = (struct message_name){function->address, function->size, name};
	return true;
}

static void note_bad(struct perf_map *map, const char *text, uint64_t number, uint64_t offset)
{
	if (map->bad_lines++)
		return;
	map->bad_number = number;
	map->bad_offset = offset;
	for (size_t i = 0; i < sizeof map->bad_text - 1 && text[i]; i++)
		map->bad_text[i] = text[i] < ' ' || text[i] > '~' ? '?' : text[i];
}

enum line { LINE_WHOLE, LINE_BAD, LINE_NONE };

/* Reads a line up to the newline, which must exist. If the line is too long or contains a zero, line gets its beginning. */
static enum line read_line(FILE *file, char line[static PERF_MAP_LINE_BYTES], uint64_t *offset)
{
	enum line kind = LINE_WHOLE;
	size_t bytes = 0;
	int c;

	while ((c = getc_unlocked(file)) != EOF && c != '\n') {
		++*offset;
		if (bytes == PERF_MAP_LINE_BYTES - 1 || !c)
			kind = LINE_BAD;
		if (kind == LINE_WHOLE)
			line[bytes++] = (char)c;
	}
	++*offset;
	if (bytes && line[bytes - 1] == '\r')
		bytes--;
	line[bytes] = 0;
	return c == EOF ? LINE_NONE : kind;
}

/* Takes the functions that contain any of the addresses, in the order of the file. False: no memory. */
static bool take_lines(struct perf_map *map, FILE *file, const struct address_set *addresses)
{
	char *line = malloc(PERF_MAP_LINE_BYTES);
	uint64_t offset = 0, begin = 0;
	bool good = line;
	enum line kind;

	for (uint64_t number = 1; good && (kind = read_line(file, line, &offset)) != LINE_NONE; number++, begin = offset) {
		struct message_name function;

		map->is_cut =
			offset > PERF_MAP_BYTES_MAX || map->count == PERF_MAP_FUNCTIONS_MAX || map->text_bytes > PERF_MAP_TEXT_MAX;
		if (map->is_cut)
			break;
		if (kind == LINE_BAD || !take_line(line, &function))
			note_bad(map, line, number, begin);
		else if (address_set_count_below(addresses, function.address) <
			 address_set_count_below(addresses, function.address + function.size))
			good = add_function(map, &function);
	}
	free(line);
	return good;
}

/* The function at each sampled address. The arrays have an element for each address, in order, and one more. */
struct places {
	uint32_t *owner; /* index of a function, or NOBODY */
	uint32_t *next;  /* the next address, from here on, that may have no function yet */
	int64_t *step;   /* number of functions at this address, minus the number at the address before */
};

static bool make_places(struct places *places, size_t count)
{
	places->owner = calloc(count + 1, sizeof *places->owner);
	places->next = calloc(count + 1, sizeof *places->next);
	places->step = calloc(count + 1, sizeof *places->step);
	if (!places->owner || !places->next || !places->step)
		return false;
	for (size_t i = 0; i <= count; i++) {
		places->owner[i] = NO_FUNCTION;
		places->next[i] = (uint32_t)i;
	}
	return true;
}

static void clear_places(struct places *places)
{
	free(places->owner);
	free(places->next);
	free(places->step);
}

/* Returns the first address at or behind `at` without a function, and shortens the paths in next that lead there. */
static uint32_t find_free(uint32_t *next, uint32_t at)
{
	uint32_t found = at;

	while (next[found] != found)
		found = next[found];
	while (next[at] != found) {
		uint32_t step = next[at];

		next[at] = found;
		at = step;
	}
	return found;
}

static bool is_same(const struct message_name *a, const struct message_name *b)
{
	return a->address == b->address && a->size == b->size && !strcmp(a->name, b->name);
}

/* Gives the function all its addresses that have no function yet. */
static void assign_addresses(struct places *places, const struct perf_map *map, size_t index, const struct address_set *addresses)
{
	const struct message_name *function = &map->names[index];
	uint32_t low = (uint32_t)address_set_count_below(addresses, function->address),
		 high = (uint32_t)address_set_count_below(addresses, function->address + function->size);

	if (places->owner[low] == NO_FUNCTION || !is_same(&map->names[places->owner[low]], function)) { /* a line may be repeated */
		places->step[low]++;
		places->step[high]--;
	}
	for (uint32_t at = find_free(places->next, low); at < high; at = find_free(places->next, at)) {
		places->owner[at] = (uint32_t)index;
		places->next[at] = at + 1;
	}
}

/* Removes functions without an address. False: no memory. */
static bool drop_unused(struct perf_map *map, const struct places *places, size_t addresses)
{
	bool *has_any = calloc(map->count + 1, sizeof *has_any);
	size_t kept = 0;

	for (size_t i = 0; has_any && i < addresses; i++)
		if (places->owner[i] != NO_FUNCTION)
			has_any[places->owner[i]] = true;
	for (size_t i = 0; has_any && i < map->count; i++)
		if (has_any[i])
			map->names[kept++] = map->names[i];
		else
			free((char *)map->names[i].name);
	map->count = has_any ? kept : map->count;
	free(has_any);
	return has_any;
}

bool perf_map_read(struct perf_map *map, FILE *file, struct address_set *addresses)
{
	struct places places = {0};
	int64_t holders = 0;
	bool good;

	address_set_sort(addresses);
	good = take_lines(map, file, addresses) && make_places(&places, addresses->count);
	/* A program puts new code where it has discarded code, so the last function at an address counts. */
	for (size_t i = good ? map->count : 0; i--;)
		assign_addresses(&places, map, i, addresses);
	for (size_t i = 0; good && i < addresses->count; i++) {
		holders += places.step[i];
		map->named += places.owner[i] != NO_FUNCTION;
		map->doubled += holders > 1;
	}
	good = good && drop_unused(map, &places, addresses->count);
	clear_places(&places);
	return good;
}

void perf_map_clear(struct perf_map *map)
{
	for (size_t i = 0; i < map->count; i++)
		free((char *)map->names[i].name);
	free(map->names);
	*map = (struct perf_map){0};
}
