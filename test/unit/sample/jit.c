/* Code of no file: which ranges are told, when, and what becomes of them. */
#include "sample/code/images.h"
#include "sample/code/jit_names.h"

#include <sys/stat.h>

#include "check.h"
#include "unit/sample/told.h"

static void map(struct images *images, uint32_t pid, uint64_t low, uint64_t high, uint64_t ns, const char *path)
{
	struct perf_record record = {.kind = PERF_MAP, .pid = pid, .tid = pid, .ns = ns};

	record.map.low = low;
	record.map.high = high;
	record.map.path = path;
	images_map(images, &record);
}

struct wanted {
	const char *path;
	uint64_t low, high, ns;
	bool unmapped;
};

static void check_modules(struct told *told, const struct wanted *wanted, size_t count)
{
	told_read(told);
	CHECK_EQ(told_count(told, MESSAGE_MODULE), count);
	for (size_t i = 0; i < count && told_get(told, MESSAGE_MODULE, i); i++) {
		const struct told_message *got = told_get(told, MESSAGE_MODULE, i);

		CHECK_STR(got->text, wanted[i].path);
		CHECK_EQ(got->message.module.low, wanted[i].low);
		CHECK_EQ(got->message.module.high, wanted[i].high);
		CHECK_EQ(got->message.module.load_ticks, wanted[i].ns);
		CHECK_EQ(got->message.module.unmapped, wanted[i].unmapped);
		if (*wanted[i].path == '[')
			CHECK_EQ(got->message.module.bias, 0);
	}
}
#define MODULES(told, ...)                                                                                                         \
	check_modules(                                                                                                             \
		told, (const struct wanted[]){__VA_ARGS__}, sizeof((const struct wanted[]){__VA_ARGS__}) / sizeof(struct wanted))

/* Memory becomes code page by page, and is protected anew a thousand times: one module, once a sample is in it, and one more when a
 * sample is where it has grown. */
TEST(growth)
{
	struct told told;
	struct images images;
	struct image *image;

	told_begin(&told, "jit.dwell");
	images = (struct images){.writer = told.writer, .diag = told.diag};
	image = images_find(&images, 7, 1);
	for (uint64_t page = 0; page < 1000; page++)
		map(&images, 7, 0x100000, 0x101000 + 0x1000 * page, 10 + page, "//anon");
	for (uint64_t page = 0; page < 1000; page++)
		map(&images, 7, 0x100000 + 0x1000 * page, 0x101000 + 0x1000 * page, 2000 + page, "//anon");
	CHECK_EQ(image->jit.count, 1);
	CHECK_EQ(image->changes, 0); /* nothing that chunks need to be cut for */
	images_note(&images, image, 0x100010);
	images_note(&images, image, 0x4e7fff);
	images_note(&images, image, 0x4e8000); /* behind it */
	map(&images, 7, 0x4e8000, 0x4e9000, 4000, "/memfd:code (deleted)");
	map(&images, 7, 0x600000, 0x601000, 4001, "[anon:code]");
	images_note(&images, image, 0x100020);
	images_note(&images, image, 0x4e8000);
	CHECK_EQ(image->jit.count, 2);
	CHECK_EQ(image->jit.addresses.count, 4);
	MODULES(&told, {"[jit]", 0x100000, 0x4e8000, 10, false}, {"[jit]", 0x100000, 0x4e8000, 10, true}, {"[jit]", 0x100000, 0x4e9000, 10, false});
	images_clear(&images);
	told_end(&told);
}

/* A library where code was, and code where a library was; what is left of both. */
TEST(taking_turns)
{
	struct told told;
	struct images images;
	struct image *image;
	uint64_t begin;

	told_begin(&told, "jit.dwell");
	images = (struct images){.writer = told.writer, .diag = told.diag};
	image = images_find(&images, 7, 1);
	map(&images, 7, 0x10000, 0x20000, 10, "//anon");
	images_note(&images, image, 0x10000);
	map(&images, 7, 0x14000, 0x15000, 20, "/a");
	images_note(&images, image, 0x13fff);
	images_note(&images, image, 0x14fff); /* of the file */
	images_note(&images, image, 0x15000);
	CHECK_EQ(image->jit.count, 2);
	CHECK_EQ(image->jit.addresses.count, 3);
	map(&images, 7, 0x14000, 0x15000, 30, "//anon");
	CHECK(!images_place(image, 0x14000, &begin));
	CHECK_EQ(image->jit.count, 1);
	images_note(&images, image, 0x14fff);
	MODULES(&told, {"[jit]", 0x10000, 0x20000, 10, false}, {"[jit]", 0x10000, 0x20000, 20, true}, {"/a", 0x14000, 0x15000, 20, false},
		{"[jit]", 0x10000, 0x14000, 10, false}, {"[jit]", 0x15000, 0x20000, 10, false}, {"/a", 0x14000, 0x15000, 30, true},
		{"[jit]", 0x10000, 0x14000, 10, true}, {"[jit]", 0x10000, 0x20000, 10, false});
	images_clear(&images);
	told_end(&told);
}

/* A child has its parent's code, as its own: its own map names it, and two processes are not one. */
TEST(processes)
{
	struct told told;
	struct images images;

	told_begin(&told, "jit.dwell");
	images = (struct images){.writer = told.writer, .diag = told.diag};
	images_find(&images, 7, 1);
	map(&images, 7, 0x10000, 0x20000, 10, "//anon");
	images_fork(&images, 8, 7, 20);
	for (uint32_t pid = 7; pid < 9; pid++)
		images_note(&images, images_find(&images, pid, 30), 0x10000);
	MODULES(&told, {"[jit]", 0x10000, 0x20000, 10, false}, {"[jit]", 0x10000, 0x20000, 20, false});
	CHECK(memcmp(images.images[0]->jit.id, images.images[1]->jit.id, JIT_ID_BYTES));
	images_clear(&images);
	told_end(&told);
}

int main(void)
{
	RUN(growth);
	RUN(taking_turns);
	RUN(processes);
	return tap_done();
}
