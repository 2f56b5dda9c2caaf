/* call_values: fills the columns of values, and writes a call with its values as one line. */
#include "analysis/calls/call_values.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

#define SMALL_NUMBER 1000000
#define VALUES_BYTES 256 /* room for eight values and the text between them */

enum { RET = DWELL_ARGS_MAX, RETURN_ADDRESS }; /* columns after the arguments */

const struct column call_values_columns[CALL_VALUES_COLUMNS] = {
	{.key = "arg1", .title = "arg1", .unit = UNIT_ADDRESS, .data_only = true},
	{.key = "arg2", .title = "arg2", .unit = UNIT_ADDRESS, .data_only = true},
	{.key = "arg3", .title = "arg3", .unit = UNIT_ADDRESS, .data_only = true},
	{.key = "arg4", .title = "arg4", .unit = UNIT_ADDRESS, .data_only = true},
	{.key = "arg5", .title = "arg5", .unit = UNIT_ADDRESS, .data_only = true},
	{.key = "arg6", .title = "arg6", .unit = UNIT_ADDRESS, .data_only = true},
	[RET] = {.key = "ret", .title = "ret", .unit = UNIT_ADDRESS, .data_only = true},
	[RETURN_ADDRESS] = {.key = "lr", .title = "lr", .unit = UNIT_ADDRESS, .data_only = true},
};

void call_values_set(const struct call_values *values, struct cell cells[CALL_VALUES_COLUMNS])
{
	for (uint32_t i = 0; i < DWELL_ARGS_MAX; i++) {
		cells[i].absent = !values || i >= values->arg_count || values->unknown_args >> i & 1;
		cells[i].count = cells[i].absent ? 0 : values->args[i];
	}
	cells[RET].absent = !values || !values->has_ret;
	cells[RET].count = cells[RET].absent ? 0 : values->ret;
	cells[RETURN_ADDRESS].absent = !values || !values->has_return_address;
	cells[RETURN_ADDRESS].count = cells[RETURN_ADDRESS].absent ? 0 : values->return_address;
}

bool call_values_are_known(const struct call_values *values)
{
	return values && (values->arg_count || values->has_ret || values->has_return_address);
}

/* Small numbers are easier to read in decimal, with their sign. Larger ones are mostly addresses or flags. */
static int print_value(char *to, size_t bytes, uint64_t value)
{
	int64_t number = (int64_t)value;

	return number > -SMALL_NUMBER && number < SMALL_NUMBER ? snprintf(to, bytes, "%" PRId64, number)
							       : snprintf(to, bytes, "0x%" PRIx64, value);
}

/* All digits of the address, after "lr=": `dwell names` recognises addresses in this form. */
static int print_return_address(const struct model *model, char *to, size_t bytes, uint64_t address)
{
	const struct message_header *header = model_get_header(model);

	return snprintf(to, bytes, " lr=%0*" PRIx64, header ? 2 * (int)header->pointer_bytes : 1, address);
}

const char *call_values_print(
	struct call_values_line *line, const struct model *model, const char *name, const struct call_values *values)
{
	size_t length = strlen(name), bytes = length + VALUES_BYTES, at = length;
	char *text;

	if (!call_values_are_known(values) || !array_reserve(&line->text, &line->capacity, bytes, 1))
		return name;
	text = line->text;
	memcpy(text, name, length);
	if (length && name[length - 1] == ')') /* a C++ name ends with the types of its parameters */
		text[at++] = ' ';
	text[at++] = '(';
	for (uint32_t i = 0; i < values->arg_count; i++) {
		at += (size_t)snprintf(text + at, bytes - at, "%s", i ? ", " : "");
		at += values->unknown_args >> i & 1 ? (size_t)snprintf(text + at, bytes - at, "?")
						    : (size_t)print_value(text + at, bytes - at, values->args[i]);
	}
	at += (size_t)snprintf(text + at, bytes - at, "%s)", values->arg_count ? "" : "?");
	if (values->has_ret) {
		at += (size_t)snprintf(text + at, bytes - at, " = ");
		at += (size_t)print_value(text + at, bytes - at, values->ret);
	}
	if (values->has_return_address)
		print_return_address(model, text + at, bytes - at, values->return_address);
	return text;
}

void call_values_line_clear(struct call_values_line *line)
{
	free(line->text);
	*line = (struct call_values_line){0};
}
