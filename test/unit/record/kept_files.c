/* Which file is kept: what is mapped at the address, if that is the build that the process says; else what is at the path. */
#include "check.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/sink/kept_files.h"
#include "symbol/build_id.h"

static char own[4096], folder[] = "/tmp/dwell-kept.XXXXXX", other[4200];

static bool is_file(const struct kept_file *file, const char *path)
{
	struct stat info;

	return file && kept_file_path(file) && stat(path, &info) == 0 && file->info.st_dev == info.st_dev &&
	       file->info.st_ino == info.st_ino;
}

/* The other one has the name of this program, and another path. */
static const struct kept_file *find(struct kept_files *files, const char *build)
{
	uint8_t id[BUILD_ID_BYTES_MAX];
	size_t bytes = 0;

	CHECK(!build || read_build_id(build, id, &bytes));
	return kept_files_find(files, (uint32_t)getpid(), other, (uint64_t)&find, id, bytes);
}

/* Under an emulator, what the kernel has mapped at an address of the program is something else. */
TEST(mapped_is_another_build)
{
	struct kept_files files = {0};

	CHECK(is_file(find(&files, own), own));
	CHECK(is_file(find(&files, NULL), own));
	CHECK(is_file(find(&files, other), other));
	kept_files_clear(&files);
}

int main(void)
{
	Dl_info info;

	CHECK(readlink("/proc/self/exe", own, sizeof own - 1) > 0);
	CHECK(mkdtemp(folder) && dladdr(dlsym(RTLD_DEFAULT, "getppid"), &info));
	snprintf(other, sizeof other, "%s%s", folder, strrchr(own, '/'));
	CHECK(symlink(info.dli_fname, other) == 0);
	RUN(mapped_is_another_build);
	unlink(other);
	rmdir(folder);
	return tap_done();
}
