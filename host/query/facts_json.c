/* facts_json: writes facts as one JSON object, for `dwell info --json`, `dwell export --to json` and the page. As in the table
 * writer, integers beyond 2^63 − 1 become reals, and bytes outside of UTF-8 are replaced. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/fact_tables.h"
#include "query/facts.h"
#include "query/health.h"
#include "util/stream.h"
#include "util/utf8.h"

static json_t *number(uint64_t value)
{
	return value <= INT64_MAX ? json_integer((json_int_t)value) : json_real((double)value);
}

/* string may contain any bytes; null becomes JSON's null. Returns a null pointer if memory ran out. */
static json_t *text(const char *string)
{
	json_t *value = string ? json_string(string) : json_null();
	size_t left = string ? strlen(string) : 0, used;
	char *clean;

	if (value || !(clean = malloc(3 * left + 1)))
		return value;
	used = utf8_make_valid(string, left, clean);
	value = json_stringn(clean, used);
	free(clean);
	return value;
}

static json_t *make_value(const struct fact_value *value)
{
	switch (value->kind) {
	case FACT_UNKNOWN:
		break;
	case FACT_COUNT:
		return number(value->count);
	case FACT_ADDRESS:
		return json_sprintf("0x%" PRIx64, value->count);
	case FACT_REAL:
		return json_real(value->real);
	case FACT_FLAG:
		return json_boolean(value->flag);
	case FACT_TEXT:
		return text(value->text);
	}
	return json_null();
}

static json_t *make_row(const struct fact_table *table, size_t row)
{
	const struct fact_value *values = fact_table_row(table, row);
	json_t *object = json_object();

	for (size_t i = 0; i < table->key_count; i++)
		json_object_set_new(object, table->keys[i], make_value(&values[i]));
	return object;
}

/* The only row as an object; null: the table is empty. */
static json_t *make_object(const struct fact_table *table)
{
	return table->row_count ? make_row(table, 0) : json_null();
}

static json_t *make_list(const struct fact_table *table)
{
	json_t *list = json_array();

	for (size_t i = 0; i < table->row_count; i++)
		json_array_append_new(list, make_row(table, i));
	return list;
}

static json_t *make_facts(const struct facts *facts)
{
	json_t *list = json_array();

	for (size_t i = 0; i < facts->fact_count; i++) {
		json_t *fact = json_object();

		json_object_set_new(fact, "key", text(facts->facts[i].key));
		json_object_set_new(fact, "value", text(facts->facts[i].value));
		json_array_append_new(list, fact);
	}
	return list;
}

static json_t *make_health(const struct trace *trace)
{
	json_t *row = json_object();
	struct health health;

	health_find(trace, &health);
	for (size_t i = 0; i < health.count; i++)
		json_object_set_new(row, health.findings[i].key, number(health.findings[i].count));
	json_object_set_new(row, "all_is_well", json_boolean(health.is_well));
	return row;
}

/* The key "facts" comes before "processes". */
static json_t *make_info(const struct facts *facts, const struct trace *trace)
{
	json_t *info = json_object();
	struct fact_tables tables;

	if (!fact_tables_make(&tables, facts, trace))
		return info;
	for (size_t i = 0; i < FACT_TABLES; i++) {
		const struct fact_table *table = &tables.tables[i];
		if (i == FACT_TABLE_PROCESSES)
			json_object_set_new(info, "facts", make_facts(facts));
		json_object_set_new(info, table->name, table->is_alone ? make_object(table) : make_list(table));
	}
	json_object_set_new(info, "health", make_health(trace));
	fact_tables_clear(&tables);
	return info;
}

void facts_write_json(const struct facts *facts, const struct trace *trace, FILE *out, const char *name)
{
	json_t *info = make_info(facts, trace);
	int error;

	errno = 0;
	error = json_dumpf(info, out, JSON_INDENT(2)) < 0 || putc('\n', out) == EOF ? errno : 0;
	json_decref(info);
	stream_finish(out, error, name, trace->diag);
}
