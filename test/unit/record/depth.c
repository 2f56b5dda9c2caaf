/* Levels of calls: what is left of a loss in which deeper calls ended and began. */
#include "check.h"
#include "record/stage/depth.h"
#include "stages.h"

#define MAIN 0x1000u
#define WORK 0x2000u
#define DEEP 0x3000u /* and behind it: functions that are called there */

static struct workers *workers;

static void check(uint32_t limit, const uint64_t *slots, uint32_t count, const uint64_t *want, uint32_t want_count)
{
	struct stage_thread *threads;
	const uint64_t *kept;

	add_stage(make_depth_stage(limit));
	threads = begin_stages(&(struct stage_source){.process = 3});
	/* In one batch; a loss may be the last of its batch, too. */
	kept = pass_stages(threads, workers, slots, &count);
	CHECK_EQ(count, want_count);
	for (uint32_t i = 0; i < count && i < want_count; i++)
		CHECK_EQ(kept[i], want[i]);
	stages_end_thread(threads);
	stages_free(&stages);
}

#define COUNT(slots) ((uint32_t)(sizeof(slots) / sizeof *(slots)))

/* From main, work and two deeper ones to main, another work and three deeper ones. */
TEST(a_loss_that_ends_a_kept_call)
{
	const uint64_t in[] = {dwell_slot_make(DWELL_TAG_TIME, 1), dwell_slot_enter(MAIN, 1), dwell_slot_enter(WORK, 2),
		dwell_slot_enter(DEEP, 3), dwell_slot_enter(DEEP + 16, 4), dwell_slot_make(DWELL_TAG_LOST, 100),
		dwell_slot_make(DWELL_TAG_LOST_POPS, 3), dwell_slot_make(DWELL_TAG_LOST_PUSHES, 4), dwell_slot_exit(DEEP + 32, 50),
		dwell_slot_exit(DEEP + 16, 51), dwell_slot_exit(DEEP, 52), dwell_slot_exit(WORK, 53), dwell_slot_enter(WORK, 54),
		dwell_slot_enter(DEEP, 55), dwell_slot_exit(DEEP, 56), dwell_slot_exit(WORK, 57), dwell_slot_exit(MAIN, 58)};
	const uint64_t want[] = {in[0], in[1], in[2], in[5], dwell_slot_make(DWELL_TAG_LOST_POPS, 1),
		dwell_slot_make(DWELL_TAG_LOST_PUSHES, 1), in[11], in[12], in[15], in[16]};

	check(2, in, COUNT(in), want, COUNT(want));
}

/* All that ended and began was deeper; what is entered next is, too. */
TEST(a_loss_below)
{
	const uint64_t in[] = {dwell_slot_make(DWELL_TAG_TIME, 1), dwell_slot_enter(MAIN, 1), dwell_slot_enter(WORK, 2),
		dwell_slot_enter(DEEP, 3), dwell_slot_make(DWELL_TAG_LOST, 100), dwell_slot_make(DWELL_TAG_LOST_POPS, 1),
		dwell_slot_make(DWELL_TAG_LOST_PUSHES, 2), dwell_slot_enter(DEEP, 50), dwell_slot_exit(DEEP, 51),
		dwell_slot_exit(DEEP + 16, 52), dwell_slot_exit(DEEP, 53), dwell_slot_exit(WORK, 54), dwell_slot_exit(MAIN, 55)};
	const uint64_t want[] = {in[0], in[1], in[2], in[4], dwell_slot_make(DWELL_TAG_LOST_POPS, 0),
		dwell_slot_make(DWELL_TAG_LOST_PUSHES, 0), in[11], in[12]};

	check(2, in, COUNT(in), want, COUNT(want));
}

/* Nobody knows how many ended: all may have. */
TEST(a_loss_of_unknown_frames)
{
	const uint64_t in[] = {dwell_slot_make(DWELL_TAG_TIME, 1), dwell_slot_enter(MAIN, 1), dwell_slot_enter(WORK, 2),
		dwell_slot_make(DWELL_TAG_LOST, 100), dwell_slot_make(DWELL_TAG_LOST_POPS, DWELL_LOST_ALL),
		dwell_slot_make(DWELL_TAG_LOST_PUSHES, 0)};

	check(2, in, COUNT(in), in, COUNT(in));
}

int main(void)
{
	workers = make_workers(false);
	RUN(a_loss_that_ends_a_kept_call);
	RUN(a_loss_below);
	RUN(a_loss_of_unknown_frames);
	free_workers(workers);
	return tap_done();
}
