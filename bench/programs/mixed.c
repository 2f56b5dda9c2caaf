/* mixed ROUNDS: evaluates made-up expressions, counts their words, sorts them now and then. Prints a checksum and what it took:
 * processor and wall seconds of this process. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mixed.h"

static uint64_t add_to_sum(uint64_t sum, uint64_t value)
{
	return sum * 31 + value;
}

static size_t copy_entries(const struct map *map, struct entry *to)
{
	size_t count = 0;

	for (size_t i = 0; i < map->capacity; i++)
		if (map->entries[i].key)
			to[count++] = map->entries[i];
	return count;
}

static uint64_t rank_words(const struct map *words, sort_before_fn *before)
{
	struct entry *entries = calloc(words->count + 1, sizeof *entries);
	size_t count = entries ? copy_entries(words, entries) : 0;
	uint64_t sum = 0;

	sort_entries(entries, count, before);
	for (size_t i = 0; i < count; i += 100)
		sum = add_to_sum(sum, entries[i].hash);
	free(entries);
	return sum;
}

static uint64_t run_round(struct generator *generator, struct text *text, struct map *words)
{
	uint64_t sum = 0;

	for (int i = 0; i < 500; i++) {
		text_clear(text);
		text_put_expression(text, generator, 5);
		sum = add_to_sum(sum, (uint64_t)expression_value(text->data, words));
	}
	sum = add_to_sum(sum, rank_words(words, sort_by_value));
	return add_to_sum(sum, rank_words(words, sort_by_key));
}

static double seconds_of(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	double wall = seconds_of(CLOCK_MONOTONIC);
	struct generator generator = {88172645463325252u};
	struct text text = {0};
	struct map words;
	uint64_t sum = 0;

	map_begin(&words);
	for (int rounds = argc > 1 ? atoi(argv[1]) : 100; rounds > 0; rounds--)
		sum = add_to_sum(sum, run_round(&generator, &text, &words));
	map_end(&words);
	free(text.data);
	printf("%016" PRIx64 " %.6f %.6f\n", sum, seconds_of(CLOCK_PROCESS_CPUTIME_ID), seconds_of(CLOCK_MONOTONIC) - wall);
	return 0;
}
