/* COFF of Texas Instruments, as text and assembled: good files as their tools write them, and files that nobody should write.
 *
 *     coff 2 little                          version 0, 1 or 2; byte order
 *     section .text 0x220 0x640 0x520        name, address, length, flags; its bytes are zeros
 *     symbol .text 0x220 .text 0 3 0x640     name, value, section, type, storage class; words of a further entry, up to four
 *     symbol _main 0x840 .text 0x20 2 0 0x1c
 *     string 17 0x220 .text 4 2              the same, but where the string table would be asked for its name: at 17
 *
 * Sections are named, or are numbers: 0 undefined, -1 absolute, -2 of debuggers. A # begins a comment. And what is wrong:
 *
 *     target 0x98         else 0x99, a C6000
 *     flags 0x100         else a linked file of this byte order
 *     sections 9          the header says that they are so many
 *     count 0xffffffff    … symbols
 *     table 0x100         … and that they are here
 *     at 0x1000           the last section says that its bytes are here
 *     further 200         the last symbol says that it has so many further entries
 *     strings 0x10        the string table says that it is so long
 *     cut 100             the file ends here */
#ifndef DWELL_TEST_COFF_TEXT_H
#define DWELL_TEST_COFF_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COFF_TEXT_BYTES_MAX 65536u
#define COFF_TEXT_SECTIONS_MAX 16

struct coff_text {
	uint8_t *data; /* to be freed */
	size_t bytes;
	bool is_big;
	unsigned version;
	/* What is assembled, and where the next byte of it goes. */
	struct coff_section_text {
		char name[64];
		unsigned long values[3];
		unsigned long at;
	} sections[COFF_TEXT_SECTIONS_MAX];
	size_t section_count;
	uint8_t symbols[COFF_TEXT_BYTES_MAX], strings[COFF_TEXT_BYTES_MAX];
	size_t symbol_bytes, string_bytes, last_symbol;
	unsigned long target, flags, claimed_sections, claimed_count, claimed_table, claimed_strings, cut;
};

#define COFF_TEXT_NONE (~0ul)

static inline void coff_text_put(const struct coff_text *coff, uint8_t *at, unsigned long value, size_t width)
{
	for (size_t i = 0; i < width; i++)
		at[coff->is_big ? width - 1 - i : i] = (uint8_t)(value >> 8 * i);
}

/* A name of up to eight letters, or where it is in the string table. */
static inline void coff_text_put_name(struct coff_text *coff, uint8_t *at, const char *name)
{
	size_t bytes = strlen(name);

	if (bytes <= 8) {
		memcpy(at, name, bytes);
		return;
	}
	coff_text_put(coff, at + 4, coff->string_bytes, 4);
	memcpy(coff->strings + coff->string_bytes, name, bytes + 1);
	coff->string_bytes += bytes + 1;
}

static inline unsigned long coff_text_section(const struct coff_text *coff, const char *name)
{
	for (size_t i = 0; i < coff->section_count; i++)
		if (!strcmp(coff->sections[i].name, name))
			return i + 1;
	return strtoul(name, NULL, 0);
}

/* False: that is no symbol. */
static inline bool coff_text_put_symbol(struct coff_text *coff, const char *line, bool is_at)
{
	uint8_t *at = coff->symbols + coff->symbol_bytes;
	unsigned long value, type, storage_class, further[4];
	char name[256], section[64];
	int count = sscanf(line, "%*s %255s %li %63s %li %li %li %li %li %li", name, &value, section, &type, &storage_class, &further[0],
		&further[1], &further[2], &further[3]);

	if (count < 5 || coff->symbol_bytes > sizeof coff->symbols - 36 || coff->string_bytes > sizeof coff->strings - 256)
		return false;
	coff->last_symbol = coff->symbol_bytes;
	coff->symbol_bytes += count > 5 ? 36 : 18;
	if (is_at)
		coff_text_put(coff, at + 4, strtoul(name, NULL, 0), 4);
	else
		coff_text_put_name(coff, at, name);
	coff_text_put(coff, at + 8, value, 4);
	coff_text_put(coff, at + 12, coff_text_section(coff, section), 2);
	coff_text_put(coff, at + 14, type, 2);
	at[16] = (uint8_t)storage_class;
	at[17] = count > 5;
	for (int i = 5; i < count; i++)
		coff_text_put(coff, at + 18 + 4 * (i - 5), further[i - 5], 4);
	return true;
}

static inline bool coff_text_read_line(struct coff_text *coff, const char *line)
{
	const struct {
		const char *word;
		unsigned long *value;
	} claims[] = {{"target", &coff->target}, {"flags", &coff->flags}, {"sections", &coff->claimed_sections},
		{"count", &coff->claimed_count}, {"table", &coff->claimed_table}, {"strings", &coff->claimed_strings}, {"cut", &coff->cut},
		{"at", &coff->sections[coff->section_count ? coff->section_count - 1 : 0].at}};
	struct coff_section_text *section = &coff->sections[coff->section_count];
	char word[16] = "", order[16];
	unsigned long value;

	if (sscanf(line, "%15s", word) < 1 || *word == '#')
		return true;
	if (!strcmp(word, "coff"))
		return sscanf(line, "%*s %u %15s", &coff->version, order) == 2 && coff->version <= 2 &&
			((coff->is_big = !strcmp(order, "big")) || !strcmp(order, "little"));
	if (!strcmp(word, "section"))
		return coff->section_count < COFF_TEXT_SECTIONS_MAX && ++coff->section_count && (section->at = COFF_TEXT_NONE) &&
			sscanf(line, "%*s %63s %li %li %li", section->name, &section->values[0], &section->values[1],
				&section->values[2]) == 4;
	if (!strcmp(word, "symbol") || !strcmp(word, "string"))
		return coff_text_put_symbol(coff, line, word[1] == 't');
	if (sscanf(line, "%*s %li", &value) != 1)
		return false;
	if (!strcmp(word, "further"))
		return coff->symbols[coff->last_symbol + 17] = (uint8_t)value, true;
	for (size_t i = 0; i < sizeof claims / sizeof *claims; i++)
		if (!strcmp(word, claims[i].word))
			return *claims[i].value = value, true;
	return false;
}

static inline unsigned long coff_text_claim(unsigned long claimed, size_t real)
{
	return claimed == COFF_TEXT_NONE ? real : claimed;
}

static inline void coff_text_lay_out(struct coff_text *coff)
{
	size_t header_bytes = coff->version ? 22 : 20, section_bytes = coff->version == 2 ? 48 : 40;
	size_t data_at = header_bytes + coff->section_count * section_bytes, symbols_at = data_at, strings_at;
	unsigned long flags = (coff->is_big ? 0x200 : 0x100) | 3;
	uint8_t *header, *at;

	for (size_t i = 0; i < coff->section_count; i++)
		symbols_at += coff->sections[i].values[2] & 0x80 ? 0 : coff->sections[i].values[1];
	strings_at = symbols_at + coff->symbol_bytes;
	coff->bytes = strings_at + coff->string_bytes;
	coff->data = calloc(1, coff->bytes);
	if (!coff->data)
		abort();
	header = coff->data;
	at = header + header_bytes;
	for (size_t i = 0; i < coff->section_count; i++, at += section_bytes) {
		const struct coff_section_text *section = &coff->sections[i];
		bool has_bytes = !(section->values[2] & 0x80);

		coff_text_put_name(coff, at, strlen(section->name) <= 8 ? section->name : "long");
		coff_text_put(coff, at + 8, section->values[0], 4);
		coff_text_put(coff, at + 12, section->values[0], 4);
		coff_text_put(coff, at + 16, section->values[1], 4);
		coff_text_put(coff, at + 20, coff_text_claim(section->at, has_bytes ? data_at : 0), 4);
		coff_text_put(coff, at + (coff->version == 2 ? 40 : 36), section->values[2], coff->version == 2 ? 4 : 2);
		data_at += has_bytes ? section->values[1] : 0;
	}
	memcpy(coff->data + symbols_at, coff->symbols, coff->symbol_bytes);
	memcpy(coff->data + strings_at, coff->strings, coff->string_bytes);
	coff_text_put(coff, coff->data + strings_at, coff_text_claim(coff->claimed_strings, coff->string_bytes), 4);
	coff_text_put(coff, header, coff->version ? 0xC0 + coff->version : coff->target, 2);
	coff_text_put(coff, header + 2, coff_text_claim(coff->claimed_sections, coff->section_count), 2);
	coff_text_put(coff, header + 8, coff_text_claim(coff->claimed_table, symbols_at), 4);
	coff_text_put(coff, header + 12, coff_text_claim(coff->claimed_count, coff->symbol_bytes / 18), 4);
	coff_text_put(coff, header + 18, coff_text_claim(coff->flags, flags), 2);
	if (coff->version)
		coff_text_put(coff, header + 20, coff->target, 2);
	if (coff->cut < coff->bytes)
		coff->bytes = coff->cut;
}

/* The whole text; ends the program, with the line, where that is not as above. */
static inline struct coff_text *make_coff_of_text(const char *text)
{
	struct coff_text *coff = calloc(1, sizeof *coff);
	char line[512];

	if (!coff)
		abort();
	coff->target = 0x99;
	coff->flags = coff->claimed_sections = coff->claimed_count = coff->claimed_table = coff->claimed_strings = COFF_TEXT_NONE;
	coff->cut = COFF_TEXT_NONE;
	coff->string_bytes = 4;
	for (size_t bytes; *text; text += bytes + (text[bytes] == '\n')) {
		bytes = strcspn(text, "\n");
		snprintf(line, sizeof line, "%.*s", (int)(bytes < sizeof line - 1 ? bytes : sizeof line - 1), text);
		if (!coff_text_read_line(coff, line)) {
			fprintf(stderr, "coff_text: '%s': not understood\n", line);
			exit(2);
		}
	}
	coff_text_lay_out(coff);
	return coff;
}

static inline void free_coff_of_text(struct coff_text *coff)
{
	free(coff->data);
	free(coff);
}

#endif
