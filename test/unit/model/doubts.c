/* Gaps of unknown content, in threads with several stacks: no call is shown below a function that never made it, and none takes
 * longer than its caller. The truth is known of random programs in which a function calls only those with higher numbers. */
#include "model/model.h"

#include "check.h"
#include "programs.h"

enum { STACKS = 3, FUNCTIONS = 8, STEPS = 600, PROGRAMS = 1000 };

static struct model *model;
static uint64_t now, seed;
static uint32_t stacks[STACKS][FUNCTIONS], depth[STACKS], running, said;
/* Of the gap: its events; on the stack that was said last, the frames that it left, and those it entered that are open. */
static uint32_t lost, left, entered;
static bool is_gap, in_doubt;

static uint32_t pick(uint32_t count)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(seed >> 33) % count;
}

static void event(enum event_kind kind, uint64_t value)
{
	struct event event = {now += 1 + pick(5), value, kind};
	struct message message = {.kind = MESSAGE_EVENTS,
		.events = {.stream = 0, .place_kind = DWELL_PLACE_ADDRESS, .events = &event, .count = 1}};

	model_feed(model, &message);
}

static void record(enum event_kind kind, uint64_t value)
{
	if (is_gap) {
		lost++;
		if (said != running) {
			in_doubt = true;
			entered = 0;
		} else if (kind == EVENT_ENTER) {
			entered++;
		} else if (kind == EVENT_EXIT && entered) {
			entered--;
		} else if (kind == EVENT_EXIT) {
			left++;
		}
		return;
	}
	if (said != running)
		event(EVENT_STACK, said = running);
	event(kind, value);
}

static void enter(void)
{
	uint32_t *count = &depth[running], lowest = *count ? stacks[running][*count - 1] + 1 : 0;

	if (lowest == FUNCTIONS)
		return;
	stacks[running][*count] = lowest + pick(FUNCTIONS - lowest);
	record(EVENT_ENTER, PROGRAM_PLACE(stacks[running][(*count)++]));
}

static void leave(void)
{
	if (!depth[running])
		return;
	record(EVENT_EXIT, PROGRAM_PLACE(stacks[running][--depth[running]]));
}

static void unwind(void)
{
	if (depth[running] < 2)
		return;
	depth[running] = 1 + pick(depth[running] - 1);
	record(EVENT_UNWIND_CATCH, 0);
	if (!is_gap)
		event(EVENT_LANDED, PROGRAM_PLACE(stacks[running][depth[running] - 1]));
	entered = 0;
	in_doubt = true;
}

static void change_stack(void)
{
	running = pick(STACKS);
}

static void end_gap(void)
{
	is_gap = false;
	if (!lost)
		return;
	event(EVENT_LOST, lost);
	event(EVENT_LOST_POPS, in_doubt ? UINT32_MAX : left);
	event(EVENT_LOST_PUSHES, entered);
}

static void step(void)
{
	uint32_t what = pick(100);

	if (what < 48)
		enter();
	else if (what < 90)
		leave();
	else if (what < 95)
		unwind();
	else
		change_stack();
}

static void check_paths(const struct profile *profile)
{
	struct functions *functions = model_get_functions(model);
	const struct tree *tree = &profile->tree;
	uint32_t numbers[FUNCTIONS], invented = 0, misfits = 0;

	for (uint32_t i = 0; i < FUNCTIONS; i++)
		numbers[i] = functions_find(functions, 0, (struct place){DWELL_PLACE_ADDRESS, PROGRAM_PLACE(i)}, 0);
	for (uint32_t at = tree_next(tree, tree->root, tree->root); at; at = tree_next(tree, at, tree->root)) {
		uint64_t inside = tree->nodes[at].self;

		for (uint32_t child = tree->nodes[at].first_child; child; child = tree->nodes[child].next_sibling) {
			uint32_t caller = FUNCTIONS, callee = FUNCTIONS;

			inside += tree->nodes[child].total;
			for (uint32_t i = 0; i < FUNCTIONS; i++) {
				caller = numbers[i] == tree->nodes[at].function ? i : caller;
				callee = numbers[i] == tree->nodes[child].function ? i : callee;
			}
			invented += caller < FUNCTIONS && caller >= callee;
		}
		misfits += inside > tree->nodes[at].total;
	}
	CHECK_EQ(invented, 0);
	CHECK_EQ(misfits, 0);
	for (uint32_t i = 0; i < FUNCTIONS; i++)
		CHECK(profile->functions[numbers[i]].self <= profile->functions[numbers[i]].total);
	CHECK(profile->threads[0].balanced);
}

static void check_program(uint64_t number)
{
	struct diag *diag = make_diag();

	seed = number;
	now = running = said = 0;
	for (uint32_t i = 0; i < STACKS; i++)
		depth[i] = 0;
	is_gap = false;
	model = make_model(&(struct model_options){.want_profile = true}, diag);
	for (uint32_t i = 0; i < STEPS; i++) {
		if (is_gap ? !pick(20) : !pick(60)) {
			if (is_gap)
				end_gap();
			else
				is_gap = true;
			lost = left = entered = 0;
			in_doubt = false;
		}
		step();
	}
	model_finish(model);
	check_paths(model_get_profile(model));
	free_model(model);
	free_diag(diag);
}

TEST(nothing_is_invented)
{
	for (uint64_t number = 0; number < PROGRAMS; number++)
		check_program(number);
}

int main(void)
{
	RUN(nothing_is_invented);
	return tap_done();
}
