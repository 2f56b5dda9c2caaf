/* The reader of memory that Code Composer Studio saved as text (.dat),
 * with records of TI's function hooks: it parses the text into records.
 *
 *     1651 1 90000000 0 60000          magic, format, address, page, length; all but the magic in hex
 *     0x0C000E8C                       then a word a line
 *
 * This is "32-bit Hex - C Style", format 1 (9 in later versions), as in TI's
 * document; 0x and the header are optional. The reader rejects other formats. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classic/host/doors.h"
#include "reader/text_lines.h"
#include "classic/host/reader/ti/hook_dump.h"
#include "util/array.h"
#include "util/real.h"

#define MESSAGES_MAX 3u
#define PROBE_LINES_MIN 3u
#define RECORD_WORDS 3u
#define HEADER_MAGIC "1651"
#define FORMAT_HEX 1u
#define FORMAT_OF_LATER 9u /* format 9 has the values of format 1 */

struct ccs_reader {
	struct hook_dump dump;
	uint32_t words[RECORD_WORDS]; /* of the incomplete record */
	uint64_t count;   /* words so far */
	uint64_t bad;     /* words that were no number */
	bool is_bad;      /* a word of the record was no number */
	uint64_t length;  /* from the header; 0: none */
};

/* Returns a line without the space around it. */
static struct bytes trim(struct bytes line)
{
	while (line.size && strchr(" \t\r", line.data[0]))
		line = (struct bytes){line.data + 1, line.size - 1};
	while (line.size && strchr(" \t\r", line.data[line.size - 1]))
		line.size--;
	return line;
}

static bool has_prefix(struct bytes line)
{
	return line.size > 2 && line.data[0] == '0' && (line.data[1] | 32) == 'x';
}

/* Parses up to eight digits of hex, with or without 0x. */
static bool parse_word(struct bytes line, uint32_t *word)
{
	char text[16], *end;

	if (!line.size || line.size > 10)
		return false;
	memcpy(text, line.data, line.size);
	text[line.size] = 0;
	*word = (uint32_t)strtoul(text, &end, 16);
	return !*end && (line.size <= 8 || has_prefix(line)) && strspn(text, "0123456789abcdefABCDEFxX") == line.size;
}

/* Parses the header's format and length; they stay unchanged if the line is no header. */
static bool parse_header(struct bytes line, uint32_t *format, uint64_t *length)
{
	char text[128], magic[8], address[24], page[24];
	uint32_t said;
	uint64_t words = 0;

	if (line.size >= sizeof text)
		return false;
	memcpy(text, line.data, line.size);
	text[line.size] = 0;
	if (sscanf(text, "%7s %" SCNx32 " %23s %23s %" SCNx64, magic, &said, address, page, &words) < 4 || strcmp(magic, HEADER_MAGIC))
		return false;
	*format = said;
	*length = words;
	return true;
}

/* Accepts a header, or lines of one word each: with 0x unless the word is 0, or of eight digits. */
static bool probe(struct bytes start, bool whole)
{
	uint32_t lines = 0, numbers = 0, word;
	uint64_t length;

	for (size_t at = text_mark_bytes(start.data, start.size), size; at < start.size; at += size + 1) {
		const uint8_t *newline = memchr(start.data + at, '\n', start.size - at);
		struct bytes line;

		size = newline ? (size_t)(newline - start.data) - at : start.size - at;
		line = trim(bytes_part(start, at, size));
		if (!newline && !whole)
			break;
		if (!lines && parse_header(line, &word, &length))
			return true;
		if (!line.size)
			continue;
		if (!parse_word(line, &word) || (line.size != 8 && !has_prefix(line) && word))
			return false;
		lines++;
		numbers += line.size > 1;
	}
	return lines >= PROBE_LINES_MIN && numbers;
}

/* Adds the record, as invalid if one of its words was no number. */
static bool add_record(struct ccs_reader *reader)
{
	struct hook_record record = {reader->words[0], reader->words[1], reader->words[2]};

	if (reader->is_bad)
		record = (struct hook_record){.place = HOOK_RECORD_INVALID};
	reader->is_bad = false;
	return hook_records_add(&reader->dump.records, &record);
}

/* Adds a word. An unreadable word becomes 0, so that later words stay in the right records. False: no memory. */
static bool take_word(struct ccs_reader *reader, struct bytes line, uint64_t offset)
{
	struct reader_input *input = reader->dump.input;
	uint32_t *word = &reader->words[reader->count++ % RECORD_WORDS];

	*word = 0;
	if (!parse_word(line, word)) {
		reader->is_bad = true;
		if (reader->bad++ < MESSAGES_MAX)
			diag_add(input->diag, DIAG_WARN, source_name(input->source), offset,
				"'%.*s' is no number of 32 bits (expected: hexadecimal): its record is left out", (int)(line.size < 32 ? line.size : 32),
				(const char *)line.data);
	}
	return reader->count % RECORD_WORDS || add_record(reader);
}

static bool is_hex(uint32_t format)
{
	return format == FORMAT_HEX || format == FORMAT_OF_LATER;
}

/* Returns false and adds a diag. */
static bool refuse_format(const struct ccs_reader *reader, uint32_t format)
{
	struct reader_input *input = reader->dump.input;

	diag_add(input->diag, DIAG_ERROR, source_name(input->source), 0,
		"is saved in format %" PRIx32 " of Code Composer Studio; save the memory as 32-bit hex, C style, which is format 1", format);
	return false;
}

static bool read_lines(struct ccs_reader *reader)
{
	struct text_lines lines = {.source = reader->dump.input->source};
	struct text_line text;
	uint32_t format = FORMAT_HEX;
	bool good = true;

	for (bool is_first = true; good && is_hex(format) && text_lines_next(&lines, &text); is_first = false) {
		struct bytes line = text.too_long ? (struct bytes){(const uint8_t *)"...", 3} : trim((struct bytes){(uint8_t *)text.text, text.length});

		if (line.size && !(is_first && parse_header(line, &format, &reader->length)))
			good = take_word(reader, line, lines.offset);
	}
	reader->dump.records.file_bytes = lines.next_offset;
	good = good && !lines.no_memory;
	text_lines_clear(&lines);
	if (!is_hex(format))
		return refuse_format(reader, format);
	return good || hook_dump_starve(&reader->dump);
}

static void say(const struct hook_dump *dump)
{
	const struct ccs_reader *reader = (const struct ccs_reader *)dump;
	struct diag *diag = dump->input->diag;
	const char *name = source_name(dump->input->source);
	uint64_t rest = reader->count % RECORD_WORDS;

	if (reader->bad > MESSAGES_MAX)
		diag_add(diag, DIAG_WARN, name, DIAG_NO_OFFSET, "%" PRIu64 " values in all are no numbers: their records are left out",
			reader->bad);
	if (rest)
		diag_add(diag, DIAG_WARN, name, DIAG_NO_OFFSET,
			"%" PRIu64 " values at the end are no whole record (expected: records of 3 words): skipped", rest);
	if (reader->length > reader->count)
		diag_add(diag, DIAG_NOTE, name, 0, "the header speaks of %" PRIu64 " values, %" PRIu64 " are there", reader->length, reader->count);
	if (reader->count) /* lines differ in length: the share of words, applied to the file's bytes */
		dump->input->health->bytes_skipped +=
			real_to_u64((double)(reader->bad + rest) / (double)reader->count * (double)dump->records.file_bytes);
}

static bool open_ccs(void *state, struct reader_input *input)
{
	struct ccs_reader *reader = state;

	hook_dump_begin(&reader->dump, input, say);
	if (!read_lines(reader))
		return false;
	reader->dump.is_big = input->order == READER_ORDER_BIG;
	snprintf(reader->dump.name, sizeof reader->dump.name, "C6000 records, CCS text of words");
	if (!hook_records_settle(&reader->dump.records, UINT64_MAX))
		return hook_dump_starve(&reader->dump);
	hook_dump_guess_places(&reader->dump);
	return true;
}

static void close_ccs(void *state)
{
	hook_dump_clear(&((struct ccs_reader *)state)->dump);
}

const struct reader_format reader_ccs = {
	.name = "a CCS memory dump of TI's function hooks",
	.option = "ccs",
	.probe = probe,
	.state_bytes = sizeof(struct ccs_reader),
	.open = open_ccs,
	.close = close_ccs,
	HOOK_DUMP_MEMBERS,
};
