/* GEMDOS programs made by hand, one for each symbol table: text of 0x200 bytes (MiNT's a.out: 0xE4 more of header), data of 0x20.
 * */
#ifndef DWELL_TEST_SYMBOL_TINY_PRG_H
#define DWELL_TEST_SYMBOL_TINY_PRG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { PRG_TEXT = 0x200, PRG_DATA = 0x20, PRG_BSS = 0x40, PRG_HEADER = 28 };

struct tiny_prg {
	uint8_t data[8192];
	size_t bytes;
	bool is_pdp; /* words little end first, longs high word first */
};

struct tiny_entry {
	const char *name;
	uint16_t type;
	uint32_t value;
};

__attribute__((unused)) static void prg_put_16(struct tiny_prg *prg, uint32_t value)
{
	if (prg->bytes + 2 > sizeof prg->data)
		abort();
	prg->data[prg->bytes + prg->is_pdp] = (uint8_t)(value >> 8);
	prg->data[prg->bytes + !prg->is_pdp] = (uint8_t)value;
	prg->bytes += 2;
}

__attribute__((unused)) static void prg_put_32(struct tiny_prg *prg, uint32_t value)
{
	prg_put_16(prg, value >> 16);
	prg_put_16(prg, value & 0xFFFF);
}

/* A name in a field, cut or filled with zeros. */
__attribute__((unused)) static void prg_put_name(struct tiny_prg *prg, const char *name, size_t width)
{
	size_t length = strnlen(name, width);

	if (prg->bytes + width > sizeof prg->data)
		abort();
	memset(prg->data + prg->bytes, 0, width);
	memcpy(prg->data + prg->bytes, name, length);
	prg->bytes += width;
}

__attribute__((unused)) static void prg_set_32(struct tiny_prg *prg, size_t at, uint32_t value)
{
	size_t end = prg->bytes;

	prg->bytes = at;
	prg_put_32(prg, value);
	prg->bytes = end;
}

static inline struct tiny_prg prg_begin(uint32_t text, uint32_t reserved)
{
	struct tiny_prg prg = {.bytes = 0};

	prg_put_16(&prg, 0x601A);
	prg_put_32(&prg, text);
	prg_put_32(&prg, PRG_DATA);
	prg_put_32(&prg, PRG_BSS);
	prg_put_32(&prg, 0);
	prg_put_32(&prg, reserved);
	prg_put_32(&prg, 0);
	prg_put_16(&prg, 0);
	prg.bytes += text + PRG_DATA;
	return prg;
}

/* Its symbols are all that was put since; fix-ups follow: two of them, 300 bytes from each other. */
static inline void prg_end(struct tiny_prg *prg, size_t symbols_at)
{
	prg_set_32(prg, 14, (uint32_t)(prg->bytes - symbols_at));
	prg_put_32(prg, 4);
	prg_put_name(prg, "\x01\x2E", 4);
	prg->bytes -= 1; /* one zero ends them */
}

/* A type with both bits of 0x48 has a second entry with the rest of its name. */
static inline struct tiny_prg make_dri_prg(const struct tiny_entry *entries, size_t count)
{
	struct tiny_prg prg = prg_begin(PRG_TEXT, 0);
	size_t start = prg.bytes;

	for (size_t i = 0; i < count; i++) {
		prg_put_name(&prg, entries[i].name, 8);
		prg_put_16(&prg, entries[i].type);
		prg_put_32(&prg, entries[i].value);
		if ((entries[i].type & 0x48) == 0x48)
			prg_put_name(&prg, strlen(entries[i].name) > 8 ? entries[i].name + 8 : "", 14);
	}
	prg_end(&prg, start);
	return prg;
}

/* Types are of nlist. */
static inline struct tiny_prg make_aout_prg(const struct tiny_entry *entries, size_t count)
{
	const uint32_t header[12] = {0x0107, PRG_TEXT, PRG_DATA, PRG_BSS, (uint32_t)(12 * count)};
	struct tiny_prg prg = prg_begin(PRG_TEXT + 228, 0x4D694E54);
	size_t start = prg.bytes, strings = 4;

	prg.bytes = PRG_HEADER;
	prg_put_32(&prg, 0x203A001A);
	prg_put_32(&prg, 0x4EFB08FA);
	for (size_t i = 0; i < 12; i++)
		prg_put_32(&prg, header[i]);
	prg.bytes = start;
	for (size_t i = 0; i < count; i++) {
		prg_put_32(&prg, (uint32_t)strings);
		prg_put_16(&prg, (uint32_t)entries[i].type << 8);
		prg_put_16(&prg, 0);
		prg_put_32(&prg, entries[i].value);
		strings += strlen(entries[i].name) + 1;
	}
	prg_put_32(&prg, (uint32_t)strings);
	for (size_t i = 0; i < count; i++)
		prg_put_name(&prg, entries[i].name, strlen(entries[i].name) + 1);
	prg_end(&prg, start);
	return prg;
}

/* ELF's header at 64, within the text. Sections: 1 text, 2 data, 3 symbols, 4 strings. Types are ELF's info, and the section above
 * it. */
static inline struct tiny_prg make_elf_prg(const struct tiny_entry *entries, size_t count)
{
	struct tiny_prg prg = prg_begin(PRG_TEXT, 0x454C4600 | 64);
	size_t start = prg.bytes, symbols_at = start, strings_at = symbols_at + 16 * (count + 1), strings = 1, headers_at;

	prg.bytes = symbols_at + 16;
	for (size_t i = 0; i < count; i++) {
		prg_put_32(&prg, (uint32_t)strings);
		prg_put_32(&prg, entries[i].value);
		prg_put_32(&prg, 0x10);
		prg_put_16(&prg, (entries[i].type & 0xFFu) << 8);
		prg_put_16(&prg, entries[i].type >> 8);
		strings += strlen(entries[i].name) + 1;
	}
	prg_put_name(&prg, "", 1);
	for (size_t i = 0; i < count; i++)
		prg_put_name(&prg, entries[i].name, strlen(entries[i].name) + 1);
	headers_at = prg.bytes;
	for (uint32_t i = 0; i < 5; i++) {
		const uint32_t section[5][10] = {{0}, {0, 1, 6, 0, PRG_HEADER, PRG_TEXT},
			{0, 1, 3, PRG_TEXT, PRG_HEADER + PRG_TEXT, PRG_DATA},
			{0, 2, 0, 0, (uint32_t)symbols_at, (uint32_t)(16 * (count + 1)), 4, 1, 4, 16},
			{0, 3, 0, 0, (uint32_t)strings_at, (uint32_t)strings}};

		for (size_t field = 0; field < 10; field++)
			prg_put_32(&prg, section[i][field]);
	}
	prg_end(&prg, start);
	start = prg.bytes;
	prg.bytes = 64;
	prg_put_32(&prg, 0x7F454C46);
	prg_put_32(&prg, 0x01020100);
	prg.bytes = 64 + 16;
	prg_put_16(&prg, 2);
	prg_put_16(&prg, 4);
	prg_set_32(&prg, 64 + 32, (uint32_t)headers_at);
	prg.bytes = 64 + 46;
	prg_put_16(&prg, 40);
	prg_put_16(&prg, 5);
	prg.bytes = start;
	return prg;
}

/* What the documentation says, in either order of bytes. */
static inline struct tiny_prg make_mark_williams_prg(const struct tiny_entry *entries, size_t count, bool is_pdp)
{
	struct tiny_prg prg = prg_begin(PRG_TEXT, 0);
	const uint32_t sizes[9] = {PRG_TEXT, 0, PRG_BSS, 0, PRG_DATA, 0, 6, (uint32_t)(22 * count)};

	prg_end(&prg, prg.bytes);
	prg.bytes = (prg.bytes + 1) & ~(size_t)1;
	prg.is_pdp = is_pdp;
	prg_put_16(&prg, 0x0107);
	prg_put_16(&prg, 020);
	prg_put_16(&prg, 10);
	prg_put_16(&prg, 48);
	for (size_t i = 0; i < 9; i++)
		prg_put_32(&prg, sizes[i]);
	prg_put_32(&prg, 0);
	prg.bytes += 6; /* debugging */
	for (size_t i = 0; i < count; i++) {
		prg_put_name(&prg, entries[i].name, 16);
		prg_put_16(&prg, entries[i].type);
		prg_put_32(&prg, entries[i].value);
	}
	return prg;
}

#endif
