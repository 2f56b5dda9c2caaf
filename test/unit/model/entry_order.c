/* Calls in order of entry, decoded chunk by chunk, against the same calls sorted in memory. */
#include "model/entry_order.h"

#include "check.h"
#include "programs.h"

static void feed_order(void *order, const struct message *message)
{
	entry_order_feed(order, message);
}

static uint32_t get_stream(void *context, uint64_t chunk)
{
	const struct program *program = context;

	return program->chunks[chunk].stream;
}

/* Which chunks the reader saw, and what was before each: as a reader's index knows. */
static bool after_loss[PROGRAM_CHUNKS];

static bool play(void *context, uint64_t chunk, struct model *model)
{
	program_feed_chunk(context, (uint32_t)chunk, after_loss[chunk], program_feed_model, model);
	return true;
}

struct list {
	struct call *calls;
	size_t count, capacity;
	size_t limit;
};

static void put(struct list *list, const struct call *call)
{
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? list->capacity * 2 : 1024;
		list->calls = realloc(list->calls, list->capacity * sizeof *list->calls);
	}
	list->calls[list->count++] = *call;
}

static bool use(void *context, const struct call *call)
{
	struct list *list = context;

	put(list, call);
	return list->count != list->limit;
}

static void collect(void *context, const struct call *call)
{
	put(context, call);
}

static int by_entry(const void *a, const void *b)
{
	const struct call *left = a, *right = b;

	if (left->enter_ticks != right->enter_ticks)
		return left->enter_ticks < right->enter_ticks ? -1 : 1;
	if (left->stream != right->stream)
		return left->stream < right->stream ? -1 : 1;
	if (left->exit_ticks != right->exit_ticks)
		return left->exit_ticks > right->exit_ticks ? -1 : 1;
	return left->depth < right->depth ? -1 : left->depth > right->depth;
}

static bool same(const struct call *a, const struct call *b)
{
	return a->stream == b->stream && a->function == b->function && a->depth == b->depth && a->flags == b->flags &&
	       a->enter_ticks == b->enter_ticks && a->exit_ticks == b->exit_ticks && a->total_ticks == b->total_ticks &&
	       a->self_ticks == b->self_ticks;
}

/* All calls of the program, both ways. Chunks that are 0 events long were lost. */
static void compare(struct program *program, const char *thread)
{
	struct diag *diag = make_diag();
	struct entry_order *order = make_entry_order(thread, diag);
	struct list got = {0}, want = {0};
	struct model_options options = {.on_call = collect, .context = &want, .thread = thread};
	struct entry_replay replay = {program, program->chunk_count, get_stream, play};
	struct model *model;
	size_t backwards = 0;

	options.functions = model_get_functions(entry_order_get_model(order));
	model = make_model(&options, diag);
	program_declare(program, program_feed_model, model);
	program_declare(program, feed_order, order);
	for (uint32_t i = 0; i < program->chunk_count; i++) {
		program_feed_chunk(program, i, after_loss[i], program_feed_model, model);
		program_feed_chunk(program, i, after_loss[i], feed_order, order);
	}
	model_finish(model);
	entry_order_finish(order);
	entry_order_write(order, &replay, use, &got);
	CHECK_EQ(diag_status(diag), 0);
	CHECK_EQ(got.count, want.count);
	for (size_t i = 1; i < got.count; i++)
		backwards += got.calls[i].enter_ticks < got.calls[i - 1].enter_ticks;
	CHECK_EQ(backwards, 0);
	if (got.count) {
		qsort(got.calls, got.count, sizeof *got.calls, by_entry);
		qsort(want.calls, want.count, sizeof *want.calls, by_entry);
	}
	for (size_t i = 0; i < got.count && i < want.count && !tap_bad; i++)
		CHECK(same(&got.calls[i], &want.calls[i]));
	free(got.calls);
	free(want.calls);
	free_model(model);
	free_entry_order(order);
	free_diag(diag);
}

/* Leaves out some chunks, as a damaged file does. */
static void lose_chunks(struct program *program, uint32_t one_of)
{
	bool lost[PROGRAM_THREADS] = {0};
	uint32_t kept = 0;

	for (uint32_t i = 0; i < program->chunk_count; i++) {
		struct program_chunk chunk = program->chunks[i];

		if (!program_pick(program, one_of)) {
			lost[chunk.stream] = true;
			free(chunk.events);
			continue;
		}
		after_loss[kept] = lost[chunk.stream];
		lost[chunk.stream] = false;
		program->chunks[kept++] = chunk;
	}
	program->chunk_count = kept;
}

/* From tiny chunks, which most calls span, to large ones. */
TEST(random_programs)
{
	memset(after_loss, 0, sizeof after_loss);
	for (uint32_t seed = 0; seed < 300 && !tap_bad; seed++) {
		struct program *program =
			make_program(seed, 1 + seed % PROGRAM_THREADS, seed / 4 % 2, 20 + seed * 5, 1 + seed % 97);

		compare(program, NULL);
		if (tap_bad)
			printf("# seed %u\n", seed);
		free_program(program);
	}
}

TEST(random_programs_with_chunks_missing)
{
	for (uint32_t seed = 0; seed < 300 && !tap_bad; seed++) {
		struct program *program = make_program(seed, 1 + seed % PROGRAM_THREADS, 0, 600, 30);

		memset(after_loss, 0, sizeof after_loss);
		lose_chunks(program, 3);
		compare(program, NULL);
		if (tap_bad)
			printf("# seed %u\n", seed);
		free_program(program);
	}
}

/* Calls whose entries were before the data are in no chunk. */
TEST(random_programs_without_a_beginning)
{
	for (uint32_t seed = 0; seed < 300 && !tap_bad; seed++) {
		struct program *program = make_program(seed, 1 + seed % PROGRAM_THREADS, 0, 300, 60);

		memset(after_loss, 0, sizeof after_loss);
		for (uint32_t i = 0; i < program->chunk_count; i++) {
			program->chunks[i].frame_count = 0; /* nobody knew what was open */
			if (program->chunks[i].first && program->chunks[i].event_count > 3)
				program->chunks[i].events[0].kind = program->chunks[i].events[1].kind = EVENT_EXIT;
		}
		compare(program, NULL);
		if (tap_bad)
			printf("# seed %u\n", seed);
		free_program(program);
	}
}

TEST(one_thread)
{
	struct program *program = make_program(7, PROGRAM_THREADS, 0, 3000, 50);

	memset(after_loss, 0, sizeof after_loss);
	compare(program, "thread-2");
	compare(program, "nobody");
	free_program(program);
}

/* They come before what they called, outermost first. */
TEST(calls_without_entry_are_in_order)
{
	struct diag *diag = make_diag();
	struct program *program = make_program(1, 1, 0, 1, 1);
	struct entry_order *order = make_entry_order(NULL, diag);
	struct entry_replay replay = {program, 1, get_stream, play};
	struct event events[] = {{10, PROGRAM_PLACE(3), EVENT_ENTER}, {20, PROGRAM_PLACE(3), EVENT_EXIT},
		{30, PROGRAM_PLACE(2), EVENT_EXIT}, {40, PROGRAM_PLACE(1), EVENT_EXIT}, {50, PROGRAM_PLACE(0), EVENT_EXIT}};
	const uint64_t exits[] = {50, 40, 30, 20};
	struct list got = {0};

	memset(after_loss, 0, sizeof after_loss);
	free(program->chunks[0].events);
	program->chunks[0].events = events;
	program->chunks[0].event_count = 5;
	program_declare(program, feed_order, order);
	program_feed_chunk(program, 0, false, feed_order, order);
	entry_order_finish(order);
	entry_order_write(order, &replay, use, &got);
	CHECK_EQ(got.count, 4);
	for (size_t i = 0; i < got.count; i++) {
		CHECK_EQ(got.calls[i].exit_ticks, exits[i]);
		CHECK_EQ(got.calls[i].enter_ticks, 10);
	}
	free(got.calls);
	program->chunks[0].events = NULL;
	free_entry_order(order);
	free_program(program);
	free_diag(diag);
}

/* Who takes only some calls gets the first ones. */
TEST(a_limit)
{
	struct diag *diag = make_diag();
	struct program *program = make_program(3, PROGRAM_THREADS, 0, 3000, 50);
	struct entry_order *order = make_entry_order(NULL, diag);
	struct entry_replay replay = {program, program->chunk_count, get_stream, play};
	struct list got = {.limit = 10};
	uint64_t tenth = 0;

	memset(after_loss, 0, sizeof after_loss);
	program_declare(program, feed_order, order);
	for (uint32_t i = 0; i < program->chunk_count; i++)
		program_feed_chunk(program, i, false, feed_order, order);
	entry_order_finish(order);
	entry_order_write(order, &replay, use, &got);
	CHECK_EQ(got.count, 10);
	for (size_t i = 0; i < got.count; i++)
		tenth = got.calls[i].enter_ticks;
	got.limit = 0;
	for (size_t i = 0; i < program->call_count; i++)
		got.limit += program->calls[i].enter < tenth;
	CHECK(got.limit < 10);
	free(got.calls);
	free_entry_order(order);
	free_program(program);
	free_diag(diag);
}

/* The file is another one the second time: calls are missing or have no duration, and it is said. */
static bool play_other(void *context, uint64_t chunk, struct model *model)
{
	struct program *program = context;

	if (chunk % 5 == 2)
		return false;
	if (chunk % 5 == 3)
		program->chunks[chunk].event_count /= 2;
	program_feed_chunk(program, (uint32_t)chunk, false, program_feed_model, model);
	return true;
}

TEST(a_file_that_changes)
{
	struct diag *diag = make_diag();
	struct program *program = make_program(9, PROGRAM_THREADS, 0, 3000, 50);
	struct entry_order *order = make_entry_order(NULL, diag);
	struct entry_replay replay = {program, program->chunk_count, get_stream, play_other};
	struct list got = {0};

	memset(after_loss, 0, sizeof after_loss);
	program_declare(program, feed_order, order);
	for (uint32_t i = 0; i < program->chunk_count; i++)
		program_feed_chunk(program, i, false, feed_order, order);
	entry_order_finish(order);
	entry_order_write(order, &replay, use, &got);
	CHECK_EQ(diag_status(diag), 1);
	CHECK(got.count > 0 && got.count < program->call_count);
	free(got.calls);
	free_entry_order(order);
	free_program(program);
	free_diag(diag);
}

int main(void)
{
	RUN(random_programs);
	RUN(random_programs_with_chunks_missing);
	RUN(random_programs_without_a_beginning);
	RUN(one_thread);
	RUN(calls_without_entry_are_in_order);
	RUN(a_limit);
	RUN(a_file_that_changes);
	return tap_done();
}
