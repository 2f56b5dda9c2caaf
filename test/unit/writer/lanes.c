/* Where calls are drawn: each within the one around it, whatever overlaps. */
#include "check.h"

#include "writer/export/lanes.h"

static int64_t ends[64];
static size_t end_count;

static void note_end(void *context, const struct lane *lane, int64_t end_ns)
{
	(void)context, (void)lane;
	ends[end_count++] = end_ns;
}

static struct lanes begin(void)
{
	end_count = 0;
	return (struct lanes){.on_end = note_end};
}

/* The number of the lane, from 0, or -1. */
static int enter(struct lanes *lanes, uint64_t depth, int64_t from, int64_t to, int64_t *cut)
{
	bool is_new;
	struct lane *lane;

	*cut = to;
	lane = lanes_enter(lanes, 2, depth, from, cut, &is_new);
	return lane ? (int)(lane - lanes->threads[2].lanes) : -1;
}

TEST(nested)
{
	struct lanes lanes = begin();
	int64_t to;

	CHECK_EQ(enter(&lanes, 0, 0, 100, &to), 0);
	CHECK_EQ(enter(&lanes, 1, 10, 20, &to), 0);
	CHECK_EQ(enter(&lanes, 2, 10, 10, &to), 0);
	CHECK_EQ(enter(&lanes, 3, 10, 10, &to), 0); /* made by one that took no time */
	CHECK_EQ(lanes.threads[2].lanes[0].count, 4);
	CHECK_EQ(enter(&lanes, 1, 20, 30, &to), 0);
	CHECK_EQ(end_count, 3);
	CHECK_EQ(lanes.threads[2].count, 1);
	lanes_finish(&lanes);
	CHECK_EQ(end_count, 5);
	CHECK_EQ(ends[3], 30);
	CHECK_EQ(ends[4], 100);
	lanes_clear(&lanes);
}

/* A coroutine that began in main's call of 10 to 20, and goes on when that is over. */
TEST(overlapping)
{
	struct lanes lanes = begin();
	int64_t to;

	CHECK_EQ(enter(&lanes, 0, 0, 100, &to), 0);
	CHECK_EQ(enter(&lanes, 1, 10, 20, &to), 0);
	CHECK_EQ(enter(&lanes, 0, 12, 60, &to), 1);
	CHECK_EQ(enter(&lanes, 1, 30, 40, &to), 0);
	CHECK_EQ(enter(&lanes, 1, 50, 55, &to), 0);
	lanes_finish(&lanes);
	CHECK_EQ(end_count, 5);
	lanes_clear(&lanes);
}

/* As many as there may be, and then what is around it. */
TEST(too_many)
{
	struct lanes lanes = begin();
	int64_t to;

	for (int i = 0; i < (int)LANES_OF_THREAD_MAX; i++)
		CHECK_EQ(enter(&lanes, 0, i, 1000 + i, &to), i);
	CHECK_EQ(enter(&lanes, 0, 500, 5000, &to), LANES_OF_THREAD_MAX - 1);
	CHECK_EQ(to, 1000 + LANES_OF_THREAD_MAX - 1);
	CHECK_EQ(lanes.threads[2].count, LANES_OF_THREAD_MAX);
	lanes_clear(&lanes);
}

int main(void)
{
	RUN(nested);
	RUN(overlapping);
	RUN(too_many);
	return tap_done();
}
