/* Symbols and lines that are in another file; addr2line is the second opinion. */
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
	check_program(true, "/src/a.c:3", 0);
	CHECK(run_shell("mkdir .debug && mv program.debug .debug/"));
	check_program(true, "/src/a.c:3", 0);
	CHECK(run_shell("rm .debug/program.debug"));
	check_program(false, NULL, 0);
}

TEST(compressed)
{
	separate("-gz=zlib");
	check_program(true, "/src/a.c:3", 0);
	separate("-gdwarf-4 -gz=zlib");
	check_program(true, "/src/a.c:3", 0);
}

/* Sections of zeros, which no compiler makes: a small file would fill the memory. */
TEST(compressed_too_much)
{
	struct symbol_table *table;
	struct diag *diag;

	/* .debug_str, which dwell itself unpacks, and one that libdw unpacks; zlib and the older way. */
	for (int i = 0; i < 4; i++) {
		const char *section = i & 1 ? ".debug_str" : ".debug_line", *way = i & 2 ? "zlib-gnu" : "zlib-gabi";

		separate("");
		CHECK(run_shell("head -c 40M /dev/zero > zeros && objcopy --remove-section=%s program.debug && "
				"objcopy --add-section=%s=zeros program.debug && objcopy --compress-debug-sections=%s program.debug && rm zeros",
			section, section, way));
		CHECK(run_shell("test $(stat -c %%s program.debug) -lt 500000"));
		check_program(true, NULL, 1);
	}
	/* Unwind tables: for functions without a symbol. */
	CHECK(make_program("-fno-asynchronous-unwind-tables"));
	CHECK(run_shell("strip program && head -c 40M /dev/zero > zeros && objcopy --add-section=.debug_frame=zeros program && "
			"objcopy --compress-debug-sections=zlib program && rm zeros && test $(stat -c %%s program) -lt 500000"));
	diag = make_diag();
	table = make_symbol_table(get_path("program"), NULL, diag);
	CHECK_EQ(diag_status(diag), 1);
	free_symbol_table(table);
	free_diag(diag);
}

TEST(by_build_id)
{
	separate("-Wl,--build-id=0x0123456789abcdef0123456789abcdef01234567");
	CHECK(run_shell("mkdir -p debug/.build-id/01 && mv program.debug debug/.build-id/01/23456789abcdef0123456789abcdef01234567.debug"));
	check_program(false, NULL, 0);
	setenv("DWELL_DEBUG_PATH", get_path("debug"), 1);
	check_program(true, "/src/a.c:3", 0);
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
	check_program(true, "/src/a.c:3", 0);
	unsetenv("DWELL_DEBUG_PATH");
}

TEST(of_another_build)
{
	separate("-Wl,--build-id=0x01020304");
	CHECK(run_shell("gcc -O0 -g -Wl,--build-id=0x01020305 src/a.c -o other && objcopy --only-keep-debug other program.debug"));
	check_program(false, NULL, 1);
	/* without build-ids, by the checksum */
	separate("-Wl,--build-id=none");
	check_program(true, "/src/a.c:3", 0);
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

/* Asks addr2line for the lines of `count` addresses. Returns the number of addresses for which dwell has the same line. */
static size_t count_as_addr2line(struct line_table *lines, const uint64_t *addresses, size_t count)
{
	FILE *asked = fopen(get_path("asked"), "w"), *answers;
	char want[4096], real[4096];
	size_t same = 0;

	for (size_t i = 0; asked && i < count; i++)
		fprintf(asked, "0x%llx\n", (unsigned long long)addresses[i]);
	if (!asked || fclose(asked) || !run_shell("addr2line -e program < asked > answers"))
		return 0;
	answers = fopen(get_path("answers"), "r");
	for (size_t i = 0; answers && i < count && fgets(want, sizeof want, answers); i++) {
		char *got = make_line_text(lines, addresses[i]), *colon = got ? strrchr(got, ':') : NULL;
		bool is_known = !strchr(want, '?') && !strstr(want, ":0");

		want[strcspn(want, "\n ")] = 0; /* " (discriminator 2)" */
		if (colon)
			*colon = 0;
		if (got && realpath(got, real) && strlen(real) + strlen(colon + 1) + 2 < sizeof real)
			sprintf(real + strlen(real), ":%s", colon + 1);
		if (got ? is_known && !strcmp(real, want) : !is_known)
			same++;
		else
			printf("# 0x%llx: %s, addr2line %s\n", (unsigned long long)addresses[i], got ? real : "(none)", want);
		free(got);
	}
	if (answers)
		fclose(answers);
	return same;
}

/* Each address of each function with the prefix. */
static void check_lines(const char *prefix, size_t functions)
{
	struct diag *diag = make_diag();
	struct symbol_table *table = make_symbol_table(get_path("program"), NULL, diag);
	struct line_table *lines = make_line_table(get_path("program"), NULL, diag);
	uint64_t addresses[4096];
	size_t count = 0, found = 0;

	for (size_t i = 0; i < symbol_count(table); i++) {
		const struct symbol *symbol = symbol_at(table, i);

		if (strncmp(symbol->name, prefix, strlen(prefix)))
			continue;
		found++;
		for (uint64_t at = 0; at < symbol->size && count < sizeof addresses / sizeof *addresses; at++)
			addresses[count++] = symbol->address + at;
	}
	CHECK_EQ(found, functions);
	CHECK_EQ(count_as_addr2line(lines, addresses, count), count);
	CHECK(!make_line_text(lines, 0));
	CHECK(!make_line_text(lines, UINT64_MAX));
	CHECK(find_name(table, "_start") && !make_line_text(lines, find_name(table, "_start")->address)); /* not of our file */
	free_line_table(lines);
	free_symbol_table(table);
	free_diag(diag);
}

/* Each address of each way to compile, with inlined functions and the view numbers of -O2, has the line of addr2line. */
TEST(lines_agree_with_addr2line)
{
	static const char *const ways[] = {"", "-O2", "-O0 -no-pie", "-gz", "-gdwarf-4", "-gdwarf-3", "-g1", "-ffunction-sections", "-static"};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		printf("# gcc %s\n", ways[i]);
		CHECK(make_program(ways[i]));
		check_lines("inner", 1);
		check_lines("outer", 1);
		check_lines("main", 1);
	}
}

/* Functions without space between them, by name in the opposite order of the file. Each has several rows at its first address;
 * f_z, f_x and f_v have a row behind their last instruction, where the next function begins. */
static const char rows[] =
	"#define FUNCTION(NAME, TEXT) __attribute__((naked, aligned(1))) void NAME(void) { __asm__ volatile(TEXT); }\n"
	"FUNCTION(f_z, \".loc 1 100\\n.loc 1 101\\nnop\\n.loc 1 102\\nret\\n\" BEHIND(103))\n"
	"FUNCTION(f_y, \".loc 1 200\\n.loc 1 201\\n.loc 1 202\\nret\\n\")\n"
	"FUNCTION(f_x, \".loc 1 300\\nnop\\nret\\n\" BEHIND(301))\n"
	"FUNCTION(f_w, \"nop\\n.loc 1 400\\nret\\n\")\n"
	"FUNCTION(f_v, \".loc 1 500\\nnop\\n.loc 1 501\\n.loc 1 502\\nret\\n\" BEHIND(503))\n"
	"FUNCTION(f_u, \".loc 1 600\\n.loc 1 601\\nret\\n\")\n"
	"int main(void) { return 0; }\n";

TEST(rows_at_one_address)
{
	static const char *const ways[] = {"", "-ffunction-sections", "-gdwarf-4", "-gdwarf-4 -ffunction-sections",
		"-ffunction-sections -Wl,--sort-section=name"};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		printf("# gcc %s\n", ways[i]);
		CHECK(run_shell("mkdir -p src") && write_file("src/rows.c", rows, strlen(rows)));
		CHECK(run_shell("gcc -O1 -g %s -D'BEHIND(LINE)=%s' src/rows.c -o program", ways[i],
			strstr(ways[i], "sort") ? "\"\"" : "\".loc 1 \" #LINE \"\\n\""));
		check_lines("f_", 6);
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
	for (size_t round = 0; round < 200; round += SANITIZED ? 7 : 1) {
		struct diag *diag = make_diag();
		size_t at = round * bytes / 200, left = round % 2 ? bytes : at;
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

/* Symbols that .dynsym lacks, packed into the stripped program as GDB's manual shows; then damaged, endless, and no ELF file. */
static void add_mini(const char *make_packed)
{
	CHECK(run_shell("cp program.bare program && %s && objcopy --add-section .gnu_debugdata=packed program", make_packed));
}

TEST(packed_into_the_program)
{
	if (!have_program("xz"))
		return;
	CHECK(make_program("-g0") && run_shell("cp program program.whole && strip program -o program.bare &&"
						" objcopy -S --remove-section .comment --keep-symbol=inner --keep-symbol=main program.whole mini"));
	add_mini("cp mini packed && xz -f packed && mv packed.xz packed");
	check_program(true, NULL, 0);
	add_mini("xz -c mini | head -c 300 > packed");
	check_program(false, NULL, 1);
	add_mini("cp mini packed");
	check_program(false, NULL, 1);
	add_mini("echo text | xz > packed");
	check_program(false, NULL, 1);
	add_mini("head -c 300000000 /dev/zero | xz -1 > packed");
	check_program(false, NULL, 1);
}

int main(void)
{
	unsetenv("DWELL_DEBUG_PATH");
	RUN(beside_the_program);
	RUN(compressed);
	RUN(compressed_too_much);
	RUN(by_build_id);
	RUN(below_the_debug_folder);
	RUN(of_another_build);
	RUN(names_that_lead_astray);
	RUN(no_debug_information);
	RUN(lines_agree_with_addr2line);
	RUN(rows_at_one_address);
	RUN(packed_into_the_program);
	RUN(damaged_debug_files);
	return tap_done();
}
