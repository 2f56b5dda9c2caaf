/* utf8: decodes, escapes and checks UTF-8 (utf8.h). */
#include "util/utf8.h"

#include <stdio.h>
#include <string.h>

size_t utf8_decode(const char *text, size_t bytes, uint32_t *code_point)
{
	const unsigned char *p = (const unsigned char *)text;
	uint32_t value, least;
	size_t length;

	*code_point = UTF8_INVALID;
	if (p[0] < 0x80) {
		*code_point = p[0];
		return 1;
	}
	if (p[0] >= 0xc2 && p[0] < 0xe0) {
		length = 2;
		value = p[0] & 0x1fu;
		least = 0x80;
	} else if (p[0] >= 0xe0 && p[0] < 0xf0) {
		length = 3;
		value = p[0] & 0x0fu;
		least = 0x800;
	} else if (p[0] >= 0xf0 && p[0] < 0xf5) {
		length = 4;
		value = p[0] & 0x07u;
		least = 0x10000;
	} else {
		return 1;
	}
	if (length > bytes)
		return 1;
	for (size_t i = 1; i < length; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 1;
		value = value << 6 | (p[i] & 0x3fu);
	}
	if (value < least || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return 1;
	*code_point = value;
	return length;
}

size_t utf8_make_valid(const char *text, size_t bytes, char *out)
{
	size_t used = 0;

	while (bytes) {
		uint32_t code_point;
		size_t taken = utf8_decode(text, bytes, &code_point), written = code_point == UTF8_INVALID ? 3 : taken;

		memcpy(out + used, code_point == UTF8_INVALID ? "\xef\xbf\xbd" : text, written);
		used += written;
		text += taken;
		bytes -= taken;
	}
	return used;
}

bool utf8_is_unsafe(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0xad || (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0xfeff || (c >= 0xfff9 && c <= 0xfffb) || (c >= 0xe0000 && c <= 0xe0fff);
}

int utf8_columns(uint32_t c)
{
	static const struct {
		uint32_t low, high;
	} combining[] = {{0x300, 0x36f}, {0x483, 0x489}, {0x591, 0x5bd}, {0x610, 0x61a}, {0x64b, 0x65f}, {0x1ab0, 0x1aff},
		{0x1dc0, 0x1dff}, {0x20d0, 0x20ff}, {0x3099, 0x309a}, {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}},
	  wide[] = {{0x1100, 0x115f}, {0x2e80, 0x303e}, {0x3041, 0x33ff}, {0x3400, 0x4dbf}, {0x4e00, 0x9fff}, {0xa000, 0xa4cf},
		  {0xa960, 0xa97f}, {0xac00, 0xd7a3}, {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
		  {0x1f300, 0x1f64f}, {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

	if (c < 0x300)
		return 1;
	for (size_t i = 0; i < sizeof combining / sizeof *combining; i++)
		if (c >= combining[i].low && c <= combining[i].high)
			return 0;
	for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
		if (c >= wide[i].low && c <= wide[i].high)
			return 2;
	return 1;
}

size_t utf8_plain_bytes(const char *text)
{
	size_t bytes = 0;

	while (text[bytes] >= 0x20 && text[bytes] < 0x7f)
		bytes++;
	return bytes;
}

size_t utf8_escape(const char *text, size_t bytes, char *out, size_t *written, int *columns)
{
	uint32_t code_point;
	size_t taken = utf8_decode(text, bytes, &code_point);

	if (code_point != UTF8_INVALID && !utf8_is_unsafe(code_point)) {
		memcpy(out, text, taken);
		*written = taken;
		*columns = utf8_columns(code_point);
		return taken;
	}
	if (code_point == '\n' || code_point == '\r' || code_point == '\t') {
		out[0] = '\\';
		out[1] = code_point == '\n' ? 'n' : code_point == '\r' ? 'r' : 't';
		*written = 2;
	} else {
		char escape[UTF8_ESCAPE_BYTES + 1];

		if (taken == 1) /* an ASCII control character, or a byte that is not UTF-8 */
			*written = (size_t)snprintf(escape, sizeof escape, "\\x%02x", (unsigned char)text[0]);
		else
			*written = (size_t)snprintf(escape, sizeof escape, "\\u{%x}", (unsigned)code_point);
		memcpy(out, escape, *written);
	}
	*columns = (int)*written;
	return taken;
}

bool utf8_is_text(const char *text, size_t bytes)
{
	for (size_t at = utf8_plain_bytes(text); at < bytes;) {
		uint32_t code_point;

		at += utf8_decode(text + at, bytes - at, &code_point);
		if (code_point == UTF8_INVALID || utf8_is_unsafe(code_point))
			return false;
	}
	return bytes;
}

void utf8_copy(char *to, size_t bytes, const char *text)
{
	size_t length = strnlen(text, bytes);

	if (length == bytes)
		for (length--; length && ((uint8_t)text[length] & 0xc0) == 0x80; length--)
			;
	memcpy(to, text, length);
	to[length] = 0;
}
