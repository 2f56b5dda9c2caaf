/* elf2prg: converts an ELF program for the 68000 to a GEMDOS program (.PRG of the Atari ST).
 *
 *     m68k-linux-gnu-gcc -m68000 -ffreestanding -nostdlib -static -Wl,--emit-relocs -Wl,-Ttext=0 … -o x.elf
 *     elf2prg [--symbols none|dri|gst|mwc] x.elf X.PRG
 *
 * The ELF file must be linked at 0 and keep its relocations: relocations of absolute addresses become GEMDOS'
 * fix-ups. Sections must be in the order text (all that is read-only), data, bss. dri cuts names to 8 characters, gst to 22,
 * mwc (Mark Williams, as documented) to 16. Values of all symbols count from the start of the text, as in most programs of
 * that time. */
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum part { TEXT, DATA, BSS, PARTS, NONE = PARTS };
enum symbols { SYMBOLS_NONE, SYMBOLS_DRI, SYMBOLS_GST, SYMBOLS_MWC, SYMBOLS };

struct program {
	const char *path;
	Elf *elf;
	enum part *parts; /* one for each section */
	size_t sections;
	uint32_t start[PARTS], end[PARTS];
	uint8_t *image;
	uint8_t *is_fixup; /* one for each byte of the image */
	Elf_Data *symbols;
	size_t symbol_count, strings;
};

static void fail(const struct program *program, const char *what, const char *which, unsigned long long number)
{
	fprintf(stderr, "elf2prg: %s: %s %s (0x%llx)\n", program->path, what, which, number);
	exit(2);
}

static void *allocate(size_t bytes)
{
	void *memory = calloc(1, bytes + 1);

	if (!memory) {
		fprintf(stderr, "elf2prg: no memory\n");
		exit(2);
	}
	return memory;
}

static void put_16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void put_32(uint8_t *p, uint32_t v)
{
	put_16(p, v >> 16);
	put_16(p + 2, v);
}

static void open_elf(struct program *program)
{
	int fd = open(program->path, O_RDONLY);
	GElf_Ehdr header;

	elf_version(EV_CURRENT);
	program->elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
	if (!program->elf || !gelf_getehdr(program->elf, &header))
		fail(program, "no ELF file:", fd < 0 ? "cannot be opened" : elf_errmsg(-1), 0);
	if (header.e_machine != EM_68K || header.e_type != ET_EXEC)
		fail(program, "no linked program for the 68000", "", header.e_machine);
}

/* Finds the limits of text, data and bss. */
static void lay_out(struct program *program)
{
	Elf_Scn *section = NULL;

	elf_getshdrnum(program->elf, &program->sections);
	program->parts = allocate(program->sections * sizeof *program->parts);
	for (size_t i = 0; i < program->sections; i++)
		program->parts[i] = NONE;
	for (int i = 0; i < PARTS; i++)
		program->start[i] = UINT32_MAX;
	while ((section = elf_nextscn(program->elf, section))) {
		enum part part;
		GElf_Shdr header;

		gelf_getshdr(section, &header);
		if (header.sh_type == SHT_SYMTAB) {
			program->symbols = elf_getdata(section, NULL);
			program->symbol_count = header.sh_size / header.sh_entsize;
			program->strings = header.sh_link;
		}
		if (!(header.sh_flags & SHF_ALLOC) || !header.sh_size)
			continue;
		part = header.sh_type == SHT_NOBITS ? BSS : header.sh_flags & SHF_WRITE ? DATA : TEXT;
		program->parts[elf_ndxscn(section)] = part;
		if (header.sh_addr + header.sh_size > 1 << 24)
			fail(program, "beyond 16 MiB:", "a section", header.sh_addr);
		if (header.sh_addr < program->start[part])
			program->start[part] = (uint32_t)header.sh_addr;
		if (header.sh_addr + header.sh_size > program->end[part])
			program->end[part] = (uint32_t)(header.sh_addr + header.sh_size);
	}
	if (program->start[TEXT])
		fail(program, "not linked at 0:", "text", program->start[TEXT]);
	/* A missing part is empty and follows the part before; gaps belong to the part before them. */
	for (int i = DATA; i < PARTS; i++) {
		if (program->start[i] == UINT32_MAX)
			program->start[i] = program->end[i] = (program->end[i - 1] + 3) & ~3u;
		if (program->start[i] < program->end[i - 1] || program->start[i] & 1)
			fail(program, "not in the order text, data, bss:", "a section", program->start[i]);
		program->end[i - 1] = program->start[i];
	}
}

static GElf_Sym symbol_at(const struct program *program, size_t index)
{
	GElf_Sym symbol = {0};

	if (!program->symbols || !gelf_getsym(program->symbols, (int)index, &symbol))
		fail(program, "no symbol of this number", "", index);
	return symbol;
}

static void copy_sections(struct program *program)
{
	Elf_Scn *section = NULL;

	program->image = allocate(program->end[DATA]);
	program->is_fixup = allocate(program->end[DATA]);
	while ((section = elf_nextscn(program->elf, section))) {
		enum part part = program->parts[elf_ndxscn(section)];
		Elf_Data *data;
		GElf_Shdr header;

		if (part != TEXT && part != DATA)
			continue;
		gelf_getshdr(section, &header);
		data = elf_rawdata(section, NULL);
		if (!data || data->d_size != header.sh_size)
			fail(program, "cut:", "a section", header.sh_addr);
		memcpy(program->image + header.sh_addr, data->d_buf, data->d_size);
	}
}

/* The linker has applied the relocation; absolute addresses depend on the load address, so GEMDOS must fix them up. */
static void take_relocation(struct program *program, const GElf_Rela *relocation)
{
	GElf_Sym symbol = symbol_at(program, GELF_R_SYM(relocation->r_info));
	bool is_absolute = symbol.st_shndx == SHN_ABS || (symbol.st_shndx == SHN_UNDEF && GELF_ST_BIND(symbol.st_info) == STB_WEAK);

	switch (GELF_R_TYPE(relocation->r_info)) {
	case R_68K_NONE:
	case R_68K_PC32:
	case R_68K_PC16:
	case R_68K_PC8:
		return;
	case R_68K_32:
		if (is_absolute)
			return;
		if (relocation->r_offset & 1 || relocation->r_offset + 4 > program->end[DATA])
			fail(program, "GEMDOS cannot fix up", "an odd address", relocation->r_offset);
		program->is_fixup[relocation->r_offset] = 1;
		return;
	case R_68K_16:
	case R_68K_8:
		if (is_absolute)
			return;
	}
	fail(program, "GEMDOS has no fix-up for", "a relocation at", relocation->r_offset);
}

static void take_relocations(struct program *program)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(program->elf, section))) {
		GElf_Shdr header;
		Elf_Data *data;

		gelf_getshdr(section, &header);
		if (header.sh_type != SHT_RELA || header.sh_info >= program->sections || program->parts[header.sh_info] >= BSS)
			continue;
		data = elf_getdata(section, NULL);
		for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++) {
			GElf_Rela relocation;

			if (gelf_getrela(data, (int)i, &relocation))
				take_relocation(program, &relocation);
		}
	}
}

struct entry {
	const char *name;
	uint32_t value;
	enum part part;
	bool is_global;
};

static int by_value(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;

	if (left->value != right->value)
		return left->value < right->value ? -1 : 1;
	return strcmp(left->name, right->name);
}

/* Returns the symbols that a table has, by value; to be freed. */
static struct entry *make_entries(const struct program *program, size_t *entry_count)
{
	struct entry *entries = allocate(program->symbol_count * sizeof *entries);
	size_t count = 0;

	for (size_t i = 1; i < program->symbol_count; i++) {
		GElf_Sym symbol = symbol_at(program, i);
		const char *name = elf_strptr(program->elf, program->strings, symbol.st_name);
		enum part part = symbol.st_shndx < program->sections ? program->parts[symbol.st_shndx] : NONE;

		if (!name || !name[0] || name[0] == '.' || part == NONE || GELF_ST_TYPE(symbol.st_info) > STT_FUNC)
			continue;
		entries[count++] = (struct entry){name, (uint32_t)symbol.st_value, part, GELF_ST_BIND(symbol.st_info) != STB_LOCAL};
	}
	qsort(entries, count, sizeof *entries, by_value);
	*entry_count = count;
	return entries;
}

/* Writes a table of DRI's form; returns how many bytes it wrote. */
static uint32_t write_symbols(const struct program *program, enum symbols kind, FILE *out)
{
	static const uint16_t types[PARTS] = {[TEXT] = 0x0200, [DATA] = 0x0400, [BSS] = 0x0100};
	size_t count;
	struct entry *entries = make_entries(program, &count);
	uint32_t bytes = 0;

	for (size_t i = 0; i < count; i++) {
		uint16_t type = (uint16_t)(0x8000 | types[entries[i].part] | (entries[i].is_global ? 0x2000 : 0));
		uint8_t entry[28] = {0};
		size_t length = strlen(entries[i].name), size = kind == SYMBOLS_GST && length > 8 ? 28 : 14;

		memcpy(entry, entries[i].name, length < 8 ? length : 8);
		put_16(entry + 8, size == 28 ? type | 0x48 : type);
		put_32(entry + 10, entries[i].value);
		if (size == 28)
			memcpy(entry + 14, entries[i].name + 8, length - 8 < 14 ? length - 8 : 14);
		fwrite(entry, 1, size, out);
		bytes += (uint32_t)size;
	}
	free(entries);
	return bytes;
}

/* Writes the first fix-up's offset, then distances: 1 stands for 254 bytes without a fix-up, 0 ends the list. */
static void write_fixups(const struct program *program, FILE *out)
{
	uint8_t first[4] = {0};
	uint32_t last = UINT32_MAX;

	for (uint32_t i = 0; i < program->end[DATA]; i++) {
		uint32_t distance = i - last;

		if (!program->is_fixup[i])
			continue;
		if (last == UINT32_MAX) {
			put_32(first, i);
			fwrite(first, 1, 4, out);
		} else {
			for (; distance > 254; distance -= 254)
				putc(1, out);
			putc((int)distance, out);
		}
		last = i;
	}
	if (last == UINT32_MAX)
		fwrite(first, 1, 4, out);
	else
		putc(0, out);
}

/* Writes the compiler's own header and table, which stand behind the fix-ups, at an even offset. */
static void write_mark_williams(const struct program *program, FILE *out)
{
	static const uint16_t types[] = {[TEXT] = 0, [DATA] = 4, [BSS] = 2};
	/* Magic number, 32 bits, 68000, bytes of the header; nine sizes; the entry. */
	uint8_t header[48] = {0x01, 0x07, 0, 020, 0, 10, 0, 48}, entry[22];
	uint8_t *sizes = header + 8;
	size_t count;
	struct entry *entries = make_entries(program, &count);

	if (ftell(out) % 2)
		putc(0, out);
	put_32(sizes + 4 * 0, program->end[TEXT]);
	put_32(sizes + 4 * 2, program->end[BSS] - program->start[BSS]);
	put_32(sizes + 4 * 4, program->end[DATA] - program->start[DATA]);
	put_32(sizes + 4 * 7, (uint32_t)(sizeof entry * count));
	fwrite(header, 1, sizeof header, out);
	for (size_t i = 0; i < count; i++) {
		memset(entry, 0, sizeof entry);
		memcpy(entry, entries[i].name, strnlen(entries[i].name, 16));
		put_16(entry + 16, types[entries[i].part] | (entries[i].is_global ? 0x10 : 0));
		put_32(entry + 18, entries[i].value);
		fwrite(entry, 1, sizeof entry, out);
	}
	free(entries);
}

static bool write_program(const struct program *program, enum symbols kind, const char *path)
{
	uint8_t header[28] = {0x60, 0x1A};
	FILE *out = fopen(path, "wb");
	uint32_t symbol_bytes;
	bool good;

	if (!out)
		return false;
	for (int i = 0; i < PARTS; i++)
		put_32(header + 2 + 4 * i, program->end[i] - program->start[i]);
	fwrite(header, 1, sizeof header, out);
	fwrite(program->image, 1, program->end[DATA], out);
	symbol_bytes = kind == SYMBOLS_DRI || kind == SYMBOLS_GST ? write_symbols(program, kind, out) : 0;
	write_fixups(program, out);
	if (kind == SYMBOLS_MWC)
		write_mark_williams(program, out);
	put_32(header + 14, symbol_bytes);
	rewind(out);
	fwrite(header, 1, sizeof header, out);
	good = !ferror(out);
	return !fclose(out) && good;
}

int main(int argc, char **argv)
{
	static const char *const names[] = {"none", "dri", "gst", "mwc"};
	enum symbols kind = SYMBOLS_GST;
	struct program program = {0};

	if (argc == 5 && !strcmp(argv[1], "--symbols")) {
		for (kind = SYMBOLS_NONE; kind < SYMBOLS && strcmp(argv[2], names[kind]); kind++)
			;
		if (kind == SYMBOLS)
			argc = 0;
		argv += 2;
		argc -= 2;
	}
	if (argc != 3) {
		fprintf(stderr, "usage: elf2prg [--symbols none|dri|gst|mwc] IN.elf OUT.PRG\n");
		return 2;
	}
	program.path = argv[1];
	open_elf(&program);
	lay_out(&program);
	copy_sections(&program);
	take_relocations(&program);
	if (!write_program(&program, kind, argv[2])) {
		perror(argv[2]);
		return 2;
	}
	elf_end(program.elf);
	free(program.parts);
	free(program.image);
	free(program.is_fixup);
	return 0;
}
