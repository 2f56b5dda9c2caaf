/* content: finds or computes the digest of a file's content (content.h). */
#include "plan/content.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "plan/sealed.h"
#include "symbol/elf_file.h"
#include "util/foreign_file.h"

#define SETTLED_NS 60000000000u /* a file that did not change for so long gets a new ctime when it changes */
#define NAME_BYTES 64

/* What is kept of one file. */
struct known_file {
	uint64_t size, mtime_ns, ctime_ns, build_id_bytes;
	uint8_t build_id[BUILD_ID_BYTES_MAX + 4];
	struct digest digest;
};

static uint64_t to_ns(struct timespec time)
{
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* Returns whether the file is on a file system whose ctime comes from this machine's kernel. */
static bool has_own_ctime(int fd)
{
	static const uint32_t types[] = {
		0xef53, /* ext2, ext3, ext4 */
		0x58465342, /* xfs */
		0x9123683e, /* btrfs */
		0xf2f52010, /* f2fs */
		0xca451a4e, /* bcachefs */
		0x2fc12fc1, /* zfs */
		0x01021994, /* tmpfs */
		0x794c7630, /* overlayfs */
	};
	struct statfs status;

	if (fstatfs(fd, &status))
		return false;
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if ((uint32_t)status.f_type == types[i])
			return true;
	return false;
}

/* The file as it is now, without a digest. */
static struct known_file make_known(const struct stat *info, const struct content *content)
{
	struct known_file file = {.size = (uint64_t)info->st_size,
		.mtime_ns = to_ns(info->st_mtim),
		.ctime_ns = to_ns(info->st_ctim),
		.build_id_bytes = content->build_id_bytes};

	memcpy(file.build_id, content->build_id, content->build_id_bytes);
	return file;
}

static bool is_same_file(const struct known_file *a, const struct known_file *b)
{
	return !memcmp(a, b, offsetof(struct known_file, digest));
}

static bool find_known(const char *name, const struct known_file *file, struct digest *digest)
{
	struct known_file kept;
	struct bytes bytes;
	bool is_same = false;

	if (!sealed_read(name, &bytes))
		return false;
	if (bytes.size == sizeof kept) {
		memcpy(&kept, bytes.data, sizeof kept);
		is_same = is_same_file(&kept, file);
	}
	free((void *)bytes.data);
	if (is_same)
		*digest = kept.digest;
	return is_same;
}

static bool read_open(int fd, const struct stat *info, uint64_t now_ns, struct content *content)
{
	bool may_keep = content->build_id_bytes && has_own_ctime(fd);
	struct known_file file = make_known(info, content), after;
	struct stat info_after;
	char name[NAME_BYTES];

	snprintf(name, sizeof name, "content-of-%llx-%llx", (unsigned long long)info->st_dev, (unsigned long long)info->st_ino);
	if (may_keep && find_known(name, &file, &content->digest))
		return true;
	if (!digest_read_open(fd, file.size, &content->digest) || fstat(fd, &info_after))
		return false;
	after = make_known(&info_after, content);
	if (!is_same_file(&file, &after))
		return false;
	file.digest = content->digest;
	if (may_keep && now_ns > SETTLED_NS && file.ctime_ns < now_ns - SETTLED_NS)
		sealed_write(name, (struct bytes){(const uint8_t *)&file, sizeof file});
	return true;
}

bool content_read(const char *path, uint64_t now_ns, struct content *content)
{
	struct stat info;
	int fd = foreign_file_open(path, &info);
	Elf *elf = fd >= 0 ? make_elf(fd) : NULL;
	bool good;

	*content = (struct content){0};
	if (!elf || !elf_build_id(elf, content->build_id, &content->build_id_bytes))
		content->build_id_bytes = 0;
	elf_end(elf);
	good = fd >= 0 && read_open(fd, &info, now_ns, content);
	if (fd >= 0)
		close(fd);
	return good;
}
