/* Limits of memory as cgroups of both versions tell them, from files that are laid out as theirs. */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/memory_limit.h"

#define MIB (UINT64_C(1) << 20)

static char folder[] = "/tmp/dwell-limit.XXXXXX";
static char mounts[64], groups[64];

static void put(const char *text, const char *format, ...)
{
	char name[256], path[320];
	va_list list;
	FILE *file;

	va_start(list, format);
	vsnprintf(name, sizeof name, format, list);
	va_end(list);
	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "w");
	CHECK(file);
	fputs(text, file);
	fclose(file);
}

static void put_mount(const char *root, const char *type, const char *options)
{
	FILE *file = fopen(mounts, "w");

	fprintf(file, "22 1 0:21 / /proc rw,relatime - proc proc rw\n30 25 0:26 %s %s rw,nosuid shared:4 - %s cgroup %s\n", root, folder, type,
		options);
	fclose(file);
}

static struct memory_limit read_limit(void)
{
	return memory_limit_of_cgroups(mounts, groups);
}

static void begin(void)
{
	char path[64];

	CHECK(mkdtemp(folder));
	snprintf(mounts, sizeof mounts, "%s/mountinfo", folder);
	snprintf(groups, sizeof groups, "%s/cgroup", folder);
	snprintf(path, sizeof path, "%s/a", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/a/b", folder);
	mkdir(path, 0700);
}

TEST(version_2)
{
	put_mount("/", "cgroup2", "rw,nsdelegate");
	put("4:memory:/elsewhere\n0::/a/b\n", "cgroup");
	put("max\n", "a/b/memory.max");
	put("67108864\n", "a/memory.max");
	put("20971520\n", "a/memory.current");
	put("anon 10485760\nactive_file 1\ninactive_file 10485760\n", "a/memory.stat");
	CHECK_EQ(read_limit().bytes, 64 * MIB);
	CHECK_EQ(read_limit().free, 54 * MIB);
	/* Above high a process is held up rather than killed. */
	put("50331648\n", "a/b/memory.high");
	CHECK_EQ(read_limit().bytes, 48 * MIB);
	CHECK_EQ(read_limit().free, 48 * MIB);
	put("max\n", "a/b/memory.high");
	/* In a container: what is mounted is a part, and may go by another name here. */
	put("8388608\n", "memory.max");
	put_mount("/docker/x", "cgroup2", "rw");
	CHECK_EQ(read_limit().bytes, 8 * MIB);
	put("0::/docker/x/a\n", "cgroup");
	CHECK_EQ(read_limit().bytes, 8 * MIB);
	put("max\n", "memory.max");
	CHECK_EQ(read_limit().bytes, 64 * MIB);
	put("0::/docker/xy/a\n", "cgroup");
	CHECK_EQ(read_limit().bytes, UINT64_MAX);
}

TEST(version_1)
{
	put_mount("/", "cgroup", "rw,cpu,memory");
	put("9:name=systemd:/\n4:cpu,memory:/a/b\n0::/\n", "cgroup");
	put("268435456\n", "a/b/memory.limit_in_bytes");
	put("9223372036854771712\n", "a/memory.limit_in_bytes");
	put("134217728\n", "memory.limit_in_bytes");
	put("200000000\n", "memory.usage_in_bytes");
	CHECK_EQ(read_limit().bytes, 128 * MIB);
	CHECK_EQ(read_limit().free, 0);
	put_mount("/", "cgroup", "rw,cpu,memorys");
	CHECK_EQ(read_limit().bytes, UINT64_MAX);
}

/* No such file, and nonsense. */
TEST(nothing)
{
	put_mount("/", "cgroup2", "rw");
	put("\n::\n0:\n", "cgroup");
	CHECK_EQ(read_limit().bytes, UINT64_MAX);
	put("30 25 - cgroup2\n - \n", "mountinfo");
	CHECK_EQ(read_limit().free, UINT64_MAX);
	CHECK_EQ(memory_limit_of_cgroups("/nowhere", "/nowhere").bytes, UINT64_MAX);
	CHECK(memory_limit().bytes > MIB && memory_limit().free <= memory_limit().bytes);
}

int main(void)
{
	char command[80];

	begin();
	RUN(version_2);
	RUN(version_1);
	RUN(nothing);
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command) ? 1 : tap_done();
}
