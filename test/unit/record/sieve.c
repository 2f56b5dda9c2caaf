/* What is left of slots when a function is dropped: its enters, exits, and the tags that are about them; against the same slots
 * decoded with and without it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "record/stage/filter_stage.h"
#include "stages.h"

#define LOW UINT64_C(0x7f1200000000)

static uint64_t address_of(void (*function)(void))
{
	return (uint64_t)(uintptr_t)function;
}

__attribute__((noinline)) void wanted_one(void);
__attribute__((noinline)) void unwanted_one(void);
void wanted_one(void)
{
	__asm__ volatile("");
}
void unwanted_one(void)
{
	__asm__ volatile("nop");
}

static char self[256];

static struct workers *workers;

/* The filter's functions are this program's own. */
static struct stage_thread *begin(const struct filter_options *options, uint64_t bias)
{
	struct diag *diag = make_diag();
	struct filter *filter = make_filter(options, &(struct filter_program){self, NULL, 0}, diag);
	struct message_module module = {.process = 3, .low = bias, .high = bias + (1 << 30), .bias = bias, .path = self};
	static struct dwell_session shared;

	CHECK(filter != NULL);
	free_diag(diag);
	stages_session.shared = &shared;
	add_stage(filter_get_stage(filter));
	stages_add_module(&stages, &module);
	return begin_stages(&(struct stage_source){.process = 3});
}

static void end(struct stage_thread *threads)
{
	stages_end_thread(threads);
	stages_free(&stages);
}

static uint32_t pass(struct stage_thread *threads, const uint64_t *slots, uint32_t count, uint64_t *out)
{
	const uint64_t *kept = pass_stages(threads, workers, slots, &count);

	memcpy(out, kept, count * sizeof *kept);
	return count;
}

static uint64_t link_time(void (*function)(void))
{
	extern const char __ehdr_start[] __attribute__((weak, visibility("hidden")));

	return address_of(function) - (uint64_t)(uintptr_t)__ehdr_start;
}

TEST(drops_what_belongs_to_it)
{
	const struct filter_options options = {.patterns = {{"unwanted_*", "--not", true}}, .pattern_count = 1};
	uint32_t keep = (uint32_t)(LOW + link_time(wanted_one)), drop = (uint32_t)(LOW + link_time(unwanted_one)), count;
	const uint64_t in[] = {
		dwell_slot_make(DWELL_TAG_TIME, 7),
		dwell_slot_enter(keep, 1), dwell_slot_make(DWELL_TAG_ARG, 11),
		dwell_slot_enter(drop, 2), dwell_slot_make(DWELL_TAG_ARG, 12), dwell_slot_make(DWELL_TAG_ARG_HIGH, 13),
		dwell_slot_make(DWELL_TAG_MARK, 3), dwell_slot_make(DWELL_TAG_MARK_TEXT, 1),
		dwell_slot_exit(drop, 4), dwell_slot_make(DWELL_TAG_RET, 14),
		dwell_slot_make(DWELL_TAG_ENTRY, 99), dwell_slot_enter(drop, 5),
		dwell_slot_make(DWELL_TAG_WINDOW, LOW >> 32), dwell_slot_enter(drop, 6),
		dwell_slot_make(DWELL_TAG_WINDOW, LOW >> 32), dwell_slot_exit(keep, 7), dwell_slot_make(DWELL_TAG_RET, 15),
		dwell_slot_make(DWELL_TAG_WINDOW, 1), dwell_slot_exit(drop, 8), /* of another module, which no rule drops */
	};
	const uint64_t want[] = {
		in[0], in[1], in[2], in[6], in[7], in[14], in[15], in[16], in[17], in[18],
	};
	uint64_t out[sizeof in / sizeof *in + 2];
	struct stage_thread *threads = begin(&options, LOW);

	/* In one batch, and cut at every slot. */
	for (uint32_t cut = 0; cut <= sizeof in / sizeof *in; cut++) {
		count = pass(threads, in, cut, out);
		count += pass(threads, in + cut, sizeof in / sizeof *in - cut, out + count);
		CHECK_EQ(count, sizeof want / sizeof *want);
		for (uint32_t i = 0; i < count && i < sizeof want / sizeof *want; i++)
			CHECK_EQ(out[i], want[i]);
		CHECK_EQ(threads->figures.left_out, 2 * (cut + 1)); /* calls: of an entry alone nobody measured what it costs */
	}
	end(threads);
}

TEST(keeps_only_what_was_named)
{
	const struct filter_options options = {.patterns = {{"*wanted_one", "--only", false}, {"unw*", "--not", true}}, .pattern_count = 2};
	uint32_t keep = (uint32_t)(LOW + link_time(wanted_one)), drop = (uint32_t)(LOW + link_time(unwanted_one));
	const uint64_t in[] = {dwell_slot_enter(keep, 1), dwell_slot_enter(drop, 2), dwell_slot_enter(0x2000 + (uint32_t)LOW, 3)};
	uint64_t out[3];
	struct stage_thread *threads = begin(&options, LOW);

	CHECK_EQ(pass(threads, in, 3, out), 1);
	CHECK_EQ(out[0], in[0]);
	end(threads);
}

int main(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = 0;
	workers = make_workers(false);
	RUN(drops_what_belongs_to_it);
	RUN(keeps_only_what_was_named);
	free_workers(workers);
	return tap_done();
}
