/* A table as a list: order, paths that are opened and closed, search. */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "tui/list.h"
#include "tui/terminal.h"

static const struct column tree_columns[] = {{.key = "depth", .unit = UNIT_INDENT}, {.key = "total", .unit = UNIT_COUNT},
	{.key = "secret", .unit = UNIT_COUNT, .data_only = true}, {.key = "function", .unit = UNIT_NAME}};

static void put(struct table_sink *sink, uint64_t depth, uint64_t total, const char *name, uint32_t function)
{
	char copy[64];

	snprintf(copy, sizeof copy, "%s", name); /* which goes when it is told */
	const struct cell cells[] = {
		{.count = depth}, {.count = total, .absent = !total}, {.count = 4711}, {.text = copy, .function = function}};

	sink->row(sink->context, cells);
}

/*  main 100 > step 10, work 80 > leaf 5, LEAF2 70; other (unknown) > leaf 3 */
static void fill(struct grid *grid)
{
	struct table_sink sink = grid_get_sink(grid);

	sink.begin(sink.context, "tree", tree_columns, 4);
	put(&sink, 0, 100, "main", 1);
	put(&sink, 1, 10, "step", 2);
	put(&sink, 1, 80, "work", 3);
	put(&sink, 2, 5, "leaf", 4);
	put(&sink, 2, 70, "LEAF2", 5);
	put(&sink, 0, 0, "other", 6);
	put(&sink, 1, 3, "leaf", 4);
	sink.end(sink.context);
}

/* "main step work": what is shown, the one with the cursor in brackets. */
static const char *shown(const struct list *list)
{
	static char text[512];
	size_t used = 0;

	*text = 0;
	for (size_t i = 0; i < list->outline.shown_count; i++) {
		const char *name = grid_row(list->grid, list->outline.shown[i])[1].text;

		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s", i ? " " : "", i == list->cursor ? "[" : "", name,
			i == list->cursor ? "]" : "");
	}
	return text;
}

static struct grid *grid;
static struct list list;

/* A column that need not be there is not, unless a row has a time. */
TEST(optional_columns)
{
	static const struct column columns[] = {{.key = "a_ns", .unit = UNIT_NS, .optional = true}, {.key = "total_ns", .unit = UNIT_NS},
		{.key = "b_ns", .unit = UNIT_NS, .optional = true}, {.key = "function", .unit = UNIT_NAME}};
	struct grid *some = make_grid();
	struct table_sink sink = grid_get_sink(some);

	sink.begin(sink.context, "tree", columns, 4);
	sink.row(sink.context, (struct cell[4]){{.count = 0}, {.count = 9}, {.absent = true}, {.text = "f"}});
	sink.row(sink.context, (struct cell[4]){{.count = 5, .absent = true}, {.count = 8}, {.count = 7}, {.text = "g"}});
	sink.end(sink.context);
	CHECK_EQ(some->column_count, 3);
	CHECK_STR(some->columns[0].key, "total_ns");
	CHECK_STR(some->columns[1].key, "b_ns");
	CHECK_EQ(grid_row(some, 0)[0].count, 9);
	CHECK(grid_row(some, 0)[1].absent);
	CHECK_EQ(grid_row(some, 1)[0].count, 8);
	CHECK_EQ(grid_row(some, 1)[1].count, 7);
	CHECK_STR(grid_row(some, 1)[2].text, "g");
	free_grid(some);
}

static void begin(void)
{
	grid = make_grid();
	list_clear(&list);
	fill(grid);
	CHECK(list_set(&list, grid));
}

static void end(void)
{
	list_clear(&list);
	free_grid(grid);
}

TEST(keeps_what_people_see)
{
	begin();
	CHECK_EQ(grid->column_count, 2);
	CHECK_EQ(grid->row_count, 7);
	CHECK_STR(grid->columns[0].title, "total");
	CHECK_EQ(grid_row(grid, 4)[0].count, 70);
	CHECK(grid_row(grid, 5)[0].absent);
	CHECK(grid_row(grid, 3)[1].text == grid_row(grid, 6)[1].text); /* once */
	fill(grid);
	CHECK_EQ(grid->row_count, 7);
	end();
}

TEST(opens_and_closes)
{
	begin();
	CHECK_STR(shown(&list), "[main] step work other leaf");
	CHECK(list_take_key(&list, TERMINAL_DOWN));
	CHECK(list_take_key(&list, TERMINAL_DOWN));
	CHECK(list_take_key(&list, TERMINAL_RIGHT));
	CHECK_STR(shown(&list), "main step [work] leaf LEAF2 other leaf");
	list_take_key(&list, TERMINAL_DOWN);
	list_take_key(&list, TERMINAL_LEFT); /* nothing to close: to what it is under */
	CHECK_STR(shown(&list), "main step [work] leaf LEAF2 other leaf");
	list_take_key(&list, TERMINAL_HOME);
	list_take_key(&list, ' ');
	CHECK_STR(shown(&list), "[main] other leaf");
	list_take_key(&list, '*');
	CHECK_STR(shown(&list), "[main] step work leaf LEAF2 other leaf");
	list_take_key(&list, TERMINAL_END);
	CHECK_STR(shown(&list), "main step work leaf LEAF2 other [leaf]");
	CHECK(!list_take_key(&list, 'x'));
	end();
}

TEST(sorts_under_parents)
{
	begin();
	list_take_key(&list, '*');
	list_take_key(&list, 's'); /* total: falling, absent last */
	CHECK_STR(list_get_sort_title(&list), "total");
	CHECK_STR(shown(&list), "[main] work LEAF2 leaf step other leaf");
	list_take_key(&list, 'r');
	CHECK_STR(shown(&list), "[main] step work leaf LEAF2 other leaf");
	list_take_key(&list, TERMINAL_END);
	list_take_key(&list, 's'); /* function: rising; the cursor stays on its row */
	CHECK_STR(shown(&list), "main step work leaf LEAF2 other [leaf]");
	list_take_key(&list, 's');
	CHECK(!list_get_sort_title(&list));
	list_take_key(&list, 'S');
	CHECK_STR(list_get_sort_title(&list), "function");
	end();
}

TEST(searches)
{
	uint32_t function;

	begin();
	CHECK(list_find(&list, "eaf2", false, false)); /* under a path that is closed */
	CHECK_STR(shown(&list), "main step work leaf [LEAF2] other leaf");
	CHECK(list_find(&list, "Leaf", true, false));
	CHECK_STR(shown(&list), "main step work leaf LEAF2 other [leaf]");
	CHECK_STR(list_get_name(&list, &function), "leaf");
	CHECK_EQ(function, 4);
	CHECK(list_find(&list, "leaf", true, false)); /* round the end */
	CHECK_STR(shown(&list), "main step work [leaf] LEAF2 other leaf");
	CHECK(list_find(&list, "leaf", true, true));
	CHECK_STR(shown(&list), "main step work leaf LEAF2 other [leaf]");
	CHECK(!list_find(&list, "nobody", true, false));
	CHECK(list_find(&list, "main", false, false));
	CHECK(list_find(&list, "main", true, false)); /* the only one */
	CHECK_STR(shown(&list), "[main] step work leaf LEAF2 other leaf");
	end();
}

/* A table that comes anew, in another order. */
TEST(follows_its_function)
{
	struct table_sink sink;

	begin();
	list_take_key(&list, TERMINAL_DOWN);
	list_take_key(&list, TERMINAL_DOWN);
	sink = grid_get_sink(grid);
	sink.begin(sink.context, "tree", tree_columns, 4);
	put(&sink, 0, 9, "new", 7);
	put(&sink, 0, 8, "main", 1);
	put(&sink, 0, 7, "step", 2);
	put(&sink, 0, 6, "work", 3);
	sink.end(sink.context);
	CHECK(list_set(&list, grid));
	CHECK_STR(shown(&list), "new main step [work]");
	list_take_key(&list, TERMINAL_HOME); /* the first place is the first place */
	fill(grid);
	list_set(&list, grid);
	CHECK_STR(shown(&list), "[main] step work other leaf");
	sink.begin(sink.context, "tree", tree_columns, 4);
	sink.end(sink.context);
	CHECK(list_set(&list, grid));
	CHECK_STR(shown(&list), "");
	list_take_key(&list, TERMINAL_DOWN);
	CHECK(!list_find(&list, "main", true, false));
	end();
}

/* Depths that no tree has, as deep as they like. */
TEST(deep)
{
	struct table_sink sink;

	begin();
	sink = grid_get_sink(grid);
	sink.begin(sink.context, "tree", tree_columns, 4);
	for (uint32_t i = 0; i < 100000; i++)
		put(&sink, i % 7 ? i : UINT32_MAX, i + 1, "f", 1);
	sink.end(sink.context);
	CHECK(list_set(&list, grid));
	list_take_key(&list, '*');
	list_take_key(&list, 's');
	list_take_key(&list, TERMINAL_END);
	CHECK_EQ(list.outline.count, 100000);
	CHECK(list.outline.shown_count > 0 && list.cursor == list.outline.shown_count - 1);
	uint8_t *seen = calloc(list.outline.count, 1);
	size_t twice = 0;

	for (size_t i = 0; i < list.outline.count; i++)
		twice += seen[list.outline.order[i]]++;
	CHECK_EQ(twice, 0);
	free(seen);
	end();
}

int main(void)
{
	RUN(optional_columns);
	RUN(keeps_what_people_see);
	RUN(opens_and_closes);
	RUN(sorts_under_parents);
	RUN(searches);
	RUN(follows_its_function);
	RUN(deep);
	return tap_done();
}
