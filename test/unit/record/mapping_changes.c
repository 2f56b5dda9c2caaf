/* Where sums end, as code is mapped and unmapped. */
#include "record/session/mapping_changes.h"

#include "check.h"

static void change(struct mapping_changes *mapping_changes, uint32_t process, uint64_t low, uint64_t ticks)
{
	mapping_changes_add(mapping_changes,
		&(struct message_module){.process = process, .low = low, .high = low + 0x1000, .load_ticks = ticks});
}

/* One after the other, each seen by each view, whoever comes late. */
TEST(changes)
{
	struct mapping_changes mapping_changes = {0};
	struct mapping_changes_view view = {.mapping_changes = &mapping_changes, .process = 2}, other = view, nobody = {0};
	const struct mapping_change *next;

	CHECK(!mapping_changes_next(&view) && !mapping_changes_next(&nobody));
	change(&mapping_changes, 1, 0x1000, 5);
	CHECK(!mapping_changes_next(&view));
	change(&mapping_changes, 2, 0x2000, 6);
	change(&mapping_changes, 1, 0x3000, 7);
	change(&mapping_changes, 2, 0x4000, 8);
	next = mapping_changes_next(&view);
	CHECK(next && next->low == 0x2000 && mapping_changes_next(&view) == next);
	view.passed = next;
	next = mapping_changes_next(&view);
	CHECK(next && next->low == 0x4000);
	view.passed = next;
	CHECK(!mapping_changes_next(&view));
	change(&mapping_changes, 2, 0x5000, 9);
	CHECK(mapping_changes_next(&view)->low == 0x5000);
	CHECK(mapping_changes_next(&other)->low == 0x2000);
	mapping_changes_clear(&mapping_changes);
}

/* A tag is of the event behind it, or says itself when it was. */
TEST(slots_before)
{
	const uint64_t slots[] = {dwell_slot_make(DWELL_TAG_TIME, 5), dwell_slot_enter(0x401000, 10),
		dwell_slot_make(DWELL_TAG_ARG, 99), dwell_slot_make(DWELL_TAG_OFF, 20), dwell_slot_make(DWELL_TAG_TIME, 6),
		dwell_slot_exit(0x401000, 3)};
	const struct {
		uint64_t ticks;
		uint32_t before;
	} cases[] = {{0, 1}, {UINT64_C(0x50000000a), 1}, {UINT64_C(0x50000000b), 3}, {UINT64_C(0x500000014), 3},
		{UINT64_C(0x500000015), 5}, {UINT64_C(0x600000003), 5}, {UINT64_C(0x600000004), 6}};

	for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct mapping_changes mapping_changes = {0};
		struct mapping_changes_view view = {.mapping_changes = &mapping_changes, .process = 2};
		const struct mapping_change *passed;

		change(&mapping_changes, 2, 0x1000, cases[i].ticks);
		CHECK_EQ(mapping_changes_split(&view, (struct dwell_slot_cursor){0}, slots, 6, &passed), cases[i].before);
		CHECK(cases[i].before < 6 ? passed == mapping_changes.first && !mapping_changes_next(&view)
					  : !passed && mapping_changes_next(&view));
		mapping_changes_clear(&mapping_changes);
	}
}

/* Of an address its low half is known. */
TEST(what_lay_there)
{
	struct dwell_path_function functions[] = {{.place = 0x10ff0}, {.place = DWELL_ID_UNKNOWN}};
	struct dwell_paths paths = {.functions = functions, .function_count = 2};

	CHECK(mapping_change_affects(
		&(struct mapping_change){.low = UINT64_C(0x7f0000010000), .high = UINT64_C(0x7f0000011000)}, &paths));
	CHECK(!mapping_change_affects(
		&(struct mapping_change){.low = UINT64_C(0x7f0000011000), .high = UINT64_C(0x7f0000012000)}, &paths));
	CHECK(mapping_change_affects(
		&(struct mapping_change){.low = UINT64_C(0x7effffff8000), .high = UINT64_C(0x7f0000020000)}, &paths));
}

int main(void)
{
	RUN(changes);
	RUN(slots_before);
	RUN(what_lay_there);
	return tap_done();
}
