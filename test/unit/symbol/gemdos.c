/* GEMDOS programs: the tables as they are in real files, made by hand where none may be copied, and as nobody should make them.
 * What Debian's own reader says of DRI and GST tables is in test/e2e/machines/atari.sh. */
#include "check.h"

#include <stdlib.h>

#include "tables.h"
#include "tiny_prg.h"

static void check_table(const struct tiny_prg *prg, const char *want, int status, const char *said)
{
	static const struct symbol_choice usual;

	check_chosen_table(prg->data, prg->bytes, &usual, "GEMDOS", want, status, said);
}

#define ENTRIES(list) list, sizeof(list) / sizeof *(list)

TEST(dri_and_what_is_no_function)
{
	static const struct tiny_entry entries[] = {
		{"crt0.o", 0x0280, 0},
		{"libc.a", 0x02C0, 0}, /* an archive has one of the two bits of a long name */
		{"_main", 0xA200, 0x10},
		{"_static", 0x8200, 0x30},
		{"undefined", 0x8800, 0},
		{"_nodef", 0x2200, 0x50}, /* some linkers do not say "defined" */
		{"lmul", 0xE200, 0x70}, /* Alcyon says "equated" of its library */
		{"_eightch", 0xA200, 0x90}, /* all eight, no zero */
		{"EQUATE", 0x4000, 0x94},
		{"_data", 0xA400, 0x204},
		{"_bss", 0xA100, 0x224},
		{"L12", 0x8200, 0x98},
		{".L3", 0x8200, 0x9A},
		{"L", 0x8200, 0xA0},
		{"L1x", 0x8200, 0xB0},
		{"lib/x", 0x8200, 0xB4},
		{"gcc2_compiled.", 0x8200 | 0x48, 0},
	};
	struct tiny_prg prg = make_dri_prg(ENTRIES(entries));

	check_table(&prg, "10 _main 20, 30 _static 20, 50 _nodef 20, 70 lmul 20, 90 _eightch 10, a0 L 10, b0 L1x 150", 0, "");
}

TEST(gst_long_names)
{
	static const struct tiny_entry entries[] = {
		{"_a_name_of_22_characters", 0xA248, 0x10},
		{"_short", 0xA248, 0x20}, /* flagged, though it needs no second entry */
		{"_plain", 0xA200, 0x30},
		{"_longer_file_name.o", 0x82C8, 0},
		{"_nine_chr", 0x8248, 0x40},
	};
	struct tiny_prg prg = make_dri_prg(ENTRIES(entries));

	check_table(&prg, "10 _a_name_of_22_characte 10, 20 _short 10, 30 _plain 10, 40 _nine_chr 1c0", 0, "");
}

TEST(aout_of_mint)
{
	static const struct tiny_entry entries[] = {
		{"start.o", 0x1F, 0xE4},
		{"_a_static_function_with_a_name_that_is_long", 0x04, 0xE4},
		{"_main", 0x05, 0x104},
		{"_weak", 0x0F, 0x124},
		{"_data", 0x07, 0x2F0},
		{"_stab:F1", 0x24, 0x104},
		{"_last", 0x05, 0x2E0},
	};
	struct tiny_prg prg = make_aout_prg(ENTRIES(entries));

	check_table(&prg, "e4 _a_static_function_with_a_name_that_is_long 20, 104 _main 20, 124 _weak 1bc, 2e0 _last 4", 0, "");
	prg.data[28] = 0; /* without the jump it is MiNT's older way: a plain DRI table, which this is not */
	prg_set_32(&prg, 14, 14);
	check_table(&prg, "", 1, "DRI symbol table without text symbols");
}

TEST(elf_inside)
{
	enum { FUNCTION = 0x112, LOCAL_FUNCTION = 0x102, LABEL = 0x110, OBJECT = 0x211, FILE_NAME = 0x104, ELSEWHERE = 0x212 };
	static const struct tiny_entry entries[] = {
		{"main.c", FILE_NAME, 0},
		{"main", FUNCTION, 0x40},
		{"in_main", LABEL, 0x44},
		{"helper", LOCAL_FUNCTION, 0x60},
		{"label", LABEL, 0x80},
		{"table", OBJECT, 0x200},
		{"thunk", ELSEWHERE, 0x204},
	};
	struct tiny_prg prg = make_elf_prg(ENTRIES(entries));

	check_table(&prg, "40 main 10, 60 helper 10, 80 label 10", 0, "");
}

TEST(mark_williams)
{
	static const struct tiny_entry entries[] = {
		{"main_", 0x10, 0x10},
		{"private_", 0x01, 0x20},
		{"data_", 0x14, 0x204},
		{"sixteen_letters_", 0x11, 0x30},
		{"absolute_", 0x19, 0x40},
	};

	for (int way = 0; way < 2; way++) {
		struct tiny_prg prg = make_mark_williams_prg(ENTRIES(entries), way);

		check_table(&prg, "10 main_ 10, 20 private_ 10, 30 sixteen_letters_ 1d0", 0, "");
	}
}

TEST(no_table_at_all)
{
	struct tiny_prg prg = prg_begin(PRG_TEXT, 0);

	prg_end(&prg, prg.bytes);
	check_table(&prg, "", 0, "");
	prg.data[26] = 1; /* no fix-ups either */
	prg.bytes = PRG_HEADER + PRG_TEXT + PRG_DATA;
	check_table(&prg, "", 0, "");
}

TEST(tables_with_faults)
{
	static const struct tiny_entry entries[] = {{"_b", 0xA200, 0x20}, {"_a", 0xA200, 0x10}, {"_out", 0xA200, 0x200}, {"", 0xA200, 0x30}};
	static const struct tiny_entry data[] = {{"_d", 0xA400, 0x200}};
	static const struct tiny_entry half[] = {{"_a", 0xA200, 0x10}, {"_long_name", 0xA248, 0x20}};
	struct tiny_prg prg = make_dri_prg(ENTRIES(entries)), cut;

	check_table(&prg, "10 _a 10, 20 _b 1e0", 1, "1 text symbols have values outside of the text (0x200 bytes): not used");
	check_table(&prg, "10 _a 10, 20 _b 1e0", 1, "1 text symbols have no names: not used");
	check_table(&prg, "10 _a 10, 20 _b 1e0", 1, "DRI symbol table is not sorted by value; sorted now");
	cut = prg;
	cut.bytes = PRG_HEADER + PRG_TEXT + PRG_DATA + 20;
	check_table(&cut, "20 _b 1e0", 1, "DRI symbol table of 0x38 bytes (file of 0x250 bytes) ends within an entry: cut or corrupted");
	cut = prg;
	prg_set_32(&cut, 14, UINT32_MAX);
	check_table(&cut, "10 _a 10, 20 _b 1e0", 1, "ends within an entry: cut or corrupted");
	prg = make_dri_prg(ENTRIES(data));
	check_table(&prg, "", 1, "DRI symbol table without text symbols");
	prg = make_dri_prg(ENTRIES(half));
	prg_set_32(&prg, 14, 28); /* the second half of the last name is not in the table */
	check_table(&prg, "10 _a 10, 20 _long_na 1e0", 1, "ends within an entry");
	prg.bytes = 100;
	check_table(&prg, "", 1, "GEMDOS program with a text of 0x200 bytes in a file of 0x64: cut or corrupted");
	prg.bytes = 2;
	check_table(&prg, "", 1, "in a file of 0x2: cut or corrupted");
}

/* Each kind, cut at each byte, and with each byte changed in four ways. */
TEST(cut_and_changed_at_each_byte)
{
	static const struct tiny_entry dri[] = {{"_main", 0xA200, 0x10}, {"_long_name", 0xA248, 0x30}, {"_x", 0x8200, 0x40}};
	static const struct tiny_entry nlist[] = {{"_main", 5, 0xE4}, {"_x", 4, 0x100}};
	static const struct tiny_entry elf[] = {{"main", 0x112, 0x40}, {"x", 0x110, 0x60}};
	static const struct tiny_entry lout[] = {{"main_", 0x10, 0x10}, {"x_", 0, 0x20}};
	const struct tiny_prg kinds[] = {make_dri_prg(ENTRIES(dri)), make_aout_prg(ENTRIES(nlist)), make_elf_prg(ENTRIES(elf)),
		make_mark_williams_prg(ENTRIES(lout), false), make_mark_williams_prg(ENTRIES(lout), true)};

	for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
		struct tiny_prg prg = kinds[kind];

		for (size_t bytes = 0; bytes <= prg.bytes; bytes++)
			check_sound(prg.data, bytes, SIZE_MAX);
		for (size_t at = 0; at < prg.bytes; at++) {
			static const uint8_t values[] = {0, 0x7F, 0x80, 0xFF};

			if (at >= PRG_HEADER + 128 && at < PRG_HEADER + PRG_TEXT)
				continue; /* nobody looks there */
			for (size_t i = 0; i < sizeof values; i++) {
				prg.data[at] = values[i];
				check_sound(prg.data, prg.bytes, SIZE_MAX);
			}
			prg.data[at] = kinds[kind].data[at];
		}
	}
}

/* Each entry names the same long string: memory and time are bounded by the file, not by what it claims. */
TEST(names_that_many_share)
{
	enum { ENTRIES_COUNT = 300000, LONG = 500 };
	static const uint32_t header[12] = {0x0107, PRG_TEXT, PRG_DATA, PRG_BSS, 12 * ENTRIES_COUNT};
	struct tiny_prg prg = prg_begin(PRG_TEXT + 228, 0x4D694E54);
	size_t start = prg.bytes, bytes = start + 12 * ENTRIES_COUNT + 4 + LONG + 8;
	uint8_t *data = calloc(1, bytes);
	struct diag *diag = make_diag();
	struct symbol_table *table;

	prg.bytes = PRG_HEADER;
	prg_put_32(&prg, 0x283A001A);
	prg_put_32(&prg, 0x4EFB48FA);
	for (size_t i = 0; i < 12; i++)
		prg_put_32(&prg, header[i]);
	prg_set_32(&prg, 14, (uint32_t)(bytes - start));
	memcpy(data, prg.data, start);
	for (size_t i = 0; i < ENTRIES_COUNT; i++) {
		uint8_t *entry = data + start + 12 * i;

		entry[3] = 4;
		entry[4] = 5;
		entry[10] = (uint8_t)(i % PRG_TEXT >> 8);
		entry[11] = (uint8_t)i;
	}
	memset(data + start + 12 * ENTRIES_COUNT + 4, 'x', LONG);
	table = make_table_of(data, bytes, diag);
	CHECK_EQ(symbol_count(table), PRG_TEXT);
	CHECK(is_sound(table));
	CHECK_EQ(diag_status(diag), 1);
	free_symbol_table(table);
	free_diag(diag);
	free(data);
}

int main(void)
{
	RUN(dri_and_what_is_no_function);
	RUN(gst_long_names);
	RUN(aout_of_mint);
	RUN(elf_inside);
	RUN(mark_williams);
	RUN(no_table_at_all);
	RUN(tables_with_faults);
	RUN(cut_and_changed_at_each_byte);
	RUN(names_that_many_share);
	return tap_done();
}
