/* short_name: shortens C++ names (short_name.h). */
#include "util/short_name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

/* An open bracket in the output. For <, arguments has the positions where the template's arguments begin. */
struct bracket {
	size_t at, name; /* positions in the output: of the bracket, and of the start of the name in front of it */
	size_t *arguments;
	size_t count, capacity;
	char kind;
};

struct shortening {
	char *out;
	size_t used;
	struct bracket *brackets;
	size_t depth, capacity; /* brackets beyond depth keep their memory for reuse */
};

bool short_name_may_shorten(const char *name)
{
	return strpbrk(name, "<[") || strstr(name, "std::__");
}

static bool is_word(char letter)
{
	return isalnum((unsigned char)letter) || letter == '_';
}

static bool ends_with(const struct shortening *to, const char *text)
{
	size_t bytes = strlen(text);

	return to->used >= bytes && !memcmp(to->out + to->used - bytes, text, bytes);
}

static bool open_bracket(struct shortening *to, char kind)
{
	struct bracket *bracket;
	size_t before = to->capacity, name = to->used;

	if (!array_reserve(&to->brackets, &to->capacity, to->depth + 1, sizeof *to->brackets))
		return false;
	if (to->capacity > before)
		memset(to->brackets + before, 0, (to->capacity - before) * sizeof *to->brackets);
	while (name && (is_word(to->out[name - 1]) || to->out[name - 1] == ':'))
		name--;
	bracket = &to->brackets[to->depth++];
	bracket->kind = kind;
	bracket->at = to->used;
	bracket->name = name;
	bracket->count = 0;
	to->out[to->used++] = kind;
	return true;
}

static bool add_argument(struct shortening *to)
{
	struct bracket *bracket = &to->brackets[to->depth - 1];

	if (!array_reserve(&bracket->arguments, &bracket->capacity, bracket->count + 1, sizeof *bracket->arguments))
		return false;
	bracket->arguments[bracket->count++] = to->used;
	return true;
}

/* Returns whether the output has the text at a position. */
static bool begins(const struct shortening *to, size_t at, const char *text)
{
	size_t bytes = strlen(text);

	return to->used - at >= bytes && !memcmp(to->out + at, text, bytes);
}

/* Returns whether an argument looks like a default argument of the standard library's templates. */
static bool is_default(const struct shortening *to, size_t at)
{
	static const char *const names[] = {"std::allocator<", "std::char_traits<", "std::less<", "std::hash<", "std::equal_to<",
		"std::default_delete<", "std::regex_traits<"};

	if (begins(to, at, "std::less<void>"))
		return false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (begins(to, at, names[i]))
			return true;
	return false;
}

/* Returns whether the template has such default arguments. */
static bool has_defaults(const struct shortening *to, const struct bracket *bracket)
{
	static const char *const names[] = {"std::vector<", "std::deque<", "std::list<", "std::forward_list<", "std::set<", "std::multiset<",
		"std::map<", "std::multimap<", "std::unordered_set<", "std::unordered_multiset<", "std::unordered_map<",
		"std::unordered_multimap<", "std::unique_ptr<", "std::basic_", "std::istreambuf_iterator<", "std::ostreambuf_iterator<",
		"std::ostream_iterator<", "std::_Vector_base<", "std::_Deque_base<", "std::_Rb_tree<", "std::match_results<"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (begins(to, bracket->name, names[i]))
			return true;
	return false;
}

/* Replaces std::basic_string<char> by std::string, and so on, at the end of the output. name: position of the template's name. */
static void name_string(struct shortening *to, size_t name)
{
	static const struct {
		const char *arguments, *prefix;
	} letters[] = {{"<char>", ""}, {"<wchar_t>", "w"}, {"<char16_t>", "u16"}, {"<char32_t>", "u32"}};
	const char basic[] = "std::basic_";
	size_t start = name + sizeof basic - 1;

	if (!begins(to, name, basic))
		return;
	for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
		size_t cut = strlen(letters[i].arguments), prefix = strlen(letters[i].prefix), word;

		if (!ends_with(to, letters[i].arguments))
			continue;
		word = to->used - cut - start;
		memmove(to->out + name + 5 + prefix, to->out + start, word);
		memcpy(to->out + name + 5, letters[i].prefix, prefix);
		to->used = name + 5 + prefix + word;
		return;
	}
}

/* Drops default arguments at the end of a template, and writes '>'. spaced: the compiler put a blank between this '>' and the
 * previous one; drops that, too. */
static void close_template(struct shortening *to, bool spaced)
{
	struct bracket *bracket = &to->brackets[--to->depth];

	to->used -= spaced;
	while (bracket->count > 1 && has_defaults(to, bracket) && is_default(to, bracket->arguments[bracket->count - 1])) {
		to->used = bracket->arguments[--bracket->count];
		while (to->used > bracket->at + 1 && (to->out[to->used - 1] == ' ' || to->out[to->used - 1] == ','))
			to->used--;
	}
	to->out[to->used++] = '>';
	name_string(to, bracket->name);
}

/* Returns the length of "operator" with an operator symbol, where < and > are no brackets; 0: no operator. */
static size_t operator_bytes(const struct shortening *to, const char *name)
{
	const char word[] = "operator";
	size_t bytes = sizeof word - 1;

	if (strncmp(name, word, bytes) || (to->used && is_word(to->out[to->used - 1])))
		return 0;
	if (!strncmp(name + bytes, "()", 2) || !strncmp(name + bytes, "[]", 2))
		return bytes + 2;
	return bytes + strspn(name + bytes, "<>=-!+*/%^&|~,");
}

/* Returns the length of a part to leave out. */
static size_t skipped_bytes(const struct shortening *to, const char *name)
{
	static const char *const versions[] = {"__cxx11::", "__1::", "__ndk1::"};

	for (size_t i = 0; ends_with(to, "std::") && i < sizeof versions / sizeof *versions; i++)
		if (!strncmp(name, versions[i], strlen(versions[i])))
			return strlen(versions[i]);
	if (!strncmp(name, "[abi:", 5)) {
		size_t bytes = strcspn(name, "]");

		return name[bytes] ? bytes + 1 : 0;
	}
	return 0;
}

/* Copies or drops the next part of the name. name: the rest of the name, at bytes behind its start.
 * Returns the bytes taken from the rest; 0: the brackets do not match, or out of memory. */
static size_t take_step(struct shortening *to, const char *name, size_t at)
{
	size_t bytes = skipped_bytes(to, name);
	char open = to->depth ? to->brackets[to->depth - 1].kind : 0;

	if (bytes)
		return bytes;
	bytes = operator_bytes(to, name);
	if (bytes) {
		memcpy(to->out + to->used, name, bytes);
		to->used += bytes;
		return bytes;
	}
	switch (*name) {
	case '<':
		return open_bracket(to, '<') && add_argument(to);
	case '(':
	case '{':
	case '[':
		return open_bracket(to, *name);
	case '>':
		if (ends_with(to, "-")) /* part of an arrow -> */
			break;
		if (open != '<')
			return 0;
		close_template(to, at >= 2 && !memcmp(name - 2, "> ", 2));
		return 1;
	case ')':
	case '}':
	case ']':
		if (open != (*name == ')' ? '(' : *name == '}' ? '{' : '['))
			return 0;
		to->depth--;
		break;
	default:
		break;
	}
	if (open == '<' && to->used && ends_with(to, ", ") && *name != ' ' && !add_argument(to))
		return 0;
	to->out[to->used++] = *name;
	return 1;
}

char *make_short_name(const char *name)
{
	struct shortening to = {.out = short_name_may_shorten(name) ? malloc(strlen(name) + 1) : NULL};
	size_t bytes = strlen(name), at = 0, step = 1;
	bool good;

	if (!to.out)
		return NULL;
	for (; at < bytes && step; at += step)
		step = take_step(&to, name + at, at);
	good = step && !to.depth && to.used < bytes;
	for (size_t i = 0; i < to.capacity; i++)
		free(to.brackets[i].arguments);
	free(to.brackets);
	to.out[to.used] = 0;
	if (good)
		return to.out;
	free(to.out);
	return NULL;
}
