/* Time off the CPU. By hand, where a glance tells what is right; and against an oracle: take the time off the CPU out of the clock,
 * so that the events of a thread follow each other as if it had never been off, and pair them. What that has for total, self, lost
 * and outside must be what the model has left of each when it takes the time off the CPU from it: call by call, function by
 * function, path by path, whatever the events are. */
#include "check.h"
#include "model/model.h"

#define FUNCTIONS 6
#define EVENTS 120
#define INTERVALS 40
#define CALLS_MAX 4096

static uint64_t state;

static uint32_t pick(uint32_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 20) % below;
}

struct calls {
	struct call list[CALLS_MAX];
	uint32_t count;
};

static void keep(void *context, const struct call *call)
{
	struct calls *calls = context;

	if (calls->count < CALLS_MAX)
		calls->list[calls->count++] = *call;
}

static struct model *make(struct calls *calls, struct diag *diag)
{
	const struct model_options options = {.want_profile = true, .on_call = calls ? keep : NULL, .context = calls};
	struct model *model = make_model(&options, diag);
	struct message header = {.kind = MESSAGE_HEADER, .header = {.format = "test", .has_events = true}};

	model_feed(model, &header);
	return model;
}

static void feed(struct model *model, const struct event *events, uint32_t count)
{
	struct message message = {.kind = MESSAGE_EVENTS,
		.events = {.stream = 1, .place_kind = DWELL_PLACE_ADDRESS, .events = events, .count = count}};

	model_feed(model, &message);
}

static void tell(struct model *model, uint64_t from, uint64_t until, const struct message_switch *switches, uint32_t count)
{
	struct message message = {.kind = MESSAGE_SWITCHES,
		.switches = {.stream = 1, .from_ticks = from, .until_ticks = until, .switches = switches, .count = count}};

	model_feed(model, &message);
}

static uint64_t place(uint32_t function)
{
	return 0x1000 * (uint64_t)(function + 1);
}

static const struct profile_function *function_of(struct model *model, uint32_t function)
{
	uint32_t id = functions_find(model_get_functions(model), 0, (struct place){DWELL_PLACE_ADDRESS, place(function)}, 0);
	static const struct profile_function none;

	return id < model_get_profile(model)->function_count ? &model_get_profile(model)->functions[id] : &none;
}

#define ENTER(ticks, function) {(ticks), 0x1000 * (function + 1), EVENT_ENTER}
#define EXIT(ticks, function) {(ticks), 0x1000 * (function + 1), EVENT_EXIT}

/* ---- by hand ---- */

TEST(a_call_that_sleeps)
{
	static const struct event events[] = {
		ENTER(100, 0), ENTER(200, 1), EXIT(300, 1), ENTER(400, 2), EXIT(500, 2), EXIT(600, 0)};
	/* In 1; in 0; from 2 into 0; in nothing. */
	static const struct message_switch switches[] = {{210, 290, false}, {310, 320, true}, {490, 530, false}, {700, 800, false}};
	struct diag *diag = make_diag();
	struct calls calls = {.count = 0};
	struct model *model = make(&calls, diag);
	const struct profile_thread *row;

	tell(model, 0, 900, switches, 4);
	feed(model, events, 6);
	model_finish(model);
	row = &model_get_profile(model)->threads[0];
	CHECK(model_get_profile(model)->has_off_cpu && row->balanced && row->off_cpu_balanced);
	CHECK_EQ(row->off.ticks, 80 + 10 + 40);
	CHECK_EQ(row->off.preempted_ticks, 10);
	CHECK_EQ(row->off.unknown_ticks, 0);
	CHECK_EQ(function_of(model, 0)->self_off.ticks, 10 + 30);
	CHECK_EQ(function_of(model, 0)->self_off.preempted_ticks, 10);
	CHECK_EQ(function_of(model, 0)->total_off.ticks, 130);
	CHECK_EQ(function_of(model, 1)->self_off.ticks, 80);
	CHECK_EQ(function_of(model, 1)->total_off.ticks, 80);
	CHECK_EQ(function_of(model, 2)->self_off.ticks, 10);
	CHECK_EQ(calls.count, 3);
	CHECK_EQ(calls.list[0].total_off.ticks, 80);
	CHECK_EQ(calls.list[1].self_off.ticks, 10);
	CHECK_EQ(calls.list[2].total_off.ticks, 130);
	CHECK_EQ(calls.list[2].self_off.ticks, 40);
	free_model(model);
	free_diag(diag);
}

/* A longjmp to 0, which is off the CPU before it goes on: that is none of the calls that were left. */
TEST(time_after_a_jump_is_of_where_it_landed)
{
	static const struct event events[] = {ENTER(100, 0), ENTER(200, 1), {300, 0, EVENT_UNWIND_JUMP}, EXIT(500, 0)};
	static const struct message_switch switches[] = {{250, 400, false}};
	struct diag *diag = make_diag();
	struct model *model = make(NULL, diag);

	tell(model, 0, 900, switches, 1);
	feed(model, events, 4);
	model_finish(model);
	CHECK_EQ(function_of(model, 1)->self, 100);
	CHECK_EQ(function_of(model, 1)->self_off.ticks, 50);
	CHECK_EQ(function_of(model, 1)->total_off.ticks, 50);
	CHECK_EQ(function_of(model, 0)->self_off.ticks, 100);
	CHECK_EQ(function_of(model, 0)->total_off.ticks, 150);
	CHECK(model_get_profile(model)->threads[0].off_cpu_balanced);
	free_model(model);
	free_diag(diag);
}

/* What the thread did is known from 200 to 300 and from 400 on. */
TEST(what_is_not_told_is_unknown)
{
	static const struct event events[] = {ENTER(100, 0), ENTER(250, 1), EXIT(350, 1), EXIT(500, 0)};
	static const struct message_switch late[] = {{380, 410, false}, {420, 430, false}};
	struct diag *diag = make_diag();
	struct model *model = make(NULL, diag);
	const struct profile_thread *row;

	tell(model, 200, 300, NULL, 0);
	tell(model, 400, 450, late, 2);
	feed(model, events, 4);
	model_finish(model);
	row = &model_get_profile(model)->threads[0];
	CHECK_EQ(row->off.unknown_ticks, 100 + 100 + 50);
	CHECK_EQ(row->off.ticks, 10 + 10); /* what of an interval lies in the unknown stays so */
	CHECK_EQ(function_of(model, 1)->self_off.unknown_ticks, 50);
	CHECK_EQ(function_of(model, 1)->self_off.ticks, 0);
	CHECK_EQ(function_of(model, 0)->self_off.unknown_ticks, 200);
	CHECK_EQ(function_of(model, 0)->total_off.unknown_ticks, 250);
	CHECK(row->off_cpu_balanced);
	free_model(model);
	free_diag(diag);
}

/* Nothing at all is told of this thread, but of another one: then it is unknown, and without any it is not a question. */
TEST(a_thread_that_nobody_told_of)
{
	static const struct event events[] = {ENTER(100, 0), EXIT(500, 0)};
	struct message other = {.kind = MESSAGE_SWITCHES, .switches = {.stream = 2, .until_ticks = 1000}};
	struct message its = {.kind = MESSAGE_EVENTS,
		.events = {.stream = 2, .place_kind = DWELL_PLACE_ADDRESS, .events = events, .count = 2}};

	for (int told = 0; told < 2; told++) {
		struct diag *diag = make_diag();
		struct model *model = make(NULL, diag);

		if (told)
			model_feed(model, &other);
		model_feed(model, &its);
		feed(model, events, 2);
		model_finish(model);
		CHECK_EQ(model_get_profile(model)->has_off_cpu, told);
		CHECK_EQ(model_get_profile(model)->off_cpu_is_partial, told);
		CHECK_EQ(model_get_profile(model)->threads[0].off.unknown_ticks, 0);
		CHECK_EQ(model_get_profile(model)->threads[1].off.unknown_ticks, told ? 400 : 0);
		free_model(model);
		free_diag(diag);
	}
}

/* While the recorder held it up it was no time of the thread's: that is not unknown, but recording. */
TEST(a_held_thread_that_nobody_told_of)
{
	static const struct event events[] = {ENTER(100, 0), {200, 0, EVENT_HELD}, {350, 0, EVENT_HELD_END}, EXIT(500, 0)};
	struct message other = {.kind = MESSAGE_SWITCHES, .switches = {.stream = 2, .until_ticks = 1000}};
	struct message its = {.kind = MESSAGE_EVENTS,
		.events = {.stream = 2, .place_kind = DWELL_PLACE_ADDRESS, .events = events, .count = 4}};
	struct diag *diag = make_diag();
	struct model *model = make(NULL, diag);

	model_feed(model, &other);
	model_feed(model, &its);
	feed(model, events, 4);
	model_finish(model);
	CHECK_EQ(model_get_profile(model)->threads[1].held_ticks, 150);
	CHECK_EQ(model_get_profile(model)->threads[1].off.unknown_ticks, 250);
	free_model(model);
	free_diag(diag);
}

/* Intervals that overlap, go back, have no length, come twice, or come after what they are of. */
TEST(lies)
{
	static const struct event events[] = {ENTER(100, 0), ENTER(200, 1), EXIT(300, 1), EXIT(600, 0)};
	static const struct message_switch switches[] = {{210, 230, false}, {220, 240, true}, {50, 220, false}, {250, 250, false},
		{290, 270, false}, {280, UINT64_MAX, true}};
	struct diag *diag = make_diag();
	struct model *model = make(NULL, diag);
	const struct profile_thread *row;

	tell(model, 0, 400, switches, 6);
	tell(model, 0, 400, switches, 6);
	feed(model, events, 3);
	tell(model, 0, UINT64_MAX, switches, 3);
	tell(model, UINT64_MAX, UINT64_MAX, switches, 6);
	feed(model, events + 3, 1);
	model_finish(model);
	row = &model_get_profile(model)->threads[0];
	CHECK_EQ(row->off.ticks, 30 + 320);
	CHECK_EQ(row->off.preempted_ticks, 10 + 320);
	CHECK_EQ(function_of(model, 1)->self_off.ticks, 30 + 20);
	CHECK_EQ(function_of(model, 0)->self_off.ticks, 300);
	CHECK(row->off_cpu_balanced);
	free_model(model);
	free_diag(diag);
}

/* Frames that the first chunk of a thread knows of: 0 from 100, 1 from 300, whose calls took 50; the first event is at 400. */
TEST(frames_of_a_checkpoint)
{
	static const struct message_frame frames[] = {
		{.place = 0x1000, .enter_ticks = 100}, {.place = 0x2000, .enter_ticks = 300, .child_ticks = 50}};
	struct message checkpoint = {.kind = MESSAGE_CHECKPOINT,
		.checkpoint = {
			.stream = 1, .place_kind = DWELL_PLACE_ADDRESS, .frames = frames, .count = 2, .ticks = 400, .first = true}};
	static const struct event events[] = {EXIT(400, 1), EXIT(600, 0)};
	/* 20 in 0; then 70 in 1 or what it called, of which at least 20 in 1 itself; 30 in 0. */
	static const struct message_switch switches[] = {{50, 120, false}, {310, 380, false}, {500, 530, false}};
	struct diag *diag = make_diag();
	struct model *model = make(NULL, diag);
	const struct profile_thread *row;

	tell(model, 0, 900, switches, 3);
	model_feed(model, &checkpoint);
	feed(model, events, 2);
	model_finish(model);
	row = &model_get_profile(model)->threads[0];
	CHECK(row->balanced && row->off_cpu_balanced);
	CHECK_EQ(row->off.ticks, 20 + 70 + 30);
	CHECK_EQ(row->off_lost.ticks, 50);
	CHECK_EQ(function_of(model, 1)->self_off.ticks, 20);
	CHECK_EQ(function_of(model, 1)->total_off.ticks, 70);
	CHECK_EQ(function_of(model, 0)->self_off.ticks, 20 + 30);
	CHECK_EQ(function_of(model, 0)->total_off.ticks, 120);
	free_model(model);
	free_diag(diag);
}

/* 0 on the thread's own stack, 1 on another one in the meantime, and once more 2 on the first. */
TEST(stacks)
{
	static const struct event events[] = {ENTER(100, 0), {100, 1, EVENT_STACK}, ENTER(200, 1), {200, 0, EVENT_STACK},
		ENTER(400, 2), {400, 1, EVENT_STACK}, EXIT(500, 1), {500, 0, EVENT_STACK}, EXIT(600, 2), EXIT(700, 0)};
	/* 10 in 0; 80 in 1; 20 and 30 in 2; 5 on the second stack still, which has no call left. */
	static const struct message_switch switches[] = {
		{110, 120, false}, {210, 290, true}, {410, 430, false}, {440, 470, false}, {510, 515, false}};
	struct diag *diag = make_diag();
	struct model *model = make(NULL, diag);
	const struct profile_thread *row;

	tell(model, 0, 900, switches, 5);
	feed(model, events, 10);
	model_finish(model);
	row = &model_get_profile(model)->threads[0];
	CHECK(row->balanced && row->off_cpu_balanced && model_get_profile(model)->has_off_cpu);
	CHECK_EQ(row->off.ticks, 10 + 80 + 20 + 30 + 5);
	CHECK_EQ(row->off.unknown_ticks, 0);
	CHECK_EQ(row->switches, 5);
	CHECK_EQ(function_of(model, 0)->self_off.ticks, 10);
	CHECK_EQ(function_of(model, 1)->self_off.ticks, 80);
	CHECK_EQ(function_of(model, 2)->self_off.ticks, 50);
	CHECK_EQ(row->off_outside.ticks, 5);
	/* A call is not on the CPU while its stack is suspended, whoever runs: the first from 200 to 400 and 500 to 600, the other
	 * one from 400 to 500. */
	CHECK_EQ(function_of(model, 0)->total_off.ticks, 10 + 50 + 200 + 100);
	CHECK_EQ(function_of(model, 1)->total_off.ticks, 80 + 100);
	CHECK_EQ(function_of(model, 2)->total_off.ticks, 50 + 100);
	free_model(model);
	free_diag(diag);
}

/* ---- the oracle ---- */

enum { WAITING, PREEMPTED, UNTOLD };

struct life {
	struct event events[EVENTS];
	uint32_t count;
	struct {
		struct message_switch at;
		int kind;
	} off[INTERVALS];
	uint32_t off_count;
	bool has_pushes; /* frames that get their names late */
};

static void invent_events(struct life *life)
{
	uint64_t now = 1000;
	bool after_lost = false, may_push = pick(2);

	life->has_pushes = false;
	for (life->count = 0; life->count < EVENTS; life->count++) {
		static const enum event_kind rare[] = {
			EVENT_UNWIND_JUMP, EVENT_UNWIND_CATCH, EVENT_CALLER, EVENT_LANDED, EVENT_LOST, EVENT_STOP, EVENT_RESUME};
		struct event *event = &life->events[life->count];
		uint32_t kind = pick(100);

		now += pick(8) ? pick(20) : 0;
		*event = (struct event){now, place(pick(FUNCTIONS)), kind < 45 ? EVENT_ENTER : EVENT_EXIT};
		if (kind >= 85)
			event->kind = rare[pick(7)];
		if (after_lost && kind < 40)
			event->kind = pick(2) || !may_push ? EVENT_LOST_POPS : EVENT_LOST_PUSHES;
		life->has_pushes |= event->kind == EVENT_LOST_PUSHES;
		if (event->kind >= EVENT_LOST && event->kind <= EVENT_LOST_PUSHES)
			event->value = pick(3);
		if (event->kind == EVENT_LANDED && !pick(4))
			event->value = 0;
		if (event->kind == EVENT_CALLER)
			event->value += 8;
		if (!pick(30)) /* an event that says it was before the last one */
			event->ticks -= pick(10);
		after_lost = event->kind >= EVENT_LOST && event->kind <= EVENT_LOST_PUSHES;
	}
}

static void invent_switches(struct life *life, bool untold)
{
	uint64_t at = 980 + pick(40);

	for (life->off_count = 0; life->off_count < INTERVALS; life->off_count++) {
		uint64_t length = pick(4) ? pick(25) : pick(120);

		at += pick(3) ? pick(60) : 0;
		life->off[life->off_count].at = (struct message_switch){at, at + length, false};
		life->off[life->off_count].kind = untold ? (int)pick(3) : (int)pick(2);
		life->off[life->off_count].at.preempted = life->off[life->off_count].kind == PREEMPTED;
		at += length;
	}
}

/* How long it was off up to a time; kind: of that kind only, -1: any. */
static uint64_t off_until(const struct life *life, int kind, uint64_t ticks)
{
	uint64_t off = 0;

	for (uint32_t i = 0; i < life->off_count; i++) {
		uint64_t end = life->off[i].at.in_ticks < ticks ? life->off[i].at.in_ticks : ticks;

		if (life->off[i].at.out_ticks < end && (kind < 0 || kind == life->off[i].kind))
			off += end - life->off[i].at.out_ticks;
	}
	return off;
}

/* In batches; each interval is told just before the batch that it reaches into, or long before. */
static void play(const struct life *life, struct model *model)
{
	uint64_t known = 0;
	uint32_t told = 0;

	for (uint32_t at = 0, batch; at < life->count; at += batch) {
		uint64_t end = 0;

		batch = 1 + pick(pick(3) ? 10 : EVENTS);
		batch = batch < life->count - at ? batch : life->count - at;
		for (uint32_t i = 0; i < batch; i++)
			end = life->events[at + i].ticks > end ? life->events[at + i].ticks : end;
		for (; told < life->off_count && (life->off[told].at.out_ticks <= end || !pick(4)); told++) {
			if (life->off[told].kind == UNTOLD)
				tell(model, known, life->off[told].at.out_ticks, NULL, 0);
			else
				tell(model, known, life->off[told].at.in_ticks, &life->off[told].at, 1);
			known = life->off[told].at.in_ticks;
		}
		if (end > known) {
			tell(model, known, end, NULL, 0);
			known = end;
		}
		feed(model, life->events + at, batch);
	}
	model_finish(model);
}

static void play_without(const struct life *life, int kind, struct model *model)
{
	struct event events[EVENTS];

	for (uint32_t i = 0; i < life->count; i++) {
		events[i] = life->events[i];
		events[i].ticks -= off_until(life, kind, events[i].ticks);
	}
	feed(model, events, life->count);
	model_finish(model);
}

static uint64_t of_kind(const struct off_cpu_ticks *off, int kind)
{
	return kind == PREEMPTED ? off->preempted_ticks : kind == UNTOLD ? off->unknown_ticks : off->ticks + off->unknown_ticks;
}

static void compare_nodes(struct model *a, struct model *b, int kind)
{
	const struct tree *left = &model_get_profile(a)->tree, *right = &model_get_profile(b)->tree;
	uint32_t x = left->root, y = right->root;

	CHECK_EQ(left->count, right->count);
	while ((x = tree_next(left, x, left->root)) != TREE_NONE && (y = tree_next(right, y, right->root)) != TREE_NONE) {
		const struct tree_off *off = tree_get_off(left, &left->nodes[x]);

		CHECK_EQ(left->nodes[x].function, right->nodes[y].function);
		CHECK_EQ(left->nodes[x].self - of_kind(&off->self, kind), right->nodes[y].self);
		CHECK_EQ(left->nodes[x].total - of_kind(&off->total, kind), right->nodes[y].total);
	}
}

static void compare(struct model *a, const struct calls *left, struct model *b, const struct calls *right, int kind, bool totals)
{
	const struct profile_thread *x = &model_get_profile(a)->threads[0], *y = &model_get_profile(b)->threads[0];

	CHECK(x->balanced && x->off_cpu_balanced && y->balanced);
	CHECK_EQ(x->self_ticks - of_kind(&x->off_self, kind), y->self_ticks);
	CHECK_EQ(x->lost_ticks - of_kind(&x->off_lost, kind), y->lost_ticks);
	CHECK_EQ(x->outside_ticks - of_kind(&x->off_outside, kind), y->outside_ticks);
	CHECK_EQ(x->last_ticks - x->first_ticks - of_kind(&x->off, kind), y->last_ticks - y->first_ticks);
	CHECK_EQ(left->count, right->count);
	for (uint32_t i = 0; i < left->count && i < right->count; i++) {
		CHECK_EQ(left->list[i].total_ticks - of_kind(&left->list[i].total_off, kind), right->list[i].total_ticks);
		CHECK_EQ(left->list[i].self_ticks - of_kind(&left->list[i].self_off, kind), right->list[i].self_ticks);
	}
	for (size_t i = 0; i < model_get_profile(a)->function_count; i++) {
		const struct profile_function *f = &model_get_profile(a)->functions[i], *g = &model_get_profile(b)->functions[i];

		CHECK_EQ(f->self - of_kind(&f->self_off, kind), g->self);
		if (totals)
			CHECK_EQ(f->total - of_kind(&f->total_off, kind), g->total);
	}
}

static void against_the_oracle(bool untold, int kind, uint32_t seeds)
{
	for (uint32_t seed = 1; seed <= seeds && !tap_bad; seed++) {
		static struct life life;
		static struct calls left, right;
		struct diag *diag = make_diag();
		struct model *a = make(&left, diag), *b = make(&right, diag);

		state = seed * UINT64_C(0x9e3779b97f4a7c15);
		left.count = right.count = 0;
		invent_events(&life);
		invent_switches(&life, untold);
		play(&life, a);
		play_without(&life, kind, b);
		compare(a, &left, b, &right, kind, !life.has_pushes);
		if (!untold)
			compare_nodes(a, b, kind);
		if (tap_bad)
			printf("# seed %u\n", seed);
		free_model(a);
		free_model(b);
		free_diag(diag);
	}
}

TEST(as_if_it_had_never_been_off)
{
	against_the_oracle(false, -1, 4000);
}

TEST(as_if_it_had_never_been_preempted)
{
	against_the_oracle(false, PREEMPTED, 2000);
}

TEST(as_if_what_is_unknown_had_not_been)
{
	against_the_oracle(true, UNTOLD, 2000);
	against_the_oracle(true, -1, 2000);
}

int main(void)
{
	RUN(a_call_that_sleeps);
	RUN(time_after_a_jump_is_of_where_it_landed);
	RUN(what_is_not_told_is_unknown);
	RUN(a_thread_that_nobody_told_of);
	RUN(a_held_thread_that_nobody_told_of);
	RUN(lies);
	RUN(frames_of_a_checkpoint);
	RUN(stacks);
	RUN(as_if_it_had_never_been_off);
	RUN(as_if_it_had_never_been_preempted);
	RUN(as_if_what_is_unknown_had_not_been);
	return tap_done();
}
