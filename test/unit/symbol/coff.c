/* COFF of Texas Instruments: tables as 124 real files have them, which may not be copied, and as nobody should make them. That what
 * is read of real files agrees with the linker's own maps of them was tried by hand. */
#include "check.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "coff_text.h"
#include "tables.h"

static const struct symbol_choice usual, globals = {.globals_only = true}, all = {.all_names = true},
				  all_globals = {.globals_only = true, .all_names = true};

static void check_choice(const char *text, const struct symbol_choice *choice, const char *want, int status, const char *said)
{
	struct coff_text *coff = make_coff_of_text(text);

	check_chosen_table(coff->data, coff->bytes, choice, "TI COFF", want, status, said);
	free_coff_of_text(coff);
}

static void check_table(const char *text, const char *want, int status, const char *said)
{
	check_choice(text, &usual, want, status, said);
}

/* Of a program that was linked of four files: a library's memcpy and exit, a main that was compiled with debugging, and
 * assembly. */
#define BODY                                                                                                                       \
	"section .vecs 0 0 0\n"                                                                                                    \
	"section .text 0x220 0x6c0 0x520\n"                                                                                        \
	"section .bss 0x860 4 0x280\n"                                                                                             \
	"symbol main.c 0 -2 0 103\n"                                                                                               \
	"symbol $C$L3 0x848 .text 4 6\n"                                                                                           \
	"symbol L12 0x84c .text 4 6\n"                                                                                             \
	"symbol RL0 0x850 .text 4 6\n"                                                                                             \
	"symbol DW$L$_main$2$B 0x850 .text 4 6\n"                                                                                  \
	"symbol .text 0x460 .text 0 3 0x220\n"                                                                                     \
	"symbol .text 0x220 .text 0 3 0x240\n"                                                                                     \
	"symbol _main 0x840 .text 0x24 2 0 0x1c\n"                                                                                 \
	"symbol .bf 0x840 .text 0 101 0 0\n"                                                                                       \
	"symbol .text 0x840 .text 0 3 0x20\n"                                                                                      \
	"symbol .text 0x8e0 .text 0 3 0\n"                                                                                         \
	"symbol _a_static_function 0x4e0 .text 4 6\n"                                                                              \
	"symbol .text:_memcpy 0x220 .text 0 3 0x240\n"                                                                             \
	"symbol _memcpy 0x220 .text 4 2\n"                                                                                         \
	"symbol _exit 0x460 .text 4 2\n"                                                                                           \
	"symbol _abort 0x674 .text 4 2\n"                                                                                          \
	"symbol C$$EXIT 0x674 .text 4 2\n"                                                                                         \
	"symbol C$$IO$$ 0x300 .text 4 2\n"                                                                                         \
	"symbol $ASM$ 0x880 .text 0x20 3 0 0x60\n"                                                                                 \
	"symbol .text 0x880 .text 0 3 0x60\n"                                                                                      \
	"symbol start 0x880 .text 4 6\n"                                                                                           \
	"symbol loop$12$ 0x890 .text 4 6\n"                                                                                        \
	"symbol middle 0x8a0 .text 4 6\n"                                                                                          \
	"symbol inner 0x500 .text 4 6\n"                                                                                           \
	"symbol $Tramp$L$PI$$_exit 0x8c0 .text 4 3\n"                                                                              \
	"symbol .text 0x220 .text 0 2\n"                                                                                           \
	"symbol ___text__ 0x220 .text 0 2\n"                                                                                       \
	"symbol etext 0x8e0 .text 0 2\n"                                                                                           \
	"symbol _counter 0x860 .bss 4 2\n"                                                                                         \
	"symbol __STACK_SIZE 0x400 -1 4 2\n"                                                                                       \
	"symbol _undefined 0 0 4 2\n"

TEST(versions_and_orders)
{
	static const char *const heads[] = {"coff 0 little\n", "coff 0 big\n", "coff 1 little\n", "coff 1 big\n", "coff 2 little\n",
		"coff 2 big\n"};
	char text[8192];

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		printf("# %s", heads[i]);
		snprintf(text, sizeof text, "%s" BODY, heads[i]);
		check_choice(text, &usual,
			"220 memcpy 240, 460 exit 80, 4e0 a_static_function 194, 674 abort c, 840 main 1c, "
			"880 .text 40, 8c0 $Tramp$L$PI$$_exit 20",
			0, "");
	}
}

TEST(choices)
{
	check_choice("coff 2 little\n" BODY, &globals,
		"220 memcpy 240, 460 exit 80, 4e0 ? 194, 674 abort c, 840 main 1c, 880 ? 40, 8c0 ? 20", 0, "");
	check_choice("coff 2 little\n" BODY, &all,
		"220 .text - .text:_memcpy - ___text__ - memcpy 240, 460 .text - exit 80, 4e0 a_static_function 194, "
		"674 C$$EXIT - abort c, 840 .text - main 1c, 880 .text 40, 8c0 $Tramp$L$PI$$_exit 20",
		0, "");
	check_choice("coff 2 little\n" BODY, &all_globals,
		"220 memcpy 240, 460 exit 80, 4e0 ? 194, 674 abort c, 840 main 1c, 880 ? 40, 8c0 ? 20", 0, "");
}

/* The example of the document of the tool whose dumps are read with these. */
TEST(names_at_one_address)
{
	static const char text[] = "coff 2 little\nsection .text 0x0c010000 0x8000 0x520\n"
				   "symbol _SL2MemoryBufInit 0x0c0137e0 .text 4 2\nsymbol .text 0x0c0137e0 .text 0 3 0x100\n"
				   "symbol _same 0xc013900 .text 4 2\nsymbol _same 0xc013900 .text 4 6\nsymbol _b 0xc013900 .text 4 2\n";

	check_choice(text, &all, "c0137e0 .text - SL2MemoryBufInit 100, c013900 b - same 4700", 0, "");
	check_table(text, "c0137e0 SL2MemoryBufInit 100, c013900 b 4700", 0, "");
}

TEST(labels_where_nothing_better_is)
{
	check_table("coff 2 big\nsection vectors 0 0x60 0x20\nsymbol vectors 0 vectors 0 3 0x60\n"
		    "symbol RESET_RST 0 vectors 4 6\nsymbol NMI_RST 0x20 vectors 4 6\nsymbol INT4 0x40 vectors 4 6\n",
		"0 RESET_RST 20, 20 NMI_RST 20, 40 INT4 20", 0, "");
	/* a section without any is one place */
	check_table("coff 2 big\nsection vectors 0 0x60 0x20\nsymbol vectors 0 vectors 0 3 0x60\n", "0 vectors 60", 0, "");
}

/* Each section of what is not linked begins at 0. */
TEST(object_files)
{
	check_table("coff 2 little\nflags 0x100\nsection .text 0 0x20 0x520\nsection .data 0 0x20 0x40\nsection .text:fast 0 0x44 0x520\n"
		    "symbol .text 0 .text 0 3 0x20\nsymbol _one 0 .text 4 2\nsymbol _two 0x10 .text:fast 4 2\nsymbol _far 0 0 4 2\n",
		"0 one 20, 30 two 34", 0, "");
}

TEST(stripped)
{
	check_table("coff 2 little\nsection .text 0 0x20 0x520\ntable 0\n", "", 0, "");
	check_table("coff 2 little\nsection .text 0 0x20 0x520\n", "", 0, "");
}

/* A file with a symbol named in its entry and two in the string table. */
#define SMALL                                                                                                                      \
	"coff 2 little\nsection .text 0x100 0x40 0x520\nsymbol _short 0x100 .text 4 2\nsymbol _a_long_name 0x110 .text 4 2\n"      \
	"symbol _another_long_name 0x120 .text 0x20 2 0 0x10\n"

TEST(files_with_faults)
{
	static const struct {
		const char *text, *want, *said;
	} faults[] = {
		{SMALL "at 0x1000\n", "100 short 10, 110 a_long_name 10, 120 another_long_name 10",
			":0x1000: section 1 has 0x40 bytes here (file of 0xf2 bytes): cut or corrupted"},
		{SMALL "sections 500\n", "100 short 10, 110 a_long_name 10, 120 another_long_name 10",
			":0x16: headers of 500 sections exceed the file (0xf2 bytes): cut or corrupted"},
		{SMALL "count 0xffffffff\n", "100 short 40", ":0x86: symbol table of 4294967295 entries of 18 bytes exceeds the file (0xf2 bytes)"},
		{SMALL "count 2\n", "100 short 40", ":0x98: 1 of 2 symbols have names beyond the string table"},
		{SMALL "table 0x7fffffff\n", "", ":0x7fffffff: symbol table of 4 entries of 18 bytes exceeds the file"},
		{SMALL "further 200\n", "100 short 10, 110 a_long_name 30", ":0xaa: entry 2 of 4 of the symbol table has further entries beyond it"},
		{SMALL "strings 0x10\n", "100 short 10, 110 a_long_name 30",
			":0xaa: 1 of 4 symbols have names beyond the string table (0x10 bytes): corrupted"},
		{SMALL "strings 0xffffffff\n", "100 short 10, 110 a_long_name 10, 120 another_long_name 10",
			":0xce: string table of 0xffffffff bytes exceeds the file (0xf2 bytes)"},
		{SMALL "string 0x9999 0x104 .text 4 2\n", "100 short 10, 110 a_long_name 10, 120 another_long_name 10",
			"1 of 5 symbols have names beyond the string table (0x24 bytes)"},
		{SMALL "symbol _b 0x104 7 4 2\n", "100 short 10, 110 a_long_name 10, 120 another_long_name 10",
			"1 of 5 symbols name sections beyond the 1 that there are: not used"},
		{SMALL "symbol _b 0x4 .text 4 2\n", "100 short 10, 110 a_long_name 10, 120 another_long_name 10",
			"1 of 5 symbols are of functions outside of the section that they name: not used"},
	};

	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		printf("# %s", strrchr(faults[i].text, '\n') > faults[i].text + 60 ? faults[i].text + sizeof SMALL - 1 : "\n");
		check_table(faults[i].text, faults[i].want, 1, faults[i].said);
	}
}

/* What begins alike, and is another thing. */
TEST(foreign_files)
{
	static const uint8_t windows[64] = {0x64, 0x86, 1, 0}, few[2] = {0xC2, 0}, no_target[64] = {0xC2, 0, 1, 0};

	check_chosen_table(windows, sizeof windows, &usual, "none", "", 1, "begins with 64 86 01 00");
	check_chosen_table(few, sizeof few, &usual, "none", "", 1, "begins with c2 00, expected an object file");
	check_chosen_table(no_target, sizeof no_target, &usual, "none", "", 1, "begins with c2 00 01 00");
}

TEST(cut_and_changed_at_each_byte)
{
	for (int way = 0; way < 6; way++) {
		static const uint8_t changes[] = {0xff, 0x01, 0x80, 0x10};
		char text[512];
		struct coff_text *coff;

		snprintf(text, sizeof text, "coff %d %s\n%s", way % 3, way < 3 ? "little" : "big", strchr(SMALL, '\n') + 1);
		coff = make_coff_of_text(text);
		for (size_t bytes = 0; bytes < coff->bytes; bytes++)
			check_sound(coff->data, bytes, 3);
		for (size_t at = 0; at < coff->bytes; at++) {
			for (size_t i = 0; i < sizeof changes; i++) {
				coff->data[at] ^= changes[i];
				check_sound(coff->data, coff->bytes, 4);
				coff->data[at] ^= changes[i];
			}
		}
		free_coff_of_text(coff);
	}
}

/* Each of 100,000 symbols names the same megabyte, at one of a hundred addresses: names are neither copied nor compared whole, and
 * put together as far as there is room. */
TEST(names_that_many_share)
{
	enum { COUNT = 100000, NAME_BYTES = 1 << 20, HEADERS = 22 + 48 };
	size_t bytes = HEADERS + 18 * COUNT + 4 + NAME_BYTES;
	uint8_t *data = calloc(1, bytes), *entry;
	struct coff_text put = {.is_big = false};
	struct rusage before, after;

	coff_text_put(&put, data, 0xC2, 2);
	coff_text_put(&put, data + 2, 1, 2);
	coff_text_put(&put, data + 8, HEADERS, 4);
	coff_text_put(&put, data + 12, COUNT, 4);
	coff_text_put(&put, data + 18, 0x103, 2);
	coff_text_put(&put, data + 20, 0x99, 2);
	coff_text_put(&put, data + 22 + 16, 1000, 4);
	coff_text_put(&put, data + 22 + 40, 0x20, 4);
	for (size_t i = 0; i < COUNT; i++) {
		entry = data + HEADERS + 18 * i;
		coff_text_put(&put, entry + 4, 4 + i % 1000, 4);
		coff_text_put(&put, entry + 8, i % 100, 4);
		coff_text_put(&put, entry + 12, 1, 2);
		entry[16] = 2;
	}
	coff_text_put(&put, data + HEADERS + 18 * COUNT, 4 + NAME_BYTES, 4);
	memset(data + HEADERS + 18 * COUNT + 4, 'n', NAME_BYTES - 1);
	getrusage(RUSAGE_SELF, &before);
	for (int way = 0; way < 2; way++) {
		const struct symbol_request want = {.choice = {.all_names = way}};
		struct diag *diag = make_diag();
		struct symbol_table *table = make_chosen_table_of(data, bytes, &want, diag);

		CHECK_EQ(symbol_count(table), 100);
		CHECK(is_sound(table));
		CHECK_EQ(diag_status(diag), way); /* all of them in one would be too long */
		free_symbol_table(table);
		free_diag(diag);
	}
	getrusage(RUSAGE_SELF, &after);
	CHECK(after.ru_maxrss - before.ru_maxrss < 300000);
	free(data);
}

int main(void)
{
	RUN(versions_and_orders);
	RUN(choices);
	RUN(names_at_one_address);
	RUN(labels_where_nothing_better_is);
	RUN(object_files);
	RUN(stripped);
	RUN(files_with_faults);
	RUN(foreign_files);
	RUN(cut_and_changed_at_each_byte);
	RUN(names_that_many_share);
	return tap_done();
}
