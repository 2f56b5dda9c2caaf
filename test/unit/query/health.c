/* The findings of a recording that has some of everything: each with a key of its own, counted as the recording is known to be. */
#include "query/health.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "zoo.h"

static const struct health_finding *find(const struct health *health, const char *key)
{
	for (size_t i = 0; i < health->count; i++)
		if (!strcmp(health->findings[i].key, key))
			return &health->findings[i];
	printf("# no %s\n", key);
	return &health->findings[0];
}

static void find_in_zoo(struct health *health)
{
	const struct model_options options = {.want_profile = true};
	struct diag *diag = make_diag();
	struct trace trace = {.jobs = 1};
	char path[256];

	CHECK(zoo_write(zoo_scratch(path, "health.dwell"), diag));
	CHECK(trace_open(&trace, path, diag) && trace_make_model(&trace, &options, false) && trace_read(&trace));
	health_find(&trace, health);
	trace_close(&trace);
	free_diag(diag);
	remove(path);
}

TEST(each_is_whole)
{
	struct health health;
	char text[HEALTH_TEXT_BYTES];

	find_in_zoo(&health);
	CHECK(health.count < HEALTH_FINDINGS_MAX); /* else make it more */
	for (size_t i = 0; i < health.count; i++) {
		struct health_finding finding = health.findings[i];

		CHECK(find(&health, finding.key) == &health.findings[i]);
		CHECK(finding.many && *finding.many && (!finding.one || *finding.one));
		for (finding.count = 1; finding.count <= 2; finding.count++)
			CHECK(strlen(health_format(&finding, text)) < HEALTH_TEXT_BYTES - 1);
	}
}

TEST(counted)
{
	struct health health;
	char text[HEALTH_TEXT_BYTES];

	find_in_zoo(&health);
	CHECK(!health.is_complete && !health.is_well);
	CHECK_EQ(find(&health, "holes")->count, ZOO_HOLES);
	CHECK_EQ(find(&health, "late_stamps")->count, ZOO_LATE);
	CHECK_EQ(find(&health, "unknown_tags")->count, ZOO_UNKNOWN_TAGS);
	CHECK_EQ(find(&health, "chunks_damaged")->count, 0);
	CHECK_EQ(find(&health, "setup_events")->count, 2);
	CHECK_STR(health_format(find(&health, "setup_events"), text), "2 events were lost while their thread was being set up");
	CHECK_STR(health_format(&(struct health_finding){.count = 1, .many = "the file is cut"}, text), "the file is cut");
}

int main(void)
{
	RUN(each_is_whole);
	RUN(counted);
	return tap_done();
}
