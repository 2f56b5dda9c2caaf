/* Calls of which only the entries are recorded. */
#include "model/model.h"

#include "check.h"
#include "programs.h"

static struct model *model;
static uint64_t now;

static uint32_t id_of(struct model *of, uint32_t function)
{
	return functions_find(model_get_functions(of), 0, (struct place){DWELL_PLACE_ADDRESS, PROGRAM_PLACE(function)}, 0);
}

static void event(enum event_kind kind, uint64_t value)
{
	struct event event = {++now, value, kind};
	struct message message = {.kind = MESSAGE_EVENTS,
		.events = {.stream = 0, .place_kind = DWELL_PLACE_ADDRESS, .events = &event, .count = 1}};

	model_feed(model, &message);
}

static const struct profile_function *row_of(uint32_t function)
{
	return &model_get_profile(model)->functions[id_of(model, function)];
}

/* What has no exit is a call, of nobody's time, and never open. */
TEST(entries_alone)
{
	const struct profile *profile;
	struct diag *diag = make_diag();

	model = make_model(&(struct model_options){.want_profile = true}, diag);
	event(EVENT_ENTRY, PROGRAM_PLACE(4)); /* outermost */
	event(EVENT_ENTER, PROGRAM_PLACE(0)); /* 2 */
	for (int i = 0; i < 10; i++) {
		event(EVENT_ENTRY, PROGRAM_PLACE(1));
		event(EVENT_ENTER, PROGRAM_PLACE(2));
		event(EVENT_ENTRY, PROGRAM_PLACE(1));
		event(EVENT_ENTRY, PROGRAM_PLACE(2)); /* of a function that has exits elsewhere */
		event(EVENT_EXIT, PROGRAM_PLACE(2));
		CHECK_EQ(model_open_count(model, 0), 1);
	}
	event(EVENT_EXIT, PROGRAM_PLACE(0)); /* 63 */
	model_finish(model);
	profile = model_get_profile(model);
	CHECK_EQ(row_of(4)->calls, 1);
	CHECK(row_of(1)->calls == 20 && row_of(1)->untimed_calls == 20);
	CHECK_EQ(row_of(1)->total + row_of(1)->self + row_of(1)->durations.count, 0);
	CHECK(profile_is_untimed(profile, id_of(model, 1)) && !profile_is_untimed(profile, id_of(model, 2)));
	CHECK_EQ(profile_count_untimed(profile), 2);
	CHECK(row_of(2)->calls == 20 && row_of(2)->untimed_calls == 10);
	CHECK_EQ(row_of(2)->total, 30);
	CHECK_EQ(row_of(2)->min, 3);
	CHECK(row_of(0)->total == 51 && row_of(0)->self == 21);
	CHECK(profile->threads[0].calls == 42 && profile->threads[0].deepest == 2);
	CHECK_EQ(profile->threads[0].open_calls + profile->threads[0].unwound_calls, 0);
	CHECK(profile->threads[0].balanced);
	free_model(model);
	free_diag(diag);
}

int main(void)
{
	RUN(entries_alone);
	return tap_done();
}
