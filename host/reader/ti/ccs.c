/* The reader of memory that Code Composer Studio saved as text (.dat), of records of TI's function hooks: a decoding in front of those.
 *
 *     1651 1 90000000 0 60000          magic, format, address, page, length; all but the magic in hex
 *     0x0C000E8C                       then a value a line
 *
 * Format 4 is of words written as floating point (ccs_float.h).
 *
 * Writers differ: the length is 0, or of something else; lines end with \r\n; the header is missing; values have 0x in front or not,
 * or are signed decimals (ccs_number.h), also where the format is that of hex. So only the format is believed, and that only where a value
 * could be read in two ways. How many bytes a value is of is told by how it is written: all of them in two digits, or below 256, are
 * bytes. No record could look like that. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/ti/ccs_float.h"
#include "reader/ti/ccs_number.h"
#include "reader/ti/hook_dump.h"
#include "util/array.h"

#define READ_BYTES (1u << 16)
/* Longer words are no numbers. */
#define WORD_BYTES_MAX 32u
#define MESSAGES_MAX 3u
#define PROBE_LINES_MIN 3u
/* When of so many numbers more than one is of the other base, it is no damage. */
#define OTHERS_PART 8u

enum ccs_format { CCS_HEX = 1, CCS_INT = 2, CCS_LONG = 3, CCS_FLOAT = 4 };

struct ccs_reader {
	struct hook_dump dump;
	uint32_t *values;
	size_t count, capacity;
	size_t *bad; /* positions in values of what could not be read */
	size_t bad_count, bad_capacity;
	uint64_t length; /* by the header; 0: not said */
	uint32_t format; /* likewise; 0: no header */
	uint32_t digits; /* the most that a value has in hex */
	uint32_t rest; /* values at the end that are no record */
	enum ccs_base base; /* what has no 0x in front */
	bool has_open; /* a value was read while the base was open, at open_at in the file, that is not the same in both */
	uint64_t open_at;
	size_t other_count; /* of those that could not be read: numbers of the other base, the first at other_at */
	uint64_t other_at;
	bool is_float;
	struct {
		bool is_full; /* some were written with all their digits */
		size_t *nans; /* positions of what is no number */
		size_t nan_count, nan_capacity;
		uint64_t lost; /* records, of such a value and others */
		bool has_near, has_vague;
		uint64_t near_at, vague_at; /* where the first of these is */
	} floats;
};

static bool is_space(uint8_t c)
{
	return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* ---- header ---- */

static size_t word_length(struct bytes text, size_t at)
{
	size_t length = 0;

	while (at + length < text.size && !is_space(text.data[at + length]))
		length++;
	return length;
}

static bool ends_line(uint8_t byte)
{
	return byte == '\n' || byte == '\r';
}

/* Behind what editors put in front: a byte order mark, and blank lines. */
static size_t skip_lead(struct bytes start)
{
	size_t at = start.size >= 3 && !memcmp(start.data, "\xef\xbb\xbf", 3) ? 3 : 0;

	while (at < start.size && is_space(start.data[at]))
		at++;
	return at;
}

/* The numbers of the first line, in hex. */
static uint32_t first_line(struct bytes start, uint32_t *numbers, uint32_t room)
{
	uint32_t count = 0, digits;
	enum ccs_base hex = CCS_BASE_HEX;

	for (size_t at = skip_lead(start); at < start.size && !ends_line(start.data[at]) && count < room;) {
		size_t length = word_length(start, at);

		if (length && !ccs_number_parse(start.data + at, length, &hex, &numbers[count++], &digits))
			return 0;
		at += length + !length;
	}
	return count;
}

static bool has_header(struct bytes start, uint32_t numbers[6])
{
	return first_line(start, numbers, 6) >= 4 && numbers[0] == 0x1651;
}

/* Lines of one number each: with 0x in front unless it is 0, or of eight digits of hex. */
static bool is_plain(struct bytes start, bool whole)
{
	uint32_t lines = 0, prefixed = 0, value, digits;
	enum ccs_base hex = CCS_BASE_HEX;

	for (size_t at = skip_lead(start); at < start.size;) {
		size_t length = word_length(start, at), end = at + length;

		while (end < start.size && !ends_line(start.data[end]) && is_space(start.data[end]))
			end++;
		if (end == start.size && !whole)
			break;
		if (end < start.size && !ends_line(start.data[end]))
			return false;
		if (length > 1 && length != 8 && !ccs_number_has_prefix(start.data + at, length))
			return false;
		if (length > 1 && !ccs_number_parse(start.data + at, length, &hex, &value, &digits))
			return false;
		if (length == 1 && start.data[at] != '0')
			return false;
		lines += length > 0;
		prefixed += length > 1;
		at = end + 1;
	}
	return lines >= PROBE_LINES_MIN && prefixed;
}

static bool probe(struct bytes start, bool whole)
{
	uint32_t numbers[6];

	return has_header(start, numbers) || is_plain(start, whole);
}

/* Whether values are floating point: by the format, else by the points in them. */
static bool is_float(struct bytes start, uint32_t format)
{
	return format == CCS_FLOAT || (format != CCS_HEX && format != CCS_INT && format != CCS_LONG && memchr(start.data, '.', start.size));
}

/* ---- values ---- */

/* False: it is no number. Those that tell less than 32 bits are noted. */
static bool parse_float(struct ccs_reader *reader, const uint8_t *text, size_t length, uint64_t offset, uint32_t *value, bool *good)
{
	enum ccs_float_kind kind = ccs_float_parse(text, length, value, &reader->floats.is_full);

	reader->digits = 8;
	if (kind == CCS_FLOAT_NAN) {
		*good = array_reserve(&reader->floats.nans, &reader->floats.nan_capacity, reader->floats.nan_count + 1, sizeof(size_t));
		if (*good)
			reader->floats.nans[reader->floats.nan_count++] = reader->count;
	}
	if (kind == CCS_FLOAT_NEAR && !reader->floats.has_near) {
		reader->floats.has_near = true;
		reader->floats.near_at = offset;
	}
	if (kind == CCS_FLOAT_VAGUE && !reader->floats.has_vague) {
		reader->floats.has_vague = true;
		reader->floats.vague_at = offset;
	}
	return kind != CCS_FLOAT_NONE;
}

static void take_digits(struct ccs_reader *reader, uint32_t digits)
{
	reader->digits = digits > reader->digits ? digits : reader->digits;
}

static void count_other(struct ccs_reader *reader, const uint8_t *text, size_t length, uint64_t offset)
{
	enum ccs_base other = reader->base == CCS_BASE_HEX ? CCS_BASE_DECIMAL : CCS_BASE_HEX;
	uint32_t value, digits;

	if (!ccs_number_parse(text, length, &other, &value, &digits))
		return;
	if (!reader->other_count++)
		reader->other_at = offset;
}

/* They are decimals after all: so are those that were read for hex so far. */
static void close_base(struct ccs_reader *reader)
{
	uint32_t digits;

	reader->base = CCS_BASE_DECIMAL;
	reader->digits = 0;
	for (size_t i = 0; i < reader->count; i++) {
		reader->values[i] = ccs_number_as_decimal(reader->values[i], &digits);
		take_digits(reader, digits);
	}
}

static bool parse_value(struct ccs_reader *reader, const uint8_t *text, size_t length, uint64_t offset, uint32_t *value, bool *good)
{
	bool was_open = reader->base == CCS_BASE_OPEN;
	uint32_t digits = 0;

	if (reader->is_float)
		return parse_float(reader, text, length, offset, value, good);
	if (!ccs_number_parse(text, length, &reader->base, value, &digits)) {
		count_other(reader, text, length, offset);
		return false;
	}
	if (was_open && reader->base == CCS_BASE_DECIMAL)
		close_base(reader);
	if (reader->base == CCS_BASE_OPEN && *value > 9 && !reader->has_open) {
		reader->has_open = true;
		reader->open_at = offset;
	}
	take_digits(reader, digits);
	return true;
}

/* A place is kept for what cannot be read, or all behind it would be in the wrong words. */
static bool take_word(struct ccs_reader *reader, const uint8_t *text, size_t length, uint64_t offset)
{
	uint32_t value = 0;
	bool good = true;

	if (!array_reserve(&reader->values, &reader->capacity, reader->count + 1, sizeof *reader->values))
		return false;
	if (!parse_value(reader, text, length, offset, &value, &good)) {
		if (!array_reserve(&reader->bad, &reader->bad_capacity, reader->bad_count + 1, sizeof *reader->bad))
			return false;
		reader->bad[reader->bad_count++] = reader->count;
		if (reader->bad_count <= MESSAGES_MAX)
			diag_add(reader->dump.input->diag, DIAG_WARN, source_name(reader->dump.input->source), offset,
				"'%.*s' is no number of 32 bits (expected: %s): its record is left out",
				(int)(length < WORD_BYTES_MAX ? length : WORD_BYTES_MAX), (const char *)text,
				reader->is_float                       ? "floating point"
				: reader->base == CCS_BASE_HEX     ? "hexadecimal"
				: reader->base == CCS_BASE_DECIMAL ? "0x… or a decimal"
								   : "hexadecimal or a decimal");
	}
	reader->values[reader->count++] = value;
	return good;
}

/* All words of the window that end in it, or all, at the end of the file. Returns how many bytes they are; false in good: no memory. */
static size_t take_window(struct ccs_reader *reader, struct bytes window, uint64_t offset, bool at_end, bool *good)
{
	size_t at = 0;

	while (*good && at < window.size) {
		size_t length;

		if (is_space(window.data[at])) {
			at++;
			continue;
		}
		length = word_length(window, at);
		if (at + length == window.size && !at_end && length <= WORD_BYTES_MAX)
			break; /* it may go on */
		*good = take_word(reader, window.data + at, length, offset + at);
		at += length;
	}
	return at;
}

static bool read_values(struct ccs_reader *reader, uint64_t skip)
{
	uint8_t buffer[READ_BYTES];
	size_t have = 0, used, got;
	uint64_t offset = skip;
	bool good = source_skip(reader->dump.input->source, skip);

	do {
		got = source_read(reader->dump.input->source, buffer + have, sizeof buffer - have);
		have += got;
		used = take_window(reader, (struct bytes){buffer, have}, offset, !got, &good);
		offset += used;
		have -= used;
		memmove(buffer, buffer + used, have);
	} while (got && good);
	reader->dump.records.file_bytes = offset;
	return good;
}

/* ---- records ---- */

/* Values of fewer than four bytes become words, in this order. */
static size_t join(struct ccs_reader *reader, uint32_t bytes, bool is_big, uint32_t *words)
{
	size_t parts = 4 / bytes, count = reader->count / parts;
	uint32_t mask = bytes == 4 ? UINT32_MAX : (1u << 8 * bytes) - 1;

	for (size_t i = 0; i < count; i++) {
		uint32_t word = 0;

		for (size_t k = 0; k < parts; k++)
			word |= (reader->values[i * parts + k] & mask) << 8 * bytes * (is_big ? parts - 1 - k : k);
		words[i] = word;
	}
	return count;
}

static struct hook_doubt doubt(const struct hook_records *records)
{
	return hook_records_doubt(records->list, records->count, false);
}

static bool make_records(struct ccs_reader *reader, uint32_t bytes, bool is_big)
{
	uint32_t *words = malloc((reader->count ? reader->count : 1) * sizeof *words);
	size_t count = words ? join(reader, bytes, is_big, words) : 0;
	bool good = words;

	reader->dump.records.count = 0;
	for (size_t i = 0; good && i + 3 <= count; i += 3)
		good = hook_records_add(&reader->dump.records, &(struct hook_record){words[i], words[i + 1], words[i + 2]});
	free(words);
	reader->rest = (uint32_t)(reader->count % (3 * (4 / bytes)));
	return good;
}

/* None, and not one that nobody has written yet. */
static const struct hook_record left_out = {.place = HOOK_RECORD_INVALID};

/* Those that hold what could not be read are none. */
static void leave_out_bad(struct ccs_reader *reader, uint32_t bytes)
{
	size_t values = 3 * (4 / bytes);

	for (size_t i = 0; i < reader->bad_count; i++)
		if (reader->bad[i] / values < reader->dump.records.count)
			reader->dump.records.list[reader->bad[i] / values] =
				left_out;
}

/* All ones are no number as floating point; which other bits are none it does not tell. */
static void leave_out_nans(struct ccs_reader *reader)
{
	for (size_t i = 0; i < reader->floats.nan_count && reader->floats.nans[i] / 3 < reader->dump.records.count; i++) {
		struct hook_record *record = &reader->dump.records.list[reader->floats.nans[i] / 3];

		reader->floats.lost += (record->place & record->low & record->high) != UINT32_MAX;
		if ((record->place & record->low & record->high) != UINT32_MAX)
			*record = left_out;
	}
}

static bool read_records(struct ccs_reader *reader)
{
	uint32_t bytes = reader->digits > 4 ? 4 : reader->digits > 2 ? 2 : 1;
	bool is_big = reader->dump.input->order == READER_ORDER_BIG;
	struct hook_doubt little, big;

	if (!make_records(reader, bytes, is_big))
		return false;
	if (bytes < 4 && reader->dump.input->order == READER_ORDER_FOUND) {
		little = doubt(&reader->dump.records);
		if (!make_records(reader, bytes, true))
			return false;
		big = doubt(&reader->dump.records);
		is_big = hook_doubt_is_less(&big, &little);
		if (!is_big && !make_records(reader, bytes, false))
			return false;
	}
	leave_out_bad(reader, bytes);
	leave_out_nans(reader);
	reader->dump.is_big = is_big;
	snprintf(reader->dump.name, sizeof reader->dump.name, "C6000 records, CCS text of %s",
		reader->is_float ? "floating point"
		: bytes == 4 ? "words"
		: bytes == 2 ? "half words"
			     : "bytes");
	if (!hook_records_settle(&reader->dump.records, UINT64_MAX))
		return false;
	hook_dump_guess_places(&reader->dump);
	return true;
}

/* The bytes of the first line, when it is the header. */
static uint64_t take_header(struct ccs_reader *reader, struct bytes start)
{
	uint32_t numbers[6] = {0};
	size_t end = skip_lead(start);

	if (!has_header(start, numbers))
		return end;
	reader->format = numbers[1];
	reader->length = numbers[4];
	while (end < start.size && !ends_line(start.data[end]))
		end++;
	return end;
}

static void say(const struct hook_dump *dump)
{
	const struct ccs_reader *reader = (const struct ccs_reader *)dump;
	struct diag *diag = dump->input->diag;
	const char *name = source_name(dump->input->source);

	if (reader->bad_count > MESSAGES_MAX)
		diag_add(diag, DIAG_WARN, name, DIAG_NO_OFFSET, "%zu values in all are no numbers: their records are left out",
			reader->bad_count);
	if (reader->rest)
		diag_add(diag, DIAG_WARN, name, DIAG_NO_OFFSET,
			"%u values at the end are no whole record (expected: records of 3 words): skipped", reader->rest);
	if (reader->floats.lost) {
		dump->input->health->bytes_skipped += reader->floats.lost * HOOK_RECORD_BYTES;
		diag_add(diag, DIAG_WARN, name, DIAG_NO_OFFSET,
			"%" PRIu64 " records are left out: a word of them is no number as floating point (NaN), which does not keep its bits",
			reader->floats.lost);
	}
	if (reader->length > reader->count)
		diag_add(diag, DIAG_NOTE, name, 0, "the header speaks of %" PRIu64 " values, %zu are there", reader->length,
			reader->count);
	if (reader->count) /* values differ in length: as much of the file as they are of all */
		dump->input->health->bytes_skipped += (uint64_t)((double)(reader->bad_count + reader->rest) /
								 (double)reader->count * (double)dump->records.file_bytes);
}

/* False and a diag: what is written stands for several words. */
static bool keeps_all_bits(const struct ccs_reader *reader)
{
	const struct hook_dump *dump = &reader->dump;

	if (!reader->floats.has_vague && (!reader->floats.has_near || reader->floats.is_full))
		return true;
	diag_add(dump->input->diag, DIAG_ERROR, source_name(dump->input->source),
		reader->floats.has_vague ? reader->floats.vague_at : reader->floats.near_at,
		"is saved as floating point, with so few digits that this could be several words; save the memory as 32-bit hex, C style");
	return false;
}

/* Where numbers have not told what they are, they are decimals, unless the header has it otherwise. False and a diag: it says hex, but who
 * writes hex so that none has an a to f, nor a 0 in front? Or they have told both. */
static bool has_base(struct ccs_reader *reader)
{
	struct diag *diag = reader->dump.input->diag;
	const char *name = source_name(reader->dump.input->source);
	bool is_open = reader->base == CCS_BASE_OPEN && reader->has_open;

	if (reader->other_count > reader->count / OTHERS_PART)
		diag_add(diag, DIAG_ERROR, name, reader->other_at,
			"is %s, as %zu of %zu values are, and others are %s: nobody can tell what the rest is; save the memory as 32-bit hex, C style",
			reader->base == CCS_BASE_HEX ? "decimal" : "hexadecimal", reader->other_count, reader->count,
			reader->base == CCS_BASE_HEX ? "hexadecimal" : "decimal");
	else if (is_open && reader->format == CCS_HEX)
		diag_add(diag, DIAG_ERROR, name, reader->open_at,
			"may be hexadecimal, as the header says, or decimal: no value has an a to f, or a 0 in front, none is negative or of more than "
			"8 digits; put 0x in front of each, or in the header, behind 1651, 2 (decimal) in the place of 1");
	else if (is_open)
		close_base(reader);
	return !diag_has_error(diag);
}

static enum ccs_base base_of(uint32_t format)
{
	return format == CCS_INT || format == CCS_LONG ? CCS_BASE_DECIMAL : CCS_BASE_OPEN;
}

static bool open_ccs(void *state, struct reader_input *input)
{
	uint8_t buffer[4096];
	struct bytes start = {buffer, source_peek(input->source, buffer, sizeof buffer)};
	struct ccs_reader *reader = state;
	uint64_t skip;

	hook_dump_begin(&reader->dump, input, say);
	skip = take_header(reader, start);
	reader->base = base_of(reader->format);
	reader->is_float = is_float((struct bytes){buffer + skip, start.size - (size_t)skip}, reader->format);
	if (!read_values(reader, skip))
		return hook_dump_starve(&reader->dump);
	return keeps_all_bits(reader) && has_base(reader) && (read_records(reader) || hook_dump_starve(&reader->dump));
}

static void close_ccs(void *state)
{
	struct ccs_reader *reader = state;

	hook_dump_clear(&reader->dump);
	free(reader->values);
	free(reader->bad);
	free(reader->floats.nans);
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
