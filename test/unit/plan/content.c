/* The digest of a file's content: kept for files that have not changed for a minute, and computed again where anything differs. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "plan/content.h"
#include "plan/read_file.h"
#include "plan/sealed.h"
#include "util/clock.h"

#define PIE "test/fuzz/corpus/plan/pie" /* has a build-id */
#define CASES "test/fuzz/corpus/plan/cases" /* has none */
#define HOUR_NS UINT64_C(3600000000000)

static char folder[64], program[128], kept[256];

static void copy_program(const char *name)
{
	const char *tree = getenv("ROOT");
	struct bytes bytes = {0};
	char from[4096];
	FILE *file;

	snprintf(from, sizeof from, "%s/%s", tree ? tree : ".", name);
	CHECK(plan_read_file(from, &bytes, NULL));
	file = fopen(program, "w");
	if (CHECK(file != NULL)) {
		CHECK_EQ(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
		fclose(file);
	}
	free((void *)bytes.data);
}

static struct digest read_at(uint64_t now_ns)
{
	struct content content;

	CHECK(content_read(program, now_ns, &content));
	return content.digest;
}

/* Whether dwell keeps a digest of the program; sets the name of the file. */
static bool is_kept(void)
{
	struct stat info;

	CHECK(!stat(program, &info));
	snprintf(kept, sizeof kept, "%s/dwell/plans/content-of-%llx-%llx", folder, (unsigned long long)info.st_dev,
		(unsigned long long)info.st_ino);
	return !access(kept, F_OK);
}

static bool is_same(struct digest a, struct digest b)
{
	return a.a == b.a && a.b == b.b;
}

static struct digest compute(void)
{
	struct bytes bytes = {0};
	struct digest digest;

	CHECK(plan_read_file(program, &bytes, NULL));
	digest = digest_of(bytes);
	free((void *)bytes.data);
	return digest;
}

/* Changes a byte of the file, and keeps its mtime. */
static void change(void)
{
	struct stat info;
	uint8_t byte;
	int fd = open(program, O_RDWR);

	CHECK(!fstat(fd, &info));
	CHECK_EQ(pread(fd, &byte, 1, info.st_size - 1), 1);
	byte ^= 1;
	CHECK_EQ(pwrite(fd, &byte, 1, info.st_size - 1), 1);
	CHECK(!futimens(fd, (struct timespec[2]){info.st_atim, info.st_mtim}));
	close(fd);
}

TEST(a_file_just_changed_is_not_kept)
{
	copy_program(PIE);
	CHECK(is_same(read_at(clock_ns(CLOCK_REALTIME)), compute()));
	CHECK(!is_kept());
	CHECK(is_same(read_at(0), compute()));
	CHECK(!is_kept());
}

/* In an hour, the file has not changed for a minute. */
TEST(another_content_is_another_digest)
{
	const uint64_t later_ns = clock_ns(CLOCK_REALTIME) + HOUR_NS;
	struct digest first;

	first = read_at(later_ns);
	CHECK(is_same(first, compute()));
	if (!is_kept()) {
		printf("# the file system may give any times\n");
		return;
	}
	usleep(50000); /* the clock of the file system goes in steps */
	change();
	CHECK(is_same(read_at(later_ns), compute()));
	CHECK(!is_same(read_at(later_ns), first));
}

/* Forges the kept digest: where the forged one is returned, the file was not read. */
TEST(an_unchanged_file_is_not_read)
{
	const uint64_t later_ns = clock_ns(CLOCK_REALTIME) + HOUR_NS;
	const char *name;
	struct digest forged = {1, 2};
	struct bytes bytes = {0};

	read_at(later_ns);
	if (!is_kept())
		return;
	name = strrchr(kept, '/') + 1;
	CHECK(sealed_read(name, &bytes));
	memcpy((uint8_t *)bytes.data + bytes.size - sizeof forged, &forged, sizeof forged);
	sealed_write(name, bytes);
	CHECK(is_same(read_at(0), forged));
	change();
	CHECK(is_same(read_at(0), compute()));
	free((void *)bytes.data);
}

TEST(a_file_without_a_build_id_is_not_kept)
{
	unlink(kept);
	copy_program(CASES);
	CHECK(is_same(read_at(clock_ns(CLOCK_REALTIME) + HOUR_NS), compute()));
	CHECK(!is_kept());
}

int main(void)
{
	char command[128];

	strcpy(folder, "/tmp/content-XXXXXX");
	if (!mkdtemp(folder))
		return 1;
	setenv("XDG_CACHE_HOME", folder, 1);
	snprintf(program, sizeof program, "%s/program", folder);
	RUN(a_file_just_changed_is_not_kept);
	RUN(another_content_is_another_digest);
	RUN(an_unchanged_file_is_not_read);
	RUN(a_file_without_a_build_id_is_not_kept);
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return system(command) ? 1 : tap_done();
}
