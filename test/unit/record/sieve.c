/* What is left of slots when a function is dropped: its enters, exits, and the tags that are about them; against the same slots decoded
 * with and without it. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "record/stage/sieve.h"

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

/* The filter's functions are this program's own. */
static struct filter *begin(struct sieve *sieve, const struct filter_options *options, uint64_t bias)
{
	struct diag *diag = make_diag();
	struct filter *filter = make_filter(options, self, NULL, 0, diag);
	struct message_module module = {.process = 3, .low = bias, .high = bias + (1 << 30), .bias = bias, .path = self};

	CHECK(filter != NULL);
	free_diag(diag);
	filter_add_module(filter, &module);
	CHECK(sieve_begin(sieve, filter, 3, 0));
	return filter;
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
		dwell_slot_make(DWELL_TAG_WINDOW, 1), dwell_slot_exit(drop, 8), /* of another module: nobody said that it is not wanted */
	};
	const uint64_t want[] = {
		in[0], in[1], in[2], in[6], in[7], in[14], in[15], in[16], in[17], in[18],
	};
	uint64_t out[sizeof in / sizeof *in + SIEVE_MORE];
	struct sieve sieve;
	struct filter *filter = begin(&sieve, &options, LOW);

	/* In one run, and cut at every slot. */
	for (uint32_t cut = 0; cut <= sizeof in / sizeof *in; cut++) {
		count = sieve_slots(&sieve, in, cut, out);
		count += sieve_slots(&sieve, in + cut, sizeof in / sizeof *in - cut, out + count);
		CHECK_EQ(count, sizeof want / sizeof *want);
		for (uint32_t i = 0; i < count && i < sizeof want / sizeof *want; i++)
			CHECK_EQ(out[i], want[i]);
		CHECK_EQ(sieve.left_out, 2 * (cut + 1)); /* calls: of an entry alone nobody measured what it costs */
	}
	sieve_end(&sieve);
	free_filter(filter);
}

TEST(keeps_only_what_was_named)
{
	const struct filter_options options = {.patterns = {{"*wanted_one", "--only", false}, {"unw*", "--not", true}}, .pattern_count = 2};
	uint32_t keep = (uint32_t)(LOW + link_time(wanted_one)), drop = (uint32_t)(LOW + link_time(unwanted_one));
	const uint64_t in[] = {dwell_slot_enter(keep, 1), dwell_slot_enter(drop, 2), dwell_slot_enter(0x2000 + (uint32_t)LOW, 3)};
	uint64_t out[3 + SIEVE_MORE];
	struct sieve sieve;
	struct filter *filter = begin(&sieve, &options, LOW);

	CHECK_EQ(sieve_slots(&sieve, in, 3, out), 1);
	CHECK_EQ(out[0], in[0]);
	sieve_end(&sieve);
	free_filter(filter);
}

int main(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

	self[n > 0 ? n : 0] = 0;
	RUN(drops_what_belongs_to_it);
	RUN(keeps_only_what_was_named);
	return tap_done();
}
