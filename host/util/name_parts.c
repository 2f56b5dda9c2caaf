/* name_parts: finds brackets and namespaces in names of C++, Rust and Go. */
#include "util/name_parts.h"

#include <ctype.h>
#include <string.h>

#define DEPTH_MAX 64
#define OUTERS_MAX 16

struct finding {
	const char *name;
	size_t bytes, at;
	struct name_parts *parts;
	struct {
		size_t at;
		char kind;
	} open[DEPTH_MAX]; /* brackets */
	size_t depth;
	size_t outers[OUTERS_MAX], outer_count; /* where parts of the name begin that stand behind "::" or "/" */
	bool is_operator; /* the rest is an operator and its parameters */
};

static bool begins(const struct finding *finding, const char *text)
{
	size_t bytes = strlen(text);

	return finding->bytes - finding->at >= bytes && !memcmp(finding->name + finding->at, text, bytes);
}

static bool is_word(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_' || letter == '$' || letter == '.';
}

static void add(struct finding *finding, size_t from, size_t to, enum name_part_kind kind)
{
	struct name_parts *parts = finding->parts;
	size_t place;

	if (to < from + NAME_PART_BYTES_MIN || parts->count == NAME_PARTS_MAX)
		return;
	/* A part that ends later began earlier, if it holds this one. */
	for (place = parts->count; place && parts->parts[place - 1].from >= from; place--)
		parts->parts[place] = parts->parts[place - 1];
	parts->parts[place] = (struct name_part){.from = from, .to = to, .kind = kind};
	parts->count++;
}

/* Returns where the digits of "+0x1f40" begin at the end of a text, at the sign; its end: there are none. */
static size_t find_offset(const char *name, size_t from, size_t to)
{
	size_t at = to;

	while (at > from && isxdigit((unsigned char)name[at - 1]))
		at--;
	return at < to && at >= from + 3 && !memcmp(name + at - 3, "+0x", 3) ? at - 3 : to;
}

/* Returns whether the name is open in braces only, as a closure is: {lambda(int)#1}. */
static bool is_in_braces(const struct finding *finding)
{
	for (size_t i = 0; i < finding->depth; i++)
		if (finding->open[i].kind != '}')
			return false;
	return true;
}

/* A bracket closes: what is in it may be a part. */
static void close_bracket(struct finding *finding)
{
	size_t from = finding->open[--finding->depth].at + 1, to = finding->at;
	const char *name = finding->name + from;

	switch (finding->name[to]) {
	case '>':
		add(finding, from, to, NAME_PART_ARGUMENTS);
		break;
	case ')':
		/* The receiver of a method in Go is its type. */
		if (is_in_braces(finding) && *name != '*' && (to - from < 10 || memcmp(name, "anonymous ", 10) != 0))
			add(finding, from, find_offset(finding->name, from, to), NAME_PART_PARAMETERS);
		break;
	case ']':
		if (!finding->depth && from >= 2 && name[-2] == ' ')
			add(finding, from - 2, to + 1, NAME_PART_NOTE);
		break;
	}
}

/* Returns the bytes of "operator" with its symbol, where < and > are no brackets; 0: no operator. */
static size_t operator_bytes(const struct finding *finding)
{
	size_t bytes = strlen("operator");
	const char *symbol = finding->name + finding->at + bytes;
	size_t left = finding->bytes - finding->at - bytes, used = 0;

	if (!begins(finding, "operator") || (finding->at && is_word(finding->name[finding->at - 1])) || (left && is_word(*symbol)))
		return 0;
	if (left >= 2 && (!memcmp(symbol, "()", 2) || !memcmp(symbol, "[]", 2)))
		return bytes + 2;
	while (used < left && strchr("<>=-!+*/%^&|~,", symbol[used]))
		used++;
	return bytes + used;
}

static void note_outer(struct finding *finding, size_t from)
{
	if (!finding->depth && !finding->is_operator && finding->outer_count < OUTERS_MAX)
		finding->outers[finding->outer_count++] = from;
}

/* Takes the next part of the name. Returns its bytes; 0: the brackets do not match. */
static size_t take(struct finding *finding)
{
	static const char opening[] = "<([{", closing[] = ">)]}";
	char letter = finding->name[finding->at];
	const char *found;
	size_t bytes = operator_bytes(finding);

	if (bytes) {
		finding->is_operator |= !finding->depth;
		return bytes;
	}
	if (begins(finding, "->"))
		return 2;
	if (begins(finding, "::")) {
		note_outer(finding, finding->at);
		return 2;
	}
	found = letter ? strchr(opening, letter) : NULL;
	if (found) {
		if (finding->depth == DEPTH_MAX)
			return 0;
		finding->open[finding->depth].at = finding->at;
		finding->open[finding->depth++].kind = closing[found - opening];
		return 1;
	}
	if (letter && strchr(closing, letter)) {
		if (!finding->depth || finding->open[finding->depth - 1].kind != letter)
			return 0;
		close_bracket(finding);
	} else if (letter == '/' && !memchr(finding->name, ' ', finding->at)) { /* a package of Go, not the file of a script */
		note_outer(finding, finding->at);
	}
	return 1;
}

/* Returns whether what stands behind "::" means nothing alone: an operator, a closure. */
static bool is_nameless(const struct finding *finding, size_t outer)
{
	const char *rest = finding->name + outer + 2;
	size_t left = finding->bytes - outer;

	return left > 2 &&
	       (*rest == '{' || *rest == '(' || *rest == '<' || *rest == '$' || (left > 10 && !memcmp(rest, "operator", 8)));
}

/* The name is left, from any of the places where a part of it begins, up to the last that means something. */
static void add_outers(struct finding *finding)
{
	size_t count = finding->outer_count;

	while (count && is_nameless(finding, finding->outers[count - 1]))
		count--;
	for (size_t i = 0; i < count; i++)
		add(finding, 0, finding->outers[i], NAME_PART_OUTER);
}

void name_parts_find(const char *name, size_t bytes, struct name_parts *parts)
{
	struct finding finding = {.name = name, .bytes = bytes, .parts = parts};
	size_t taken;

	parts->count = 0;
	for (; finding.at < bytes; finding.at += taken) {
		taken = take(&finding);
		if (!taken)
			return;
	}
	if (!finding.depth)
		add_outers(&finding);
}
