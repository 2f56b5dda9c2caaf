/* demangle_d: demangles D names by libiberty, within bounds.
 *
 * libiberty's D demangler has no limits. A name may refer back to its own text, so few bytes can stand for endless text. The
 * demangler also tries some pieces in two or more ways, so a name that fails can take endless time. So make_d_name first computes
 * an upper limit of the cost, in one pass: a back reference repeats at most the text from its target to the reference, and each
 * piece that may be read twice doubles the cost. Of the 19500 names in D's own library, 94 % stay below the limits. The rest are
 * templates of regular expressions. */
#include <ctype.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "symbol/demangle_d.h"

#define D_NAME_BYTES_MAX 4096
#define STEPS_MAX (1u << 15)    /* without repetitions: limits text, memory and depth */
#define COST_BITS_MAX 22        /* steps × 2^doublings */
#define SHALLOW_STEPS_MAX 2048u /* nested steps of this number fit into any thread's stack */
#define DEEP_STACK_BYTES ((size_t)64 << 20)

/* The cost of the bytes up to a position. */
struct cost {
	uint32_t steps, doublings;
};

static uint32_t limited_sum(uint32_t a, uint32_t b)
{
	return a + b < STEPS_MAX + 1 ? a + b : STEPS_MAX + 1;
}

/* Reads a decimal number. Returns its length; *value stops growing at the limit. */
static size_t read_number(const char *text, size_t *value)
{
	size_t digits = 0;

	for (*value = 0; isdigit((unsigned char)text[digits]); digits++)
		*value = *value < D_NAME_BYTES_MAX ? *value * 10 + (size_t)(text[digits] - '0') : *value;
	return digits;
}

/* Reads a back reference behind a Q: base 26, the last digit in lower case. Returns its length; 0: no number. */
static size_t read_back_reference(const char *text, size_t *value)
{
	size_t bytes = 0;

	for (*value = 0; text[bytes] >= 'A' && text[bytes] <= 'Z'; bytes++)
		*value = *value < D_NAME_BYTES_MAX ? *value * 26 + (size_t)(text[bytes] - 'A') : *value;
	if (text[bytes] < 'a' || text[bytes] > 'z')
		return 0;
	*value = *value * 26 + (size_t)(text[bytes] - 'a');
	return bytes + 1;
}

static bool begins_function(char letter)
{
	return letter && strchr("FUWVRYM", letter);
}

/* Estimates the cost of demangling the name. costs: zeroed, two elements more than the name has bytes. */
static struct cost cost_of(const char *name, size_t bytes, struct cost *costs)
{
	for (size_t i = 0; i < bytes; i++) {
		struct cost own = {.steps = 1, .doublings = costs[i + 1].doublings};
		size_t value, length = read_number(name + i, &value);

		/* The demangler reads a function's type behind a name again if
		 * the whole name ends in it. Names of templates end in Z. */
		if (name[i] == 'Z' && begins_function(name[i + 1]))
			costs[i + 2].doublings = 1;
		if (length && value < bytes - i - length && begins_function(name[i + length + value]))
			costs[i + length + value + 1].doublings = 1;
		/* The digits behind an S may be a length, or a length and the first digits of the name that follows. */
		if (name[i] == 'S')
			own.doublings += (uint32_t)read_number(name + i + 1, &value);
		length = name[i] == 'Q' ? read_back_reference(name + i + 1, &value) : 0;
		if (length && value && value <= i) {
			const struct cost *target = &costs[i - value];

			if (begins_function(name[i + 1 + length]))
				costs[i + 1 + length + 1].doublings = 1;
			if (isdigit((unsigned char)name[i - value])) {
				read_number(name + i - value, &length);
				own.steps += (uint32_t)length;
			} else {
				own.steps += costs[i].steps - target->steps;
				own.doublings += costs[i].doublings - target->doublings;
			}
		}
		costs[i + 1].steps = limited_sum(costs[i].steps, own.steps);
		costs[i + 1].doublings = limited_sum(costs[i].doublings, own.doublings);
	}
	return costs[bytes];
}

static uint32_t bits_of(uint32_t value)
{
	return value ? 32 - (uint32_t)__builtin_clz(value) : 0;
}

struct reading {
	const char *name;
	char *text; /* null: not a D name */
};

static void *read_name(void *context)
{
	struct reading *reading = context;

	reading->text = dlang_demangle(reading->name, DMGL_DLANG);
	return NULL;
}

static void read_deep_name(struct reading *reading)
{
	pthread_attr_t attributes;
	pthread_t thread;

	if (pthread_attr_init(&attributes))
		return;
	if (!pthread_attr_setstacksize(&attributes, DEEP_STACK_BYTES) && !pthread_create(&thread, &attributes, read_name, reading))
		pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
}

/* pre: the name has no suffix. */
static char *read_within_bounds(const char *name, size_t bytes)
{
	struct cost *costs = calloc(bytes + 2, sizeof *costs), cost = {.steps = STEPS_MAX + 1};
	struct reading reading = {.name = name};

	if (costs)
		cost = cost_of(name, bytes, costs);
	free(costs);
	if (cost.steps > STEPS_MAX || cost.doublings + bits_of(cost.steps) > COST_BITS_MAX)
		return NULL;
	if (cost.steps > SHALLOW_STEPS_MAX)
		read_deep_name(&reading);
	else
		read_name(&reading);
	return reading.text;
}

/* Returns the length of the name in a text such as "app.List!(int).push(int) const". */
static size_t bytes_without_arguments(const char *text)
{
	const char *close = strrchr(text, ')'), *open = close;
	size_t depth = 0, bytes = strlen(text);

	if (!close || strspn(close + 1, "abcdefghijklmnopqrstuvwxyz ") != strlen(close + 1))
		return bytes;
	for (;; open--) {
		depth += *open == ')';
		depth -= *open == '(';
		if (!depth || open == text)
			break;
	}
	return depth || open == text || open[-1] == '!' ? bytes : (size_t)(open - text);
}

char *make_d_name(const char *name, bool has_arguments)
{
	size_t bytes = strlen(name), mangled = strcspn(name, ".");
	char *alone, *text, *whole = NULL;

	if (strncmp(name, "_D", 2) || bytes > D_NAME_BYTES_MAX)
		return NULL;
	alone = strndup(name, mangled);
	text = alone ? read_within_bounds(alone, mangled) : NULL;
	free(alone);
	if (text && !has_arguments)
		text[bytes_without_arguments(text)] = 0;
	if (!text || !has_arguments || mangled == bytes)
		return text;
	if (asprintf(&whole, "%s [clone %s]", text, name + mangled) < 0)
		whole = NULL;
	free(text);
	return whole;
}
