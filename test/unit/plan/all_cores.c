/* A plan is the same, byte for byte, however many threads make it. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "plan/all_cores.h"
#include "plan/plan.h"
#include "util/mapped_file.h"

#define ITEMS 100003u

static unsigned char done[ITEMS];

static bool count_items(void *context, size_t first, size_t end)
{
	(void)context;
	for (size_t i = first; i < end; i++)
		done[i]++;
	return true;
}

TEST(each_item_is_done_once)
{
	size_t wrong = 0;

	CHECK(all_cores_run(count_items, NULL, ITEMS));
	for (size_t i = 0; i < ITEMS; i++)
		wrong += done[i] != 1;
	CHECK_EQ(wrong, 0);
	CHECK(all_cores_run(count_items, NULL, 0));
}

static bool fail_at(void *context, size_t first, size_t end)
{
	const size_t *at = context;

	return *at < first || *at >= end;
}

TEST(a_failure_is_returned)
{
	for (size_t at = 0; at < ITEMS; at += 9973)
		CHECK(!all_cores_run(fail_at, &at, ITEMS));
}

/* Of a file with thousands of functions: the C library. */
TEST(plans_of_one_core_and_of_all_are_the_same)
{
#ifdef __x86_64__ /* no plans are made of files of other machines */
	struct mapped mapped;
	struct diag *diag = make_diag();
	struct plan one, all;
	cpu_set_t before, first;

	CHECK(mapped_find(getpid(), (uint64_t)(uintptr_t)getenv, &mapped));
	CHECK(!sched_getaffinity(0, sizeof before, &before));
	CPU_ZERO(&first);
	CPU_SET(sched_getcpu(), &first);
	CHECK(!sched_setaffinity(0, sizeof first, &first));
	CHECK(plan_make(mapped.path, &one, diag));
	CHECK(!sched_setaffinity(0, sizeof before, &before));
	CHECK(one.decision_count > 1000);
	for (int turn = 0; turn < 5; turn++) {
		CHECK(plan_make(mapped.path, &all, diag));
		CHECK_EQ(all.bytes.size, one.bytes.size);
		CHECK(all.bytes.size == one.bytes.size && !memcmp(all.bytes.data, one.bytes.data, one.bytes.size));
		CHECK_EQ(all.decision_count, one.decision_count);
		plan_free(&all);
	}
	plan_free(&one);
	free_diag(diag);
#endif
}

int main(void)
{
	RUN(each_item_is_done_once);
	RUN(a_failure_is_returned);
	RUN(plans_of_one_core_and_of_all_are_the_same);
	return tap_done();
}
