/* A table of words and how often each came. */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct word {
	char *text;
	unsigned long count;
};
struct table {
	struct word *slots;
	size_t slot_count, word_count; /* slot_count is a power of two; the table is never full */
};

/* Counts a word once more. 0: there is no memory for it. */
int table_count(struct table *table, const char *text, size_t length);
void table_free(struct table *table);

#ifdef __cplusplus
}
#endif

#endif
