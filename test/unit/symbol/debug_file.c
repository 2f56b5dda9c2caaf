/* Symbols and lines that are in another file; objdump is the second opinion. */
#include "check.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "programs.h"
#include "symbol/debug/line.h"
#include "symbol/symbol.h"

static const char source[] =
	"static __attribute__((noinline)) int inner(int n)\n"
	"{\n"
	"	return n * n + 1;\n"
	"}\n"
	"\n"
	"int outer(int n)\n"
	"{\n"
	"	return inner(n) + inner(n + 1);\n"
	"}\n"
	"\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"	(void)argv;\n"
	"	return outer(argc);\n"
	"}\n";

static int make_program(const char *options)
{
	return run_shell("rm -rf debug .debug program* && mkdir -p src") && write_file("src/a.c", source, strlen(source)) &&
	       run_shell("gcc -O1 -g %s src/a.c -o program", options);
}

static const struct symbol *find_name(const struct symbol_table *table, const char *name)
{
	for (size_t i = 0; i < symbol_count(table); i++)
		if (!strcmp(symbol_at(table, i)->name, name))
			return symbol_at(table, i);
	return NULL;
}

/* What the program's name for the address is, and its line; status: of the diag, both asked. */
static void check_program(bool has_names, const char *want_line, int want_status)
{
	struct diag *diag = make_diag();
	struct symbol_table *table = make_symbol_table(get_path("program"), NULL, diag), *whole;
	struct line_table *lines = make_line_table(get_path("program"), NULL, diag);
	char *text;

	whole = make_symbol_table(get_path("program.whole"), NULL, diag);
	CHECK(find_name(whole, "inner"));
	CHECK_EQ(find_name(table, "inner") != NULL, has_names);
	CHECK_EQ(find_name(table, "main") != NULL, has_names);
	if (has_names)
		CHECK_EQ(find_name(table, "inner")->address, find_name(whole, "inner")->address);
	text = make_line_text(lines, find_name(whole, "inner")->address);
	if (want_line)
		CHECK_STR(text && strlen(text) > strlen(want_line) ? text + strlen(text) - strlen(want_line) : "(none)", want_line);
	else
		CHECK(!text);
	CHECK_EQ(line_table_has_lines(lines), want_line != NULL);
	CHECK_EQ(diag_status(diag), want_status);
	diag_print(diag, stdout);
	free(text);
	free_line_table(lines);
	free_symbol_table(whole);
	free_symbol_table(table);
	free_diag(diag);
}

static void separate(const char *options)
{
	CHECK(make_program(options));
	CHECK(run_shell("cp program program.whole && objcopy --only-keep-debug program program.debug && strip program -o program.stripped &&"
			" objcopy --add-gnu-debuglink=program.debug program.stripped program && rm program.stripped"));
}

TEST(beside_the_program)
{
	separate("");
	check_program(true, "/src/a.c:2", 0);
	CHECK(run_shell("mkdir .debug && mv program.debug .debug/"));
	check_program(true, "/src/a.c:2", 0);
	CHECK(run_shell("rm .debug/program.debug"));
	check_program(false, NULL, 0);
}

TEST(compressed)
{
	separate("-gz=zlib");
	check_program(true, "/src/a.c:2", 0);
	separate("-gdwarf-4 -gz=zlib");
	check_program(true, "/src/a.c:2", 0);
}

TEST(by_build_id)
{
	separate("-Wl,--build-id=0x0123456789abcdef0123456789abcdef01234567");
	CHECK(run_shell("mkdir -p debug/.build-id/01 && mv program.debug debug/.build-id/01/23456789abcdef0123456789abcdef01234567.debug"));
	check_program(false, NULL, 0);
	setenv("DWELL_DEBUG_PATH", get_path("debug"), 1);
	check_program(true, "/src/a.c:2", 0);
	setenv("DWELL_DEBUG_PATH", "/nowhere::", 1);
	check_program(false, NULL, 0);
	unsetenv("DWELL_DEBUG_PATH");
}

TEST(below_the_debug_folder)
{
	separate("-Wl,--build-id=none");
	CHECK(run_shell("mkdir -p debug$(pwd -P) && mv program.debug debug$(pwd -P)/"));
	check_program(false, NULL, 0);
	setenv("DWELL_DEBUG_PATH", get_path("debug"), 1);
	check_program(true, "/src/a.c:2", 0);
	unsetenv("DWELL_DEBUG_PATH");
}

TEST(of_another_build)
{
	separate("-Wl,--build-id=0x01020304");
	CHECK(run_shell("gcc -O0 -g -Wl,--build-id=0x01020305 src/a.c -o other && objcopy --only-keep-debug other program.debug"));
	check_program(false, NULL, 1);
	/* without build-ids, by the checksum */
	separate("-Wl,--build-id=none");
	check_program(true, "/src/a.c:2", 0);
	CHECK(run_shell("printf x >> program.debug"));
	check_program(false, NULL, 1);
	CHECK(write_file("program.debug", "text", 4));
	check_program(false, NULL, 1); /* no debug file at all */
}

/* Names that lead somewhere else, and to the program itself. */
TEST(names_that_lead_astray)
{
	static const char *const names[] = {"../program.debug", "/etc/passwd", "program", "..", ".", ""};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char link[64] = {0};

		separate("-Wl,--build-id=none");
		strcpy(link, names[i]);
		CHECK(write_file("link", link, (strlen(link) / 4 + 1) * 4 + 4));
		CHECK(run_shell("objcopy --remove-section .gnu_debuglink --add-section .gnu_debuglink=link program"));
		check_program(false, NULL, 0);
	}
}

TEST(no_debug_information)
{
	CHECK(make_program("-g0") && run_shell("cp program program.whole"));
	check_program(true, NULL, 0);
}

/* Each function of each way to compile: the first row that objdump shows of its address. */
TEST(lines_agree_with_objdump)
{
	static const char *const ways[] = {"", "-O2", "-O0 -no-pie", "-gz", "-gdwarf-4", "-gdwarf-3", "-g1", "-ffunction-sections", "-static"};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct diag *diag = make_diag();
		struct symbol_table *table;
		struct line_table *lines;
		size_t bytes = 0, compared = 0;
		char *text, *save = NULL;

		printf("# gcc %s\n", ways[i]);
		CHECK(make_program(ways[i]));
		table = make_symbol_table(get_path("program"), NULL, diag);
		lines = make_line_table(get_path("program"), NULL, diag);
		CHECK(run_shell("objdump --dwarf=decodedline program | awk '$1 == \"a.c\" && $2 + 0 && !seen[$3]++ { print $3, $2 }' > lines.txt"));
		text = make_file_bytes(get_path("lines.txt"), &bytes);
		for (char *row = strtok_r(text, "\n", &save); row; row = strtok_r(NULL, "\n", &save)) {
			const struct symbol *symbol;
			unsigned long long address;
			unsigned line;
			char want[64], *got;

			if (sscanf(row, "%llx %u", &address, &line) != 2)
				continue;
			symbol = symbol_find(table, address);
			if (!symbol || symbol->address != address)
				continue;
			compared++;
			snprintf(want, sizeof want, "/src/a.c:%u", line);
			got = make_line_text(lines, address);
			CHECK(got && *got == '/');
			CHECK_STR(got && strlen(got) > strlen(want) ? got + strlen(got) - strlen(want) : "(none)", want);
			free(got);
		}
		CHECK_EQ(compared, 3);
		for (size_t j = 0; j < symbol_count(table); j++) /* what is not of our file has no lines */
			if (!strcmp(symbol_at(table, j)->name, "_start"))
				CHECK(!make_line_text(lines, symbol_at(table, j)->address));
		CHECK(!make_line_text(lines, 0));
		CHECK(!make_line_text(lines, UINT64_MAX));
		free(text);
		free_line_table(lines);
		free_symbol_table(table);
		free_diag(diag);
	}
}

/* A debug file cut anywhere and with any byte changed: names and lines or none, and no harm. */
TEST(damaged_debug_files)
{
	struct stat status;
	size_t bytes = 0;
	char *data, *copy;

	separate("-Wl,--build-id=none");
	CHECK(stat(get_path("program.debug"), &status) == 0);
	data = make_file_bytes(get_path("program.debug"), &bytes);
	copy = malloc(bytes);
	for (size_t round = 0; round < 400; round++) {
		struct diag *diag = make_diag();
		size_t at = round * bytes / 400, left = round % 2 ? bytes : at;
		struct line_table *lines;

		memcpy(copy, data, bytes);
		if (round % 2)
			copy[at] ^= (char)(round * 37 + 1);
		/* as a program of its own: a checksum would refuse it */
		CHECK(write_file("hurt", copy, left));
		free_symbol_table(make_symbol_table(get_path("hurt"), NULL, diag));
		lines = make_line_table(get_path("hurt"), NULL, diag);
		for (uint64_t address = 0x1000; address < 0x1400; address += 16)
			free(make_line_text(lines, address));
		free_line_table(lines);
		free_diag(diag);
	}
	free(copy);
	free(data);
}

int main(void)
{
	unsetenv("DWELL_DEBUG_PATH");
	RUN(beside_the_program);
	RUN(compressed);
	RUN(by_build_id);
	RUN(below_the_debug_folder);
	RUN(of_another_build);
	RUN(names_that_lead_astray);
	RUN(no_debug_information);
	RUN(lines_agree_with_objdump);
	RUN(damaged_debug_files);
	return tap_done();
}
