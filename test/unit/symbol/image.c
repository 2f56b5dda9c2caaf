/* What a program's file puts into memory, of any width and byte order: bytes, texts; and what its header says of its addresses. */
#include "symbol/image.h"

#include "check.h"
#include "programs.h"
#include "symbol/symbol.h"
#include "tiny_elf.h"

#define TEXT_ADDRESS 0x1000
#define TEXT_BYTES 64
#define DATA_ADDRESS 0x2000
#define DATA_BYTES 16
#define ZEROED_BYTES 8 /* behind these */

static size_t header_bytes(const struct tiny_elf *elf)
{
	return elf->is_wide ? 64 : 52;
}

/* Where bare metal's linker scripts put constants: among the code. */
static void put_text(struct tiny_elf *elf, size_t offset, const char *text, size_t bytes)
{
	memcpy(elf->data + header_bytes(elf) + offset, text, bytes);
}

static void put_segment_at(
	struct tiny_elf *elf, uint32_t flags, uint64_t offset, uint64_t address, uint64_t file_bytes, uint64_t bytes)
{
	tiny_put(elf, PT_LOAD, 4);
	if (elf->is_wide)
		tiny_put(elf, flags, 4);
	tiny_put_word(elf, offset);
	tiny_put_word(elf, address);
	tiny_put_word(elf, address);
	tiny_put_word(elf, file_bytes);
	tiny_put_word(elf, bytes);
	if (!elf->is_wide)
		tiny_put(elf, flags, 4);
	tiny_put_word(elf, 4);
}

static void put_segment(struct tiny_elf *elf, uint32_t flags, uint64_t address, uint64_t file_bytes, uint64_t bytes)
{
	put_segment_at(elf, flags, header_bytes(elf), address, file_bytes, bytes);
}

static void set(struct tiny_elf *elf, size_t offset, uint64_t value, size_t width)
{
	size_t bytes = elf->bytes;

	elf->bytes = offset;
	tiny_put(elf, value, width);
	elf->bytes = bytes;
}

/* Makes room for the program headers of `count` segments, which the caller adds. */
static struct tiny_elf make_with_segments(int kind, uint64_t count)
{
	struct tiny_elf elf = make_tiny_elf(kind & 1, kind & 2, EM_ARM, ET_EXEC, tiny_usual, TINY_USUAL_COUNT);

	set(&elf, elf.is_wide ? 32 : 28, elf.bytes, elf.is_wide ? 8 : 4);
	set(&elf, elf.is_wide ? 54 : 42, elf.is_wide ? 56 : 32, 2);
	set(&elf, elf.is_wide ? 56 : 44, count, 2);
	return elf;
}

/* The code; and data that may be written, which begin as the code does and have zeros behind that. */
static struct tiny_elf make_loaded(int kind)
{
	struct tiny_elf elf = make_with_segments(kind, 2);

	put_segment(&elf, PF_R | PF_X, TEXT_ADDRESS, TEXT_BYTES, TEXT_BYTES);
	put_segment(&elf, PF_R | PF_W, DATA_ADDRESS, DATA_BYTES, DATA_BYTES + ZEROED_BYTES);
	put_text(&elf, 0, "first", 6);
	return elf;
}

static const char *text_at(const struct symbol_image *image, uint64_t address)
{
	static char text[TEXT_BYTES + 1];

	return symbol_image_text(image, address, text, sizeof text) ? text : NULL;
}

TEST(texts)
{
	for (int kind = 0; kind < 4; kind++) {
		struct tiny_elf elf = make_loaded(kind);
		struct symbol_image *image;
		char small[6] = "";

		put_text(&elf, 6, "a\tb", 4);
		put_text(&elf, 10, "\303\244\0\377x", 6);
		put_text(&elf, TEXT_BYTES - 3, "end", 3);
		CHECK(write_file("texts", elf.data, elf.bytes));
		image = make_symbol_image(get_path("texts"));
		CHECK_STR(text_at(image, TEXT_ADDRESS), "first");
		CHECK_STR(text_at(image, TEXT_ADDRESS + 2), "rst");
		CHECK_STR(text_at(image, TEXT_ADDRESS + 10), "\303\244");
		CHECK_STR(text_at(image, DATA_ADDRESS), "first"); /* all is in one segment that may be written where a linker script
		                                                     says so */
		CHECK(!text_at(image, TEXT_ADDRESS + 5)); /* empty */
		CHECK(!text_at(image, TEXT_ADDRESS + 6)); /* not of printable characters */
		CHECK(!text_at(image, TEXT_ADDRESS + 13)); /* not UTF-8 */
		CHECK(!text_at(image, TEXT_ADDRESS + TEXT_BYTES - 3)); /* does not end in the segment */
		CHECK(!text_at(image, TEXT_ADDRESS + TEXT_BYTES));
		CHECK(!text_at(image, TEXT_ADDRESS - 1));
		CHECK(!text_at(image, DATA_ADDRESS + DATA_BYTES)); /* zeros that the file has not got */
		CHECK(!text_at(image, UINT64_MAX));
		CHECK(symbol_image_text(image, TEXT_ADDRESS, small, 6) && !strcmp(small, "first"));
		CHECK(!symbol_image_text(image, TEXT_ADDRESS, small, 5));
		free_symbol_image(image);
		free(elf.data);
	}
	CHECK(!text_at(NULL, TEXT_ADDRESS));
}

TEST(bytes)
{
	for (int kind = 0; kind < 4; kind++) {
		struct tiny_elf elf = make_loaded(kind);
		struct symbol_image *image;
		uint8_t bytes[TEXT_BYTES];
		uint64_t address = 0;

		CHECK(write_file("loaded", elf.data, elf.bytes));
		image = make_symbol_image(get_path("loaded"));
		CHECK_EQ(symbol_image_count(image), 2);
		CHECK_EQ(symbol_image_at(image, 1).high, DATA_ADDRESS + DATA_BYTES + ZEROED_BYTES);
		CHECK(symbol_image_at(image, 1).is_writable && !symbol_image_at(image, 0).is_writable);
		CHECK_EQ(symbol_image_machine(image).pointer_bytes, kind & 1 ? 8 : 4);
		CHECK_EQ(symbol_image_machine(image).is_big, kind & 2 ? 1 : 0);
		CHECK_EQ(symbol_image_read(image, DATA_ADDRESS + 4, bytes, sizeof bytes), DATA_BYTES - 4);
		CHECK(!memcmp(bytes, "t", 2));
		CHECK(symbol_image_find(image, header_bytes(&elf) + 8, 4, &address));
		CHECK_EQ(address, TEXT_ADDRESS + 8);
		free_symbol_image(image);
		free(elf.data);
	}
}

static void check_mapping(const struct symbol_image *image, uint64_t offset, uint64_t bytes, uint64_t want)
{
	uint64_t address = 0;

	CHECK_EQ(symbol_image_find(image, offset, bytes, &address), want != 0);
	CHECK_EQ(address, want);
}

/* As lld lays programs out: each segment has addresses of its own, and shares its first page of the file with the one before, which
 * has more of the page. Pages of 4, 16 and 64 KiB. */
TEST(mappings_of_code)
{
	for (int kind = 0; kind < 4; kind++) {
		struct tiny_elf elf = make_with_segments(kind, 5);
		struct symbol_image *image;

		put_segment_at(&elf, PF_R, 0, 0x10000, 0x92e4, 0x92e4);
		put_segment_at(&elf, PF_R | PF_X, 0x92f0, 0x292f0, 0x100, 0x100);
		put_segment_at(&elf, PF_R | PF_W, 0x93f0, 0x393f0, 0xc00, 0x2000);
		put_segment_at(&elf, PF_R | PF_X, 0xa010, 0x4a010, 0x2000, 0x2000);
		put_segment_at(&elf, PF_R | PF_W, 0x30000, 0x70000, 0x800, 0x800);
		CHECK(write_file("mapped", elf.data, elf.bytes));
		image = make_symbol_image(get_path("mapped"));
		check_mapping(image, 0x9000, 0x1000, 0x29000);
		check_mapping(image, 0x8000, 0x2000, 0x28000);
		check_mapping(image, 0xa000, 0x1000, 0x4a000);
		check_mapping(image, 0x9000, 0x4000, 0x49000); /* both have code: the one with more bytes */
		check_mapping(image, 0, 0x10000, 0x40000);
		check_mapping(image, 0, 0x9000, 0x10000); /* no code: a mapping that perf record --data notes */
		check_mapping(image, 0x9000, 0x2f0, 0x10000 + 0x9000);
		check_mapping(image, 0x30000, UINT64_MAX, 0x70000);
		check_mapping(image, 0x40000, 0x1000, 0);
		free_symbol_image(image);
		free(elf.data);
	}
}

/* What is no program, or is cut anywhere, has some of them or none. */
TEST(damaged)
{
	struct tiny_elf elf = make_loaded(0);

	for (size_t bytes = 0; bytes < elf.bytes; bytes++) {
		struct symbol_image *image;

		CHECK(write_file("cut", elf.data, bytes));
		image = make_symbol_image(get_path("cut"));
		for (uint64_t address = TEXT_ADDRESS; address < TEXT_ADDRESS + TEXT_BYTES; address++)
			text_at(image, address);
		free_symbol_image(image);
	}
	CHECK(!make_symbol_image(get_path("no such file")));
	free_symbol_image(NULL);
	free(elf.data);
}

TEST(what_addresses_are)
{
	static const struct {
		uint16_t machine, type;
		bool has_state_bit, is_position_independent;
	} kinds[] = {{EM_ARM, ET_EXEC, true, false}, {EM_MIPS, ET_EXEC, true, false}, {EM_X86_64, ET_EXEC, false, false},
		{EM_X86_64, ET_DYN, false, true}, {EM_ARM, ET_DYN, true, true}, {EM_ARM, ET_REL, true, false}};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct tiny_elf elf = make_tiny_elf(false, false, kinds[i].machine, kinds[i].type, tiny_usual, TINY_USUAL_COUNT);
		struct diag *diag = make_diag();
		struct symbol_table *table;

		CHECK(write_file("kind", elf.data, elf.bytes));
		table = make_symbol_table(get_path("kind"), NULL, diag);
		CHECK_EQ(symbol_has_state_bit(table), kinds[i].has_state_bit);
		CHECK_EQ(symbol_is_position_independent(table), kinds[i].is_position_independent);
		free_symbol_table(table);
		free_diag(diag);
		free(elf.data);
	}
}

int main(void)
{
	RUN(texts);
	RUN(bytes);
	RUN(mappings_of_code);
	RUN(damaged);
	RUN(what_addresses_are);
	return tap_done();
}
