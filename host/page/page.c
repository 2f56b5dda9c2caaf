/* page: collects the data of a page as JSON and packed numbers (page.h). */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "page/page_inner.h"
#include "util/array.h"
#include "util/short_name.h"

static void open_value(struct page *page, char begins, char closes)
{
	output_put_char(&page->output, begins);
	if (page->depth + 1 >= PAGE_DEPTH_MAX) {
		page->has_failed = true;
		return;
	}
	page->closes[page->depth] = closes;
	page->needs_comma[page->depth++] = false;
}

struct page *make_page(void)
{
	struct page *page = calloc(1, sizeof *page);

	if (!page)
		return NULL;
	output_begin_memory(&page->output, &page->json);
	open_value(page, '{', '}');
	return page;
}

void free_page(struct page *page)
{
	if (!page)
		return;
	for (size_t i = 0; i < page->name_count; i++)
		free(page->names[i]);
	free(page->names);
	free(page->json.bytes);
	for (int i = 0; i < PAGE_NUMBERS_COUNT; i++)
		free(page->numbers[i].bytes);
	free(page);
}

/* Writes the comma before a value, if needed, and the key. key null: an element of an array. */
static void begin_value(struct page *page, const char *key)
{
	if (page->needs_comma[page->depth - 1])
		output_put_char(&page->output, ',');
	page->needs_comma[page->depth - 1] = true;
	if (!key)
		return;
	json_text_put(&page->output, key);
	output_put_char(&page->output, ':');
}

void page_put_text(struct page *page, const char *key, const char *text)
{
	begin_value(page, key);
	json_text_put(&page->output, text);
}

void page_put_count(struct page *page, const char *key, uint64_t count)
{
	begin_value(page, key);
	page->output.used += (size_t)sprintf(output_reserve(&page->output), "%" PRIu64, count);
}

void page_put_signed(struct page *page, const char *key, int64_t number)
{
	begin_value(page, key);
	page->output.used += (size_t)sprintf(output_reserve(&page->output), "%" PRId64, number);
}

void page_put_real(struct page *page, const char *key, double number)
{
	begin_value(page, key);
	if (isfinite(number))
		page->output.used += (size_t)snprintf(output_reserve(&page->output), OUTPUT_PIECE_BYTES, "%.9g", number);
	else
		output_put_text(&page->output, "null");
}

void page_put_flag(struct page *page, const char *key, bool flag)
{
	begin_value(page, key);
	output_put_text(&page->output, flag ? "true" : "false");
}

void page_put_null(struct page *page, const char *key)
{
	begin_value(page, key);
	output_put_text(&page->output, "null");
}

void page_put_json(struct page *page, const char *key, const char *json, size_t bytes)
{
	begin_value(page, key);
	output_put_bytes(&page->output, json, bytes);
}

void page_open_object(struct page *page, const char *key)
{
	begin_value(page, key);
	open_value(page, '{', '}');
}

void page_open_array(struct page *page, const char *key)
{
	begin_value(page, key);
	open_value(page, '[', ']');
}

void page_close(struct page *page)
{
	output_put_char(&page->output, page->closes[--page->depth]);
}

/* ---- names ---- */

bool page_has_name(const struct page *page, uint32_t function)
{
	return function < page->name_count && page->names[function];
}

void page_set_name(struct page *page, uint32_t function, const char *name)
{
	size_t had = page->name_count, bytes, kept = PAGE_NAME_BYTES_MAX;
	char *shorter;

	if (page_has_name(page, function))
		return;
	if (function >= had) {
		if (!array_reserve(&page->names, &page->name_capacity, (size_t)function + 1, sizeof *page->names)) {
			page->has_failed = true;
			return;
		}
		memset(page->names + had, 0, (function + (size_t)1 - had) * sizeof *page->names);
		page->name_count = function + (size_t)1;
	}
	shorter = make_short_name(name); /* as in reports; null: the name stays as it is */
	name = shorter ? shorter : name;
	bytes = strlen(name);
	while (bytes > PAGE_NAME_BYTES_MAX && kept && ((unsigned char)name[kept] & 0xc0) == 0x80)
		kept--; /* never cuts inside a character */
	page->names[function] = bytes <= PAGE_NAME_BYTES_MAX ? strdup(name) : malloc(PAGE_NAME_BYTES_MAX + sizeof "…");
	if (!page->names[function])
		page->has_failed = true;
	else if (bytes > PAGE_NAME_BYTES_MAX)
		sprintf(page->names[function], "%.*s…", (int)kept, name);
	free(shorter);
}

/* ---- tables ---- */

static const char *unit_name(enum unit unit)
{
	static const char *const names[] = {[UNIT_TEXT] = "text", [UNIT_NAME] = "name", [UNIT_COUNT] = "count", [UNIT_NS] = "ns",
		[UNIT_NS_SIGNED] = "ns", [UNIT_TICKS] = "ticks", [UNIT_TICKS_SIGNED] = "ticks", [UNIT_PERCENT] = "percent",
		[UNIT_PERCENT_CHANGE] = "percent", [UNIT_POINTS] = "percent", [UNIT_POINTS_UNSIGNED] = "percent",
		[UNIT_MEAN] = "mean", [UNIT_NS_MEAN] = "ns",
		[UNIT_ADDRESS] = "address", [UNIT_BYTES] = "bytes", [UNIT_BAR] = "bar", [UNIT_INDENT] = "depth"};

	return names[unit];
}

/* Whether the page has the column. */
static bool is_shown(const struct column *column)
{
	return column->key && !column->text_only && !column->empty;
}

static void begin_table(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct page *page = context;

	page->columns = columns;
	page->column_count = count;
	page_open_object(page, page->table_key);
	page_put_text(page, "name", name);
	page_open_array(page, "columns");
	for (uint32_t i = 0; i < count; i++) {
		if (!is_shown(&columns[i]))
			continue;
		page_open_object(page, NULL);
		page_put_text(page, "key", columns[i].key);
		page_put_text(page, "title", columns[i].title ? columns[i].title : columns[i].key);
		page_put_text(page, "unit", unit_name(columns[i].unit));
		page_close(page);
	}
	page_close(page);
	page_open_array(page, "rows");
}

static void put_cell(struct page *page, enum unit unit, const struct cell *cell)
{
	if (cell->absent) {
		page_put_null(page, NULL);
		return;
	}
	switch (unit) {
	case UNIT_NAME:
		if (cell->function) {
			page_set_name(page, cell->function - 1, cell->text);
			page_put_count(page, NULL, cell->function - 1);
			break;
		}
		/* fallthrough */
	case UNIT_TEXT:
		page_put_text(page, NULL, cell->text);
		break;
	case UNIT_NS_SIGNED:
	case UNIT_TICKS_SIGNED:
		page_put_signed(page, NULL, cell->signed_count);
		break;
	case UNIT_PERCENT:
	case UNIT_PERCENT_CHANGE:
	case UNIT_POINTS:
	case UNIT_POINTS_UNSIGNED:
	case UNIT_MEAN:
	case UNIT_NS_MEAN:
	case UNIT_BAR:
		page_put_real(page, NULL, cell->real);
		break;
	default:
		page_put_count(page, NULL, cell->count);
	}
}

static void put_row(void *context, const struct cell *cells)
{
	struct page *page = context;

	page_open_array(page, NULL);
	for (uint32_t i = 0; i < page->column_count; i++) {
		if (!is_shown(&page->columns[i]))
			continue;
		if (cells[i].unsure && !cells[i].absent)
			page_open_array(page, NULL);
		put_cell(page, page->columns[i].unit, &cells[i]);
		if (cells[i].unsure && !cells[i].absent)
			page_close(page);
	}
	page_close(page);
}

static void end_table(void *context)
{
	struct page *page = context;

	page_close(page);
	page_close(page);
}

struct table_sink page_begin_table(struct page *page, const char *key)
{
	page->table_key = key;
	return (struct table_sink){page, begin_table, put_row, end_table};
}

/* ---- numbers ---- */

void page_add(struct page *page, enum page_numbers which, uint64_t number)
{
	struct output_memory *memory = &page->numbers[which];

	if (!array_reserve(&memory->bytes, &memory->capacity, memory->count + 10, 1)) {
		page->has_failed = true;
		return;
	}
	for (; number >= 128; number >>= 7)
		memory->bytes[memory->count++] = (char)(number | 128);
	memory->bytes[memory->count++] = (char)number;
}

void page_add_signed(struct page *page, enum page_numbers which, int64_t number)
{
	page_add(page, which, (uint64_t)number << 1 ^ (uint64_t)(number >> 63));
}

bool page_is_whole(const struct page *page)
{
	return !page->has_failed && !page->output.error;
}
