/* words FILE ...: the ten words that come most often, each with its count. */
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <dwell/dwell.h>

#include "table.h"

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool count_words(table &words, const std::string &text)
{
	for (size_t at = 0, end; at < text.size(); at = end) {
		while (at < text.size() && is_blank(text[at]))
			at++;
		for (end = at; end < text.size() && !is_blank(text[end]); end++)
			;
		if (end > at && !table_count(&words, &text[at], end - at))
			return false;
	}
	return true;
}

static std::vector<word> sorted(const table &words)
{
	std::vector<word> list;

	std::copy_if(words.slots, words.slots + words.slot_count, std::back_inserter(list), [](const word &w) { return w.text; });
	std::sort(list.begin(), list.end(), [](const word &a, const word &b) {
		return a.count != b.count ? a.count > b.count : std::string(a.text) < b.text;
	});
	return list;
}

int main(int argc, char **argv)
{
	table words = {};

	for (int i = 1; i < argc; i++) {
		std::ifstream file(argv[i], std::ios::binary);
		std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};

		if (!file.is_open() || !count_words(words, text)) {
			std::fprintf(stderr, "words: cannot read %s\n", argv[i]);
			return 1;
		}
		dwell_mark("file counted"); // nothing, unless dwell records
	}
	const std::vector<word> list = sorted(words);
	for (size_t i = 0; i < list.size() && i < 10; i++)
		std::printf("%7lu %s\n", list[i].count, list[i].text);
	table_free(&words);
	return 0;
}
