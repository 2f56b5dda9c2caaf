/* A table that dwell wrote as JSON, as CSV: read by jansson, so that it is JSON. Reals have four decimals there. */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static void put_text(const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, stdout);
		return;
	}
	putchar('"');
	for (; *text; text++)
		printf(*text == '"' ? "\"\"" : "%c", *text);
	putchar('"');
}

static void put_value(const json_t *value)
{
	if (json_is_string(value))
		put_text(json_string_value(value));
	else if (json_is_integer(value))
		printf("%lld", (long long)json_integer_value(value));
	else if (json_is_real(value))
		printf("%.4f", json_real_value(value));
}

int main(void)
{
	json_error_t error;
	json_t *table = json_loadf(stdin, 0, &error), *columns = json_object_get(table, "columns"), *rows = json_object_get(table, "rows");
	json_t *column, *row;
	size_t i, j;

	if (!json_is_array(columns) || !json_is_array(rows)) {
		fprintf(stderr, "no table: line %d: %s\n", error.line, error.text);
		return 1;
	}
	json_array_foreach(columns, i, column) {
		printf(i ? "," : "");
		put_text(json_string_value(json_object_get(column, "key")));
	}
	putchar('\n');
	json_array_foreach(rows, i, row) {
		json_array_foreach(columns, j, column) {
			json_t *value = json_object_get(row, json_string_value(json_object_get(column, "key")));

			printf(j ? "," : "");
			if (!value)
				fprintf(stderr, "row %zu: no %s\n", i, json_string_value(json_object_get(column, "key")));
			put_value(value);
		}
		putchar('\n');
	}
	return 0;
}
