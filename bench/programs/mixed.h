/* The parts of mixed: a program of many small functions, as programs are. Text is taken apart, expressions are parsed and
 * evaluated, words are counted in a hash map, records are sorted. Nothing in it knows that it is measured. */
#ifndef DWELL_BENCH_MIXED_H
#define DWELL_BENCH_MIXED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* random.c */
struct generator {
	uint64_t state;
};
uint32_t generator_next(struct generator *generator);
uint32_t generator_below(struct generator *generator, uint32_t limit);

/* text.c: a buffer that grows, and made-up expressions in it */
struct text {
	char *data;
	size_t size, capacity;
};
void text_clear(struct text *text);
void text_put(struct text *text, char c);
void text_put_number(struct text *text, uint32_t number);
void text_put_word(struct text *text, uint32_t number);
void text_put_expression(struct text *text, struct generator *generator, unsigned depth);

/* expression.c: parses and evaluates; the value of a word is how often it was met, in the map */
struct map;
int64_t expression_value(const char *text, struct map *words);

/* map.c */
struct entry {
	char *key;
	uint32_t hash;
	int64_t value;
};
struct map {
	struct entry *entries;
	size_t count, capacity;
};
void map_begin(struct map *map);
void map_end(struct map *map);
int64_t *map_find(struct map *map, const char *key, size_t length);

/* sort.c */
typedef bool sort_before_fn(const struct entry *a, const struct entry *b);
void sort_entries(struct entry *entries, size_t count, sort_before_fn *before);
sort_before_fn sort_by_value, sort_by_key;

#endif
