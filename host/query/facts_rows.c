/* facts_rows: writes facts as a table with a row for each value: section, row, key and value. For `dwell info --csv` and
 * dwell/read.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "query/fact_tables.h"
#include "query/facts.h"
#include "query/health.h"

static const struct column columns[] = {{.key = "section", .unit = UNIT_TEXT}, {.key = "row", .unit = UNIT_COUNT},
	{.key = "key", .unit = UNIT_TEXT}, {.key = "value", .unit = UNIT_TEXT}};

#define NO_ROW SIZE_MAX

/* row: the value's row in its fact table; NO_ROW: that table has at most one row. value null: unknown. */
static void put(const struct table_sink *sink, const char *section, size_t row, const char *key, const char *value)
{
	const struct cell cells[] = {{.text = section}, {.count = row, .absent = row == NO_ROW}, {.text = key},
		{.text = value ? value : "", .absent = !value}};

	sink->row(sink->context, cells);
}

static void put_count(const struct table_sink *sink, const char *section, const char *key, uint64_t count)
{
	char text[24];

	snprintf(text, sizeof text, "%" PRIu64, count);
	put(sink, section, NO_ROW, key, text);
}

/* Returns the value as text, which may be in buffer. Null: the value is unknown. */
static const char *format_value(const struct fact_value *value, char buffer[static 32])
{
	switch (value->kind) {
	case FACT_UNKNOWN:
		return NULL;
	case FACT_COUNT:
		snprintf(buffer, 32, "%" PRIu64, value->count);
		break;
	case FACT_ADDRESS:
		snprintf(buffer, 32, "0x%" PRIx64, value->count);
		break;
	case FACT_REAL:
		snprintf(buffer, 32, "%.17g", value->real);
		break;
	case FACT_FLAG:
		return value->flag ? "true" : "false";
	case FACT_TEXT:
		return value->text;
	}
	return buffer;
}

/* Returns self_ns, or self_ticks if times are ticks, as every CSV does; the text may be in buffer. JSON keeps self_ns
 * (doc/json.md). */
static const char *format_key(const char *key, bool is_ticks, char buffer[static 48])
{
	size_t length = strlen(key);

	if (!is_ticks || length < 3 || strcmp(key + length - 3, "_ns") != 0)
		return key;
	snprintf(buffer, 48, "%.*s_ticks", (int)(length - 3), key);
	return buffer;
}

static void put_table(const struct fact_table *table, bool is_ticks, const struct table_sink *sink)
{
	char key[48], buffer[32];

	for (size_t row = 0; row < table->row_count; row++) {
		const struct fact_value *values = fact_table_row(table, row);

		for (size_t i = 0; i < table->key_count; i++) {
			const char *text = format_value(&values[i], buffer);

			put(sink, table->name, table->is_alone ? NO_ROW : row, format_key(table->keys[i], is_ticks, key), text);
		}
	}
}

static void put_health(const struct trace *trace, const struct table_sink *sink)
{
	struct health health;

	health_find(trace, &health);
	for (size_t i = 0; i < health.count; i++)
		put_count(sink, "health", health.findings[i].key, health.findings[i].count);
	put(sink, "health", NO_ROW, "all_is_well", health.is_well ? "true" : "false");
}

void facts_write_rows(const struct facts *facts, const struct trace *trace, const struct table_sink *sink)
{
	bool is_ticks = clock_is_unknown(model_get_clock(trace->model));
	struct fact_tables tables;

	sink->begin(sink->context, "info", columns, sizeof columns / sizeof *columns);
	if (fact_tables_make(&tables, facts, trace)) {
		for (size_t i = 0; i < FACT_TABLES; i++) {
			for (size_t k = 0; i == FACT_TABLE_PROCESSES && k < facts->fact_count; k++)
				put(sink, "facts", NO_ROW, facts->facts[k].key ? facts->facts[k].key : "", facts->facts[k].value);
			put_table(&tables.tables[i], is_ticks && (i == FACT_TABLE_THREADS || i == FACT_TABLE_THROTTLED), sink);
		}
		put_health(trace, sink);
		fact_tables_clear(&tables);
	}
	sink->end(sink->context);
}
