/* cache: keeps plans in files (cache.h). A file gets its name after all bytes are written. A file
 * counts only if no other user can write to it and the seal fits. */
#include "plan/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plan/read_file.h"
#include "symbol/build_id.h"

#define PATH_BYTES 4096

void plan_key_set(struct plan_key *key, const uint8_t *id, size_t id_bytes, const struct digest *content)
{
	size_t at;

	*key = (struct plan_key){.build_id_bytes = (uint32_t)(id_bytes < sizeof key->build_id ? id_bytes : sizeof key->build_id)};
	if (key->build_id_bytes)
		memcpy(key->build_id, id, key->build_id_bytes);
	for (size_t i = 0; i < key->build_id_bytes; i++)
		snprintf(key->text + 2 * i, 3, "%02x", id[i]);
	if (!key->build_id_bytes)
		strcpy(key->text, "content");
	at = strlen(key->text);
	snprintf(key->text + at, sizeof key->text - at, "-%016llx%016llx", (unsigned long long)content->a, (unsigned long long)content->b);
}

/* The seal follows a plan in its file: a hash of the plan, the key, and the dwell that
 * made the plan, because another dwell may make a different plan. */
#define SEAL_BYTES 16u

static void make_seal(const struct plan_key *key, struct bytes plan, uint8_t seal[SEAL_BYTES])
{
	struct digest digest = digest_of(plan);
	uint8_t maker[BUILD_ID_BYTES_MAX];
	size_t maker_bytes;

	digest_add(&digest, (struct bytes){(const uint8_t *)key->text, strlen(key->text)});
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
	return bytes > 0 && bytes < PATH_BYTES - PLAN_KEY_BYTES - 32;
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

/* Returns whether the bytes are a valid plan for the key's file. */
static bool is_plan_of_key(const struct plan_key *key, struct bytes bytes)
{
	const struct dwell_plan *head = plan_head(bytes);

	return plan_is_valid(bytes) && head->build_id_bytes == key->build_id_bytes &&
	       !memcmp(head->build_id, key->build_id, key->build_id_bytes);
}

static bool read_file(int folder, const char *name, struct bytes *file)
{
	int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool good = fd >= 0 && is_private_to_user(fd, S_IFREG) && plan_read_open(fd, file);

	if (fd >= 0)
		close(fd);
	return good;
}

/* Returns whether the file has a plan for the key, and its seal is right. */
static bool has_valid_seal(const struct plan_key *key, struct bytes file)
{
	uint8_t seal[SEAL_BYTES];

	if (file.size < SEAL_BYTES)
		return false;
	make_seal(key, (struct bytes){file.data, file.size - SEAL_BYTES}, seal);
	return !memcmp(seal, file.data + file.size - SEAL_BYTES, SEAL_BYTES) &&
	       is_plan_of_key(key, (struct bytes){file.data, file.size - SEAL_BYTES});
}

bool plan_cache_read(const struct plan_key *key, struct plan *plan)
{
	char path[PATH_BYTES];
	struct bytes file = {0};
	int folder;
	bool good;

	if (!get_folder(path) || (folder = open_folder(path)) < 0)
		return false;
	good = read_file(folder, key->text, &file) && has_valid_seal(key, file);
	if (good) {
		*plan = (struct plan){.bytes = {file.data, file.size - SEAL_BYTES}, .memory = (void *)file.data};
	} else {
		free((void *)file.data);
		unlinkat(folder, key->text, 0);
	}
	close(folder);
	return good;
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

void plan_cache_write(const struct plan_key *key, const struct plan *plan)
{
	char path[PATH_BYTES], unfinished[PATH_BYTES + 16];
	uint8_t seal[SEAL_BYTES];
	bool good;
	int fd;

	if (!get_folder(path) || !make_folders(path) || (fd = open_folder(path)) < 0)
		return;
	close(fd);
	make_seal(key, plan->bytes, seal);
	snprintf(path + strlen(path), PATH_BYTES - strlen(path), "/%s", key->text);
	snprintf(unfinished, sizeof unfinished, "%s.XXXXXX", path);
	fd = mkostemp(unfinished, O_CLOEXEC);
	if (fd < 0)
		return;
	good = write_all(fd, plan->bytes) && write_all(fd, (struct bytes){seal, sizeof seal});
	good &= !close(fd);
	if (!good || rename(unfinished, path))
		unlink(unfinished);
}
