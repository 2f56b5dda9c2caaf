/* Names of code made at run time: maps as programs write them, and such as nobody should. */
#include "sample/code/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "zoo.h"

/* Reads it for these addresses (0: no more); the names, line by line. */
static void read_text(struct perf_map *map, const char *lines, size_t bytes, const uint64_t *addresses, char text[static 4096])
{
	struct address_set set = {0};
	FILE *file = fmemopen((void *)(uintptr_t)lines, bytes, "r");
	size_t used = 0;

	*map = (struct perf_map){0};
	*text = 0;
	while (*addresses)
		address_set_add(&set, *addresses++);
	if (CHECK(file))
		CHECK(perf_map_read(map, file, &set));
	for (size_t i = 0; i < map->count && used < 4096; i++)
		used += (size_t)snprintf(text + used, 4096 - used, "%" PRIx64 " %" PRIu64 " %s\n", map->names[i].address, map->names[i].size,
			map->names[i].name);
	fclose(file);
	address_set_clear(&set);
}

#define READ(map, lines, text, ...) read_text(map, lines, sizeof lines - 1, (const uint64_t[]){__VA_ARGS__, 0}, text)

TEST(names)
{
	static const char lines[] = "1000 10 first\n1010 20 JS:*sum /a b/@c.js:1:2\n0x2000 0X8 void f(int)\r\n3000 10 unasked\n"
				    "0000000000004000 0000000000000010 zeros\nffffffffFFFFFFF0 f last\n";
	char text[4096];
	struct perf_map map;

	READ(&map, lines, text, 0x1000, 0x100f, 0x102f, 0x1030, 0x2007, 0x400f, UINT64_MAX - 1);
	CHECK_STR(text, "1000 16 first\n1010 32 JS:*sum /a b/@c.js:1:2\n2000 8 void f(int)\n4000 16 zeros\nfffffffffffffff0 15 last\n");
	CHECK_EQ(map.named, 6);
	CHECK_EQ(map.doubled + map.bad_lines + map.is_cut, 0);
	perf_map_clear(&map);
}

/* A program puts code where other code was: the last one is named, and it is known of which addresses more was said than one
 * thing. */
TEST(one_over_the_other)
{
	static const char lines[] = "1000 100 old\n2000 100 twice\n1000 80 new\n2000 100 twice\n1040 8 newest\n3000 10 gone\n3000 10 here\n";
	char text[4096];
	struct perf_map map;

	READ(&map, lines, text, 0x1010, 0x1044, 0x1048, 0x1090, 0x2000, 0x3000);
	CHECK_STR(text, "1000 256 old\n1000 128 new\n2000 256 twice\n1040 8 newest\n3000 16 here\n");
	CHECK_EQ(map.named, 6);
	CHECK_EQ(map.doubled, 4); /* 1010, 1044, 1048, 3000 */
	perf_map_clear(&map);
}

/* What each bad line is, alone between two good ones. */
TEST(bad_lines)
{
	static const char *const bad[] = {"", " ", "1000", "1000 10", "1000 10 ", "x 10 f", "1000 y f", "1000  10 f", "0x 10 f", "1000 0x f",
		"-1000 10 f", "11000000000000000 10 f", "1000 10000000000000001 f", "fffffffffffffff0 11 f", "1000\t10\tf", "\x7f" "ELF\x02\x01"};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char lines[200], text[4096], shown[40];
		struct perf_map map;
		size_t bytes = (size_t)snprintf(lines, sizeof lines, "1000 10 f\n%s\n2000 10 g\n", bad[i]);

		read_text(&map, lines, bytes, (const uint64_t[]){0x1000, 0x2000, 0}, text);
		CHECK_STR(text, "1000 16 f\n2000 16 g\n");
		CHECK_EQ(map.bad_lines, 1);
		CHECK_EQ(map.bad_number, 2);
		CHECK_EQ(map.bad_offset, 10);
		snprintf(shown, sizeof shown, "%s", i == 15 ? "?ELF??" : i == 14 ? "1000?10?f" : bad[i]);
		CHECK_STR(map.bad_text, shown);
		perf_map_clear(&map);
	}
}

TEST(hostile)
{
	static const char zero[] = "1000 10 f\0g\n2000 10 h\n";
	static const char unended[] = "1000 10 f\n2000 10 hal";
	char text[4096], *lines = malloc(3 * PERF_MAP_LINE_BYTES);
	size_t used = 0;
	struct perf_map map;

	READ(&map, zero, text, 0x1000, 0x2000);
	CHECK_STR(text, "2000 16 h\n");
	CHECK_EQ(map.bad_lines, 1);
	perf_map_clear(&map);
	READ(&map, unended, text, 0x1000, 0x2000); /* "half"? */
	CHECK_STR(text, "1000 16 f\n");
	CHECK_EQ(map.bad_lines, 0);
	perf_map_clear(&map);
	/* The longest line that is one, and one byte more. */
	for (int more = 0; more < 2; more++) {
		used += (size_t)sprintf(lines + used, "%d000 10 ", more + 1);
		memset(lines + used, 'n', PERF_MAP_LINE_BYTES);
		used += PERF_MAP_LINE_BYTES - 1 - 8 + (size_t)more;
		lines[used++] = '\n';
	}
	used += (size_t)sprintf(lines + used, "3000 10 g\n");
	read_text(&map, lines, used, (const uint64_t[]){0x1000, 0x2000, 0x3000, 0}, text);
	CHECK_EQ(map.count, 2);
	CHECK_EQ(strlen(map.names[0].name), PERF_MAP_LINE_BYTES - 1 - 8);
	CHECK_STR(map.names[1].name, "g");
	CHECK_EQ(map.bad_lines, 1);
	CHECK_EQ(map.bad_number, 2);
	CHECK_EQ(map.bad_offset, PERF_MAP_LINE_BYTES);
	perf_map_clear(&map);
	free(lines);
}

/* Every function holds every address: what that takes must not be the product. */
TEST(all_over_all)
{
	struct address_set set = {0};
	struct perf_map map = {0};
	size_t bytes, functions = 200000;
	char *text;
	FILE *file = open_memstream(&text, &bytes);

	for (size_t i = 1; i <= 100000; i++)
		address_set_add(&set, i);
	for (size_t i = 0; i < functions; i++)
		fprintf(file, "1 fffffff f%zu\n", i);
	fclose(file);
	file = fmemopen(text, bytes, "r");
	CHECK(perf_map_read(&map, file, &set));
	CHECK_EQ(map.count, 1);
	CHECK_STR(map.names[0].name, "f199999");
	CHECK_EQ(map.named, 100000);
	CHECK_EQ(map.doubled, 100000);
	fclose(file);
	free(text);
	perf_map_clear(&map);
	address_set_clear(&set);
}

TEST(whose_it_is)
{
	struct timespec before = {1000, 500}, at = {2000, 500}, behind = {2000, 501};
	char path[256], other[256], why[100];
	FILE *file = fopen(zoo_scratch(path, "perf.map"), "w");

	CHECK(file && !fclose(file) && !utimensat(AT_FDCWD, path, (const struct timespec[]){at, at}, 0));
	file = perf_map_open(path, geteuid(), before, why);
	CHECK(file && !*why && !fclose(file));
	file = perf_map_open(path, geteuid(), at, why);
	CHECK(file && !*why && !fclose(file));
	CHECK(!perf_map_open(path, geteuid(), behind, why) && !errno);
	CHECK_STR(why, "it is older than the process, so it is of another one");
	CHECK(!perf_map_open(path, geteuid() + 1, before, why) && strstr(why, "belongs to user"));
	CHECK(!symlink(path, zoo_scratch(other, "link")));
	CHECK(!perf_map_open(other, geteuid(), before, why));
	CHECK_STR(why, "it is a symbolic link");
	unlink(other);
	CHECK(!mkfifo(other, 0600));
	CHECK(!perf_map_open(other, geteuid(), before, why));
	CHECK_STR(why, "it is a pipe");
	unlink(other);
	CHECK(!perf_map_open(other, geteuid(), before, why) && errno == ENOENT && !*why);
	unlink(path);
}

int main(void)
{
	RUN(names);
	RUN(one_over_the_other);
	RUN(bad_lines);
	RUN(hostile);
	RUN(all_over_all);
	RUN(whose_it_is);
	return tap_done();
}
