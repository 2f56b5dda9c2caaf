/* Plans that agents ask for: who asks is answered, and nobody waits for it who drains. */
#include "record/program/plans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "target/port/os/linux/plan.h"
#include "target/port/os/linux/plans.h"

#define TRIES 5u

static struct filter_options filter;

static struct dwell_plans_entry read_entry(const struct plans *plans, unsigned number)
{
	struct dwell_plans_entry entry = {0, 0};

	CHECK(pread(plans->fd, &entry, sizeof entry, (off_t)(sizeof(struct dwell_plans) + number * sizeof entry)) == sizeof entry);
	return entry;
}

static struct dwell_plans_entry wait_for_entry(const struct plans *plans, unsigned number)
{
	struct dwell_plans_entry entry = read_entry(plans, number);

	for (int i = 0; !entry.offset && i < 60000; i++) {
		nanosleep(&(struct timespec){0, 1000000}, NULL);
		entry = read_entry(plans, number);
	}
	return entry;
}

/* A plan is made of this very program, without a cache. It may be there at once, where the other thread runs first: not always. */
static void test_nobody_waits_but_who_asks(void)
{
	struct diag *diag = make_diag();
	const struct session_options options = {.slot_count = 2, .ring_bytes = 8192, .journal_bytes = 1 << 20};
	struct session *session = make_session(&options, diag);
	char self[4096] = "", request[4200];
	struct kept_files files = {0};
	bool later = false;

	CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
	for (unsigned try = 0; try < TRIES && !later; try++) {
		struct plans plans = {0};
		struct dwell_plans_entry entry;

		CHECK(plans_begin(&plans, session, &filter, diag));
		snprintf(request, sizeof request, "0 p 0 %s", self);
		plans_add_request(&plans, request, kept_files_find(&files, 0, self, 0, NULL, 0));
		later = !read_entry(&plans, 0).offset;
		plans_add_request(&plans, "1 p 0 /is/not/there", kept_files_find(&files, 0, "/is/not/there", 0, NULL, 0));
		snprintf(request, sizeof request, "2 l 0 %s", "[vdso]");
		plans_add_request(&plans, request, NULL);
		entry = wait_for_entry(&plans, 0);
		CHECK(entry.offset && entry.bytes > sizeof(struct dwell_plan));
		entry = wait_for_entry(&plans, 1);
		CHECK(entry.offset && !entry.bytes);
		entry = wait_for_entry(&plans, 2);
		CHECK(entry.offset && !entry.bytes);
		plans_end_thread(&plans, diag);
		CHECK(diag_has_error(diag)); /* what is not there */
		plans_add_request(&plans, "3 p 0 /is/not/there", NULL);
		plans_end(&plans);
	}
	CHECK(later);
	kept_files_clear(&files);
	free_session(session);
	free_diag(diag);
}

int main(void)
{
	setenv("XDG_CACHE_HOME", "/dev/null", 1);
	RUN(nobody_waits_but_who_asks);
	return tap_done();
}
