/* Maps of the linkers of Texas Instruments, as each of their generations wrote them. */
#include "check.h"

#include <stdlib.h>

#include "tables.h"

static const struct symbol_choice usual, globals = {.globals_only = true}, all = {.all_names = true};

#define STARS "******************************************************************************\n"

/* Version 4 to 6, COFF: no word of which section has code, symbols of the linker, an underscore before names of C. */
static const char coff_map[] = STARS "          TMS320C6x COFF Linker PC Version 4.32                \n" STARS
	">> Linked Sat Dec 20 22:51:12 2003\n\nOUTPUT FILE NAME:   <./Debug/app.out>\nENTRY POINT SYMBOL: \"_c_int00\"  address: 00000780\n\n\n"
	"MEMORY CONFIGURATION\n\n"
	"                  name            origin    length      used    attr    fill\n"
	"         ----------------------  --------  ---------  --------  ----  --------\n"
	"         IRAM                    00000220   0002fde0  00000b3c  RWIX\n\n\n"
	"SECTION ALLOCATION MAP\n\n"
	" output                                  attributes/\nsection   page    origin      length       input sections\n"
	"--------  ----  ----------  ----------   ----------------\n"
	".vecs      0    00000000    00000000     UNINITIALIZED\n\n"
	".text      0    00000220    00000640     \n"
	"                  00000220    00000240     rts6700.lib : memcpy62.obj (.text)\n"
	"                  00000460    00000220                 : exit.obj (.text:_exit)\n"
	"                  00000680    00000100                 : autoinit.obj (.text:__auto_init)\n"
	"                  00000780    00000080                 : boot.obj (.text)\n"
	"                  00000800    00000020     app.obj (.text:csl_section:intc)\n"
	"                  00000820    00000020     app.obj (.text:fast:_hidden)\n"
	"                  00000840    00000020     app.obj (.text)\n\n"
	".bss       0    00000860    00000004     UNINITIALIZED\n"
	"                  00000860    00000004     app.obj (.bss:_output)\n\n"
	".cinit     0    00000868    00000064     \n"
	"                  00000868    00000040     app.obj (.cinit:c)\n"
	"                  000008a8    00000024     --HOLE-- [fill = 0]\n\n"
	"a_section_of_ones_own \n"
	"*          0    00001000    00000020     \n"
	"                  00001000    00000020     app.obj (a_section_of_ones_own)\n\n\n"
	"FAR CALL TRAMPOLINES\n\ncallee name               trampoline name\n   callee addr  tramp addr   call addr  call info\n"
	"--------------  -----------  ---------  ----------------\n"
	"$.text:app.obj$0x40  $Tramp$S$$_app\n   00000840     00001000     00000230   rts6700.lib : memcpy62.obj (.text)\n\n\n"
	"GLOBAL SYMBOLS: SORTED ALPHABETICALLY BY Name \n\naddress    name\n--------   ----\n"
	"00000860   .bss\n00000220   .text\n00000674   C$$EXIT\n00000400   __STACK_SIZE\n00000220   ___text__\n00000680   __auto_init\n"
	"00000674   _abort\n00000804   _intc\n00000780   _c_int00\n00000460   _exit\n00000840   _main\n00000220   _memcpy\n"
	"00001000   _own\n00000860   _output\n00000860   etext\nffffffff   pinit\nUNDEFED   __vectors\n\n\n"
	"GLOBAL SYMBOLS: SORTED BY Symbol Address \n\naddress    name\n--------   ----\n"
	"00000220   ___text__\n00000220   _memcpy\n00000220   .text\n00000400   __STACK_SIZE\n00000460   _exit\n00000674   C$$EXIT\n"
	"00000674   _abort\n00000680   __auto_init\n00000780   _c_int00\n00000804   _intc\n00000840   _main\n00000860   .bss\n"
	"00000860   etext\n00000860   _output\n00001000   _own\nffffffff   pinit\nUNDEFED   __vectors\n\n[17 symbols]\n";

/* Version 7 on, ELF: tells which segments have code; long names break lines. */
static const char elf_map[] = STARS "               TMS320C6x Linker PC v7.4.4                      \n" STARS
	"OUTPUT FILE NAME:   <app.out>\nENTRY POINT SYMBOL: \"_c_int00\"  address: c2000000\n\n"
	"SEGMENT ALLOCATION MAP\n\n"
	"run origin  load origin   length   init length attrs members\n----------  ----------- ---------- ----------- ----- -------\n"
	"c2000000    c2000000    00000200   00000200    r-x\n"
	"  c2000000    c2000000    000000a0   000000a0    r-x .text:_c_int00\n"
	"  c2000100    c2000100    00000100   00000100    r-x .text\n"
	"c2001000    c2001000    00000100   00000000    rw- .critical_section\n"
	"c3000000    c4000000    00000040   00000040    r-x .fast\n\n\n"
	"SECTION ALLOCATION MAP\n\n"
	".text:_c_int00 \n"
	"*          0    c2000000    000000a0     \n"
	"                  c2000000    000000a0     rts6740_elf.lib : boot.obj (.text:_c_int00)\n\n"
	".text      0    c2000100    00000100     \n"
	"                  c2000100    00000080     rts6740_elf.lib : _printfi.obj (.text:_printfi)\n"
	"                  c2000180    00000040     app.obj (.text:tick)\n"
	"                  c20001c0    00000040                            ($Tramp$S$$memcpy)\n\n"
	".critical_section \n"
	"*          0    c2001000    00000100     \n"
	"                  c2001000    00000100     app.obj (.critical_section)\n\n"
	".fast      0    c4000000    00000040     RUN ADDR = c3000000\n"
	"                  c4000000    00000020     app.obj (.text:copied)\n"
	"                  c4000020    00000020     app.obj (.text:copied_too)\n\n\n"
	"LINKER GENERATED COPY TABLES\n\n__TI_cinit_table @ c210f820 records: 5, size/record: 8, table size: 40\n\n\n"
	"GLOBAL SYMBOLS: SORTED ALPHABETICALLY BY Name \n\naddress    name\n--------   ----\n"
	"c2001000   a_state\nUNDEFED    SHT$$INIT_ARRAY$$Base\nc2000000   _c_int00\nc3000000   copied\nc2000180   tick\n\n\n"
	"GLOBAL SYMBOLS: SORTED BY Symbol Address \n\naddress    name\n--------   ----\n"
	"c2000000   _c_int00\nc2000180   tick\nc2001000   a_state\nc3000000   copied\nUNDEFED    SHT$$INIT_ARRAY$$Base\n\n[5 symbols]\n";

static const char coff_want[] = "220 memcpy 240, 460 exit 214, 674 abort c, 680 _auto_init 100, 780 c_int00 80, 800 .text:csl_section:intc 4, "
				"804 intc 1c, 820 hidden 20, 840 main 20, 1000 own 20";
static const char elf_want[] = "c2000000 _c_int00 a0, c2000100 _printfi 80, c2000180 tick 40, c20001c0 $Tramp$S$$memcpy 40, c3000000 copied 20, "
			       "c3000020 copied_too 20";

static void check_map(
	const char *text, size_t bytes, const struct symbol_choice *choice, const char *want, int status, const char *said)
{
	check_chosen_table(text, bytes, choice, "TI map", want, status, said);
}

TEST(maps_of_coff)
{
	check_map(coff_map, strlen(coff_map), &usual, coff_want, 0, "");
	check_map(coff_map, strlen(coff_map), &all,
		"220 .text - ___text__ - memcpy 240, 460 .text:_exit - exit 214, 674 C$$EXIT - abort c, 680 .text:__auto_init - _auto_init 100, "
		"780 .text - c_int00 80, 800 .text:csl_section:intc 4, 804 intc 1c, 820 .text:fast:_hidden - hidden 20, 840 .text - main 20, "
		"1000 a_section_of_ones_own - own 20",
		0, "");
	check_map(coff_map, strlen(coff_map), &globals,
		"220 memcpy 240, 460 exit 214, 674 abort c, 680 _auto_init 100, 780 c_int00 80, 800 ? 4, 804 intc 1c, 820 ? 20, 840 main 20, "
		"1000 own 20",
		0, "");
}

TEST(maps_of_elf)
{
	check_map(elf_map, strlen(elf_map), &usual, elf_want, 0, "");
	check_map(elf_map, strlen(elf_map), &globals,
		"c2000000 _c_int00 a0, c2000100 ? 80, c2000180 tick 40, c20001c0 ? 40, c3000000 copied 20, c3000020 ? 20", 0, "");
}

/* The text with each newline as DOS has it. To be freed. */
static char *make_dos_text(const char *text)
{
	char *dos = malloc(2 * strlen(text) + 1), *end = dos;

	for (; *text; text++) {
		if (*text == '\n')
			*end++ = '\r';
		*end++ = *text;
	}
	*end = 0;
	return dos;
}

TEST(lines_of_dos)
{
	char *dos = make_dos_text(coff_map);

	check_map(dos, strlen(dos), &usual, coff_want, 0, "");
	free(dos);
}

/* Machines with more than one memory have a column more, which tells numbers: one that is a function's address is no other name of
 * it. */
TEST(pages)
{
	static const char text[] = STARS "          TMS320C2000 COFF Linker PC v5.0.2                      \n" STARS
		"SECTION ALLOCATION MAP\n.text      0    003f6000    00000100     \n"
		"                  003f6000    00000100     rts2800.lib : exit.obj (.text)\n\n\n"
		"GLOBAL SYMBOLS: SORTED ALPHABETICALLY BY Name \n\npage  address   name                 \n----  -------   ----                 \n"
		"abs   ffffffff  .text                \nabs   003f6000  _VERSION             \n0     003f6010  C$$EXIT              \n0     003f6000  _exit                \n\n\n"
		"GLOBAL SYMBOLS: SORTED BY Symbol Address\n\npage  address   name                 \n----  -------   ----                 \n"
		"0     003f6000  _exit                \n0     003f6010  C$$EXIT              \nabs   003f6000  _VERSION             \n"
		"abs   ffffffff  .text                \n\n[4 symbols]\n";

	check_map(text, strlen(text), &usual, "3f6000 exit 100", 0, "");
}

TEST(maps_with_faults)
{
	char *text = strdup(elf_map), *at, said[128];
	size_t bytes = strlen(text), cut = (size_t)(strstr(text, "GLOBAL SYMBOLS: SORTED BY") - text);

	/* the second list is not there: the first one is enough, but it is said */
	snprintf(said, sizeof said, ":0x%zx: ends here, expected a list of global symbols by address, with their count at its end: cut", cut);
	check_map(text, cut, &usual, elf_want, 1, said);
	at = strstr(text, "[5 sym");
	at[1] = '7';
	check_map(text, bytes, &usual, elf_want, 1, "has 5 global symbols by address, but says that they are 7");
	at[1] = '5';
	at = strstr(text, "c2000000   _c_int00");
	at[0] = 'x';
	snprintf(said, sizeof said, ":0x%zx: in 1 lines of its global symbols is no address of eight digits and a name; this is the first",
		(size_t)(at - text));
	check_map(text, bytes, &usual, elf_want, 1, said);
	free(text);
	check_map(STARS " TMS320C6x Linker Unix v8.2.2\n", strlen(STARS) + 30, &usual, "", 1, ":0x6d: ends here, expected a list of global symbols");
	check_chosen_table(STARS " a text of stars\n", strlen(STARS) + 17, &usual, "none", "", 1, "begins with 2a 2a");
	/* what another tool writes of the same file */
	check_chosen_table(STARS "TMS320C6x COFF/Hex Converter  v5.1.0\n", strlen(STARS) + 37, &usual, "none", "", 1, "begins with 2a 2a");
}

TEST(cut_and_changed_at_each_byte)
{
	static const char *const maps[] = {coff_map, elf_map};

	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
		static const uint8_t changes[] = {0xff, 0x01, 0x80, 0x10, '\n'};
		size_t bytes = strlen(maps[i]);
		char *text = strdup(maps[i]);

		for (size_t cut = 0; cut < bytes; cut++)
			check_sound(text, cut, 20);
		for (size_t at = 0; at < bytes; at += 3) {
			for (size_t k = 0; k < sizeof changes; k++) {
				text[at] = (char)((uint8_t)text[at] ^ changes[k]);
				check_sound(text, bytes, 24);
				text[at] = maps[i][at];
			}
		}
		free(text);
	}
}

int main(void)
{
	RUN(maps_of_coff);
	RUN(maps_of_elf);
	RUN(lines_of_dos);
	RUN(pages);
	RUN(maps_with_faults);
	RUN(cut_and_changed_at_each_byte);
	return tap_done();
}
