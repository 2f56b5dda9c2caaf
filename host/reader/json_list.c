#include "reader/json_list.h"

#include <string.h>

static const char no_json[] = "is no JSON that can be read: it is cut off or damaged here", no_list[] = "has no list of trace events";

static bool fail(struct json_list *list, const char *problem)
{
	list->problem = problem;
	return false;
}

static char next_char(struct json_list *list)
{
	while (list->at < list->size && memchr(" \t\r\n", list->text[list->at], 4))
		list->at++;
	return list->at < list->size ? list->text[list->at] : 0;
}

static bool skip_string(struct json_list *list)
{
	for (list->at++; list->at < list->size; list->at++) {
		if (list->text[list->at] == '"') {
			list->at++;
			return true;
		}
		list->at += list->text[list->at] == '\\';
	}
	return fail(list, no_json);
}

static bool is_of_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
}

static bool skip_word(struct json_list *list)
{
	size_t before = list->at;

	while (list->at < list->size && is_of_word(list->text[list->at]))
		list->at++;
	return list->at > before || fail(list, no_json);
}

/* Whatever begins here: brackets with what is between them, a text, or letters and digits. */
static bool skip_value(struct json_list *list)
{
	size_t depth = 0;

	do {
		char c = next_char(list);

		if (c == '"') {
			if (!skip_string(list))
				return false;
			continue;
		}
		if (!depth && (c == '}' || c == ']' || c == ',' || c == ':'))
			return fail(list, no_json);
		depth += c == '{' || c == '[';
		depth -= c == '}' || c == ']';
		if (c && strchr("{}[],:", c))
			list->at++;
		else if (!skip_word(list))
			return false;
	} while (depth);
	return true;
}

/* "key": in front of a value; key: whether it is this one, may be null. */
static bool take_key(struct json_list *list, const char *key, bool *is_it)
{
	size_t begin = list->at + 1;

	if (next_char(list) != '"')
		return fail(list, no_json);
	begin = list->at + 1;
	if (!skip_string(list))
		return false;
	*is_it = key && list->at - 1 - begin == strlen(key) && !memcmp(list->text + begin, key, strlen(key));
	if (next_char(list) != ':')
		return fail(list, no_json);
	list->at++;
	return true;
}

/* Members of the object, behind its { or a value: up to the one with the key, true, or to its end. */
static bool find_member(struct json_list *list, const char *key, bool is_first)
{
	bool is_it;

	for (char c; (c = next_char(list)) != '}'; is_first = false) {
		if (!is_first && c != ',')
			return fail(list, no_json);
		list->at += !is_first;
		if (!take_key(list, key, &is_it))
			return false;
		if (is_it)
			return true;
		if (!skip_value(list))
			return false;
	}
	list->at++;
	return false;
}

bool json_list_begin(struct json_list *list, const char *text, size_t size, const char *key)
{
	char c;

	*list = (struct json_list){.text = text, .size = size, .is_first = true};
	c = next_char(list);
	if (c == '{') {
		list->in_object = true;
		list->at++;
		if (!find_member(list, key, true))
			return list->problem ? false : fail(list, no_list);
		c = next_char(list);
	}
	if (c != '[')
		return fail(list, c ? no_list : no_json);
	list->at++;
	return true;
}

bool json_list_next(struct json_list *list, size_t *begin, size_t *bytes)
{
	char c = next_char(list);

	if (c == ']') {
		list->at++;
		if (list->in_object && (find_member(list, NULL, false) || list->problem))
			return false;
		if (next_char(list) || list->at < list->size)
			fail(list, no_json);
		return false;
	}
	if (!list->is_first && c != ',')
		return fail(list, no_json);
	list->at += !list->is_first;
	list->is_first = false;
	next_char(list);
	*begin = list->at;
	if (!skip_value(list))
		return false;
	*bytes = list->at - *begin;
	return true;
}
