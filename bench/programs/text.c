#include <stdlib.h>

#include "mixed.h"

static void reserve(struct text *text, size_t more)
{
	if (text->size + more <= text->capacity)
		return;
	text->capacity = text->capacity * 2 + more + 64;
	text->data = realloc(text->data, text->capacity);
	if (!text->data)
		abort();
}

void text_clear(struct text *text)
{
	reserve(text, 1);
	text->size = 0;
	text->data[0] = 0;
}

void text_put(struct text *text, char c)
{
	reserve(text, 2);
	text->data[text->size++] = c;
	text->data[text->size] = 0;
}

void text_put_number(struct text *text, uint32_t number)
{
	if (number >= 10)
		text_put_number(text, number / 10);
	text_put(text, (char)('0' + number % 10));
}

void text_put_word(struct text *text, uint32_t number)
{
	for (number++; number; number /= 17)
		text_put(text, (char)('a' + number % 17));
}

static void put_operand(struct text *text, struct generator *generator)
{
	if (generator_below(generator, 3))
		text_put_word(text, generator_below(generator, generator_below(generator, 5000) + 1));
	else
		text_put_number(text, generator_below(generator, 1000));
}

void text_put_expression(struct text *text, struct generator *generator, unsigned depth)
{
	unsigned terms = 1 + generator_below(generator, 3);

	for (unsigned i = 0; i < terms; i++) {
		if (i)
			text_put(text, "+-*"[generator_below(generator, 3)]);
		if (depth && generator_below(generator, 2)) {
			text_put(text, '(');
			text_put_expression(text, generator, depth - 1);
			text_put(text, ')');
		} else {
			put_operand(text, generator);
		}
	}
}
