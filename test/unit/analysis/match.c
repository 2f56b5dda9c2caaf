/* The same function in two builds: by name and file, in pieces, moved to another file, without a name. */
#include "analysis/diff/match.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static bool is_normal(const char *name, const char *wanted)
{
	char *normal = make_match_normal(name);
	bool good = normal && !strcmp(normal, wanted);

	if (!good)
		printf("# %s: %s, not %s\n", name, normal ? normal : "none", wanted);
	free(normal);
	return good;
}

TEST(normal_names)
{
	CHECK(is_normal("parse", "parse"));
	CHECK(is_normal("parse.part.0", "parse"));
	CHECK(is_normal("parse.isra.0.cold", "parse"));
	CHECK(is_normal("parse.constprop.12.isra.0", "parse"));
	CHECK(is_normal("parse.lto_priv.3", "parse"));
	CHECK(is_normal("parse.llvm.1234567890", "parse"));
	CHECK(is_normal("box<int>::get(int) [clone .part.0]", "box<int>::get(int)"));
	CHECK(is_normal("get(int) [clone .isra.0] [clone .cold]", "get(int)"));
	CHECK(is_normal("cold", "cold"));
	CHECK(is_normal(".cold", ".cold"));
	CHECK(is_normal("v1.2", "v1.2"));
	CHECK(is_normal("part.of", "part.of"));
	CHECK(is_normal("x.partition.0", "x.partition.0"));
	CHECK(is_normal("", ""));
	CHECK(is_normal("]", "]"));
	CHECK(is_normal(" [clone .cold]", ""));
	CHECK(is_normal("[unknown]", "[unknown]"));
}

/* "rows: old = new, …" in the order of row: side:name@file of all that are in it. */
static const struct match *of(const struct match *list, size_t count, int side, const char *name, const char *file)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].side == side && !strcmp(list[i].name, name) && !strcmp(list[i].file, file))
			return &list[i];
	return NULL;
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

TEST(by_name_and_file)
{
	struct match list[] = {{.side = 0, .name = "f", .file = "app"}, {.side = 1, .name = "f", .file = "app"},
		{.side = 1, .name = "f", .file = "app"}, {.side = 0, .name = "f", .file = "lib.so"}, {.side = 1, .name = "f", .file = "lib.so"},
		{.side = 0, .name = "g", .file = "app"}};

	CHECK(match(list, COUNT(list)) == 3);
	CHECK(of(list, COUNT(list), 0, "f", "app")->row == of(list, COUNT(list), 1, "f", "app")->row);
	CHECK(of(list, COUNT(list), 0, "f", "lib.so")->row == of(list, COUNT(list), 1, "f", "lib.so")->row);
	CHECK(of(list, COUNT(list), 0, "f", "app")->row != of(list, COUNT(list), 0, "f", "lib.so")->row);
	free_matches(list, COUNT(list));
}

TEST(pieces)
{
	struct match split[] = {{.side = 0, .name = "f", .file = "app"}, {.side = 1, .name = "f", .file = "app"},
		{.side = 1, .name = "f.part.0", .file = "app"}};
	struct match same[] = {{.side = 0, .name = "f", .file = "app"}, {.side = 1, .name = "f", .file = "app"},
		{.side = 0, .name = "f.part.0", .file = "app"}, {.side = 1, .name = "f.part.0", .file = "app"}};
	struct match renamed[] = {{.side = 0, .name = "f.isra.0", .file = "app"}, {.side = 1, .name = "f.constprop.0", .file = "app"}};

	CHECK(match(split, COUNT(split)) == 1 && !strcmp(split[2].row_name, "f"));
	CHECK(match(same, COUNT(same)) == 2);
	CHECK(!strcmp(of(same, 4, 1, "f.part.0", "app")->row_name, "f.part.0"));
	CHECK(match(renamed, COUNT(renamed)) == 1 && !strcmp(renamed[0].row_name, "f") && !strcmp(renamed[1].row_name, "f"));
	free_matches(split, COUNT(split));
	free_matches(same, COUNT(same));
	free_matches(renamed, COUNT(renamed));
}

TEST(moved)
{
	struct match moved[] = {{.side = 0, .name = "f", .file = "app"}, {.side = 1, .name = "f.part.0", .file = "lib.so"},
		{.side = 0, .name = "g", .file = "app"}, {.side = 1, .name = "g", .file = "app"}};
	struct match unclear[] = {{.side = 0, .name = "f", .file = "app"}, {.side = 1, .name = "f", .file = "lib1.so"},
		{.side = 1, .name = "f", .file = "lib2.so"}};

	CHECK(match(moved, COUNT(moved)) == 2);
	CHECK(of(moved, 4, 0, "f", "app")->row == of(moved, 4, 1, "f.part.0", "lib.so")->row);
	for (size_t i = 0; i < COUNT(moved); i++)
		CHECK(moved[i].row < 2);
	CHECK(match(unclear, COUNT(unclear)) == 3);
	free_matches(moved, COUNT(moved));
	free_matches(unclear, COUNT(unclear));
}

TEST(without_names)
{
	struct match same[] = {{.side = 0, .name = "app+0x10", .file = "app", .nameless = true, .build = 7},
		{.side = 1, .name = "app+0x10", .file = "app", .nameless = true, .build = 7},
		{.side = 1, .name = "app+0x20", .file = "app", .nameless = true, .build = 7}};
	struct match other[] = {{.side = 0, .name = "app+0x10", .file = "app", .nameless = true, .build = 7},
		{.side = 1, .name = "app+0x10", .file = "app", .nameless = true, .build = 8},
		{.side = 1, .name = "app+0x20", .file = "app", .nameless = true, .build = 8}};

	CHECK(match(same, COUNT(same)) == 2);
	CHECK(match(other, COUNT(other)) == 1 && !strcmp(other[0].row_name, "[no names] app"));
	CHECK(match(NULL, 0) == 0);
	free_matches(same, COUNT(same));
	free_matches(other, COUNT(other));
}

/* Two static functions `help` of a file: by address in one build, together where nothing tells them apart. */
TEST(functions_of_one_name_in_a_file)
{
	struct match one[] = {{.side = 0, .name = "help", .longer = "help (app+0x10)", .file = "app", .build = 7, .address = 0x10},
		{.side = 1, .name = "help", .longer = "help (app+0x20)", .file = "app", .build = 7, .address = 0x20},
		{.side = 0, .name = "help", .longer = "help (app+0x20)", .file = "app", .build = 7, .address = 0x20},
		{.side = 1, .name = "help", .longer = "help (app+0x10)", .file = "app", .build = 7, .address = 0x10}};
	struct match half[] = {{.side = 0, .name = "help", .longer = "help (app+0x10)", .file = "app", .build = 7, .address = 0x10},
		{.side = 1, .name = "help", .longer = "help (app+0x20)", .file = "app", .build = 7, .address = 0x20}};
	struct match other[] = {{.side = 0, .name = "help", .file = "app", .build = 7, .address = 0x10},
		{.side = 0, .name = "help", .file = "app", .build = 7, .address = 0x20},
		{.side = 1, .name = "help", .file = "app", .build = 8, .address = 0x18},
		{.side = 1, .name = "help", .file = "app", .build = 8, .address = 0x28}};

	CHECK(match(one, COUNT(one)) == 2);
	for (size_t i = 0; i < COUNT(one); i++) {
		CHECK(one[i].row == (one[i].address == 0x20));
		CHECK(!strcmp(one[i].row_name, one[i].longer));
	}
	CHECK(match(half, COUNT(half)) == 2);
	CHECK(match(other, COUNT(other)) == 1 && !strcmp(other[0].row_name, "help"));
	free_matches(one, COUNT(one));
	free_matches(half, COUNT(half));
	free_matches(other, COUNT(other));
}

int main(void)
{
	RUN(normal_names);
	RUN(by_name_and_file);
	RUN(pieces);
	RUN(functions_of_one_name_in_a_file);
	RUN(moved);
	RUN(without_names);
	return tap_done();
}
