/* Files that belong together: all of them take their places, or all is as it was and nothing is left. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/aside.h"

static char folder[] = "/tmp/dwell-aside-XXXXXX";

static void write_file(const char *name, const char *text)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	CHECK_EQ(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void check_file(const char *name, const char *text)
{
	char buffer[64] = "";
	int fd = open(name, O_RDONLY);

	CHECK(fd >= 0);
	CHECK(read(fd, buffer, sizeof buffer - 1) >= 0);
	close(fd);
	CHECK_STR(buffer, text);
}

static size_t count_names(void)
{
	FILE *list = popen("ls -A | wc -l", "r");
	size_t count = 0;

	CHECK_EQ(fscanf(list, "%zu", &count), 1);
	pclose(list);
	return count;
}

static void begin(struct aside_file files[2])
{
	static const char *const paths[] = {"one", "two"};

	for (size_t i = 0; i < 2; i++) {
		files[i] = (struct aside_file){.path = paths[i]};
		files[i].fd = aside_open(paths[i], O_WRONLY, &files[i].temporary);
		CHECK_EQ(write(files[i].fd, "new", 3), 3);
	}
}

static void end(struct aside_file files[2])
{
	for (size_t i = 0; i < 2; i++) {
		aside_drop(files[i].temporary);
		close(files[i].fd);
	}
}

TEST(both_appear)
{
	struct aside_file files[2];

	begin(files);
	CHECK_EQ(aside_appear_all(files, 2), 2); /* where nothing was */
	end(files);
	check_file("one", "new");
	write_file("one", "old");
	unlink("two");
	begin(files);
	CHECK_EQ(aside_appear_all(files, 2), 2); /* in the place of one */
	end(files);
	check_file("one", "new");
	check_file("two", "new");
	CHECK_EQ(count_names(), 2);
}

TEST(one_cannot)
{
	struct aside_file files[2];

	write_file("one", "old");
	unlink("two");
	mkdir("two", 0777);
	begin(files);
	CHECK_EQ(aside_appear_all(files, 2), 1);
	CHECK_EQ(errno, EISDIR);
	end(files);
	check_file("one", "old");
	CHECK_EQ(count_names(), 2);
	rmdir("two");
	/* The first has taken its place before it is found out: back it goes. */
	for (int is_new = 0; is_new < 2; is_new++) {
		if (is_new)
			unlink("one");
		write_file("two", "old");
		begin(files);
		aside_drop(files[1].temporary);
		files[1].temporary = strdup("nothing");
		CHECK_EQ(aside_appear_all(files, 2), 1);
		CHECK_EQ(errno, ENOENT);
		end(files);
		if (!is_new)
			check_file("one", "old");
		check_file("two", "old");
		CHECK_EQ(count_names(), is_new ? 1 : 2);
	}
}

int main(void)
{
	CHECK(mkdtemp(folder) && !chdir(folder));
	RUN(both_appear);
	RUN(one_cannot);
	unlink("one");
	unlink("two");
	CHECK(!chdir("/") && !rmdir(folder));
	return tap_done();
}
