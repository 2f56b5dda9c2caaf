#include "cmd/names/address_text.h"

#include <string.h>

#define DIGITS_MIN 4 /* after 0x */

static bool is_word(unsigned char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Whether the word is a number that may be an address. Sets *value if so. */
static bool read_number(const char *word, size_t bytes, uint64_t *value)
{
	bool has_prefix = bytes > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X');

	if (has_prefix) {
		word += 2;
		bytes -= 2;
	}
	if (has_prefix ? bytes < DIGITS_MIN || bytes > 16 : bytes != 8 && bytes != 16)
		return false;
	*value = 0;
	for (size_t i = 0; i < bytes; i++) {
		if (digit(word[i]) < 0)
			return false;
		*value = *value << 4 | (uint64_t)digit(word[i]);
	}
	return true;
}

/* Keeps the last bytes of the input in text->before, even if a name replaces these bytes in the output. */
static void keep_last_bytes(struct address_text *text, const char *bytes, size_t count)
{
	size_t kept = count < ADDRESS_TEXT_BEFORE_BYTES ? ADDRESS_TEXT_BEFORE_BYTES - count : 0;

	memmove(text->before, text->before + ADDRESS_TEXT_BEFORE_BYTES - kept, kept);
	memcpy(text->before + kept, bytes + count - (ADDRESS_TEXT_BEFORE_BYTES - kept), ADDRESS_TEXT_BEFORE_BYTES - kept);
}

static void end_word(struct address_text *text)
{
	const char *last = text->before + ADDRESS_TEXT_BEFORE_BYTES - 1, *name = NULL;
	uint64_t address;

	if (text->held && *last != '+' && *last != '.' && read_number(text->word, text->held, &address)) {
		bool is_return = !memcmp(text->before + 1, "lr=", 3) && !is_word((unsigned char)text->before[0]);

		text->numbers++;
		name = text->name(text->context, address, is_return);
	}
	if (name)
		output_put_text(text->out, name);
	else
		output_put_bytes(text->out, text->word, text->held);
	keep_last_bytes(text, text->word, text->held);
	text->held = 0;
	text->too_long = false;
}

/* Takes a word, or a piece of a word. */
static void take_word(struct address_text *text, const char *bytes, size_t count)
{
	if (!text->too_long && count <= ADDRESS_TEXT_WORD_BYTES - text->held) {
		memcpy(text->word + text->held, bytes, count);
		text->held += count;
		return;
	}
	output_put_bytes(text->out, text->word, text->held);
	output_put_bytes(text->out, bytes, count);
	keep_last_bytes(text, text->word, text->held);
	keep_last_bytes(text, bytes, count);
	text->held = 0;
	text->too_long = true;
}

void address_text_feed(struct address_text *text, const char *bytes, size_t count)
{
	for (size_t at = 0, begin; at < count;) {
		begin = at;
		while (at < count && is_word((unsigned char)bytes[at]))
			at++;
		if (at > begin)
			take_word(text, bytes + begin, at - begin);
		if (at == count)
			return;
		end_word(text);
		begin = at;
		while (at < count && !is_word((unsigned char)bytes[at]))
			at++;
		output_put_bytes(text->out, bytes + begin, at - begin);
		keep_last_bytes(text, bytes + begin, at - begin);
	}
}

void address_text_finish(struct address_text *text)
{
	end_word(text);
}
