/* Which files are mapped where: by hand, and in this process, whose loader knows it, too. */
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "check.h"
#include "sample/code/images.h"
#include "unit/sample/told.h"

static char self[4096];

static struct images begin_images(struct told *told)
{
	told_begin(told, "images.dwell");
	return (struct images){.writer = told->writer, .diag = told->diag};
}

static void end_images(struct images *images, struct told *told)
{
	CHECK_EQ(images->starved, 0);
	images_clear(images);
	told_end(told);
}

static struct perf_record map_of(uint32_t pid, uint64_t low, uint64_t bytes, uint64_t offset, const char *path)
{
	struct perf_record record = {.kind = PERF_MAP, .pid = pid, .tid = pid, .ns = 5};

	record.map.low = low;
	record.map.high = low + bytes;
	record.map.offset = offset;
	record.map.path = path;
	return record;
}

static void map(struct images *images, uint32_t pid, uint64_t low, const char *path)
{
	const struct perf_record record = map_of(pid, low, 0x1000, 0, path);

	images_map(images, &record);
}

struct loaded {
	const struct image *image;
	uint32_t seen;
};

static const struct image_map *find_map(const struct image *image, uint64_t address)
{
	for (size_t i = 0; i < image->map_count; i++)
		if (address >= image->maps[i].low && address < image->maps[i].high)
			return &image->maps[i];
	return NULL;
}

static int see_loaded(struct dl_phdr_info *info, size_t size, void *context)
{
	struct loaded *loaded = context;

	(void)size;
	for (uint32_t i = 0; i < info->dlpi_phnum; i++) {
		const struct image_map *found;

		if (info->dlpi_phdr[i].p_type != PT_LOAD || !(info->dlpi_phdr[i].p_flags & PF_X))
			continue;
		found = find_map(loaded->image, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
		if (CHECK(found))
			CHECK_EQ(found->bias, info->dlpi_addr);
		loaded->seen++;
	}
	return 0;
}

/* Where a function begins, and of which file it is: the loader says the same. */
static void check_place(const struct image *image, const void *function)
{
	uint64_t address = (uint64_t)(uintptr_t)function, begin = 0;
	const struct image_file *file = images_place(image, address + 1, &begin);
	struct dl_find_object object;
	char real[2][4096] = {"", "?"};

	if (!CHECK(file && _dl_find_object((void *)(uintptr_t)function, &object) == 0))
		return;
	CHECK_EQ(begin, address - object.dlfo_link_map->l_addr);
	CHECK(realpath(images_path(file), real[0]));
	CHECK(realpath(*object.dlfo_link_map->l_name ? object.dlfo_link_map->l_name : self, real[1]));
	CHECK_STR(real[0], real[1]);
}

TEST(of_this_process)
{
	struct told told;
	struct images images = begin_images(&told);
	struct loaded loaded = {0};
	const struct told_message *message;
	size_t modules = 0;

	images_map_running(&images, (uint32_t)getpid());
	CHECK_EQ(images.count, 1);
	loaded.image = images.images[0];
	dl_iterate_phdr(see_loaded, &loaded);
	CHECK(loaded.seen >= 3); /* this program, libc, the vdso or the loader */
	check_place(loaded.image, (const void *)(uintptr_t)check_place);
	check_place(loaded.image, (const void *)(uintptr_t)dlsym(RTLD_DEFAULT, "qsort"));
	CHECK(!images_place(loaded.image, (uint64_t)(uintptr_t)&told, &(uint64_t){0})); /* on the stack is no code */
	told_read(&told);
	for (; (message = told_get(&told, MESSAGE_MODULE, modules)); modules++) {
		const struct image_map *found = find_map(loaded.image, message->message.module.low);

		if (CHECK(found)) {
			CHECK_EQ(message->message.module.high, found->high);
			CHECK_EQ(message->message.module.bias, found->bias);
			CHECK_STR(message->text, images_path(found->file));
		}
	}
	CHECK_EQ(modules, loaded.image->map_count);
	end_images(&images, &told);
}

/* What is mapped over something takes its place; what is of no file is of no use. */
TEST(one_over_the_other)
{
	struct told told;
	struct images images = begin_images(&told);
	const struct image *image = images_find(&images, 7, 1);
	uint64_t begin;

	map(&images, 7, 0x10000, "/a");
	map(&images, 7, 0x12000, "/b");
	map(&images, 7, 0x14000, "");
	map(&images, 7, 0x15000, "//anon");
	map(&images, 7, 0x16000, "[stack]");
	CHECK_EQ(image->map_count, 2);
	CHECK_STR(images_path(images_place(image, 0x12345, &begin)), "/b");
	CHECK_EQ(begin, 0); /* the page, as no table tells the function */
	CHECK(!images_place(image, 0x11000, &begin));
	CHECK(!images_place(image, 0x16000, &begin));
	images_map(&images, &(struct perf_record){.kind = PERF_MAP, .pid = 7, .map = {.low = 0x10800, .high = 0x13000, .path = "/c"}});
	CHECK_EQ(image->map_count, 1);
	CHECK(!images_place(image, 0x10000, &begin));
	CHECK_STR(images_path(images_place(image, 0x12345, &begin)), "/c");
	CHECK_STR(image->path, "/a"); /* the first that was mapped is the program */
	CHECK_EQ(images.file_count, 3);
	map(&images, 8, 0x10000, "/a");
	CHECK_EQ(images.file_count, 3); /* a file is read once */
	end_images(&images, &told);
}

/* What is in the place of another is told as such, and when that one comes back, that it was away. */
TEST(by_turns)
{
	static const struct {
		const char *path;
		bool unmapped;
		uint64_t ns;
	} wanted[] = {{"/a", false, 10}, {"/a", true, 20}, {"/b", false, 20}, {"/b", true, 30}, {"/a", false, 30}};
	struct told told;
	struct images images = begin_images(&told);

	for (int i = 0; i < 3; i++) {
		struct perf_record record = map_of(7, 0x10000, 0x1000, 0, i == 1 ? "/b" : "/a");

		record.ns = 10 * (uint64_t)(i + 1);
		images_map(&images, &record);
	}
	told_read(&told);
	CHECK_EQ(told_count(&told, MESSAGE_MODULE), sizeof wanted / sizeof *wanted);
	for (size_t i = 0; i < told_count(&told, MESSAGE_MODULE); i++) {
		const struct told_message *got = told_get(&told, MESSAGE_MODULE, i);

		CHECK_STR(got->text, wanted[i].path);
		CHECK_EQ(got->message.module.unmapped, wanted[i].unmapped);
		CHECK_EQ(got->message.module.load_ticks, wanted[i].ns);
	}
	end_images(&images, &told);
}

/* A file that is another one by now, under the same name: what was read of the old one must not be used. */
TEST(replaced_file)
{
	struct told told;
	struct images images = begin_images(&told);
	char name[256];

	zoo_scratch(name, "library");
	for (int i = 0; i < 2; i++) {
		char aside[300];
		int fd;

		snprintf(aside, sizeof aside, "%s.new", name);
		fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC, 0600); /* before the old one goes: not its inode */
		CHECK(fd >= 0);
		close(fd);
		CHECK(rename(aside, name) == 0);
		map(&images, 7, 0x10000, name);
		CHECK_EQ(images.file_count, (size_t)i + 1);
	}
	unlink(name);
	end_images(&images, &told);
}

/* A child has what its parent has; another program in it has nothing of that. */
TEST(fork_and_exec)
{
	struct told told;
	struct images images = begin_images(&told);
	const struct image *parent, *child, *next;
	uint64_t begin;

	images_exec(&images, 7, 1);
	CHECK_EQ(images.count, 1);
	map(&images, 7, 0x10000, "/a");
	parent = images_find(&images, 7, 2);
	images_exec(&images, 9, 2); /* of a child nothing was heard of before */
	images_fork(&images, 8, 7, 3);
	child = images_find(&images, 8, 4);
	CHECK(child != parent && child->map_count == 1);
	CHECK_STR(child->path, "/a");
	CHECK_EQ(child->parent_pid, 7);
	CHECK(images_place(child, 0x10010, &begin) == images_place(parent, 0x10010, &begin));
	images_exec(&images, 8, 5);
	next = images_find(&images, 8, 6);
	CHECK(next != child && next->map_count == 0 && next->process != child->process);
	CHECK_EQ(next->parent_pid, 7);
	map(&images, 8, 0x20000, "/b");
	CHECK_STR(next->path, "/b");
	CHECK(images_place(child, 0x10010, &begin)); /* what it was is still known */
	CHECK(!images_place(next, 0x10010, &begin));
	/* An exec that comes before anything is mapped in the one before is the same program. */
	images_exec(&images, 10, 7);
	next = images_find(&images, 10, 8);
	images_exec(&images, 10, 9);
	CHECK(images_find(&images, 10, 10) == next);
	told_read(&told);
	CHECK_EQ(told_count(&told, MESSAGE_MODULE), 3); /* of the first, the same of its child, and of what that became */
	end_images(&images, &told);
}

/* By what was told, and by what is there. */
TEST(alive)
{
	struct told told;
	struct images images = begin_images(&told);
	pid_t child = fork();

	if (!child) {
		pause();
		_exit(0);
	}
	images_find(&images, (uint32_t)getpid(), 1)->threads = 1;
	images_find(&images, (uint32_t)child, 1)->threads = 1;
	CHECK_EQ(images_list_alive(&images, NULL, 0), 2);
	images_map(&images, &(struct perf_record){.kind = PERF_MAP, .pid = (uint32_t)child, .map = {.low = 1, .high = 2, .path = "/a"}});
	images_exec(&images, (uint32_t)child, 2); /* no thread was heard of since: it has ended, as far as is known */
	CHECK_EQ(images_list_alive(&images, NULL, 0), 1);
	images_find(&images, (uint32_t)child, 3)->threads = 1;
	CHECK_EQ(images_list_alive(&images, NULL, 0), 2); /* and once, whatever it was before */
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	CHECK_EQ(images_list_alive(&images, NULL, 0), 1); /* nobody told */
	images_find(&images, (uint32_t)getpid(), 4)->threads = 0;
	CHECK_EQ(images_list_alive(&images, NULL, 0), 0);
	end_images(&images, &told);
}

int main(void)
{
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

	self[length > 0 ? length : 0] = 0;
	RUN(of_this_process);
	RUN(one_over_the_other);
	RUN(by_turns);
	RUN(replaced_file);
	RUN(fork_and_exec);
	RUN(alive);
	return tap_done();
}
