/* Plans that were made before: kept, and dropped when they are not what was written, or others may have written them. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "plan/cache.h"
#include "plan/content.h"
#include "plan/read_file.h"

#define PIE "test/fuzz/corpus/plan/pie" /* build-id 1122334455667788 */
#define CASES "test/fuzz/corpus/plan/cases" /* none */

static char folder[64], kept[256], program[4096];
static struct plan_key key;
static struct bytes whole; /* the file in the cache */

static void set_program(const char *name)
{
	const char *tree = getenv("ROOT");

	snprintf(program, sizeof program, "%s/%s", tree ? tree : ".", name);
}

/* Whether the plan of the program comes from the cache. */
static bool is_kept(void)
{
	struct diag *diag = make_diag();
	struct plan plan;
	bool from_cache;

	CHECK(plan_get(program, program, &plan, diag));
	CHECK_EQ(diag_status(diag), 0);
	CHECK(plan_is_valid(plan.bytes));
	from_cache = plan.decisions == NULL;
	plan_free(&plan);
	free_diag(diag);
	return from_cache;
}

static void put(const char *path, const uint8_t *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	if (CHECK(file != NULL)) {
		CHECK_EQ(fwrite(bytes, 1, size, file), size);
		fclose(file);
	}
	chmod(path, 0600);
}

static bool reads(void)
{
	struct plan plan = {0};
	bool good = plan_cache_read(&key, &plan);

	plan_free(&plan);
	return good;
}

TEST(plans_are_kept)
{
	static const uint8_t id[] = {0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88};
	struct content content;

	set_program(PIE);
	CHECK(!is_kept());
	CHECK(is_kept());
	set_program(CASES);
	CHECK(!is_kept());
	CHECK(is_kept());
	set_program(PIE);
	CHECK(content_read(program, 0, &content));
	plan_key_set(&key, id, sizeof id, &content.digest);
	CHECK(!strncmp(key.text, "1122334455667788-", 17));
	snprintf(kept, sizeof kept, "%s/dwell/plans/%s", folder, key.text);
	CHECK(plan_read_file(kept, &whole, NULL));
	CHECK(reads());
}

TEST(a_torn_one_is_dropped)
{
	for (size_t size = 0; size < whole.size; size += size < 64 ? 1 : 61) {
		put(kept, whole.data, size);
		CHECK(!reads());
		CHECK(access(kept, F_OK)); /* removed */
	}
	put(kept, whole.data, whole.size);
	CHECK(reads());
}

TEST(every_other_bit_is_found)
{
	uint8_t *bytes = malloc(whole.size + 1);
	size_t passed = 0;

	memcpy(bytes, whole.data, whole.size);
	for (size_t at = 0; at < whole.size; at++) {
		bytes[at] ^= (uint8_t)(1u << at % 8);
		put(kept, bytes, whole.size);
		passed += reads();
		bytes[at] ^= (uint8_t)(1u << at % 8);
	}
	CHECK_EQ(passed, 0);
	bytes[whole.size] = 0;
	put(kept, bytes, whole.size + 1);
	CHECK(!reads());
	free(bytes);
	CHECK(!is_kept()); /* made again, and kept */
	CHECK(is_kept());
}

/* A file without a build-id is called by what is in it: the plan of another one fits as far as anybody sees, but for its name. */
TEST(another_files_is_dropped)
{
	struct plan_key one, other;
	struct plan plan;
	struct diag *diag = make_diag();

	const struct digest ones = digest_of((struct bytes){(const uint8_t *)"one", 3}),
			    others = digest_of((struct bytes){(const uint8_t *)"two", 3});

	plan_key_set(&one, NULL, 0, &ones);
	plan_key_set(&other, NULL, 0, &others);
	set_program(CASES);
	CHECK(plan_make(program, &plan, diag));
	plan_cache_write(&one, &plan);
	plan_free(&plan);
	CHECK(plan_cache_read(&one, &plan));
	plan_free(&plan);
	{
		char from[256], to[256];

		snprintf(from, sizeof from, "%s/dwell/plans/%s", folder, one.text);
		snprintf(to, sizeof to, "%s/dwell/plans/%s", folder, other.text);
		CHECK(!rename(from, to));
	}
	CHECK(!plan_cache_read(&other, &plan));
	free_diag(diag);
	set_program(PIE);
}

TEST(what_others_can_write_is_dropped)
{
	char elsewhere[128], plans[128];

	put(kept, whole.data, whole.size);
	chmod(kept, 0622);
	CHECK(!reads());
	put(kept, whole.data, whole.size);
	if (geteuid() == 0) {
		CHECK(!chown(kept, 12345, (gid_t)-1));
		CHECK(!reads());
	} else {
		printf("# as no other user: this needs root\n");
	}
	snprintf(elsewhere, sizeof elsewhere, "%s/elsewhere", folder);
	put(elsewhere, whole.data, whole.size);
	unlink(kept);
	CHECK(!symlink(elsewhere, kept));
	CHECK(!reads());
	CHECK(!access(elsewhere, F_OK));
	unlink(kept);
	CHECK(!mkfifo(kept, 0600));
	CHECK(!reads()); /* and does not wait */
	put(kept, whole.data, whole.size);
	snprintf(plans, sizeof plans, "%s/dwell/plans", folder);
	chmod(plans, 0777);
	CHECK(!is_kept());
	CHECK(!is_kept()); /* nor is one put there */
	chmod(plans, 0700);
	put(kept, whole.data, whole.size);
	CHECK(reads());
}

TEST(without_a_folder_plans_are_made)
{
	char path[128];

	snprintf(path, sizeof path, "%s/file", folder);
	put(path, (const uint8_t *)"", 0);
	setenv("XDG_CACHE_HOME", path, 1); /* no folder */
	CHECK(!is_kept());
	CHECK(!is_kept());
	setenv("XDG_CACHE_HOME", "/proc/self", 1); /* nobody can make one there */
	CHECK(!is_kept());
	CHECK(!is_kept());
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	CHECK(!is_kept());
}

int main(void)
{
	char command[128];

	strcpy(folder, "/tmp/plan-XXXXXX");
	if (!mkdtemp(folder))
		return 1;
	setenv("XDG_CACHE_HOME", folder, 1);
	RUN(plans_are_kept);
	RUN(a_torn_one_is_dropped);
	RUN(every_other_bit_is_found);
	RUN(another_files_is_dropped);
	RUN(what_others_can_write_is_dropped);
	RUN(without_a_folder_plans_are_made);
	free((void *)whole.data);
	snprintf(command, sizeof command, "rm -rf '%s'", folder);
	return system(command) ? 1 : tap_done();
}
