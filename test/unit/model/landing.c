/* Where an unwind landed, as the recorder says it: in calls around what may have no hooks itself. */
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

/* A function without hooks catches, in a loop, between two calls of one that has: its innermost call goes on, or the one below. */
TEST(a_million_jumps_to_a_function_without_hooks)
{
	struct diag *diag = make_diag();

	now = 0;
	model = make_model(&(struct model_options){.want_profile = true}, diag);
	event(EVENT_ENTER, PROGRAM_PLACE(0));
	event(EVENT_ENTER, PROGRAM_PLACE(4));
	event(EVENT_ENTER, PROGRAM_PLACE(4));
	for (int turn = 0; turn < 1000000; turn++) {
		event(EVENT_ENTER, PROGRAM_PLACE(1));
		event(EVENT_ENTER, PROGRAM_PLACE(4));
		event(EVENT_UNWIND_JUMP, 0);
		event(EVENT_LANDED, 1u << 1 | DWELL_LANDED_ABOVE);
		event(EVENT_LANDED, PROGRAM_PLACE(4));
	}
	CHECK_EQ(model_open_count(model, 0), 3);
	event(EVENT_UNWIND_CATCH, 0);
	event(EVENT_LANDED, PROGRAM_PLACE(2)); /* which is not open */
	event(EVENT_LANDED, PROGRAM_PLACE(0));
	CHECK_EQ(model_open_count(model, 0), 1);
	event(EVENT_ENTER, PROGRAM_PLACE(1));
	event(EVENT_UNWIND_CATCH, 0);
	event(EVENT_LANDED, 0);
	CHECK_EQ(model_open_count(model, 0), 0);
	model_finish(model);
	CHECK_EQ(model_get_profile(model)->threads[0].deepest, 5);
	CHECK_EQ(model_get_profile(model)->threads[0].unwound_calls, 2 * 1000000 + 2 + 2);
	CHECK_EQ(model_get_profile(model)->threads[0].lost_unwinds, 0);
	CHECK_EQ(row_of(4)->calls, 1000002);
	CHECK(model_get_profile(model)->threads[0].balanced);
	free_model(model);
	free_diag(diag);
}

/* It names functions that are not open: nothing is finished, and it is counted once. */
TEST(a_landing_in_calls_that_are_not_open)
{
	struct diag *diag = make_diag();

	now = 0;
	model = make_model(&(struct model_options){.want_profile = true}, diag);
	event(EVENT_ENTER, PROGRAM_PLACE(1));
	event(EVENT_UNWIND_JUMP, 0);
	event(EVENT_LANDED, PROGRAM_PLACE(2));
	event(EVENT_LANDED, 1u << 1 | DWELL_LANDED_ABOVE);
	event(EVENT_LANDED, PROGRAM_PLACE(1));
	event(EVENT_ENTER, PROGRAM_PLACE(3));
	CHECK_EQ(model_open_count(model, 0), 2);
	model_finish(model);
	CHECK_EQ(model_get_profile(model)->threads[0].lost_unwinds, 1);
	CHECK(model_get_profile(model)->threads[0].balanced);
	free_model(model);
	free_diag(diag);
}

int main(void)
{
	RUN(a_million_jumps_to_a_function_without_hooks);
	RUN(a_landing_in_calls_that_are_not_open);
	return tap_done();
}
