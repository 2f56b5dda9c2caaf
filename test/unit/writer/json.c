#include "check.h"

#include <jansson.h>
#include <math.h>

#include "tables.h"

static const struct column columns[] = {
	{.key = "name", .title = "the name", .unit = UNIT_NAME},
	{.key = "for_people", .unit = UNIT_TEXT, .text_only = true},
	{.key = "count", .unit = UNIT_COUNT},
	{.key = "at_ns", .unit = UNIT_NS_SIGNED, .data_only = true},
	{.key = "percent", .unit = UNIT_PERCENT},
	{.key = "address", .unit = UNIT_ADDRESS},
};
static const struct writer_options json = {.form = WRITER_JSON};

static json_t *parse(const struct written *w)
{
	json_error_t error;
	json_t *root = json_loadb(w->text, w->bytes, JSON_REJECT_DUPLICATES, &error);

	if (!root)
		printf("# %d:%d: %s\n", error.line, error.column, error.text);
	CHECK(root);
	return root;
}

TEST(shape)
{
	struct written w;
	json_t *root;

	begin_table(&w, json, columns, 6);
	put_row(&w, (struct cell[6]){{.text = "main"}, {.text = ""}, {.count = 7}, {.signed_count = -8}, {.real = 12.5},
			    {.count = 0x401136}});
	put_row(&w, (struct cell[6]){
			    {.absent = true}, {.text = ""}, {.absent = true}, {.absent = true}, {.real = NAN}, {.absent = true}});
	end_table(&w);
	CHECK_STR(w.text, "{\"name\": \"a \\\"table\\\"\",\n"
			  " \"columns\": [{\"key\": \"name\", \"title\": \"the name\", \"unit\": \"name\"}, "
			  "{\"key\": \"count\", \"title\": \"count\", \"unit\": \"count\"}, {\"key\": \"at_ns\", \"title\": "
			  "\"at_ns\", \"unit\": \"ns\"}, "
			  "{\"key\": \"percent\", \"title\": \"percent\", \"unit\": \"percent\"}, "
			  "{\"key\": \"address\", \"title\": \"address\", \"unit\": \"address\"}],\n"
			  " \"rows\": [\n"
			  "{\"name\": \"main\", \"count\": 7, \"at_ns\": -8, \"percent\": 12.5000, \"address\": \"0x401136\"},\n"
			  "{\"name\": null, \"count\": null, \"at_ns\": null, \"percent\": null, \"address\": null}\n"
			  "]}\n");
	root = parse(&w);
	CHECK_EQ(json_array_size(json_object_get(root, "rows")), 2);
	json_decref(root);
	free_written(&w);

	begin_table(&w, json, columns, 6);
	end_table(&w);
	root = parse(&w);
	CHECK_EQ(json_array_size(json_object_get(root, "rows")), 0);
	CHECK_EQ(json_array_size(json_object_get(root, "columns")), 5);
	json_decref(root);
	free_written(&w);
}

TEST(largest_numbers)
{
	struct written w;
	json_t *root, *first;

	begin_table(&w, json, columns, 6);
	put_row(&w, (struct cell[6]){{.text = ""}, {.text = ""}, {.count = INT64_MAX}, {.signed_count = INT64_MIN}, {.real = 1e300},
			    {.count = UINT64_MAX}});
	put_row(&w, (struct cell[6]){
			    {.text = ""}, {.text = ""}, {.count = UINT64_MAX}, {.signed_count = 0}, {.real = -1e-9}, {.count = 0}});
	end_table(&w);
	root = parse(&w);
	first = json_array_get(json_object_get(root, "rows"), 0);
	CHECK_EQ(json_integer_value(json_object_get(first, "count")), INT64_MAX);
	CHECK_EQ(json_integer_value(json_object_get(first, "at_ns")), INT64_MIN);
	CHECK(json_real_value(json_object_get(first, "percent")) == 1e300);
	CHECK_STR(json_string_value(json_object_get(first, "address")), "0xffffffffffffffff");
	CHECK(json_real_value(json_object_get(json_array_get(json_object_get(root, "rows"), 1), "count")) ==
		18446744073709551616.0);
	json_decref(root);
	free_written(&w);
}

TEST(names_of_any_bytes_stay_valid)
{
	uint32_t seed = 7;

	for (int round = 0; round < 2000; round++) {
		struct written w;
		char name[33];
		json_t *root;

		for (size_t i = 0; i < sizeof name; i++) {
			seed = seed * 1664525u + 1013904223u;
			name[i] = (char)(seed >> 24);
		}
		name[round % (int)sizeof name] = 0;
		name[32] = 0;
		begin_table(&w, json, columns, 6);
		put_row(&w, (struct cell[6]){{.text = name}, {.text = ""}});
		end_table(&w);
		root = parse(&w);
		json_decref(root);
		free_written(&w);
	}
}

TEST(hostile_names_survive)
{
	static const struct {
		const char *name, *read_back;
	} cases[] = {{"a\"b\\c", "a\"b\\c"}, {"</script><b>", "</script><b>"}, {"\x01\x1b\n\t\x7f", "\x01\x1b\n\t\x7f"},
		{"\xc3\xa9\xf0\x9f\x98\x80", "\xc3\xa9\xf0\x9f\x98\x80"}, {"x\xffy\xc3", "x\xef\xbf\xbdy\xef\xbf\xbd"},
		{"\xc2\x9bm\xe2\x80\xae\xf3\xa0\x81\x81x", "\xc2\x9bm\xe2\x80\xae\xf3\xa0\x81\x81x"},
		{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}};
	char *huge = malloc((1 << 20) + 1);
	struct written w;
	json_t *root, *rows;

	memset(huge, 0xff, 1 << 20);
	huge[1 << 20] = 0;
	begin_table(&w, json, columns, 6);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		put_row(&w, (struct cell[6]){{.text = cases[i].name}, {.text = ""}});
	put_row(&w, (struct cell[6]){{.text = huge}, {.text = ""}});
	end_table(&w);
	root = parse(&w);
	rows = json_object_get(root, "rows");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		CHECK_STR(json_string_value(json_object_get(json_array_get(rows, i), "name")), cases[i].read_back);
	CHECK(strstr(w.text, "\\u009bm\\u202e\\udb40\\udc41x") && !strchr(w.text, 0x1b) && !strstr(w.text, "\xe2\x80\xae"));
	CHECK_EQ(json_string_length(json_object_get(json_array_get(rows, sizeof cases / sizeof *cases), "name")), 3 << 20);
	json_decref(root);
	free_written(&w);
	free(huge);
}

int main(void)
{
	RUN(shape);
	RUN(largest_numbers);
	RUN(names_of_any_bytes_stay_valid);
	RUN(hostile_names_survive);
	return tap_done();
}
