/* ELF files as nobody should make them. Under the sanitizers this is where the bounds are proven. */
#include "check.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "symbol/build_id.h"
#include "tables.h"
#include "tiny_elf.h"

static void check_symbol(const struct symbol_table *table, size_t index, uint64_t address, uint64_t size, const char *name)
{
	const struct symbol *symbol = symbol_at(table, index);

	CHECK(symbol);
	if (!symbol)
		return;
	CHECK_EQ(symbol->address, address);
	CHECK_EQ(symbol->size, size);
	CHECK_STR(symbol->name, name);
}

TEST(either_width_either_byte_order)
{
	for (int way = 0; way < 4; way++) {
		struct diag *diag = make_diag();
		struct tiny_elf elf = make_tiny_elf(way & 1, way & 2, EM_AARCH64, ET_EXEC, tiny_usual, TINY_USUAL_COUNT);
		struct symbol_table *table = make_table_of(elf.data, elf.bytes, diag);

		CHECK_EQ(diag_status(diag), 0);
		CHECK_EQ(symbol_pointer_bytes(table), way & 1 ? 8 : 4);
		CHECK_EQ(symbol_count(table), 5);
		check_symbol(table, 0, 0x1000, 12, "first"); /* shorter than first_long, global before weak, typed before label */
		check_symbol(table, 1, 0x1010, 16, "second");
		check_symbol(table, 2, 0x1020, 4, "third_a"); /* first in byte order; cut by the entry behind it */
		check_symbol(table, 3, 0x1024, 4, "entry_in_third"); /* no size: ends with the function it is in */
		check_symbol(table, 4, 0x1028, 24, "label"); /* behind it, so in no function: up to the section's end */
		CHECK(!symbol_find(table, 0x100c)); /* between: nobody's */
		free_symbol_table(table);
		free(elf.data);
		free_diag(diag);
	}
}

TEST(thumb_functions)
{
	static const struct tiny_symbol symbols[] = {
		{"thumb", 0x1001, 8, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), TINY_TEXT},
		{"$t", 0x1000, 0, ELF32_ST_INFO(STB_LOCAL, STT_NOTYPE), TINY_TEXT},
		{"$d.1", 0x1006, 0, ELF32_ST_INFO(STB_LOCAL, STT_NOTYPE), TINY_TEXT},
		{"arm", 0x1008, 8, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), TINY_TEXT},
		{"$tax", 0x1010, 8, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), TINY_TEXT}, /* a name after all */
		{"thumb_alias", 0x1001, 8, ELF32_ST_INFO(STB_WEAK, STT_FUNC), TINY_TEXT},
		{"last_thumb", 0x103f, 0, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), TINY_TEXT},
	};
	struct diag *diag = make_diag();
	struct tiny_elf elf = make_tiny_elf(false, false, EM_ARM, ET_EXEC, symbols, sizeof symbols / sizeof *symbols);
	struct symbol_table *table = make_table_of(elf.data, elf.bytes, diag);

	CHECK_EQ(diag_status(diag), 0);
	CHECK_EQ(symbol_count(table), 4);
	check_symbol(table, 0, 0x1000, 8, "thumb");
	check_symbol(table, 1, 0x1008, 8, "arm");
	check_symbol(table, 2, 0x1010, 8, "$tax");
	check_symbol(table, 3, 0x103e, 2, "last_thumb");
	free_symbol_table(table);
	free(elf.data);
	free_diag(diag);
}

/* Not used, and said; a mark behind the last instruction is nothing to speak of. */
TEST(functions_outside_of_their_section)
{
	static const struct tiny_symbol symbols[] = {
		{"inside", 0x1000, 8, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), TINY_TEXT},
		{"mark", 0x5000, 0, ELF32_ST_INFO(STB_GLOBAL, STT_NOTYPE), TINY_TEXT},
		{"end", 0x1040, 0, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), TINY_TEXT},
		{"below", 0xfff, 8, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), TINY_TEXT},
		{"behind", 0xffff0000, 8, ELF32_ST_INFO(STB_LOCAL, STT_FUNC), TINY_TEXT},
	};

	for (size_t count = 3; count <= 5; count++) {
		struct diag *diag = make_diag();
		struct tiny_elf elf = make_tiny_elf(true, false, EM_X86_64, ET_EXEC, symbols, count);
		struct symbol_table *table = make_table_of(elf.data, elf.bytes, diag);

		CHECK_EQ(diag_status(diag), count == 3 ? 0 : 1);
		CHECK_EQ(symbol_count(table), 1);
		check_symbol(table, 0, 0x1000, 8, "inside");
		free_symbol_table(table);
		free(elf.data);
		free_diag(diag);
	}
}

TEST(cut_at_each_byte)
{
	struct tiny_elf wide = make_tiny_elf(true, false, EM_X86_64, ET_DYN, tiny_usual, TINY_USUAL_COUNT);
	struct tiny_elf narrow = make_tiny_elf(false, true, EM_MIPS, ET_REL, tiny_usual, TINY_USUAL_COUNT);

	for (int i = 0; i < 2; i++) {
		struct tiny_elf *elf = i ? &narrow : &wide;

		for (size_t bytes = 0; bytes < elf->bytes; bytes++) {
			struct diag *diag = make_diag();
			struct symbol_table *table = make_table_of(elf->data, bytes, diag);

			CHECK(is_sound(table));
			CHECK_EQ(diag_status(diag), 1); /* each cut is noticed: the section headers come last */
			CHECK_EQ(symbol_count(table), 0);
			free_symbol_table(table);
			free_diag(diag);
		}
		free(elf->data);
	}
}

TEST(each_byte_wrong)
{
	static const uint8_t ways[] = {0xff, 0x01, 0x80, 0x10};

	for (int way = 0; way < 4; way++) {
		struct tiny_elf elf =
			make_tiny_elf(way & 1, way & 2, EM_ARM, way & 1 ? ET_DYN : ET_REL, tiny_usual, TINY_USUAL_COUNT);

		for (size_t at = 0; at < elf.bytes; at++) {
			for (size_t i = 0; i < sizeof ways; i++) {
				struct diag *diag = make_diag();
				struct symbol_table *table;

				elf.data[at] ^= ways[i];
				table = make_table_of(elf.data, elf.bytes, diag);
				CHECK(is_sound(table));
				CHECK(symbol_count(table) <= TINY_USUAL_COUNT);
				free_symbol_table(table);
				free_diag(diag);
				elf.data[at] ^= ways[i];
			}
		}
		free(elf.data);
	}
}

static void set_word(struct tiny_elf *elf, size_t offset, uint64_t value)
{
	for (size_t i = 0; i < 8; i++)
		elf->data[offset + i] = (uint8_t)(value >> 8 * i);
}

static size_t kilobytes_used(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (size_t)usage.ru_maxrss;
}

/* Sizes and offsets that a header may claim are claimed: nothing is allocated for them, all is said. */
TEST(claims_beyond_the_file)
{
	static const uint64_t claims[] = {UINT64_MAX, UINT64_MAX - 23, INT64_MAX, 1ull << 40, 1ull << 32, UINT32_MAX, 1 << 20};

	for (int section = TINY_TEXT; section < TINY_SECTIONS; section++) {
		for (int field = 0; field < 3; field++) {
			for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
				struct diag *diag = make_diag();
				struct tiny_elf elf = make_tiny_elf(true, false, EM_X86_64, ET_EXEC, tiny_usual, TINY_USUAL_COUNT);
				struct symbol_table *table;

				/* sh_addr, sh_offset, sh_size are at 16, 24, 32 */
				set_word(&elf, elf.headers + (size_t)section * 64 + 16 + 8 * (size_t)field, claims[i]);
				table = make_table_of(elf.data, elf.bytes, diag);
				CHECK(is_sound(table));
				if ((section == TINY_SYMTAB || section == TINY_STRTAB) && field)
					CHECK_EQ(diag_status(diag), 1);
				free_symbol_table(table);
				free(elf.data);
				free_diag(diag);
			}
		}
	}
}

static double seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* by the clock it may take as long as the machine likes */
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* A hundred thousand symbols, in groups of aliases, whose names overlap in one string of a megabyte: a reader that copied or
 * compared names whole would take 100 GB or days. */
TEST(names_that_overlap_cost_nothing)
{
	enum { COUNT = 100000, NAME_BYTES = 1 << 20 };
	struct tiny_symbol *symbols = calloc(COUNT, sizeof *symbols);
	char *name = malloc(NAME_BYTES);
	struct diag *diag = make_diag();
	struct symbol_table *table;
	struct tiny_elf elf;
	size_t before = kilobytes_used();
	double began = seconds_now();

	memset(name, 'n', NAME_BYTES - 1);
	name[NAME_BYTES - 1] = 0;
	for (size_t i = 0; i < COUNT; i++)
		symbols[i] = (struct tiny_symbol){"", 0x1000 + i % 64, 0, ELF32_ST_INFO(STB_GLOBAL, STT_FUNC), TINY_TEXT};
	symbols[0].name = name;
	elf = make_tiny_elf(true, false, EM_X86_64, ET_EXEC, symbols, COUNT);
	for (size_t i = 0; i < COUNT; i++) { /* st_name */
		uint32_t at = 1 + (uint32_t)(i * 7 % 1000);

		memcpy(elf.data + elf.symtab + 24 * (i + 1), &at, 4);
	}
	table = make_table_of(elf.data, elf.bytes, diag);
	CHECK(is_sound(table));
	CHECK_EQ(symbol_count(table), 64);
	CHECK(seconds_now() - began < 20);
	CHECK(kilobytes_used() - before < 200000);
	free_symbol_table(table);
	free_diag(diag);
	free(elf.data);
	free(symbols);
	free(name);
}

/* Sixty thousand headers that each claim the file's megabyte: as symbol tables, as notes. */
TEST(headers_that_share_bytes_cost_nothing)
{
	static const uint32_t types[] = {SHT_SYMTAB, SHT_DYNSYM, SHT_NOTE, SHT_SYMTAB_SHNDX};
	enum { COUNT = 60000 };

	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		struct diag *diag = make_diag();
		struct tiny_elf elf = make_tiny_elf(true, false, EM_X86_64, ET_EXEC, tiny_usual, TINY_USUAL_COUNT);
		const struct symbol_request want = {.build_id = (const uint8_t *)"other", .build_id_bytes = 5};
		size_t before = kilobytes_used();
		uint8_t id[BUILD_ID_BYTES_MAX];
		size_t id_bytes;
		double began = seconds_now();
		int fd = memfd_create("elf", MFD_CLOEXEC);
		char path[32];

		memset(elf.data + elf.headers + 2 * 64, 0, 64); /* the good note */
		for (size_t n = TINY_SECTIONS; n < COUNT; n++)
			tiny_put_section(&elf, types[i], 0, 0, 64, 65536, TINY_STRTAB, 24);
		elf.data[60] = (uint8_t)(COUNT & 0xff);
		elf.data[61] = (uint8_t)(COUNT >> 8);
		snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		CHECK(write(fd, elf.data, elf.bytes) == (ssize_t)elf.bytes);
		read_build_id(path, id, &id_bytes);
		free_symbol_table(make_symbol_table(path, &want, diag));
		CHECK(seconds_now() - began < 20);
		CHECK(kilobytes_used() - before < 200000);
		close(fd);
		free(elf.data);
		free_diag(diag);
	}
}

static void check_message(const void *data, size_t bytes, const char *part)
{
	struct diag *diag = make_diag();
	struct symbol_table *table = make_table_of(data, bytes, diag);
	char *text = make_said(diag);

	if (!strstr(text, part))
		CHECK_STR(text, part);
	CHECK_EQ(diag_status(diag), 1);
	CHECK_EQ(symbol_state(table), SYMBOL_FOREIGN);
	CHECK_STR(symbol_format(table), "none");
	free_symbol_table(table);
	free(text);
	free_diag(diag);
}

TEST(foreign_files_are_named)
{
	check_message("", 0, "an empty file");
	check_message("#!/bin/sh\n", 10, "a script");
	check_message("!<arch>\nx", 9, "an archive");
	check_message("\211dwell\r\n", 8, "a dwell trace");
	check_message("MZ\x90\0", 4, "a Windows");
	check_message("\177EL", 3, "a cut ELF file");
	check_message("\x01\x02", 2, "begins with 01 02, expected an object file (ELF: 7f 45 4c 46, GEMDOS: 60 1a, TI COFF: c2 00 or 00 c2) or the map of a TI linker");
}

TEST(what_is_no_file)
{
	static const char *const paths[] = {"/", "/dev/null", "/nonexistent/file", "/dev/stdin/x"};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		const struct symbol_request required = {.required = true};
		struct diag *diag = make_diag();

		free_symbol_table(make_symbol_table(paths[i], NULL, diag));
		CHECK_EQ(diag_status(diag), 1);
		free_symbol_table(make_symbol_table(paths[i], &required, diag));
		CHECK_EQ(diag_status(diag), 2);
		free_diag(diag);
	}
}

int main(void)
{
	RUN(either_width_either_byte_order);
	RUN(thumb_functions);
	RUN(functions_outside_of_their_section);
	RUN(cut_at_each_byte);
	RUN(each_byte_wrong);
	RUN(claims_beyond_the_file);
	RUN(names_that_overlap_cost_nothing);
	RUN(headers_that_share_bytes_cost_nothing);
	RUN(foreign_files_are_named);
	RUN(what_is_no_file);
	return tap_done();
}
