/* A page's data: what is put into it is what a browser unpacks, and nothing of it can be markup. */
#include "check.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <zlib.h>

#include "page/page.h"

static char *html;
static size_t html_bytes;

/* Writes the page. */
static void finish(struct page *page)
{
	struct diag *diag = make_diag();
	FILE *out = open_memstream(&html, &html_bytes);

	CHECK(page_is_whole(page));
	CHECK(pages_write(&page, 1, out, "memory", diag));
	CHECK(diag_status(diag) == 0);
	fclose(out);
	free_diag(diag);
	free_page(page);
}

static int value_of(char letter)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = letter ? strchr(letters, letter) : NULL;

	return at ? (int)(at - letters) : -1;
}

/* What is in the script element of that id, as a browser has it: letters to bytes, unpacked. To be freed. */
static unsigned char *take_part(const char *id, size_t *bytes)
{
	char head[64];
	const char *from;
	size_t letters, count = 0;
	unsigned char *packed, *plain = malloc(1 << 20);
	uLongf plain_bytes = 1 << 20;

	snprintf(head, sizeof head, "<script type=\"text/plain\" id=\"%s\">", id);
	from = strstr(html, head);
	CHECK(from);
	from += strlen(head);
	letters = strcspn(from, "<");
	CHECK(!strncmp(from + letters, "</script>", 9) && letters % 4 == 0);
	packed = malloc(letters + 1);
	for (size_t i = 0; i < letters; i += 4) {
		uint32_t bits = 0, padding = 0;

		for (int k = 0; k < 4; k++) {
			int value = value_of(from[i + k]);

			CHECK(value >= 0 || (from[i + k] == '=' && i + 4 == letters && k >= 2));
			padding += value < 0;
			bits = bits << 6 | (uint32_t)(value < 0 ? 0 : value);
		}
		for (uint32_t k = 0; k < 3 - padding; k++)
			packed[count++] = (unsigned char)(bits >> (16 - 8 * k));
	}
	CHECK(uncompress(plain, &plain_bytes, packed, count) == Z_OK);
	free(packed);
	*bytes = plain_bytes;
	return plain;
}

static json_t *take_data(void)
{
	size_t bytes;
	unsigned char *text = take_part("data-0", &bytes);
	json_t *data = json_loadb((const char *)text, bytes, JSON_REJECT_DUPLICATES, NULL);

	CHECK(data);
	free(text);
	free(html);
	return data;
}

TEST(members)
{
	struct page *page = make_page();
	json_t *data, *list;

	page_put_text(page, "text", "a\"b</script>\n\x1b");
	page_put_count(page, "count", INT64_MAX);
	page_put_signed(page, "signed", INT64_MIN);
	page_put_real(page, "real", 0.125);
	page_put_real(page, "none", NAN);
	page_put_flag(page, "yes", true);
	page_put_json(page, "json", "{\"a\": [1]}", 10);
	page_open_array(page, "list");
	page_open_object(page, NULL);
	page_put_null(page, "null");
	page_close(page);
	page_put_flag(page, NULL, false);
	page_close(page);
	finish(page);
	CHECK(!strstr(html, "a\"b")); /* nothing that was put in stands there as it is */
	data = take_data();
	CHECK_STR(json_string_value(json_object_get(data, "text")), "a\"b</script>\n\x1b");
	CHECK(json_integer_value(json_object_get(data, "count")) == INT64_MAX);
	CHECK(json_integer_value(json_object_get(data, "signed")) == INT64_MIN);
	CHECK(json_real_value(json_object_get(data, "real")) == 0.125);
	CHECK(json_is_null(json_object_get(data, "none")) && json_is_true(json_object_get(data, "yes")));
	CHECK(json_array_size(json_object_get(json_object_get(data, "json"), "a")) == 1);
	list = json_object_get(data, "list");
	CHECK(json_array_size(list) == 2 && json_is_null(json_object_get(json_array_get(list, 0), "null")));
	CHECK(json_is_false(json_array_get(list, 1)) && json_array_size(json_object_get(data, "names")) == 0);
	json_decref(data);
}

TEST(tables_and_names)
{
	static const struct column columns[] = {{.key = "function", .unit = UNIT_NAME}, {.key = "self_ns", .title = "self", .unit = UNIT_NS},
		{.title = "bar", .unit = UNIT_BAR}, {.key = "seen", .unit = UNIT_TEXT, .text_only = true}, {.key = "share", .unit = UNIT_PERCENT}};
	const struct cell rows[][5] = {{{.text = "first", .function = 3}, {.count = 7}, {.real = 0}, {.text = "no"}, {.real = 0.5}},
		{{.text = "(others)"}, {.count = 9, .unsure = true}, {.real = 0}, {.text = "no"}, {.absent = true, .unsure = true}},
		{{.text = "again", .function = 3}, {.count = 1}, {.real = 0}, {.text = "no"}, {.real = 1}}};
	struct page *page = make_page();
	struct table_sink sink = page_begin_table(page, "functions");
	json_t *data, *table, *names, *row;

	sink.begin(sink.context, "functions", columns, 5);
	for (int i = 0; i < 3; i++)
		sink.row(sink.context, rows[i]);
	sink.end(sink.context);
	CHECK(page_has_name(page, 2) && !page_has_name(page, 1) && !page_has_name(page, 99));
	finish(page);
	data = take_data();
	table = json_object_get(data, "functions");
	CHECK(json_array_size(json_object_get(table, "columns")) == 3); /* those that others than people are told, with a key */
	CHECK_STR(json_string_value(json_object_get(json_array_get(json_object_get(table, "columns"), 1), "title")), "self");
	CHECK_STR(json_string_value(json_object_get(json_array_get(json_object_get(table, "columns"), 2), "unit")), "percent");
	row = json_array_get(json_object_get(table, "rows"), 0);
	CHECK(json_integer_value(json_array_get(row, 0)) == 2 && json_integer_value(json_array_get(row, 1)) == 7);
	row = json_array_get(json_object_get(table, "rows"), 1);
	CHECK_STR(json_string_value(json_array_get(row, 0)), "(others)");
	CHECK(json_integer_value(json_array_get(json_array_get(row, 1), 0)) == 9); /* unsure */
	CHECK(json_is_null(json_array_get(row, 2)));
	names = json_object_get(data, "names");
	CHECK(json_array_size(names) == 3 && json_is_null(json_array_get(names, 0)) && json_is_null(json_array_get(names, 1)));
	CHECK_STR(json_string_value(json_array_get(names, 2)), "first"); /* the first that was said */
	json_decref(data);
}

/* A name is cut between two characters, and only where it is too long. */
TEST(long_names)
{
	static char name[PAGE_NAME_BYTES_MAX + 64];

	for (size_t bytes = PAGE_NAME_BYTES_MAX - 3; bytes < PAGE_NAME_BYTES_MAX + 6; bytes++)
		for (size_t shift = 0; shift < 4; shift++) {
			struct page *page = make_page();
			const char *kept;
			json_t *data;

			memset(name, 'x', shift);
			for (size_t at = shift; at < sizeof name - 4; at += 3)
				memcpy(name + at, "\xe2\x82\xac", 4);
			name[shift + (bytes - shift) / 3 * 3] = 0;
			page_set_name(page, 0, name);
			finish(page);
			data = take_data();
			kept = json_string_value(json_array_get(json_object_get(data, "names"), 0));
			CHECK(kept && !strstr(kept, "\xef\xbf\xbd")); /* no half of one */
			if (strlen(name) <= PAGE_NAME_BYTES_MAX) {
				CHECK_STR(kept, name);
			} else {
				size_t length = strlen(kept) - strlen("…");

				CHECK(length <= PAGE_NAME_BYTES_MAX && length > PAGE_NAME_BYTES_MAX - 3 &&
					!strncmp(kept, name, length));
				CHECK_STR(kept + length, "…");
			}
			json_decref(data);
		}
}

static uint64_t take_number(const unsigned char **at)
{
	uint64_t number = 0;

	for (int shift = 0;; shift += 7) {
		number |= (uint64_t)(**at & 127) << shift;
		if (*(*at)++ < 128)
			return number;
	}
}

TEST(numbers)
{
	static const int64_t all[] = {0, 1, -1, 63, 64, -64, -65, 127, 128, 1 << 20, INT64_MAX, INT64_MIN};
	struct page *page = make_page();
	const unsigned char *at;
	unsigned char *part;
	size_t bytes;

	for (int turn = 0; turn < 2000; turn++) /* more than a piece of the packer's */
		for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
			page_add(page, PAGE_CALLS, (uint64_t)all[i]);
			page_add_signed(page, PAGE_CALLS, all[i]);
		}
	finish(page);
	at = part = take_part("calls-0", &bytes);
	for (int turn = 0; turn < 2000; turn++)
		for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
			uint64_t number;

			CHECK(take_number(&at) == (uint64_t)all[i]);
			number = take_number(&at);
			CHECK((int64_t)(number >> 1 ^ -(number & 1)) == all[i]);
		}
	CHECK(at == part + bytes);
	free(part);
	free(take_part("density-0", &bytes));
	CHECK(bytes == 0);
	free(html);
}

TEST(too_deep)
{
	struct page *page = make_page();

	for (int i = 0; i < 100; i++)
		page_open_array(page, i ? NULL : "a");
	CHECK(!page_is_whole(page));
	free_page(page);
}

int main(void)
{
	RUN(members);
	RUN(tables_and_names);
	RUN(long_names);
	RUN(numbers);
	RUN(too_deep);
	return tap_done();
}
