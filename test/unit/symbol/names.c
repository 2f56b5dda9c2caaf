/* Which names are wanted, and what becomes of the others; and the names that Texas Instruments' tools put into ELF. */
#include "check.h"

#include <stdlib.h>

#include "elf_text.h"
#include "tables.h"

static const struct symbol_choice usual, globals = {.globals_only = true}, all = {.all_names = true},
				  all_globals = {.globals_only = true, .all_names = true};

#define FUNCTION(bind) ELF32_ST_INFO(bind, STT_FUNC)

/* .text is 64 bytes at 0x1000. */
static const struct tiny_symbol ti_symbols[] = {
	{".text", 0x1000, 0, ELF32_ST_INFO(STB_LOCAL, STT_SECTION), TINY_TEXT},
	{".text:retain", 0x1020, 0, ELF32_ST_INFO(STB_LOCAL, STT_SECTION), TINY_TEXT},
	{".data", 0x2000, 0, ELF32_ST_INFO(STB_LOCAL, STT_SECTION), TINY_DATA},
	{"$C$L1", 0x1004, 0, FUNCTION(STB_LOCAL), TINY_TEXT},
	{"$C$RL0", 0x1006, 0, FUNCTION(STB_LOCAL), TINY_TEXT},
	{"$C$DW$L$_main$3$B", 0x1008, 0, FUNCTION(STB_LOCAL), TINY_TEXT},
	{"main", 0x1000, 0, FUNCTION(STB_GLOBAL), TINY_TEXT},
	{"a_static", 0x1010, 0, FUNCTION(STB_LOCAL), TINY_TEXT},
	{"tick", 0x1018, 0x18, FUNCTION(STB_GLOBAL), TINY_TEXT}, /* 16 bytes too many */
	{"C$$EXIT", 0x101c, 0, FUNCTION(STB_GLOBAL), TINY_TEXT},
	{"isr", 0x1020, 0, FUNCTION(STB_GLOBAL), TINY_TEXT},
	{"C$$IO$$", 0x1020, 0, FUNCTION(STB_GLOBAL), TINY_TEXT},
	{"$Tramp$S$$isr", 0x1030, 0, FUNCTION(STB_LOCAL), TINY_TEXT},
	{"__TI_CINIT_Limit", 0x1040, 0, ELF32_ST_INFO(STB_GLOBAL, STT_NOTYPE), TINY_TEXT},
};
#define TI_COUNT (sizeof ti_symbols / sizeof *ti_symbols)

static void check_elf(const struct tiny_elf *elf, const struct symbol_choice *choice, const char *want)
{
	check_chosen_table(elf->data, elf->bytes, choice, "ELF", want, 0, "");
}

TEST(elf_of_the_c6000)
{
	for (int big = 0; big < 2; big++) {
		struct tiny_elf elf = make_tiny_elf(false, big, 140, ET_EXEC, ti_symbols, TI_COUNT);

		check_elf(&elf, &usual, "1000 main 10, 1010 a_static 8, 1018 tick 8, 1020 isr 10, 1030 $Tramp$S$$isr 10");
		check_elf(&elf, &all,
			"1000 .text - main 10, 1010 a_static 8, 1018 tick 8, 1020 .text:retain - C$$IO$$ - isr 10, 1030 $Tramp$S$$isr 10");
		check_elf(&elf, &globals, "1000 main 10, 1010 ? 8, 1018 tick 8, 1020 isr 10, 1030 ? 10");
		check_elf(&elf, &all_globals, "1000 main 10, 1010 ? 8, 1018 tick 8, 1020 isr 10, 1030 ? 10");
		free(elf.data);
	}
}

/* Two functions; and what the headers claim. Each is a file of test/fuzz/corpus/ti, too. */
#define SMALL "elf 32 little 140 2\nsymbol main 0x1000 0 func global 1\nsymbol tick 0x1018 0 func local 1\n"

TEST(elf_of_the_c6000_with_faults)
{
	static const char both[] = "1000 main 18, 1018 tick 28";
	static const struct {
		const char *text, *want, *said;
	} faults[] = {
		{SMALL "put headers 0x38 4 0x7fffff00\n", both, ":0x7fffff00: section 1 has 0x40 bytes here (file of 0x1b7 bytes): cut or corrupted"},
		{SMALL "put headers 0x3c 4 0x1000\n", "1000 main 18, 1018 tick fe8", ":0x34: section 1 has 0x1000 bytes here"},
		{SMALL "put headers 0x88 4 0x7fffff00\n", "", ":0x7fffff00: symbol table exceeds the file"},
		{SMALL "put headers 0x8c 4 0xfffffff0\n", "", ":0x8c: symbol table exceeds the file"},
		{SMALL "put headers 0xb0 4 0xfffffff0\n", "", ":0xfffffff0: string table exceeds the file"},
		{SMALL "put symbols 0x10 4 0x9999\n", "1018 tick 28", ":0x8c: 1 of 3 symbols have names beyond the string table"},
		{SMALL "put symbols 0x1e 2 0x1000\n", "1018 tick 28", ":0x8c: 1 of 3 symbols are of functions outside of the section that they name"},
		{SMALL "put file 0x30 2 0xfe00\n", "", ":0xc7: section headers exceed the file"},
		{SMALL "cut 0xa0\n", "", ":0xc7: section headers exceed the file (file of 0xa0 bytes)"},
		{SMALL "put headers 0x9c 4 0\n", both, ""},
	};

	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
		struct elf_text *text = make_elf_of_text(faults[i].text);

		printf("# %s", faults[i].text + sizeof SMALL - 1);
		check_chosen_table(text->elf.data, text->elf.bytes, &usual, "ELF", faults[i].want, *faults[i].said != 0, faults[i].said);
		free_elf_of_text(text);
	}
}

/* None of that concerns other machines. */
TEST(elf_of_others)
{
	struct tiny_elf elf = make_tiny_elf(false, false, EM_386, ET_EXEC, ti_symbols, TI_COUNT);

	check_elf(&elf, &usual,
		"1000 main 4, 1004 $C$L1 2, 1006 $C$RL0 2, 1008 $C$DW$L$_main$3$B 8, 1010 a_static 8, 1018 tick 4, 101c C$$EXIT 4, "
		"1020 isr 10, 1030 $Tramp$S$$isr 10");
	free(elf.data);
}

/* As compilers of Linux write them: see tiny_usual. */
TEST(choices)
{
	struct tiny_elf elf = make_tiny_elf(false, true, EM_ARM, ET_EXEC, tiny_usual, TINY_USUAL_COUNT);

	check_elf(&elf, &usual, "1000 first c, 1010 second 10, 1020 third_a 4, 1024 entry_in_third 4, 1028 label 18");
	check_elf(&elf, &globals, "1000 first c, 1010 ? 10, 1020 ? 4, 1024 entry_in_third 4, 1028 ? 18");
	check_elf(&elf, &all,
		"1000 f0 - first - first_long - start_of_text c, 1010 second 10, 1020 third_a - third_b 4, 1024 entry_in_third 4, 1028 label 18");
	check_elf(&elf, &all_globals, "1000 f0 - first - first_long - start_of_text c, 1010 ? 10, 1020 ? 4, 1024 entry_in_third 4, 1028 ? 18");
	free(elf.data);
}

/* A local function and a label that everybody sees are one place: with globals alone it has the label's name. */
TEST(label_of_a_local_function)
{
	static const struct tiny_symbol symbols[] = {
		{"hidden", 0x1000, 16, FUNCTION(STB_LOCAL), TINY_TEXT},
		{"seen", 0x1000, 0, ELF32_ST_INFO(STB_GLOBAL, STT_NOTYPE), TINY_TEXT},
	};
	struct tiny_elf elf = make_tiny_elf(false, false, EM_ARM, ET_EXEC, symbols, 2);

	check_elf(&elf, &usual, "1000 hidden 10");
	check_elf(&elf, &globals, "1000 seen 10");
	free(elf.data);
}

/* Who has a name looks for the function, whichever of its names that is. */
TEST(found_by_each_name)
{
	struct tiny_elf elf = make_tiny_elf(false, true, EM_ARM, ET_EXEC, tiny_usual, TINY_USUAL_COUNT);

	for (int way = 0; way < 2; way++) {
		const struct symbol_request want = {.choice = {.all_names = way}};
		struct diag *diag = make_diag();
		struct symbol_table *table = make_chosen_table_of(elf.data, elf.bytes, &want, diag);
		const struct symbol *symbol = symbol_at(table, 0);

		CHECK(symbol_has_name(table, symbol, "first"));
		CHECK_EQ(symbol_has_name(table, symbol, "f0"), way);
		CHECK_EQ(symbol_has_name(table, symbol, "start_of_text"), way);
		CHECK(!symbol_has_name(table, symbol, "first_"));
		CHECK(!symbol_has_name(table, symbol, "irst"));
		CHECK(!symbol_has_name(table, symbol, ""));
		free_symbol_table(table);
		free_diag(diag);
	}
	free(elf.data);
}

/* Two thousand names of sixty thousand bytes at one place: more than anybody wants to read. Then none are put together. */
TEST(too_long_together)
{
	enum { COUNT = 2000, NAME_BYTES = 60000 };
	struct tiny_symbol *symbols = calloc(COUNT, sizeof *symbols);
	struct symbol_request want = {.choice = {.all_names = true}};
	struct diag *diag = make_diag();
	struct symbol_table *table;
	char *names = malloc((size_t)COUNT * (NAME_BYTES + 1)), *said;
	struct tiny_elf elf;

	for (size_t i = 0; i < COUNT; i++) {
		char *name = names + i * (NAME_BYTES + 1);

		memset(name, 'n', NAME_BYTES);
		name[NAME_BYTES] = 0;
		name[sprintf(name, "%zu", i)] = 'n';
		symbols[i] = (struct tiny_symbol){name, 0x1000 + i / 1000, 0, FUNCTION(STB_GLOBAL), TINY_TEXT};
	}
	elf = make_tiny_elf(false, false, EM_ARM, ET_EXEC, symbols, COUNT);
	free(names);
	free(symbols);
	table = make_chosen_table_of(elf.data, elf.bytes, &want, diag);
	said = make_said(diag);
	CHECK_EQ(symbol_count(table), 1); /* bit 0 is no address */
	CHECK_EQ(strlen(symbol_at(table, 0)->name), NAME_BYTES);
	CHECK(strstr(said, "too long to be put together"));
	free(said);
	free_symbol_table(table);
	free_diag(diag);
	free(elf.data);
}

static void check_display(const char *name, const char *want)
{
	char *display = make_symbol_display_name(name);

	CHECK_STR(display, want);
	free(display);
}

/* Each of several names is shown as it is alone. */
TEST(several_are_shown)
{
	check_display(".text - SL2MemoryBufInit", ".text - SL2MemoryBufInit");
	check_display("_ZN1a1bEv - _ZN1a1cEi - plain", "a::b() - a::c(int) - plain");
	check_display("old@VERS_1 - new@@VERS_2", "old - new");
	check_display("_ZN1aC1Ev - _ZN1aC2Ev", "a::a()");
	check_display(" - ", " - ");
}

int main(void)
{
	RUN(elf_of_the_c6000);
	RUN(elf_of_the_c6000_with_faults);
	RUN(elf_of_others);
	RUN(choices);
	RUN(label_of_a_local_function);
	RUN(found_by_each_name);
	RUN(too_long_together);
	RUN(several_are_shown);
	return tap_done();
}
