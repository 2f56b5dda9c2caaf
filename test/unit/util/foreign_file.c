/* A file, and what may be in its place; nothing of that is waited for. */
#include "check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "util/foreign_file.h"

static char folder[] = "/tmp/dwell-foreign.XXXXXX";

static void refuses(const char *path, const char *problem)
{
	struct stat info;

	CHECK_EQ(foreign_file_open(path, &info), -1);
	CHECK_STR(foreign_file_problem(&info), problem);
	CHECK_EQ(foreign_file_open(path, NULL), -1);
}

TEST(files)
{
	struct stat info;
	int fd;
	FILE *file = fopen("file", "w");

	CHECK(file && fputs("text", file) >= 0 && !fclose(file) && !symlink("file", "link"));
	fd = foreign_file_open("link", &info);
	CHECK(fd >= 0 && info.st_size == 4 && !close(fd));
	fd = foreign_file_open_unlinked("file", &info);
	CHECK(fd >= 0 && info.st_size == 4 && !close(fd));
	CHECK_EQ(foreign_file_open_unlinked("link", &info), -1);
	CHECK_STR(foreign_file_problem(&info), "it is a symbolic link");
}

TEST(other_kinds)
{
	struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "socket"};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	CHECK(!mkfifo("pipe", 0600) && !symlink("pipe", "link to pipe"));
	CHECK(fd >= 0 && !bind(fd, (struct sockaddr *)&name, sizeof name));
	refuses("pipe", "it is a pipe");
	refuses("link to pipe", "it is a pipe");
	refuses("socket", "it is a socket");
	refuses(".", "it is a directory");
	refuses("/dev/null", "it is a device");
	refuses("none", strerror(ENOENT));
	close(fd);
}

int main(void)
{
	CHECK(mkdtemp(folder) && !chdir(folder) && !setenv("PWD", folder, 1));
	RUN(files);
	RUN(other_kinds);
	CHECK(!system("rm -r \"$PWD\""));
	return tap_done();
}
