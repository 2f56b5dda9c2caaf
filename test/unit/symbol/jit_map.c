/* Maps of generated code as symbols: the last function at an address counts, and no line does harm. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/symbol.h"
#include "util/jit_map.h"

static char path[] = "/tmp/dwell-jit-map-XXXXXX";

static struct symbol_table *read_text(const char *text, struct diag *diag)
{
	FILE *file = fopen(path, "w");

	CHECK(file && fputs(text, file) >= 0 && !fclose(file));
	return make_symbol_table(path, NULL, diag);
}

static const char *name_at(const struct symbol_table *table, uint64_t address)
{
	const struct symbol *symbol = symbol_find(table, address);

	return symbol ? symbol->name : "none";
}

TEST(names)
{
	struct diag *diag = make_diag();
	struct symbol_table *table = read_text("1000 20 older\r\n1000 10 a b\r\n0x1040 10 second\nno line\n1050 0 empty\n1060 10 cut", diag);

	CHECK_STR(symbol_format(table), "JIT map");
	CHECK_EQ(symbol_count(table), 2);
	CHECK_STR(name_at(table, 0x1000), "a b");
	CHECK_STR(name_at(table, 0x100f), "a b");
	CHECK_STR(name_at(table, 0x1010), "none");
	CHECK_STR(name_at(table, 0x104f), "second");
	CHECK_STR(name_at(table, 0x1060), "none");
	CHECK_EQ(diag_status(diag), 1); /* "no line" */
	free_symbol_table(table);
	free_diag(diag);
}

TEST(the_end_of_memory)
{
	struct diag *diag = make_diag();
	struct symbol_table *table = read_text("fffffffffffffff0 f last\nfffffffffffffff0 10 beyond\n10000000000000000 1 too far\n", diag);

	CHECK_STR(name_at(table, UINT64_MAX - 1), "last");
	CHECK_EQ(symbol_count(table), 1);
	free_symbol_table(table);
	free_diag(diag);
}

TEST(paths)
{
	char written[JIT_MAP_PATH_BYTES];

	jit_map_write_path(written, UINT32_MAX);
	CHECK_STR(written, "/tmp/perf-4294967295.map");
	CHECK(jit_map_is_path(written));
	CHECK(!jit_map_is_path("/tmp/perf-4294967296.map"));
	CHECK(!jit_map_is_path("/tmp/perf-07.map"));
	CHECK(!jit_map_is_path("/tmp/perf-.map"));
	CHECK(!jit_map_is_path("/tmp/perf-1.map/../x"));
}

int main(void)
{
	close(mkstemp(path));
	RUN(names);
	RUN(the_end_of_memory);
	RUN(paths);
	unlink(path);
	return tap_done();
}
