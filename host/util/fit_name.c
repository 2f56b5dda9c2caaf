/* fit_name: finds the parts of a name that may go, and cuts them out, one after the other, until the name fits. */
#include "util/fit_name.h"

#include <stdint.h>
#include <string.h>

#include "util/name_parts.h"
#include "util/utf8.h"

#define PARTS_BYTES_MAX 4096u /* longer names lose their middle: the search takes time by the square of the length */

const char *fit_mark(bool ascii)
{
	return ascii ? ".." : "…";
}

static size_t mark_columns(bool ascii)
{
	return ascii ? 2 : 1;
}

/* Returns the bytes of the character at text; sets *columns to its width on a terminal. */
static size_t step(const char *text, size_t bytes, size_t *columns)
{
	uint32_t code_point;
	size_t taken = utf8_decode(text, bytes, &code_point);

	*columns = (size_t)utf8_columns(code_point);
	return taken;
}

static size_t count_columns(const char *text, size_t bytes)
{
	size_t columns = 0, wide, plain = 0;

	while (plain < bytes && text[plain] >= ' ' && text[plain] <= '~')
		plain++;
	columns = plain;
	for (size_t at = plain; at < bytes; columns += wide)
		at += step(text + at, bytes - at, &wide);
	return columns;
}

/* Writes text[0 … head), a mark, and text[tail … bytes). */
static size_t join(const char *text, size_t bytes, size_t head, size_t tail, bool ascii, char *out)
{
	size_t mark = strlen(fit_mark(ascii));

	memmove(out + head + mark, text + tail, bytes - tail); /* out may be the text */
	memmove(out, text, head);
	memcpy(out + head, fit_mark(ascii), mark);
	return head + mark + bytes - tail;
}

size_t fit_start(const char *text, size_t bytes, size_t limit, bool ascii, char *out, size_t *columns)
{
	size_t used = 0, wide, taken, head;

	*columns = count_columns(text, bytes);
	if (*columns <= limit) {
		memcpy(out, text, bytes);
		return bytes;
	}
	for (head = 0; head < bytes; head += taken, used += wide) {
		taken = step(text + head, bytes - head, &wide);
		if (used + wide + mark_columns(ascii) > limit)
			break;
	}
	*columns = used + mark_columns(ascii);
	return join(text, bytes, head, bytes, ascii, out);
}

size_t fit_ends(const char *text, size_t bytes, size_t limit, bool ascii, char *out, size_t *columns)
{
	size_t used = 0, left = count_columns(text, bytes), mark = mark_columns(ascii), wide, taken, head, tail;

	*columns = left;
	if (left <= limit) {
		memmove(out, text, bytes);
		return bytes;
	}
	for (head = 0; head < bytes; head += taken, used += wide) {
		taken = step(text + head, bytes - head, &wide);
		if (used + wide > limit / 2)
			break;
	}
	left -= used;
	for (tail = head; tail < bytes && left + used + mark > limit; left -= wide)
		tail += step(text + tail, bytes - tail, &wide);
	/* One mark is enough where parts of a name were cut out already. */
	for (size_t own = strlen(fit_mark(ascii)); bytes - tail >= own && !memcmp(text + tail, fit_mark(ascii), own); left -= mark)
		tail += own;
	for (size_t own = strlen(fit_mark(ascii)); head >= own && !memcmp(text + head - own, fit_mark(ascii), own); used -= mark)
		head -= own;
	*columns = used + mark + left;
	return join(text, bytes, head, tail, ascii, out);
}

/* Writes the name without the parts that are out. */
static size_t write_parts(const char *name, size_t bytes, const struct name_parts *parts, bool ascii, char *out)
{
	size_t used = 0, at = 0, mark = strlen(fit_mark(ascii));

	for (size_t i = 0; i < parts->count; i++) {
		const struct name_part *part = &parts->parts[i];

		if (!part->is_out || part->from < at) /* within one that is out */
			continue;
		memcpy(out + used, name + at, part->from - at);
		used += part->from - at;
		memcpy(out + used, fit_mark(ascii), mark);
		used += mark;
		at = part->to;
	}
	memcpy(out + used, name + at, bytes - at);
	return used + bytes - at;
}

/* Returns the longest part of a kind that is not out; null: none is left. Of outer namespaces the shortest, as each has the ones
 * before it. */
static struct name_part *find_next(struct name_parts *parts, enum name_part_kind kind)
{
	struct name_part *found = NULL;

	for (size_t i = 0; i < parts->count; i++) {
		struct name_part *part = &parts->parts[i];
		size_t size = part->to - part->from;

		if (part->kind != kind || part->is_out)
			continue;
		if (!found || (kind == NAME_PART_OUTER ? size < found->to - found->from : size > found->to - found->from))
			found = part;
	}
	return found;
}

/* A name that is being cut. */
struct fitting {
	const char *name;
	size_t bytes, limit;
	bool ascii;
	struct name_parts parts;
	char *out;
	size_t used, columns; /* of out */
};

static void write_fitting(struct fitting *fitting)
{
	fitting->used = write_parts(fitting->name, fitting->bytes, &fitting->parts, fitting->ascii, fitting->out);
	fitting->columns = count_columns(fitting->out, fitting->used);
}

/* Returns whether a parameter's last words begin here, behind no bracket that is still open there. */
static bool is_word_start(const char *name, size_t at, int depth)
{
	return !depth &&
	       (name[at] == ',' || (name[at - 1] == ':' && name[at] != ':') || (name[at - 1] == ' ' && name[at - 2] != ','));
}

/* Parameters tell overloads apart, most often by their last words: those that fit stay. */
static void give_back(struct fitting *fitting, struct name_part *part)
{
	size_t end = part->to, least = part->from + NAME_PART_BYTES_MIN, kept = end;
	int depth = 0;

	if (end > least + 4 * fitting->limit)
		least = end - 4 * fitting->limit;
	for (size_t at = end; at-- > least;) {
		depth += strchr(">)]}", fitting->name[at]) ? 1 : strchr("<([{", fitting->name[at]) ? -1 : 0;
		if (!is_word_start(fitting->name, at, depth))
			continue;
		part->to = at;
		write_fitting(fitting);
		if (fitting->columns > fitting->limit)
			break;
		kept = at;
	}
	part->to = kept;
	write_fitting(fitting);
}

/* Cuts out parts of a kind until the name fits. */
static void cut_parts(struct fitting *fitting, enum name_part_kind kind)
{
	struct name_part *next;

	while (fitting->columns > fitting->limit && (next = find_next(&fitting->parts, kind))) {
		next->is_out = true;
		write_fitting(fitting);
		if (kind == NAME_PART_PARAMETERS && fitting->columns < fitting->limit)
			give_back(fitting, next);
	}
}

size_t fit_name(const char *name, size_t bytes, size_t limit, bool ascii, char *out, size_t *columns)
{
	struct fitting fitting;
	size_t indent = 0;

	*columns = count_columns(name, bytes);
	memcpy(out, name, bytes);
	if (*columns <= limit)
		return bytes;
	while (indent < bytes && name[indent] == ' ' && indent + 4 < limit)
		indent++;
	fitting = (struct fitting){.name = name + indent,
		.bytes = bytes - indent,
		.limit = limit - indent,
		.ascii = ascii,
		.out = out + indent,
		.used = bytes - indent,
		.columns = *columns - indent};
	fitting.parts.count = 0;
	if (bytes <= PARTS_BYTES_MAX)
		name_parts_find(fitting.name, fitting.bytes, &fitting.parts);
	for (int kind = 0; kind < NAME_PART_KINDS; kind++)
		cut_parts(&fitting, (enum name_part_kind)kind);
	if (fitting.columns > fitting.limit)
		fitting.used = fit_ends(fitting.out, fitting.used, fitting.limit, ascii, fitting.out, &fitting.columns);
	*columns = indent + fitting.columns;
	return indent + fitting.used;
}
