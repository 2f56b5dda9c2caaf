/* What samples say while they come: of the last seconds, and since the start. */
#include "check.h"

#include "analysis/live_shares.h"
#include "made.h"

#define SECOND UINT64_C(1000000000)

static struct live_shares live;
static uint64_t now;

static void begin(void)
{
	const struct message message = {.kind = MESSAGE_SAMPLING,
		.sampling = {.engine = DWELL_ENGINE_TASK_CLOCK, .unit = DWELL_UNIT_NS, .period = 1000, .has_stacks = true}};

	made_begin();
	model_feed(made_model, &message);
	now = 100 * SECOND;
	live_shares_advance(&live, now);
}

/* main, 0xa00, called the function of each sample: a letter for each, each so often. */
static void samples(const char *functions, uint32_t each)
{
	struct message_node nodes[32] = {{0xa01, 0, true, false}};
	struct message_sample *list = calloc(strlen(functions) * each + 1, sizeof *list);
	struct message message = {.kind = MESSAGE_SAMPLES, .samples = {.nodes = nodes, .node_count = 26, .samples = list}};

	for (uint32_t i = 1; i < 26; i++)
		nodes[i] = (struct message_node){(10 + i) * 0x100, 1, false, false};
	for (uint32_t i = 0; i < each; i++) /* not in runs */
		for (const char *f = functions; *f; f++)
			list[message.samples.count++] =
				(struct message_sample){now, 1000, (uint32_t)(*f - 'a') + 1, DWELL_STACK_COMPLETE};
	model_feed(made_model, &message);
	free(list);
}

/* A second is over. */
static void update(void)
{
	now += SECOND;
	live_shares_advance(&live, now);
	CHECK(live_shares_update(&live, made_model));
}

static void end(void)
{
	live_shares_clear(&live);
	made_end();
}

static uint64_t recent_seconds(void)
{
	return (live_shares_all(&live)->ns - live_shares_recent(&live)->ns) / SECOND;
}

/* Without the intervals: self, total, all self, all total, samples, function. */
static void check_table(uint64_t limit, const char *want)
{
	struct made_text text;
	struct table_sink sink = made_sink(&text);
	char got[4096] = "", *to = got;

	CHECK(live_shares_write(&live, made_model, limit, &sink));
	for (const char *row = text.text; *row; row = strchr(row, '|') + 1) {
		char cells[10][32];

		if (!CHECK(sscanf(row, "%31[^,],%31[^,],%31[^,],%31[^,],%31[^,],%31[^,],%31[^,],%31[^,],%31[^,],%31[^|]", cells[0], cells[1],
				   cells[2], cells[3], cells[4], cells[5], cells[6], cells[7], cells[8], cells[9]) == 10))
			return;
		CHECK(atof(cells[1]) <= atof(cells[0]) && atof(cells[0]) <= atof(cells[2]));
		CHECK(atof(cells[5]) <= atof(cells[4]) && atof(cells[4]) <= atof(cells[6]));
		to += sprintf(to, "%s,%s,%s,%s,%s,%s|", cells[0], cells[3], cells[4], cells[7], cells[8], cells[9]);
	}
	CHECK_STR(got, want);
}

/* Enough samples in each second: each table is of the last one. */
TEST(each_second)
{
	begin();
	samples("bbbc", 250);
	update();
	CHECK_EQ(recent_seconds(), 1);
	CHECK_EQ(live_shares_recent(&live)->estimates.samples, 1000);
	check_table(9, "75%,75%,75%,75%,750,0xb00|25%,25%,25%,25%,250,0xc00|0%,100%,0%,100%,0,0xa00|");
	samples("ccccd", 200);
	update();
	CHECK_EQ(recent_seconds(), 1);
	CHECK_EQ(live_shares_recent(&live)->weight, 1000000);
	CHECK_EQ(live_shares_all(&live)->estimates.samples, 2000);
	check_table(9, "80%,80%,52%,52%,1050,0xc00|20%,20%,10%,10%,200,0xd00|0%,0%,38%,38%,750,0xb00|0%,100%,0%,100%,0,0xa00|");
	check_table(1, "80%,80%,52%,52%,1050,0xc00|");
	end();
}

/* Few: as many seconds as it takes to have 500, and no more. */
TEST(as_many_seconds_as_it_takes)
{
	begin();
	for (int i = 0; i < 8; i++) {
		samples(i < 4 ? "b" : "c", 200);
		update();
		CHECK_EQ(recent_seconds(), i < 3 ? i + 1 : 3);
		CHECK_EQ(live_shares_recent(&live)->estimates.samples, i < 3 ? 200u * ((unsigned)i + 1) : 600);
	}
	check_table(1, "100%,100%,50%,50%,800,0xc00|");
	samples("d", 500);
	update();
	CHECK_EQ(recent_seconds(), 1);
	check_table(1, "100%,100%,24%,24%,500,0xd00|");
	end();
}

/* Next to none: ten seconds at most, and of nothing nothing is known. */
TEST(never_older_than_ten)
{
	begin();
	samples("b", 10);
	for (int i = 1; i <= 20; i++) {
		update();
		CHECK_EQ(recent_seconds(), i < 10 ? i : 10);
		CHECK_EQ(live_shares_recent(&live)->estimates.samples, i <= 10 ? 10 : 0);
	}
	check_table(1, "-,-,100%,100%,10,0xb00|");
	samples("cd", 2);
	update();
	CHECK_EQ(live_shares_recent(&live)->estimates.samples, 4);
	check_table(3, "50%,50%,14%,14%,2,0xc00|50%,50%,14%,14%,2,0xd00|0%,0%,71%,71%,10,0xb00|");
	end();
}

/* Before anything is known. */
TEST(nothing)
{
	begin();
	update();
	CHECK_EQ(live_shares_all(&live)->estimates.samples, 0);
	check_table(9, "");
	end();
}

int main(void)
{
	RUN(each_second);
	RUN(as_many_seconds_as_it_takes);
	RUN(never_older_than_ten);
	RUN(nothing);
	return tap_done();
}
