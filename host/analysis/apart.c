#include "analysis/apart.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct apart *)a)->name, ((const struct apart *)b)->name);
}

void apart_names(struct functions *functions, struct apart *rows, size_t count)
{
	size_t end;

	for (size_t i = 0; i < count; i++) {
		rows[i].longer = NULL;
		if (rows[i].id != FUNCTION_NONE)
			rows[i].name = functions_get_name(functions, rows[i].id);
	}
	if (count)
		qsort(rows, count, sizeof *rows, by_name);
	for (size_t begin = 0; begin < count; begin = end) {
		for (end = begin + 1; end < count && !by_name(&rows[begin], &rows[end]); end++)
			;
		for (size_t i = begin; i < end && end - begin > 1; i++)
			rows[i].longer = make_functions_name_and_place(functions, rows[i].id);
	}
	for (size_t i = 0; i < count; i++)
		if (rows[i].longer)
			rows[i].name = rows[i].longer;
}

void free_apart(struct apart *rows, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(rows[i].longer);
}
