/* What a program has in memory, and which variable lies where: of this program, and of files that are none. */
#include "symbol/object.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "coff_text.h"
#include "symbol/image.h"

const char test_text[] = "a text of this program";
int test_zeroed[64];
int test_set[4] = {1, 2, 3, 4};
extern const char __ehdr_start;
/* A label in the middle of a variable, as linkers' scripts and assembly have them. */
int test_labelled[16];
__asm__(".globl test_label_inside\n.set test_label_inside, test_labelled + 32\n"
	".type test_label_inside, @notype\n.size test_label_inside, 0\n");

static char self[4096];

static uint64_t link_time(const void *p)
{
	return (uint64_t)((const char *)p - &__ehdr_start); /* it is position-independent: linked for 0 */
}

TEST(variables)
{
	struct object_table *table = make_object_table(self);
	uint64_t offset = 99;

	CHECK_STR(object_find(table, link_time(test_zeroed), &offset), "test_zeroed");
	CHECK_EQ(offset, 0);
	CHECK_STR(object_find(table, link_time(&test_zeroed[63]) + 3, &offset), "test_zeroed");
	CHECK_EQ(offset, 255);
	CHECK_STR(object_find(table, link_time(test_set), &offset), "test_set");
	CHECK_STR(object_find(table, link_time(&test_labelled[9]), &offset), "test_labelled");
	CHECK_EQ(offset, 36);
	CHECK(!object_find(table, UINT64_MAX, &offset));
	free_object_table(table);
}

/* By way of a file without a name. */
static struct object_table *make_objects_of(const void *data, size_t bytes)
{
	int fd = memfd_create("program", MFD_CLOEXEC);
	char path[32];
	struct object_table *table = NULL;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (write(fd, data, bytes) == (ssize_t)bytes)
		table = make_object_table(path);
	close(fd);
	return table;
}

struct holder {
	uint64_t address;
	const char *name; /* null: nobody */
	uint64_t offset;
};

static void check_holders(const struct object_table *table, const struct holder *list, size_t count)
{
	for (size_t i = 0; CHECK(table) && i < count; i++) {
		uint64_t offset = 0;
		const char *name = object_find(table, list[i].address, &offset);

		if (!list[i].name)
			CHECK(!name);
		else if (CHECK(name))
			CHECK_STR(name, list[i].name);
		CHECK_EQ(name ? offset : 0, list[i].offset);
	}
}

/* They tell no sizes: up to the next one, and to the end of their section. */
TEST(coff)
{
	static const char body[] = "section .text 0x220 0x6c0 0x520\nsection .bss 0x4000 0x200 0x280\nsection .far 0x8000 0x40 0x80\n"
				   "symbol .bss 0x4000 .bss 0 3 0x200\nsymbol ___bss__ 0x4000 .bss 0 2\nsymbol _main 0x220 .text 0x24 2\n"
				   "symbol _task1Handle 0x4010 .bss 4 2\nsymbol _tasks 0x4020 .bss 4 2\nsymbol _hidden 0x4100 .bss 4 3\n"
				   "symbol $C$DW$1 0x4180 .bss 4 3\nsymbol _last 0x8000 .far 4 2\nsymbol _outside 0x9000 .far 4 2\n"
				   "symbol __STACK_SIZE 0x4014 -1 4 2\nsymbol _nowhere 0x4018 9 4 2\n";
	static const struct holder want[] = {{0x400c, NULL, 0}, {0x4010, "task1Handle", 0}, {0x401c, "task1Handle", 12}, {0x4020, "tasks", 0},
		{0x40a0, "tasks", 0x80}, {0x4104, "hidden", 4}, {0x41fc, "hidden", 0xfc}, {0x4200, NULL, 0}, {0x8004, "last", 4}, {0x8040, NULL, 0},
		{0x9000, NULL, 0}, {0x220, NULL, 0}};
	static const char *const heads[] = {"coff 0 little\n", "coff 1 big\n", "coff 2 little\n", "coff 2 big\n"};
	char text[4096];

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		struct coff_text *coff;
		struct object_table *table;

		snprintf(text, sizeof text, "%s%s", heads[i], body);
		coff = make_coff_of_text(text);
		table = make_objects_of(coff->data, coff->bytes);
		check_holders(table, want, sizeof want / sizeof *want);
		free_object_table(table);
		for (size_t bytes = 0; bytes < coff->bytes; bytes++) /* cut anywhere */
			free_object_table(make_objects_of(coff->data, bytes));
		free_coff_of_text(coff);
	}
}

TEST(maps)
{
	static const char text[] =
		"******************************************************************************\n"
		"               TMS320C6x COFF Linker PC v6.1.0                      \n"
		"******************************************************************************\n"
		"SECTION ALLOCATION MAP\n\n"
		".text      0    00000220    00000020     \n                  00000220    00000020     app.obj (.text)\n\n"
		".bss       0    00004000    00000200     UNINITIALIZED\n"
		"                  00004000    00000100     app.obj (.bss)\n                  00004100    00000100     other.obj (.bss)\n\n\n"
		"GLOBAL SYMBOLS: SORTED BY Symbol Address \n\naddress    name\n--------   ----\n"
		"00000220   _main\n00000400   __STACK_SIZE\n00004000   .bss\n00004010   _task1Handle\n00004020   _tasks\n00004110   _other\n"
		"00009000   _outside\nffffffff   pinit\nUNDEFED   __vectors\n\n[9 symbols]\n";
	static const struct holder want[] = {{0x4004, NULL, 0}, {0x4010, "task1Handle", 0}, {0x401c, "task1Handle", 12}, {0x40a0, "tasks", 0x80},
		{0x4104, NULL, 0}, {0x4110, "other", 0}, {0x4200, NULL, 0}, {0x9000, NULL, 0}, {0x220, NULL, 0}};
	struct object_table *table = make_objects_of(text, sizeof text - 1);

	check_holders(table, want, sizeof want / sizeof *want);
	free_object_table(table);
	for (size_t bytes = 0; bytes < sizeof text; bytes++)
		free_object_table(make_objects_of(text, bytes));
}

TEST(memory)
{
	struct symbol_image *image = make_symbol_image(self);
	char text[4096];
	uint64_t last = 0;

	CHECK_EQ(symbol_image_read(image, link_time(test_text), text, sizeof test_text), sizeof test_text);
	CHECK_STR(text, test_text);
	CHECK_EQ(symbol_image_read(image, link_time(test_set), text, sizeof test_set), sizeof test_set);
	CHECK(!memcmp(text, test_set, sizeof test_set));
	CHECK_EQ(symbol_image_read(image, link_time(test_zeroed) + 128, text, 4), 0); /* the file has no bytes for it */
	CHECK(symbol_image_count(image) > 1);
	for (size_t i = 0; i < symbol_image_count(image); i++) {
		CHECK(symbol_image_at(image, i).low < symbol_image_at(image, i).high);
		last = symbol_image_at(image, i).high > last ? symbol_image_at(image, i).high : last;
	}
	CHECK(last >= link_time(test_zeroed) + sizeof test_zeroed);
	CHECK_EQ(symbol_image_read(image, last, text, 1), 0);
	free_symbol_image(image);
}

TEST(files_that_are_none)
{
	static const char *const paths[] = {"/nowhere", "/", "/dev/null", "/etc/passwd"};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		CHECK(!make_object_table(paths[i]));
		CHECK(!make_symbol_image(paths[i]));
	}
	free_object_table(NULL);
	free_symbol_image(NULL);
}

int main(void)
{
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	self[length > 0 ? length : 0] = 0;
	RUN(variables);
	RUN(coff);
	RUN(maps);
	RUN(memory);
	RUN(files_that_are_none);
	return tap_done();
}
