/* Page faults: each counts for the innermost call that is open at its moment, and for the callers' totals; all of a thread's page
 * faults are in a call, in a gap or outside. */
#include "check.h"
#include "model/model.h"

#define ENTER(ticks, function) {(ticks), 0x1000 * (function + 1), EVENT_ENTER}
#define EXIT(ticks, function) {(ticks), 0x1000 * (function + 1), EVENT_EXIT}

struct calls {
	struct call list[16];
	uint32_t count;
};

static void keep(void *context, const struct call *call)
{
	struct calls *calls = context;

	if (calls->count < 16)
		calls->list[calls->count++] = *call;
}

static struct model *make(struct calls *calls, struct diag *diag)
{
	const struct model_options options = {.want_profile = true, .on_call = calls ? keep : NULL, .context = calls};
	struct model *model = make_model(&options, diag);
	struct message header = {.kind = MESSAGE_HEADER, .header = {.format = "test", .has_events = true}};
	struct message info = {.kind = MESSAGE_INFO, .info = {"page-faults", "known"}};

	model_feed(model, &header);
	model_feed(model, &info);
	return model;
}

static void feed(struct model *model, const struct event *events, uint32_t count)
{
	struct message message = {.kind = MESSAGE_EVENTS,
		.events = {.stream = 1, .place_kind = DWELL_PLACE_ADDRESS, .events = events, .count = count}};

	model_feed(model, &message);
}

static void tell(struct model *model, uint64_t before, const struct message_fault *faults, uint32_t count)
{
	struct message message = {.kind = MESSAGE_FAULTS,
		.faults = {.stream = 1, .until_ticks = 1000, .before = before, .faults = faults, .count = count}};

	model_feed(model, &message);
}

static const struct profile_function *function_of(struct model *model, uint32_t function)
{
	struct place place = {DWELL_PLACE_ADDRESS, 0x1000 * (uint64_t)(function + 1)};
	uint32_t id = functions_find(model_get_functions(model), 0, place, 0);
	static const struct profile_function none;

	return id < model_get_profile(model)->function_count ? &model_get_profile(model)->functions[id] : &none;
}

static const struct profile_thread *finish(struct model *model)
{
	model_finish(model);
	return &model_get_profile(model)->threads[0];
}

/* Before the first event; in 0; in 1, two; in 0 again; at the moment of its exit, which is behind it; after the last. */
TEST(by_the_innermost_call)
{
	static const struct event events[] = {ENTER(100, 0), ENTER(200, 1), EXIT(300, 1), EXIT(400, 0)};
	static const struct message_fault faults[] = {
		{50, false}, {150, false}, {200, true}, {299, false}, {300, false}, {400, false}, {401, false}};
	struct diag *diag = make_diag();
	struct calls calls = {.count = 0};
	struct model *model = make(&calls, diag);
	const struct profile_thread *row;

	tell(model, 0, faults, 7);
	feed(model, events, 4);
	row = finish(model);
	CHECK(model_get_profile(model)->has_faults && !model_get_profile(model)->has_off_cpu);
	CHECK_EQ(function_of(model, 1)->self_off.faults, 2);
	CHECK_EQ(function_of(model, 1)->total_off.faults, 2);
	CHECK_EQ(function_of(model, 0)->self_off.faults, 2);
	CHECK_EQ(function_of(model, 0)->total_off.faults, 4);
	CHECK_EQ(function_of(model, 0)->self_off.unknown_ticks, 0);
	CHECK_EQ(row->off_self.faults, 4);
	CHECK_EQ(row->off_outside.faults, 3);
	CHECK_EQ(row->off.faults, 7);
	CHECK_EQ(calls.list[0].self_off.faults, 2);
	CHECK_EQ(calls.list[1].total_off.faults, 4);
	free_model(model);
	free_diag(diag);
}

/* A gap begins with the event before it. */
TEST(in_a_gap_they_are_lost)
{
	static const struct event events[] = {ENTER(100, 0), {200, 0, EVENT_LOST}, EXIT(300, 0)};
	static const struct message_fault faults[] = {{150, false}, {250, false}, {260, false}};
	struct diag *diag = make_diag();
	struct model *model = make(NULL, diag);
	const struct profile_thread *row;

	tell(model, 0, faults, 3);
	feed(model, events, 3);
	row = finish(model);
	CHECK_EQ(row->off_self.faults + row->off_lost.faults + row->off_outside.faults, 3);
	CHECK_EQ(row->off_lost.faults, 3);
	free_model(model);
	free_diag(diag);
}

/* A message that comes twice, one whose times fall, and a number of earlier ones that nobody can have had. */
TEST(hostile_messages)
{
	static const struct event events[] = {ENTER(100, 0), EXIT(400, 0)};
	static const struct message_fault faults[] = {{150, false}, {140, false}, {150, false}, {160, false}, {UINT64_MAX, false}};
	struct diag *diag = make_diag();
	struct model *model = make(NULL, diag);
	const struct profile_thread *row;

	tell(model, 0, faults, 5);
	tell(model, UINT64_MAX, faults, 5);
	feed(model, events, 2);
	row = finish(model);
	CHECK_EQ(function_of(model, 0)->self_off.faults, 2);
	CHECK_EQ(row->off.faults, UINT64_MAX);
	free_model(model);
	free_diag(diag);
}

int main(void)
{
	RUN(by_the_innermost_call);
	RUN(in_a_gap_they_are_lost);
	RUN(hostile_messages);
	return tap_done();
}
