/* Symbol tables of bytes in memory, and what holds for every one. */
#ifndef DWELL_TEST_SYMBOL_TABLES_H
#define DWELL_TEST_SYMBOL_TABLES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "symbol/symbol.h"

/* By way of a file without a name. */
static inline struct symbol_table *make_chosen_table_of(
	const void *data, size_t bytes, const struct symbol_request *want, struct diag *diag)
{
	int fd = memfd_create("program", MFD_CLOEXEC);
	char path[32];
	struct symbol_table *table;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (write(fd, data, bytes) != (ssize_t)bytes)
		printf("# cannot write %zu bytes\n", bytes);
	table = make_symbol_table(path, want, diag);
	close(fd);
	return table;
}

static inline struct symbol_table *make_table_of(const void *data, size_t bytes, struct diag *diag)
{
	return make_chosen_table_of(data, bytes, NULL, diag);
}

/* What callers rely on, whatever the file was. */
static inline bool is_sound(const struct symbol_table *table)
{
	for (size_t i = 0; i < symbol_count(table); i++) {
		const struct symbol *symbol = symbol_at(table, i);

		if (!symbol->size || !symbol->name || !symbol->name[0] || symbol_find(table, symbol->address) != symbol)
			return false;
		if (i && symbol_at(table, i - 1)->size > symbol->address - symbol_at(table, i - 1)->address)
			return false;
	}
	return true;
}

/* All of a table as "address name size, …"; extents have ? for a name. To be freed. */
static inline char *make_table_text(const struct symbol_table *table)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);
	size_t i = 0, k = 0;

	while (symbol_at(table, i) || symbol_extent_at(table, k)) {
		const struct symbol *symbol = symbol_at(table, i);
		const struct symbol_extent *extent = symbol_extent_at(table, k);
		bool is_named = symbol && (!extent || symbol->address < extent->address);

		fprintf(out, "%s%llx %s %llx", i + k ? ", " : "", (unsigned long long)(is_named ? symbol->address : extent->address),
			is_named ? symbol->name : "?", (unsigned long long)(is_named ? symbol->size : extent->size));
		i += is_named;
		k += !is_named;
	}
	fclose(out);
	return text;
}

/* What was said, as it is printed. To be freed. */
static inline char *make_said(struct diag *diag)
{
	char *said = NULL;
	size_t bytes;
	FILE *out = open_memstream(&said, &bytes);

	diag_print(diag, out);
	fclose(out);
	return said;
}

/* The table of these bytes, of a machine of 32 bits, and the one thing that was said, or a part of it; "": nothing. */
static inline void check_chosen_table(const void *data, size_t bytes, const struct symbol_choice *choice, const char *format,
	const char *want, int status, const char *said)
{
	const struct symbol_request chosen = {.choice = *choice};
	struct diag *diag = make_diag();
	struct symbol_table *table = make_chosen_table_of(data, bytes, &chosen, diag);
	char *text = make_table_text(table), *message = make_said(diag);

	CHECK_STR(text, want);
	CHECK(is_sound(table));
	CHECK_EQ(diag_status(diag), status);
	CHECK_STR(symbol_format(table), format);
	if (strcmp(format, "none"))
		CHECK_EQ(symbol_pointer_bytes(table), 4);
	CHECK(!strstr(message, "no memory"));
	if (!CHECK(said[0] ? strstr(message, said) != NULL : !message[0]))
		printf("# said: %s# expected: %s\n", message, said);
	free(text);
	free(message);
	free_symbol_table(table);
	free_diag(diag);
}

/* Any bytes: the table is sound, and has no more symbols than there may be. */
static inline void check_sound(const void *data, size_t bytes, size_t symbols_max)
{
	struct diag *diag = make_diag();
	struct symbol_table *table = make_table_of(data, bytes, diag);

	if (!is_sound(table) || symbol_count(table) > symbols_max)
		CHECK_EQ(bytes, 0);
	free_symbol_table(table);
	free_diag(diag);
}

#endif
