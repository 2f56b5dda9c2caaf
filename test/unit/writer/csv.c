#include "check.h"

#include <math.h>

#include "tables.h"

static const struct column columns[] = {
	{.key = "name", .unit = UNIT_NAME},
	{.key = "shown", .unit = UNIT_TEXT, .text_only = true},
	{.key = "count", .unit = UNIT_COUNT},
	{.key = "ns", .unit = UNIT_NS_SIGNED},
	{.key = "percent", .unit = UNIT_PERCENT, .data_only = true},
	{.key = "address", .unit = UNIT_ADDRESS},
};
static const struct writer_options csv = {.form = WRITER_CSV};

TEST(golden)
{
	struct written w;
	struct cell rows[][6] = {
		{{.text = "main"}, {.text = "x"}, {.count = 0}, {.signed_count = 0}, {.real = 0}, {.count = 0}},
		{{.text = "f(int, char)"}, {.text = "x"}, {.count = UINT64_MAX}, {.signed_count = INT64_MIN}, {.real = 99.99995},
			{.count = UINT64_MAX}},
		{{.text = "operator\"\"_s"}, {.text = "x"}, {.absent = true}, {.absent = true}, {.absent = true}, {.absent = true}},
		{{.text = "a\r\nb"}, {.text = "x"}, {.count = 9}, {.signed_count = -10}, {.real = -0.00004}, {.count = 0xdeadbeef}},
		{{.text = "\""}, {.text = "x"}, {.count = 99}, {.signed_count = 100}, {.real = -12.34567}, {.count = 16}},
		{{.text = ""}, {.text = "x"}, {.count = 100, .unsure = true}, {.signed_count = 1}, {.real = NAN}, {.count = 15}},
		{{.text = "\xff\x1b[2J<b>"}, {.text = "x"}, {.count = 1}, {.signed_count = 1}, {.real = 1.0 / 3}, {.count = 1}},
	};

	begin_table(&w, csv, columns, 6);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		put_row(&w, rows[i]);
	end_table(&w);
	CHECK_STR(w.text, "name,count,ns,percent,address\n"
			  "main,0,0,0.0000,0x0\n"
			  "\"f(int, char)\",18446744073709551615,-9223372036854775808,100.0000,0xffffffffffffffff\n"
			  "\"operator\"\"\"\"_s\",,,,\n"
			  "a\\r\\nb,9,-10,0.0000,0xdeadbeef\n"
			  "\"\"\"\",99,100,-12.3457,0x10\n"
			  ",100,1,,0xf\n"
			  "\\xff\\x1b[2J<b>,1,1,0.3333,0x1\n");
	CHECK_EQ(diag_status(w.diag), 0);
	free_written(&w);
}

/* Names that a spreadsheet would run, or that would lead a terminal astray: C1, BEL, a reversal; and names that only look odd. */
TEST(odd_names)
{
	static const struct column names[] = {{.key = "name", .unit = UNIT_NAME}, {.key = "text", .unit = UNIT_TEXT}};
	static const char *const texts[][2] = {
		{"=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"}, {"+[Box new]", "'+[Box new]"}, {"-[Box add:,]", "\"'-[Box add:,]\""},
		{"@SUM(1)", "'@SUM(1)"}, {"'=1", "''=1"}, {"a=b", "a=b"}, {"\t=1", "\\t=1"}, {"\a\xc2\x9bm", "\\x07\\u{9b}m"},
		{"a\xe2\x80\xae\"b", "\"a\\u{202e}\"\"b\""}, {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"}, {"a\\x1b", "a\\x1b"}, {"", ""}};
	char want[200];

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct cell row[2] = {{.text = texts[i][0]}, {.text = texts[i][0]}};
		struct written w;

		begin_table(&w, csv, names, 2);
		put_row(&w, row);
		end_table(&w);
		snprintf(want, sizeof want, "name,text\n%s,%s\n", texts[i][1], texts[i][1]);
		CHECK_STR(w.text, want);
		free_written(&w);
	}
}

/* Times of a clock whose rate is unknown are ticks, in every form. */
TEST(ticks)
{
	static const struct column times[] = {{.key = "total_ns", .title = "total", .unit = UNIT_NS},
		{.key = "enter_ns", .title = "enter", .unit = UNIT_NS_SIGNED}, {.key = "ns", .title = "other", .unit = UNIT_NS},
		{.key = "calls_ns", .title = "calls", .unit = UNIT_COUNT}};
	static const char *const texts[] = {
		[WRITER_TEXT] = "total   enter  other  calls\n1,234  -5,678      7      8\n",
		[WRITER_CSV] = "total_ticks,enter_ticks,ns,calls_ns\n1234,-5678,7,8\n",
		[WRITER_JSON] = "{\"name\": \"a \\\"table\\\"\",\n \"columns\": [{\"key\": \"total_ticks\", \"title\": \"total\", \"unit\": \"ticks\"}, "
				"{\"key\": \"enter_ticks\", \"title\": \"enter\", \"unit\": \"ticks\"}, "
				"{\"key\": \"ns\", \"title\": \"other\", \"unit\": \"ticks\"}, "
				"{\"key\": \"calls_ns\", \"title\": \"calls\", \"unit\": \"count\"}],\n \"rows\": [\n"
				"{\"total_ticks\": 1234, \"enter_ticks\": -5678, \"ns\": 7, \"calls_ns\": 8}\n]}\n",
	};
	const struct cell cells[] = {{.count = 1234}, {.signed_count = -5678}, {.count = 7}, {.count = 8}};

	for (enum writer_form form = WRITER_TEXT; form <= WRITER_JSON; form++) {
		struct written w;

		begin_table(&w, (struct writer_options){.form = form, .ticks = true}, times, 4);
		put_row(&w, cells);
		end_table(&w);
		CHECK_STR(w.text, texts[form]);
		free_written(&w);
	}
}

/* Tables below each other, with and without a line of keys. */
TEST(files_of_the_c6000)
{
	static const struct column keyless[] = {{.title = "", .unit = UNIT_TEXT}, {.title = "", .unit = UNIT_PERCENT}};
	static const struct column keyed[] = {{.key = "Name", .unit = UNIT_NAME}, {.key = "Mean", .unit = UNIT_MEAN}};
	const struct cell first[] = {{.text = "Valid/Total"}, {.real = 4.197}};
	const struct cell second[] = {{.text = "a,b"}, {.real = 747}}, third[] = {{.text = "c"}, {.absent = true}};
	struct written w;

	begin_table(&w, (struct writer_options){.form = WRITER_C6000}, keyless, 2);
	put_row(&w, first);
	w.sink.end(w.sink.context);
	w.sink.begin(w.sink.context, "second", keyed, 2);
	put_row(&w, second);
	put_row(&w, third);
	end_table(&w);
	CHECK_STR(w.text, "Valid/Total,4.20%\nName,Mean\n\"a,b\",747.00\nc,\n");
	free_written(&w);
}

TEST(names_of_any_length)
{
	static const size_t lengths[] = {65535, 65536, 65537, 131072, 1 << 20};

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		struct written w;
		char *name = malloc(lengths[i] + 1);
		struct cell cells[6] = {{.text = name}, {.text = ""}, {.count = 1}};

		memset(name, 'n', lengths[i]);
		name[lengths[i]] = 0;
		begin_table(&w, csv, columns, 6);
		put_row(&w, cells);
		name[lengths[i] / 2] = '"';
		put_row(&w, cells);
		end_table(&w);
		CHECK_EQ(w.bytes, 30 + 2 * (lengths[i] + strlen(",1,0,0.0000,0x0\n")) + 3);
		free(name);
		free_written(&w);
	}
}

/* A full disk is told once, with the system's reason, wherever in the table it happens; a reader that went away is not told. */
TEST(full_disk)
{
	static const int row_counts[] = {1, 100000};

	for (size_t i = 0; i < 2; i++) {
		struct diag *diag = make_diag();
		FILE *out = fopen("/dev/full", "w");
		struct table_sink sink = make_table_writer(&csv, out, "standard output", diag);
		struct cell cells[6] = {{.text = "name"}, {.text = ""}};
		char *text = NULL;
		size_t bytes;
		FILE *messages = open_memstream(&text, &bytes);

		sink.begin(sink.context, "t", columns, 6);
		for (int row = 0; row < row_counts[i]; row++)
			sink.row(sink.context, cells);
		sink.end(sink.context);
		CHECK_EQ(diag_status(diag), 2);
		diag_print(diag, messages);
		fclose(messages);
		CHECK_STR(text, "dwell: standard output: cannot write: No space left on device\n");
		CHECK_EQ(fclose(out), 0); /* nothing is stuck in it */
		free(text);
		free_table_writer(&sink);
		free_diag(diag);
	}
}

int main(void)
{
	RUN(golden);
	RUN(odd_names);
	RUN(ticks);
	RUN(files_of_the_c6000);
	RUN(names_of_any_length);
	RUN(full_disk);
	return tap_done();
}
