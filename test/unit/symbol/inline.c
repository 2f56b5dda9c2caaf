/* Functions that were put into others: the assembler knows where each one's code is, by a label that stands in its source. And
 * debug information as nobody should write it. */
#include "check.h"

#include <stdlib.h>
#include <time.h>

#include "programs.h"
#include "symbol/debug/inline.h"
#include "symbol/symbol.h"

/* Which functions a label is in: its name says so, outermost first. %= makes it another one in each copy. */
static const char source[] =
	"#define HERE(name) __asm__ volatile(\"at_\" name \"_%=: nop\" ::: \"memory\")\n"
	"#define INLINE static inline __attribute__((always_inline))\n"
	"INLINE int leaf(int n)\n"
	"{\n"
	"	HERE(\"leaf\");\n"
	"	return n * 3;\n"
	"}\n"
	"INLINE int middle(int n)\n"
	"{\n"
	"	HERE(\"middle\");\n"
	"	for (int i = 0; i < n; i++)\n"
	"		n ^= leaf(i);\n"
	"	HERE(\"middle\"); return n;\n"
	"}\n"
	"__attribute__((noinline)) int outer(int n)\n"
	"{\n"
	"	HERE(\"outer\");\n"
	"	n = middle(n) + middle(n + 1);\n"
	"	if (__builtin_expect(n == 7, 0))\n"
	"		n = leaf(n);\n"
	"	return n;\n"
	"}\n"
	"#ifdef __cplusplus\n"
	"namespace shape { namespace { struct box { int n; box(int n) : n(n) { HERE(\"box\"); }\n"
	"	__attribute__((always_inline)) int area() const { HERE(\"area\"); return leaf(n); } };\n"
	"	template <class T> INLINE int twice(const T &t) { HERE(\"twice\"); return t.area() * 2; } } }\n"
	"__attribute__((noinline)) int more(int n)\n"
	"{\n"
	"	shape::box b(n);\n"
	"	auto add = [&](int k) __attribute__((always_inline)) { HERE(\"lambda\"); return k + n; };\n"
	"	return shape::twice(b) + add(n);\n"
	"}\n"
	"int main(int argc, char **) { return outer(argc) + more(argc); }\n"
	"#else\n"
	"int main(int argc, char **argv) { (void)argv; return outer(argc); }\n"
	"#endif\n";

static bool make_program(const char *compiler, const char *options)
{
	return write_file("a.c", source, strlen(source)) && run_shell("%s %s -w a.c -o program", compiler, options);
}

/* The innermost function at a label is the one that the label stands in. Functions of one file have a mangled name from one
 * compiler, none from the other: with arguments or without. */
static const struct {
	const char *label, *name, *declared;
	uint32_t least, most; /* functions at it */
} labels[] = {
	{"at_leaf_", "leaf", "/a.c:3", 1, 3},
	{"at_middle_", "middle", "/a.c:8", 1, 1},
	{"at_outer_", NULL, NULL, 0, 0},
	{"at_box_", "shape::(anonymous namespace)::box::box", "/a.c:24", 1, 1},
	{"at_area_", "shape::(anonymous namespace)::box::area", "/a.c:25", 2, 2},
	{"at_twice_", "shape::(anonymous namespace)::twice<", "/a.c:26", 1, 1},
	{"at_lambda_", "::operator()", "/a.c:30", 1, 1},
};
#define LABELS (sizeof labels / sizeof *labels)

static bool holds(const char *text, const char *part)
{
	return part ? text && strstr(text, part) : !text;
}

static void check_label(struct inline_table *table, uint64_t address, const char *name, unsigned seen[static LABELS])
{
	struct inline_frame frames[INLINE_DEPTH_MAX];
	uint32_t count = inline_table_find(table, address, frames);
	char *inner = count ? make_symbol_display_name(frames[count - 1].name) : NULL;

	for (size_t i = 0; i < LABELS; i++) {
		if (strncmp(name, labels[i].label, strlen(labels[i].label)))
			continue;
		seen[i]++;
		if (!holds(inner, labels[i].name) || !holds(count ? frames[count - 1].declared : NULL, labels[i].declared) ||
			count < labels[i].least || count > labels[i].most)
			printf("# %s: %s of %u at %s\n", name, inner ? inner : "none", count,
				count && frames[count - 1].declared ? frames[count - 1].declared : "-");
		CHECK(holds(inner, labels[i].name));
		CHECK(holds(count ? frames[count - 1].declared : NULL, labels[i].declared));
		CHECK(count >= labels[i].least && count <= labels[i].most);
		if (!i && count == 2) /* leaf */
			CHECK(strstr(frames[0].name, "middle"));
		if (!i && count == 3) {
			CHECK(strstr(frames[0].name, "twice"));
			CHECK(strstr(frames[1].name, "area"));
		}
		if (!strcmp(labels[i].label, "at_lambda_"))
			CHECK(strstr(inner, "more") && (strstr(inner, "lambda") || strstr(inner, "$_0")));
	}
	free(inner);
}

/* What nm says where the labels are; path: what is asked. */
static void check_labels(const char *path, bool is_cpp)
{
	struct diag *diag = make_diag();
	struct inline_table *table = make_inline_table(path, NULL, diag);
	struct inline_frame frames[INLINE_DEPTH_MAX];
	FILE *nm = run_shell("nm program.whole > labels") ? fopen(get_path("labels"), "r") : NULL;
	unsigned long long address;
	char line[1024], name[1000];
	unsigned seen[LABELS] = {0};

	CHECK(nm && inline_table_has_units(table));
	while (nm && fgets(line, sizeof line, nm))
		if (sscanf(line, "%llx %*c %999s", &address, name) == 2)
			check_label(table, address, name, seen);
	for (size_t i = 0; i < LABELS; i++)
		CHECK((seen[i] > 0) == (is_cpp || i < 3));
	CHECK(seen[1] >= 2 && seen[0] >= (is_cpp ? 4u : 3u));
	CHECK_EQ(inline_table_find(table, 0, frames), 0);
	CHECK_EQ(inline_table_find(table, UINT64_MAX, frames), 0);
	CHECK(!inline_table_is_spent(table));
	free_inline_table(table);
	if (nm)
		fclose(nm);
	free_diag(diag);
}

/* Either compiler, each form of debug information, with and without a debug file. */
TEST(labels_are_where_they_are)
{
	static const char *const ways[][2] = {{"gcc", "-O2 -g"}, {"gcc", "-O2 -gdwarf-4"}, {"gcc", "-O1 -g -gz"},
		{"clang", "-O2 -g"}, {"g++", "-x c++ -O2 -g"},
		{"clang++", "-x c++ -O2 -g"}};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (!run_shell("command -v %s > found", ways[i][0])) {
			printf("# no %s here\n", ways[i][0]);
			continue;
		}
		CHECK(make_program(ways[i][0], ways[i][1]) && run_shell("cp program program.whole"));
		check_labels(get_path("program"), strstr(ways[i][1], "c++"));
		CHECK(run_shell("objcopy --only-keep-debug program program.debug && strip program && objcopy --add-gnu-debuglink=program.debug program"));
		check_labels(get_path("program"), strstr(ways[i][1], "c++"));
		run_shell("rm program.debug");
	}
}

TEST(nothing_is_known)
{
	static const uint8_t id[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	const struct symbol_want want = {.build_id = id, .build_id_bytes = sizeof id};
	struct inline_frame frames[INLINE_DEPTH_MAX];
	struct diag *diag = make_diag();

	CHECK(make_program("gcc", "-O2 -g -Wl,--build-id") && run_shell("gcc -O2 -w a.c -o bare && printf text > text && cp a.c '[vdso]'"));
	for (int way = 0; way < 5; way++) {
		static const char *const names[] = {"program", "bare", "text", "missing", "."};
		struct inline_table *table = make_inline_table(get_path(names[way]), way ? NULL : &want, diag);

		CHECK(table && !inline_table_has_units(table));
		for (uint64_t address = 0; address < 0x3000; address += 0x101)
			CHECK_EQ(inline_table_find(table, address, frames), 0);
		free_inline_table(table);
	}
	free_diag(diag);
}

/* ---- hostile ---- */

static double seconds(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Debug information by hand: abbreviations 1 unit, 2 function, 3 inlined with a range, 4 block, 5 abstract function, 6 inlined
 * with a list. */
static const char head[] =
	"	.text\n"
	"begin: .skip 4096, 0x90\n"
	"end:\n"
	"	.section .debug_abbrev,\"\",@progbits\n"
	"	.byte 1, 0x11, 1, 0x11, 1, 0x12, 7, 0, 0\n" /* low_pc addr, high_pc data8 */
	"	.byte 2, 0x2e, 1, 0x11, 1, 0x12, 7, 0, 0\n"
	"	.byte 3, 0x1d, 1, 0x31, 0x13, 0x11, 1, 0x12, 7, 0, 0\n" /* abstract_origin ref4 */
	"	.byte 4, 0x0b, 1, 0, 0\n"
	"	.byte 5, 0x2e, 0, 0x31, 0x13, 3, 8, 0, 0\n" /* abstract_origin ref4, name string */
	"	.byte 6, 0x1d, 0, 0x31, 0x13, 0x55, 0x17, 0, 0\n" /* abstract_origin ref4, ranges sec_offset */
	"	.byte 7, 0x1d, 0, 0x31, 0x13, 0x11, 1, 0x12, 7, 0, 0\n"
	"	.byte 0\n"
	"	.section .debug_info,\"\",@progbits\n"
	"info:	.long tail - behind\n"
	"behind: .short 4\n"
	"	.long 0\n"
	"	.byte 8\n"
	"	.byte 1\n	.quad begin, end - begin\n";
static const char foot[] = "tail:\n";

static bool assemble(const char *body)
{
	char *text = NULL;
	bool good = asprintf(&text, "%s%s%s", head, body, foot) > 0 && write_file("hostile.s", text, strlen(text)) &&
		run_shell("gcc -nostdlib -static -Wl,-Ttext=0x1000 -Wl,-e,0 -x assembler hostile.s -o hostile");

	free(text);
	return good;
}

/* Asks all over the code; returns how many functions there were at the deepest. */
static uint32_t ask(bool *spent)
{
	struct diag *diag = make_diag();
	struct inline_table *table = make_inline_table(get_path("hostile"), NULL, diag);
	struct inline_frame frames[INLINE_DEPTH_MAX];
	uint32_t deepest = 0;

	CHECK(inline_table_has_units(table));
	for (uint64_t address = 0x1000; address < 0x2000; address++) {
		uint32_t count = inline_table_find(table, address, frames);

		CHECK(count <= INLINE_DEPTH_MAX);
		deepest = count > deepest ? count : deepest;
	}
	*spent = inline_table_is_spent(table);
	free_inline_table(table);
	free_diag(diag);
	return deepest;
}

/* Inlined into each other, three hundred deep: the outermost are told. */
TEST(deep)
{
	bool spent;

	CHECK(assemble("	.byte 2\n	.quad begin, 4096\n"
		       "	.rept 300\n	.byte 3\n	.long name - info\n	.quad begin, 4096\n	.endr\n"
		       "	.rept 302\n	.byte 0\n	.endr\n"
		       "name:	.byte 5\n	.long name - info\n	.asciz \"f\"\n	.byte 0\n"));
	CHECK_EQ(ask(&spent), INLINE_DEPTH_MAX - 1);
	CHECK(!spent);
}

/* Half a million blocks in each other, none of which says where it ends; and a function that is its own origin. */
TEST(deeper_than_anything)
{
	double begin = seconds();
	bool spent;

	CHECK(assemble("	.byte 2\n	.quad begin, 4096\n"
		       "	.rept 500000\n	.byte 4\n	.endr\n	.byte 7\n	.long again - info\n	.quad begin, 4096\n"
		       "	.rept 500001\n	.byte 0\n	.endr\n"
		       "again:	.byte 6\n	.long again - info\n	.long 0\n	.byte 0\n"));
	ask(&spent);
	printf("# %.2f s\n", seconds() - begin);
	CHECK(seconds() - begin < 20);
}

/* Twenty thousand functions that all have the same list of two hundred thousand ranges: four thousand million in all. */
TEST(the_same_list_for_all)
{
	double begin = seconds();
	bool spent;

	CHECK(assemble("	.byte 2\n	.quad begin, 4096\n"
		       "name:	.byte 5\n	.long name - info\n	.asciz \"f\"\n"
		       "	.rept 20000\n	.byte 6\n	.long name - info\n	.long 0\n	.endr\n	.byte 0, 0\n"
		       "	.section .debug_ranges,\"\",@progbits\n	.rept 200000\n	.quad 16, 16\n	.endr\n	.quad 0, 0\n"
		       "	.section .debug_info,\"\",@progbits\n"));
	ask(&spent);
	CHECK(spent);
	printf("# %.2f s\n", seconds() - begin);
	CHECK(seconds() - begin < 20);
}

/* Ranges that overlap without being in each other, so that each has all of those before it around it. */
TEST(ranges_that_overlap)
{
	double begin = seconds();
	bool spent;

	CHECK(assemble("	.byte 2\n	.quad begin, 4096\n"
		       "name:	.byte 5\n	.long name - info\n	.asciz \"f\"\n"
		       "	.set i, 0\n	.rept 100000\n	.byte 7\n	.long name - info\n	.quad begin - i, 2048\n	.set i, i + 1\n	.endr\n"
		       "	.byte 0, 0\n"));
	CHECK_EQ(ask(&spent), 1);
	printf("# %.2f s\n", seconds() - begin);
	CHECK(seconds() - begin < 20);
}

static uint64_t section_offset(const char *name, size_t *bytes)
{
	char line[256] = "";
	unsigned long long offset = 0, size = 0;
	FILE *in;

	if (run_shell("readelf -SW program | sed -nE 's/^.* \\.%s +PROGBITS +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+) .*/\\1 \\2/p' > offset", name) &&
		(in = fopen(get_path("offset"), "r"))) {
		if (fgets(line, sizeof line, in) && sscanf(line, "%llx %llx", &offset, &size) == 2)
			*bytes = (size_t)size;
		fclose(in);
	}
	return offset;
}

/* Each byte that says what is where, wrong in several ways: whatever comes out, it comes out, and soon. */
TEST(each_byte_wrong)
{
	static const char *const names[] = {"debug_info", "debug_abbrev", "debug_rnglists", "debug_line"};
	static const uint8_t ways[] = {0xff, 0x01, 0x10};
	struct inline_frame frames[INLINE_DEPTH_MAX];
	double begin = seconds();
	uint8_t *data;
	size_t bytes;

	CHECK(make_program("gcc", "-O2 -gdwarf-5 -nostartfiles -Wl,-e,main"));
	data = (uint8_t *)make_file_bytes(get_path("program"), &bytes);
	for (size_t k = 0; data && k < sizeof names / sizeof *names; k++) {
		size_t size = 0, offset = section_offset(names[k], &size), step = size / 150 + 1;

		CHECK(size && offset + size <= bytes);
		for (size_t at = offset; at < offset + size && offset + size <= bytes; at += step)
			for (size_t way = 0; way < sizeof ways; way++) {
				struct diag *diag = make_diag();
				struct inline_table *table;

				data[at] ^= ways[way];
				CHECK(write_file("hurt", data, bytes));
				data[at] ^= ways[way];
				table = make_inline_table(get_path("hurt"), NULL, diag);
				for (uint64_t address = 0x1000; address < 0x1200; address += 3) {
					uint32_t count = inline_table_find(table, address, frames);

					for (uint32_t i = 0; i < count; i++)
						CHECK(frames[i].name && *frames[i].name);
				}
				free_inline_table(table);
				free_diag(diag);
			}
	}
	free(data);
	printf("# %.2f s\n", seconds() - begin);
	CHECK(seconds() - begin < 60);
}

int main(void)
{
	RUN(labels_are_where_they_are);
	RUN(nothing_is_known);
	RUN(deep);
	RUN(deeper_than_anything);
	RUN(the_same_list_for_all);
	RUN(ranges_that_overlap);
	RUN(each_byte_wrong);
	return tap_done();
}
