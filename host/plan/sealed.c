/* sealed: reads and writes sealed files (sealed.h). */
#include "plan/sealed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plan/digest.h"
#include "plan/read_file.h"
#include "symbol/build_id.h"

#define PATH_BYTES 4096
#define NAME_BYTES_MAX 128

/* The seal: a hash of the content, the name, and the dwell that wrote the file, because another dwell may write other content. */
#define SEAL_BYTES 16u

static void make_seal(const char *name, struct bytes content, uint8_t seal[SEAL_BYTES])
{
	struct digest digest = digest_of(content);
	uint8_t maker[BUILD_ID_BYTES_MAX];
	size_t maker_bytes;

	digest_add(&digest, (struct bytes){(const uint8_t *)name, strlen(name)});
	digest_add(&digest, (struct bytes){(const uint8_t *)DWELL_VERSION, sizeof DWELL_VERSION});
	if (read_build_id("/proc/self/exe", maker, &maker_bytes))
		digest_add(&digest, (struct bytes){maker, maker_bytes});
	put_u64(seal, digest.a);
	put_u64(seal + 8, digest.b);
}

/* Returns false if the environment names no folder. */
static bool get_folder(char path[PATH_BYTES])
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int bytes;

	if (cache && *cache == '/')
		bytes = snprintf(path, PATH_BYTES, "%s/dwell/plans", cache);
	else if (home && *home == '/')
		bytes = snprintf(path, PATH_BYTES, "%s/.cache/dwell/plans", home);
	else
		return false;
	return bytes > 0 && bytes < PATH_BYTES - NAME_BYTES_MAX - 32;
}

static bool make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (mkdir(path, 0700) && errno != EEXIST && access(path, X_OK)) {
			*slash = '/';
			return false;
		}
		*slash = '/';
	}
	return !mkdir(path, 0700) || errno == EEXIST;
}

/* Returns whether the file or folder belongs to this user, and no other user can write to it. kind: S_IFREG or S_IFDIR. */
static bool is_private_to_user(int fd, mode_t kind)
{
	struct stat status;

	return !fstat(fd, &status) && (status.st_mode & S_IFMT) == kind && status.st_uid == geteuid() && !(status.st_mode & 022);
}

/* Returns −1 if the folder does not exist or is writable by other users. */
static int open_folder(const char *path)
{
	int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (folder >= 0 && !is_private_to_user(folder, S_IFDIR)) {
		close(folder);
		folder = -1;
	}
	return folder;
}

static bool read_file(int folder, const char *name, struct bytes *file)
{
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool good = fd >= 0 && is_private_to_user(fd, S_IFREG) && plan_read_open(fd, file);

	if (fd >= 0)
		close(fd);
	return good;
}

static bool has_valid_seal(const char *name, struct bytes file)
{
	uint8_t seal[SEAL_BYTES];

	if (file.size < SEAL_BYTES)
		return false;
	make_seal(name, (struct bytes){file.data, file.size - SEAL_BYTES}, seal);
	return !memcmp(seal, file.data + file.size - SEAL_BYTES, SEAL_BYTES);
}

bool sealed_read(const char *name, struct bytes *content)
{
	char path[PATH_BYTES];
	struct bytes file = {0};
	int folder;
	bool good;

	if (!get_folder(path) || (folder = open_folder(path)) < 0)
		return false;
	good = read_file(folder, name, &file) && has_valid_seal(name, file);
	if (good) {
		*content = (struct bytes){file.data, file.size - SEAL_BYTES};
	} else {
		free((void *)file.data);
		unlinkat(folder, name, 0);
	}
	close(folder);
	return good;
}

void sealed_remove(const char *name)
{
	char path[PATH_BYTES];
	int folder;

	if (!get_folder(path) || (folder = open_folder(path)) < 0)
		return;
	unlinkat(folder, name, 0);
	close(folder);
}

static bool write_all(int fd, struct bytes bytes)
{
	for (size_t done = 0; done < bytes.size;) {
		ssize_t wrote = write(fd, bytes.data + done, bytes.size - done);

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote <= 0)
			return false;
		done += (size_t)wrote;
	}
	return true;
}

void sealed_write(const char *name, struct bytes content)
{
	char path[PATH_BYTES], unfinished[PATH_BYTES + 16];
	uint8_t seal[SEAL_BYTES];
	bool good;
	int fd;

	if (!get_folder(path) || !make_folders(path) || (fd = open_folder(path)) < 0)
		return;
	close(fd);
	make_seal(name, content, seal);
	snprintf(path + strlen(path), PATH_BYTES - strlen(path), "/%s", name);
	snprintf(unfinished, sizeof unfinished, "%s.XXXXXX", path);
	fd = mkostemp(unfinished, O_CLOEXEC);
	if (fd < 0)
		return;
	good = write_all(fd, content) && write_all(fd, (struct bytes){seal, sizeof seal});
	good &= !close(fd);
	if (!good || rename(unfinished, path))
		unlink(unfinished);
}
