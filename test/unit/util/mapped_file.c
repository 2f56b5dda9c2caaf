/* The file behind a mapping of this very process: at its path, behind another file at its path, removed, without any path. */
#include "check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "util/mapped_file.h"

static char path[] = "/tmp/dwell-mapped.XXXXXX";

/* Maps it, and forgets it otherwise. */
static void *map(int fd, const char *text)
{
	void *at;

	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	at = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	close(fd);
	CHECK(at != MAP_FAILED);
	return at;
}

static bool reads(const struct mapped *mapped, const char *text)
{
	char got[16] = "", name[MAPPED_NAME_BYTES];
	int fd = mapped_open_file(getpid(), mapped), again;

	if (fd < 0)
		return false;
	mapped_name_descriptor(name, fd);
	again = open(name, O_RDONLY);
	CHECK(read(again, got, sizeof got - 1) >= 0);
	close(again);
	close(fd);
	return !strcmp(got, text);
}

TEST(replaced_and_removed)
{
	struct mapped mapped;
	char other[sizeof path + 1];
	void *at = map(mkstemp(path), "first");
	int fd;

	CHECK(mapped_find(getpid(), (uint64_t)at + 100, &mapped));
	CHECK_STR(mapped.path, path);
	CHECK(!mapped.removed && mapped_is_at_path(&mapped) && reads(&mapped, "first"));

	/* As an upgrade does it. */
	snprintf(other, sizeof other, "%s~", path);
	fd = open(other, O_RDWR | O_CREAT | O_EXCL, 0600);
	CHECK(write(fd, "second", 6) == 6);
	close(fd);
	CHECK(rename(other, path) == 0);
	CHECK(mapped_find(getpid(), (uint64_t)at, &mapped));
	CHECK_STR(mapped.path, path);
	CHECK(mapped.removed && !mapped_is_at_path(&mapped));
	CHECK(!reads(&mapped, "second"));
	if (!geteuid()) /* map_files is for root */
		CHECK(reads(&mapped, "first"));

	unlink(path);
	CHECK(mapped_find(getpid(), (uint64_t)at, &mapped));
	CHECK(mapped.removed && !mapped_is_at_path(&mapped));
	munmap(at, 4096);
	CHECK(!mapped_find(getpid(), (uint64_t)at, &mapped));
}

TEST(without_path)
{
	struct mapped mapped;
	void *at = map(memfd_create("nameless", MFD_CLOEXEC), "memory");

	CHECK(mapped_find(getpid(), (uint64_t)at, &mapped));
	CHECK_STR(mapped.path, "/memfd:nameless");
	CHECK(mapped.inode && !mapped_is_at_path(&mapped));
	if (!geteuid())
		CHECK(reads(&mapped, "memory"));
	munmap(at, 4096);
}

/* No file, and the program itself, which anybody can read by /proc/PID/exe. */
TEST(stack_and_program)
{
	struct mapped mapped;
	int local = 0, fd;

	CHECK(mapped_find(getpid(), (uint64_t)&local, &mapped));
	CHECK_STR(mapped.path, "[stack]");
	CHECK(!mapped_is_at_path(&mapped) && mapped_open_file(getpid(), &mapped) < 0);
	CHECK(mapped_find(getpid(), (uint64_t)&reads, &mapped));
	strcpy(mapped.path, "/elsewhere");
	fd = mapped_open_file(getpid(), &mapped);
	CHECK(!mapped_is_at_path(&mapped) && fd >= 0);
	close(fd);
	CHECK(!mapped_next(NULL, &mapped));
	CHECK(!mapped_find(-1, 0, &mapped));
}

int main(void)
{
	RUN(replaced_and_removed);
	RUN(without_path);
	RUN(stack_and_program);
	return tap_done();
}
