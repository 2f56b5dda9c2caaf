#include "mixed.h"

struct parser {
	const char *at;
	struct map *words;
};

static int64_t parse_sum(struct parser *parser);

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool accept(struct parser *parser, char c)
{
	if (*parser->at != c)
		return false;
	parser->at++;
	return true;
}

/* Wraps around, as unsigned numbers do. */
static int64_t apply(char operator, int64_t a, int64_t b)
{
	uint64_t x = (uint64_t)a, y = (uint64_t)b;

	return (int64_t)(operator == '+' ? x + y : operator == '-' ? x - y : x * y);
}

static int64_t parse_number(struct parser *parser)
{
	int64_t number = 0;

	while (is_digit(*parser->at))
		number = number * 10 + (*parser->at++ - '0');
	return number;
}

static int64_t parse_word(struct parser *parser)
{
	const char *begin = parser->at;

	while (is_letter(*parser->at))
		parser->at++;
	return ++*map_find(parser->words, begin, (size_t)(parser->at - begin));
}

static int64_t parse_operand(struct parser *parser)
{
	int64_t value;

	if (accept(parser, '(')) {
		value = parse_sum(parser);
		accept(parser, ')');
		return value;
	}
	return is_digit(*parser->at) ? parse_number(parser) : parse_word(parser);
}

static int64_t parse_product(struct parser *parser)
{
	int64_t value = parse_operand(parser);

	while (accept(parser, '*'))
		value = apply('*', value, parse_operand(parser));
	return value;
}

static int64_t parse_sum(struct parser *parser)
{
	int64_t value = parse_product(parser);

	while (*parser->at == '+' || *parser->at == '-') {
		char operator= *parser->at++;

		value = apply(operator, value, parse_product(parser));
	}
	return value;
}

int64_t expression_value(const char *text, struct map *words)
{
	struct parser parser = {text, words};

	return parse_sum(&parser);
}
