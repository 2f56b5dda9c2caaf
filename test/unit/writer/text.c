#include "check.h"

#include <math.h>

#include "tables.h"

static const struct writer_options piped = {.form = WRITER_TEXT};
static const struct writer_options narrow = {.form = WRITER_TEXT, .width = 30};

TEST(golden)
{
	static const struct column columns[] = {
		{.key = "function", .unit = UNIT_NAME},
		{.key = "calls", .title = "calls", .unit = UNIT_COUNT},
		{.key = "total_ns", .title = "total", .unit = UNIT_NS},
		{.key = "raw", .title = "raw", .unit = UNIT_COUNT, .data_only = true},
		{.key = "self_percent", .title = "self %", .unit = UNIT_PERCENT},
		{.key = "size", .title = "size", .unit = UNIT_BYTES},
		{.key = "note", .title = "note", .unit = UNIT_TEXT, .text_only = true},
	};
	struct written w;

	begin_table(&w, piped, columns, 7);
	put_row(&w, (struct cell[7]){{.text = "main"}, {.count = 1}, {.count = 1234000000}, {.count = 5}, {.real = 100},
			    {.count = 12}, {.text = "n"}});
	put_row(&w, (struct cell[7]){{.text = "caf\xc3\xa9"}, {.count = 1234567}, {.count = 567, .unsure = true}, {.count = 5},
			    {.real = 1e-5}, {.count = 123456}, {.text = ""}});
	put_row(&w, (struct cell[7]){{.text = "\xe4\xb8\xad"}, {.absent = true}, {.count = 1234567}, {.count = 5}, {.real = NAN},
			    {.absent = true}, {.absent = true}});
	end_table(&w);
	CHECK_STR(w.text, "function      calls     total    self %      size  note\n"
			  "main              1  1.234  s  100.00 %     12  B  n\n"
			  "caf\xc3\xa9      1,234,567   ~567 ns   <0.01 %  123.5 KB\n"
			  "\xe4\xb8\xad                -  1.235 ms         -         -  -\n");
	free_written(&w);
}

/* What is below a step of the clock is not known; nothing is, too. */
TEST(times_below_a_step)
{
	static const struct column columns[] = {{.key = "total_ns", .title = "total", .unit = UNIT_NS},
		{.key = "self_ns", .title = "self", .unit = UNIT_NS}, {.key = "function", .unit = UNIT_NAME}};
	struct written w;

	begin_table(&w, piped, columns, 3);
	put_row(&w, (struct cell[3]){{.count = 10, .step_ns = 10}, {.count = 9, .step_ns = 10}, {.text = "f"}});
	put_row(&w, (struct cell[3]){{.count = 999, .step_ns = 1000, .unsure = true}, {.step_ns = 1000}, {.text = "g"}});
	put_row(&w, (struct cell[3]){{.count = 3}, {.absent = true, .step_ns = 10}, {.text = "h"}});
	end_table(&w);
	CHECK_STR(w.text, "     total       self  function\n"
			  "     10 ns     <10 ns  f\n"
			  "~<1.000 us  <1.000 us  g\n"
			  "      3 ns          -  h\n");
	free_written(&w);
}

/* An optional column is shown if a row has a time in it, and a line of a log has room. */
TEST(optional_columns)
{
	struct column columns[] = {{.key = "total_ns", .title = "total", .unit = UNIT_NS},
		{.key = "a_ns", .title = "waiting", .unit = UNIT_NS, .text_only = true, .optional = true, .spare = 1},
		{.key = "b_ns", .title = "preempted", .unit = UNIT_NS, .text_only = true, .optional = true, .spare = 2},
		{.key = "function", .unit = UNIT_NAME}};
	const struct writer_options terminal = {.form = WRITER_TEXT, .width = 20};
	struct written w;

	for (int wide = 0; wide < 3; wide++) {
		columns[0].width = wide == 1 ? 90 : 0;
		begin_table(&w, wide == 2 ? terminal : piped, columns, 4);
		put_row(&w, (struct cell[4]){{.count = 9}, {.count = 0}, {.absent = true}, {.text = "f"}});
		put_row(&w, (struct cell[4]){{.count = 9}, {.count = 7}, {.count = 0}, {.text = "g"}});
		end_table(&w);
		if (wide == 0)
			CHECK_STR(w.text, "total  waiting  function\n 9 ns     0 ns  f\n 9 ns     7 ns  g\n");
		if (wide == 1)
			CHECK(strstr(w.text, "total  function\n") && !strstr(w.text, "hidden"));
		if (wide == 2)
			CHECK_STR(w.text, "total  function\n 9 ns  f\n 9 ns  g\n(hidden: waiting; --csv has all)\n");
		free_written(&w);
	}
}

/* A table that is too wide gives up what it can do without, the highest first, rather than wrap; and says so. */
TEST(spare_columns_go_first)
{
	static const struct column columns[] = {{.key = "calls", .unit = UNIT_COUNT},
		{.key = "aa", .title = "min", .unit = UNIT_COUNT, .spare = 1}, {.key = "max", .unit = UNIT_COUNT, .spare = 9},
		{.key = "self", .unit = UNIT_COUNT}, {.key = "function", .unit = UNIT_NAME}};
	struct cell row[5] = {{.count = 1234}, {.count = 2222}, {.count = 3333}, {.count = 4444}, {.text = "a_name_of_20_columns"}};
	struct writer_options options = {.form = WRITER_TEXT};
	struct written w;

	for (options.width = 48; options.width >= 0; options.width -= 8) {
		begin_table(&w, options, columns, 5);
		put_row(&w, row);
		end_table(&w);
		if (options.width == 48 || !options.width)
			CHECK_STR(w.text, "calls    min    max   self  function\n"
					  "1,234  2,222  3,333  4,444  a_name_of_20_columns\n");
		else if (options.width == 40)
			CHECK_STR(w.text, "calls   self  function\n"
					  "1,234  4,444  a_name_of_20_columns\n"
					  "(hidden: min, max; --csv has all)\n");
		else if (options.width == 32)
			CHECK_STR(w.text, "calls   self  function\n"
					  "1,234  4,444  a_name_of…_columns\n"
					  "(hidden: min, max; --csv has all)\n");
		free_written(&w);
	}
	options.width = 41;
	begin_table(&w, options, columns, 5);
	put_row(&w, row);
	end_table(&w);
	CHECK_STR(w.text, "calls    min   self  function\n"
			  "1,234  2,222  4,444  a_name_of_20_columns\n"
			  "(hidden: max; --csv has all)\n");
	free_written(&w);
}

static const struct column name_last[] = {{.key = "n", .unit = UNIT_COUNT}, {.key = "function", .unit = UNIT_NAME}};
static const struct column name_first[] = {{.key = "function", .unit = UNIT_NAME}, {.key = "n", .unit = UNIT_COUNT}};
#define LONG_NAME "a_name_that_is_longer_than_the_terminal_is_wide"

TEST(names_are_cut_on_a_terminal_only)
{
	struct written w;
	struct cell last[2] = {{.count = 1}, {.text = LONG_NAME}}, first[2] = {{.text = LONG_NAME}, {.count = 1}};

	begin_table(&w, piped, name_last, 2);
	put_row(&w, last);
	end_table(&w);
	CHECK_STR(w.text, "n  function\n1  " LONG_NAME "\n");
	free_written(&w);

	begin_table(&w, narrow, name_last, 2);
	put_row(&w, last);
	put_row(&w, (struct cell[2]){{.count = 2}, {.text = "123456789012345678901234567"}}); /* fits to the column */
	put_row(&w, (struct cell[2]){{.count = 2}, {.text = "1234567890123456789012345678"}}); /* one too many */
	put_row(&w, (struct cell[2]){{.count = 2},
			    {.text = "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"
				     "\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"}});
	end_table(&w);
	CHECK_STR(w.text,
		"n  function\n1  a_name_that_i…minal_is_wide\n2  123456789012345678901234567\n2  1234567890123…6789012345678\n"
		"2  \xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad…\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\n");
	free_written(&w);

	begin_table(&w, narrow, name_first, 2);
	put_row(&w, first);
	end_table(&w);
	CHECK_STR(w.text, "function                     n\na_name_that_i…minal_is_wide  1\n");
	free_written(&w);
}

TEST(names_lead_no_terminal_astray)
{
	struct written w;

	begin_table(&w, piped, name_first, 2);
	put_row(&w, (struct cell[2]){{.text = "a\x1b[31mb\r\n\t\x7f\xc2\x9b"}, {.count = 1}});
	put_row(&w, (struct cell[2]){{.text = "\xff<b>\"'\xe2\x80\xae"}, {.count = 22}});
	end_table(&w);
	CHECK_STR(w.text, "function                     n\n"
			  "a\\x1b[31mb\\r\\n\\t\\x7f\\u{9b}   1\n"
			  "\\xff<b>\"'\\u{202e}           22\n");
	free_written(&w);
}

TEST(calls_are_indented_by_their_depth)
{
	static const struct column columns[] = {{.key = "depth", .unit = UNIT_INDENT},
		{.key = "ns", .title = "took", .unit = UNIT_NS, .width = 9}, {.key = "function", .unit = UNIT_NAME, .width = 20}};
	struct written w;

	begin_table(&w, piped, columns, 3);
	put_row(&w, (struct cell[3]){{.count = 0}, {.count = 3000}, {.text = "main"}});
	put_row(&w, (struct cell[3]){{.count = 2}, {.count = 20}, {.text = "leaf"}});
	put_row(&w, (struct cell[3]){{.count = UINT64_MAX}, {.count = 20}, {.text = "deep"}});
	end_table(&w);
	CHECK(strstr(w.text, "     took  function\n 3.000 us  main\n    20 ns      leaf\n    20 ns    ") == w.text);
	CHECK(w.bytes < 300);
	free_written(&w);

	begin_table(&w, (struct writer_options){.form = WRITER_CSV}, columns, 3);
	put_row(&w, (struct cell[3]){{.count = 2}, {.count = 20}, {.text = "leaf"}});
	end_table(&w);
	CHECK_STR(w.text, "depth,ns,function\n2,20,leaf\n");
	free_written(&w);
}

/* With hints for all columns each row comes out as it is given; without, after the 200th. */
TEST(rows_stream)
{
	static const struct column hinted[] = {
		{.key = "n", .unit = UNIT_COUNT, .width = 5}, {.key = "function", .unit = UNIT_NAME, .width = 9}};
	struct written w;
	size_t lines = 0, width = 0;

	begin_table(&w, piped, name_first, 2);
	for (int i = 0; i < 70000; i++) /* more than the buffer in front of the stream */
		put_row(&w, (struct cell[2]){{.text = i == 150 ? "the longest of the first" : "f"}, {.count = (uint64_t)i}});
	fflush(w.out);
	CHECK(w.bytes > 100000);
	end_table(&w);
	width = strcspn(w.text, "\n");
	for (char *line = w.text; *line; line += strcspn(line, "\n") + 1, lines++)
		CHECK(lines > 1000 || strcspn(line, "\n") == width);
	CHECK_EQ(lines, 70001);
	free_written(&w);

	begin_table(&w, piped, hinted, 2);
	put_row(&w, (struct cell[2]){{.count = 123456789}, {.text = "f"}});
	put_row(&w, (struct cell[2]){{.count = 1}, {.text = "g"}});
	end_table(&w);
	CHECK_STR(w.text, "    n  function\n123,456,789  f\n    1  g\n");
	free_written(&w);
}

TEST(huge_names_wait_for_nobody)
{
	struct written w;
	char *huge = malloc((1 << 20) + 1);
	unsigned rows = SANITIZED ? 5 : 50;

	memset(huge, '\x01', 1 << 20);
	huge[1 << 20] = 0;
	begin_table(&w, narrow, name_last, 2);
	for (unsigned i = 0; i < rows; i++)
		put_row(&w, (struct cell[2]){{.count = 1}, {.text = huge}});
	end_table(&w);
	CHECK_EQ(w.bytes, strlen("n  function\n") + rows * strlen("1  \\x01\\x01\\x01\\x01\\x01\\x01\\x…\n"));
	CHECK_EQ(diag_status(w.diag), 0);
	free_written(&w);
	free(huge);
}

TEST(colour_and_emptiness)
{
	struct written w;

	begin_table(&w, (struct writer_options){.form = WRITER_TEXT, .colour = true, .width = 80}, name_last, 2);
	end_table(&w);
	CHECK_STR(w.text, "\033[1mn  function\033[0m\n");
	free_written(&w);
	begin_table(&w, piped, name_last, 0);
	put_row(&w, NULL);
	end_table(&w);
	CHECK_STR(w.text, "");
	free_written(&w);
}

/* One after the other, with one sink. */
TEST(two_tables)
{
	struct written w;

	begin_table(&w, piped, name_last, 2);
	put_row(&w, (struct cell[2]){{.count = 1}, {.text = "f"}});
	w.sink.end(w.sink.context);
	w.sink.begin(w.sink.context, "other", name_first, 2);
	put_row(&w, (struct cell[2]){{.text = "g"}, {.count = 1}});
	end_table(&w);
	CHECK_STR(w.text, "n  function\n1  f\nfunction  n\ng         1\n");
	free_written(&w);
}

int main(void)
{
	RUN(golden);
	RUN(times_below_a_step);
	RUN(optional_columns);
	RUN(spare_columns_go_first);
	RUN(names_are_cut_on_a_terminal_only);
	RUN(names_lead_no_terminal_astray);
	RUN(calls_are_indented_by_their_depth);
	RUN(rows_stream);
	RUN(huge_names_wait_for_nobody);
	RUN(colour_and_emptiness);
	RUN(two_tables);
	return tap_done();
}
