/* The model against programs that count for themselves. */
#include "model/model.h"

#include "check.h"
#include "programs.h"

static struct model *make(const char *thread, struct diag *diag)
{
	const struct model_options options = {.want_profile = true, .thread = thread};

	return make_model(&options, diag);
}

static void feed_all(const struct program *program, struct model *model)
{
	program_declare(program, program_feed_model, model);
	for (uint32_t i = 0; i < program->chunk_count; i++)
		program_feed_chunk(program, i, false, program_feed_model, model);
	model_finish(model);
}

/* What must hold of every profile, whatever was lost. */
static void check_sums(const struct profile *profile)
{
	uint64_t functions = 0, nodes = 0, threads = 0;

	for (size_t i = 0; i < profile->function_count; i++) {
		functions += profile->functions[i].self;
		CHECK(profile->functions[i].self <= profile->functions[i].total);
	}
	for (uint32_t i = TREE_ROOT; i < profile->tree.count; i++)
		nodes += profile->tree.nodes[i].self;
	for (size_t i = 0; i < profile->thread_count; i++) {
		const struct profile_thread *thread = &profile->threads[i];

		threads += thread->self_ticks;
		CHECK(thread->balanced);
		CHECK_EQ(thread->self_ticks + thread->held_ticks + thread->lost_ticks + thread->outside_ticks,
			thread->last_ticks - thread->first_ticks);
	}
	CHECK_EQ(functions, profile->total);
	CHECK_EQ(nodes, profile->total);
	CHECK_EQ(threads, profile->total);
}

/* A caller's total holds those of its callees and its self, at every node. */
static void check_tree(const struct tree *tree)
{
	uint64_t *inside = calloc(tree->count, sizeof *inside);

	for (uint32_t at = tree_next(tree, tree->root, tree->root); at; at = tree_next(tree, at, tree->root)) {
		inside[at] += tree->nodes[at].self;
		inside[tree->nodes[at].parent] += tree->nodes[at].total;
	}
	for (uint32_t at = tree_next(tree, tree->root, tree->root); at; at = tree_next(tree, at, tree->root))
		CHECK(inside[at] <= tree->nodes[at].total);
	free(inside);
}

static uint32_t id_of(struct model *model, uint32_t function)
{
	return functions_find(model_get_functions(model), 0, (struct place){DWELL_PLACE_ADDRESS, PROGRAM_PLACE(function)}, 0);
}

static void check_truth(const struct program *program, struct model *model)
{
	const struct profile *profile = model_get_profile(model);

	for (uint32_t i = 0; i < PROGRAM_FUNCTIONS; i++) {
		const struct true_function *want = &program->functions[i];
		const struct profile_function *got;

		if (!want->calls)
			continue;
		got = &profile->functions[id_of(model, i)];
		CHECK_EQ(got->calls, want->calls);
		CHECK_EQ(got->total, want->total);
		CHECK_EQ(got->self, want->self);
	}
}

static void check_programs(uint32_t flags, uint32_t seeds)
{
	for (uint32_t seed = 0; seed < seeds && !tap_bad; seed++) {
		struct diag *diag = make_diag();
		struct program *program = make_program(seed, 1 + seed % PROGRAM_THREADS, flags, 20 + seed % 2000, 200);
		struct model *model = make(NULL, diag);

		feed_all(program, model);
		check_truth(program, model);
		check_sums(model_get_profile(model));
		check_tree(&model_get_profile(model)->tree);
		if (tap_bad)
			printf("# seed %u\n", seed);
		free_model(model);
		free_program(program);
		free_diag(diag);
	}
}

TEST(calls_of_threads)
{
	check_programs(0, 400);
}

TEST(jumps_land_where_the_next_call_site_is)
{
	check_programs(PROGRAM_JUMPS, 400);
}

/* Without some of its chunks a trace still adds up, and what lies beside the gaps is as it was. */
TEST(chunks_are_missing)
{
	for (uint32_t seed = 0; seed < 400 && !tap_bad; seed++) {
		struct diag *diag = make_diag();
		struct program *program = make_program(seed, 1 + seed % PROGRAM_THREADS, seed % 2, 600, 40);
		struct model *model = make(NULL, diag);
		bool lost[PROGRAM_THREADS] = {0};

		program_declare(program, program_feed_model, model);
		for (uint32_t i = 0; i < program->chunk_count; i++) {
			uint32_t stream = program->chunks[i].stream;

			if (!program_pick(program, 4)) {
				lost[stream] = true;
				continue;
			}
			program_feed_chunk(program, i, lost[stream], program_feed_model, model);
			lost[stream] = false;
		}
		model_finish(model);
		check_sums(model_get_profile(model));
		for (size_t i = 0; i < model_get_profile(model)->thread_count; i++)
			CHECK_EQ(model_get_profile(model)->threads[i].unmatched_exits, 0);
		if (tap_bad)
			printf("# seed %u\n", seed);
		free_model(model);
		free_program(program);
		free_diag(diag);
	}
}

/* A trace that begins anywhere, without a checkpoint: calls in progress are known by their exits only, and enclose what came
 * before. */
TEST(the_beginning_is_missing)
{
	for (uint32_t seed = 0; seed < 400 && !tap_bad; seed++) {
		struct diag *diag = make_diag();
		struct program *program = make_program(seed, 1, 0, 300, 300);
		struct model *model = make(NULL, diag);
		uint32_t skipped = program_pick(program, program->chunks[0].event_count);

		program_declare(program, program_feed_model, model);
		program->chunks[0].events += skipped;
		program->chunks[0].event_count -= skipped;
		for (uint32_t i = 0; i < program->chunk_count; i++)
			program_feed_chunk(program, i, false, program_feed_model, model);
		model_finish(model);
		check_sums(model_get_profile(model));
		check_tree(&model_get_profile(model)->tree);
		for (size_t i = 0; i < model_get_profile(model)->function_count; i++)
			CHECK(model_get_profile(model)->functions[i].total <=
				model_get_profile(model)->threads[0].last_ticks - model_get_profile(model)->threads[0].first_ticks);
		program->chunks[0].events -= skipped;
		free_model(model);
		free_program(program);
		free_diag(diag);
	}
}

/* Three models of the same functions, each with another thread: merged in any grouping they are the model of all. */
TEST(merging_is_associative)
{
	struct diag *diag = make_diag();
	struct program *program = make_program(5, 3, 0, 3000, 200);
	struct model *whole = make(NULL, diag), *parts[3];
	struct profile *left = make_profile(NULL), *right = make_profile(NULL), *tail = make_profile(NULL);

	feed_all(program, whole);
	for (uint32_t i = 0; i < 3; i++) {
		char name[24];
		const struct model_options options = {
			.want_profile = true, .thread = name, .functions = model_get_functions(whole)};

		snprintf(name, sizeof name, "thread-%u", i);
		parts[i] = make_model(&options, diag);
		feed_all(program, parts[i]);
		CHECK_EQ(model_get_profile(parts[i])->thread_count, 1);
		check_sums(model_get_profile(parts[i]));
		CHECK(profile_merge(left, model_get_profile(parts[i])));
	}
	CHECK(profile_merge(tail, model_get_profile(parts[1])));
	CHECK(profile_merge(tail, model_get_profile(parts[2])));
	CHECK(profile_merge(right, model_get_profile(parts[0])));
	CHECK(profile_merge(right, tail));
	check_sums(left);
	check_sums(right);
	CHECK_EQ(left->function_count, right->function_count);
	CHECK_EQ(left->tree.count, right->tree.count);
	CHECK_EQ(left->tree.count, model_get_profile(whole)->tree.count);
	for (size_t i = 0; i < left->function_count; i++) {
		const struct profile_function *a = &left->functions[i], *b = &right->functions[i];
		const struct profile_function *all = &model_get_profile(whole)->functions[i];

		CHECK(a->calls == b->calls && a->calls == all->calls && a->total == b->total && a->total == all->total);
		CHECK(a->self == b->self && a->self == all->self && a->min == b->min && a->min == all->min && a->max == b->max);
		CHECK(a->sum == b->sum && a->sum == all->sum && a->durations.count == b->durations.count);
		CHECK_EQ(histogram_percentile(&a->durations, 0.5), histogram_percentile(&all->durations, 0.5));
	}
	free_profile(left);
	free_profile(right);
	free_profile(tail);
	for (int i = 0; i < 3; i++)
		free_model(parts[i]);
	free_model(whole);
	free_program(program);
	free_diag(diag);
}

/* ---- single cases ---- */

static struct model *model;
static uint64_t now;

static void thread_message(uint32_t stream, uint32_t tid, const char *name, bool ended)
{
	struct message message = {.kind = MESSAGE_THREAD,
		.thread = {.stream = stream, .tid = tid, .ended = ended, .place_kind = DWELL_PLACE_ADDRESS, .name = name}};

	model_feed(model, &message);
}

static void event_of(uint32_t stream, enum event_kind kind, uint64_t value)
{
	struct event event = {++now, value, kind};
	struct message message = {.kind = MESSAGE_EVENTS,
		.events = {.stream = stream, .place_kind = DWELL_PLACE_ADDRESS, .events = &event, .count = 1}};

	model_feed(model, &message);
}

static void event(enum event_kind kind, uint64_t value)
{
	event_of(0, kind, value);
}

static const struct profile_function *row_of(uint32_t function)
{
	return &model_get_profile(model)->functions[id_of(model, function)];
}

static void begin(struct diag *diag)
{
	now = 0;
	model = make(NULL, diag);
}

static void end(struct diag *diag)
{
	check_sums(model_get_profile(model));
	free_model(model);
	free_diag(diag);
}

TEST(a_million_jumps_do_not_deepen_the_stack)
{
	struct diag *diag = make_diag();

	begin(diag);
	event(EVENT_ENTER, PROGRAM_PLACE(0));
	for (int turn = 0; turn < 1000000; turn++) {
		event(EVENT_CALLER, PROGRAM_PLACE(0) + 0x33);
		event(EVENT_ENTER, PROGRAM_PLACE(1));
		event(EVENT_ENTER, PROGRAM_PLACE(2));
		event(EVENT_UNWIND_JUMP, 0);
	}
	model_finish(model);
	CHECK_EQ(model_get_profile(model)->threads[0].deepest, 3);
	CHECK_EQ(model_get_profile(model)->threads[0].unwound_calls, 2 * 999999);
	CHECK_EQ(model_get_profile(model)->tree.count, TREE_ROOT + 4);
	CHECK_EQ(row_of(2)->calls, 1000000);
	end(diag);
}

/* A call site in no open function: nothing is finished, and it is counted. */
TEST(a_landing_that_nobody_knows)
{
	struct diag *diag = make_diag();

	begin(diag);
	event(EVENT_ENTER, PROGRAM_PLACE(1));
	event(EVENT_ENTER, PROGRAM_PLACE(2));
	event(EVENT_UNWIND_CATCH, 0);
	event(EVENT_CALLER, PROGRAM_PLACE(0));
	event(EVENT_ENTER, PROGRAM_PLACE(3));
	CHECK_EQ(model_open_count(model, 0), 3);
	model_finish(model);
	CHECK_EQ(model_get_profile(model)->threads[0].lost_unwinds, 1);
	end(diag);
}

TEST(deep_recursion_needs_no_setting)
{
	enum { DEEP = 200000 };
	struct diag *diag = make_diag();

	begin(diag);
	for (int i = 0; i < DEEP; i++)
		event(EVENT_ENTER, PROGRAM_PLACE(1));
	event(EVENT_ENTER, PROGRAM_PLACE(2));
	event(EVENT_EXIT, PROGRAM_PLACE(2));
	for (int i = 0; i < DEEP; i++)
		event(EVENT_EXIT, PROGRAM_PLACE(1));
	model_finish(model);
	CHECK_EQ(row_of(1)->calls, DEEP);
	CHECK_EQ(row_of(1)->total, now - 1);
	CHECK_EQ(row_of(1)->self, now - 2);
	CHECK_EQ(row_of(2)->total, 1);
	CHECK_EQ(model_get_profile(model)->threads[0].deepest, DEEP + 1);
	CHECK_EQ(model_get_profile(model)->threads[0].beyond_calls, 0);
	end(diag);
}

/* A hundred bytes of a file must not become gigabytes of frames. */
TEST(hostile_pushes_are_only_counted)
{
	struct diag *diag = make_diag();

	begin(diag);
	event(EVENT_ENTER, PROGRAM_PLACE(1));
	for (int i = 0; i < 100; i++) {
		event(EVENT_LOST, 1);
		event(EVENT_LOST_PUSHES, UINT64_MAX);
		event(EVENT_ENTER, PROGRAM_PLACE(2));
	}
	CHECK(model_open_count(model, 0) < 100000);
	model_finish(model);
	CHECK_EQ(model_get_profile(model)->threads[0].gap_calls, 100);
	end(diag);
}

TEST(threads_by_the_thousand)
{
	enum { THREADS = 5000 };
	struct diag *diag = make_diag();

	begin(diag);
	for (uint32_t i = 0; i < THREADS; i++) {
		thread_message(i * 7919u, i, "worker", false);
		event_of(i * 7919u, EVENT_ENTER, PROGRAM_PLACE(i % 10));
		event_of(i * 7919u, EVENT_EXIT, PROGRAM_PLACE(i % 10));
		thread_message(i * 7919u, i, "worker", true);
	}
	model_finish(model);
	CHECK_EQ(model_get_profile(model)->thread_count, THREADS);
	CHECK_EQ(row_of(3)->calls, THREADS / 10);
	CHECK_EQ(model_get_profile(model)->tree.count, TREE_ROOT + 11);
	end(diag);
}

/* What a thread gave back when it was said to have ended is there again when it goes on. */
TEST(a_thread_that_goes_on_after_its_end)
{
	struct diag *diag = make_diag();

	begin(diag);
	for (int turn = 0; turn < 3; turn++) {
		for (int i = 0; i < 200; i++)
			event(EVENT_ENTER, PROGRAM_PLACE(1));
		for (int i = 0; i < 200; i++)
			event(EVENT_EXIT, PROGRAM_PLACE(1));
		thread_message(0, 7, "phoenix", true);
	}
	model_finish(model);
	CHECK_EQ(row_of(1)->calls, 600);
	CHECK_EQ(model_get_profile(model)->tree.count, TREE_ROOT + 201);
	end(diag);
}

TEST(durations_are_of_complete_calls)
{
	struct diag *diag = make_diag();

	begin(diag);
	event(EVENT_ENTER, PROGRAM_PLACE(1)); /* 1: never left */
	event(EVENT_ENTER, PROGRAM_PLACE(2)); /* 2 to 3 */
	event(EVENT_EXIT, PROGRAM_PLACE(2));
	event(EVENT_ENTER, PROGRAM_PLACE(2)); /* 4: never left, and recursive */
	event(EVENT_ENTER, PROGRAM_PLACE(2)); /* 5 to 7 */
	now++;
	event(EVENT_EXIT, PROGRAM_PLACE(2));
	model_finish(model);
	CHECK(!row_of(1)->complete);
	CHECK_EQ(row_of(1)->min, 6);
	CHECK_EQ(row_of(1)->open_calls, 1);
	CHECK(row_of(2)->complete);
	CHECK_EQ(row_of(2)->calls, 3);
	CHECK_EQ(row_of(2)->open_calls, 1);
	CHECK_EQ(row_of(2)->min, 1);
	CHECK_EQ(row_of(2)->max, 2);
	CHECK_EQ(row_of(2)->sum, 3);
	CHECK_EQ(row_of(2)->durations.count, 2);
	CHECK_EQ(row_of(2)->total, 1 + 3);
	end(diag);
}

/* A frame that was entered in a gap is of an unknown function until its exit tells. */
TEST(unknown_functions_get_their_names)
{
	struct diag *diag = make_diag();

	begin(diag);
	event(EVENT_ENTER, PROGRAM_PLACE(1)); /* 1 */
	event(EVENT_LOST, 2);
	event(EVENT_LOST_PUSHES, 2);
	event(EVENT_ENTER, PROGRAM_PLACE(3)); /* 4: the gap ends */
	event(EVENT_EXIT, PROGRAM_PLACE(3));
	event(EVENT_EXIT, PROGRAM_PLACE(2)); /* 6 */
	event(EVENT_EXIT, PROGRAM_PLACE(1)); /* 7: of the other unknown one, a call of itself */
	event(EVENT_EXIT, PROGRAM_PLACE(1)); /* 8 */
	model_finish(model);
	CHECK_EQ(row_of(2)->calls, 1);
	CHECK_EQ(row_of(2)->total, 2);
	CHECK_EQ(row_of(2)->self, 1);
	CHECK(!row_of(2)->complete);
	CHECK_EQ(row_of(1)->calls, 2);
	CHECK_EQ(row_of(1)->total, 7);
	CHECK_EQ(model_get_profile(model)->threads[0].lost_ticks, 3);
	CHECK_EQ(model_get_profile(model)->threads[0].unmatched_exits, 0);
	end(diag);
}

/* What was before a gap is not in a call whose entry nobody saw: told by a record, by a pause, or by a chunk that is missing. */
TEST(a_gap_begins_anew)
{
	for (int way = 0; way < 3; way++) {
		struct diag *diag = make_diag();
		const struct tree *tree;
		uint32_t roots = 0;

		begin(diag);
		event(EVENT_ENTER, PROGRAM_PLACE(1));
		event(EVENT_EXIT, PROGRAM_PLACE(1));
		if (way == 0) {
			event(EVENT_LOST, 1);
		} else if (way == 1) {
			event(EVENT_STOP, 0);
			event(EVENT_RESUME, 0);
		} else {
			struct message message = {.kind = MESSAGE_CHECKPOINT,
				.checkpoint = {.place_kind = DWELL_PLACE_ADDRESS, .ticks = now + 1, .after_loss = true}};

			model_feed(model, &message);
		}
		event(EVENT_ENTER, PROGRAM_PLACE(3));
		event(EVENT_EXIT, PROGRAM_PLACE(3));
		event(EVENT_EXIT, PROGRAM_PLACE(2));
		model_finish(model);
		tree = &model_get_profile(model)->tree;
		for (uint32_t child = tree->nodes[tree->root].first_child; child; child = tree->nodes[child].next_sibling)
			roots++;
		CHECK_EQ(roots, 2);
		CHECK_EQ(row_of(2)->calls, 1);
		check_tree(tree);
		end(diag);
	}
}

/* Durations of complete calls win over those of others, in whatever order they meet. */
TEST(merging_durations)
{
	for (int swapped = 0; swapped < 2; swapped++) {
		struct profile *open = make_profile(NULL), *complete = make_profile(NULL);
		struct profile *into = swapped ? open : complete, *from = swapped ? complete : open;

		CHECK(profile_add_duration(profile_get_function(open, 3), 1000, false));
		CHECK(profile_add_duration(profile_get_function(complete, 3), 10, true));
		CHECK(profile_merge(into, from));
		CHECK(into->functions[3].complete);
		CHECK_EQ(into->functions[3].min, 10);
		CHECK_EQ(into->functions[3].max, 10);
		CHECK_EQ(into->functions[3].sum, 10);
		CHECK_EQ(into->functions[3].durations.count, 1);
		free_profile(open);
		free_profile(complete);
	}
}

TEST(what_happens_while_recording_is_off_is_outside)
{
	struct diag *diag = make_diag();

	begin(diag);
	event(EVENT_ENTER, PROGRAM_PLACE(1)); /* 1 */
	event(EVENT_ENTER, PROGRAM_PLACE(2)); /* 2 */
	event(EVENT_STOP, 0);                  /* 3 */
	now += 100;
	event(EVENT_RESUME, 0);                   /* 104 */
	event(EVENT_EXIT, PROGRAM_PLACE(1));  /* 105: 2 ended while off */
	model_finish(model);
	CHECK_EQ(row_of(2)->total, 1);
	CHECK_EQ(row_of(1)->self, 2);
	CHECK_EQ(model_get_profile(model)->threads[0].outside_ticks, 101);
	CHECK_EQ(model_get_profile(model)->threads[0].lost_ticks, 0);
	end(diag);
}

TEST(what_the_recorder_held_a_thread_up_is_recording)
{
	struct diag *diag = make_diag();

	begin(diag);
	event(EVENT_ENTER, PROGRAM_PLACE(1)); /* 1 */
	event(EVENT_ENTER, PROGRAM_PLACE(2)); /* 2 */
	event(EVENT_HELD, 0);                 /* 3 */
	now += 100;
	event(EVENT_HELD_END, 0);             /* 104 */
	event(EVENT_EXIT, PROGRAM_PLACE(2));  /* 105 */
	event(EVENT_EXIT, PROGRAM_PLACE(1));  /* 106 */
	model_finish(model);
	CHECK(row_of(2)->total == 2 && row_of(2)->self == 2 && row_of(2)->max == 2);
	CHECK(row_of(1)->total == 4 && row_of(1)->self == 2);
	CHECK_EQ(model_get_profile(model)->threads[0].held_ticks, 101);
	end(diag);
}

TEST(one_thread_is_asked_for)
{
	struct diag *diag = make_diag();

	now = 0;
	model = make("late name", diag);
	thread_message(1, 11, "early", false);
	thread_message(2, 12, "late name", false); /* as a first pass over the file says it */
	thread_message(2, 12, "other", false);
	for (uint32_t stream = 1; stream < 4; stream++) {
		event_of(stream, EVENT_ENTER, PROGRAM_PLACE(stream));
		event_of(stream, EVENT_EXIT, PROGRAM_PLACE(stream));
	}
	model_finish(model);
	CHECK_EQ(model_get_profile(model)->thread_count, 1);
	CHECK_EQ(model_get_profile(model)->threads[0].tid, 12);
	CHECK_STR(model_get_profile(model)->threads[0].name, "other");
	CHECK_EQ(row_of(2)->calls, 1);
	end(diag);
}

TEST(weights_of_paths)
{
	const char *const names[] = {"main", "work", "main", "leaf"};
	struct diag *diag = make_diag();
	struct message message = {.kind = MESSAGE_WEIGHT, .weight = {.names = names, .depth = 4, .weight = 10}};
	struct functions *functions;
	const struct profile *profile;

	begin(diag);
	model_feed(model, &message);
	message.weight.depth = 2;
	message.weight.weight = 5;
	model_feed(model, &message);
	message.weight.depth = 1;
	message.weight.weight = UINT64_MAX; /* a file may say so: sums stay at the most there is */
	model_feed(model, &message);
	model_finish(model);
	functions = model_get_functions(model);
	profile = model_get_profile(model);
	CHECK(!profile->has_times);
	CHECK_EQ(profile->functions[functions_find_name(functions, "work")].total, 15);
	CHECK_EQ(profile->functions[functions_find_name(functions, "work")].self, 5);
	CHECK_EQ(profile->functions[functions_find_name(functions, "leaf")].self, 10);
	CHECK_EQ(profile->functions[functions_find_name(functions, "main")].total, UINT64_MAX);
	CHECK_EQ(profile->functions[functions_find_name(functions, "main")].self, UINT64_MAX);
	CHECK_EQ(profile->tree.count, TREE_ROOT + 5);
	free_model(model);
	free_diag(diag);
}

int main(void)
{
	RUN(calls_of_threads);
	RUN(jumps_land_where_the_next_call_site_is);
	RUN(chunks_are_missing);
	RUN(the_beginning_is_missing);
	RUN(merging_is_associative);
	RUN(a_million_jumps_do_not_deepen_the_stack);
	RUN(a_landing_that_nobody_knows);
	RUN(deep_recursion_needs_no_setting);
	RUN(hostile_pushes_are_only_counted);
	RUN(threads_by_the_thousand);
	RUN(a_thread_that_goes_on_after_its_end);
	RUN(durations_are_of_complete_calls);
	RUN(unknown_functions_get_their_names);
	RUN(a_gap_begins_anew);
	RUN(merging_durations);
	RUN(what_happens_while_recording_is_off_is_outside);
	RUN(what_the_recorder_held_a_thread_up_is_recording);
	RUN(one_thread_is_asked_for);
	RUN(weights_of_paths);
	return tap_done();
}
