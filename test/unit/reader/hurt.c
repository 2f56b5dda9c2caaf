/* Each good trace is cut at each byte and has each byte flipped, in all its bits and one by one, and goes through reader, model and
 * report. Under sanitizers, where all takes thirty times as long, it is each fifth byte, flipped in one way of the nine.
 * Nothing crashes or hangs (the suite asan runs this under the sanitizers), and more than that: no damage goes unsaid, nothing that
 * was not in the file is reported, and the accounts balance.
 * Takes long, byte by byte. */

#include "analysis/functions.h"
#include "analysis/tree.h"
#include "check.h"
#include "model/model.h"
#include "reader/reader.h"
#include "zoo.h"

#define STEP (SANITIZED ? 11 : 1)

struct outcome {
	int reader_status; /* what the reader said, without the model's words */
	uint64_t events, rows;
	bool opened, balanced;
};

static void ignore_begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	(void)context;
	(void)name;
	(void)columns;
	(void)count;
}

static void count_row(void *context, const struct cell *cells)
{
	(void)cells;
	++*(uint64_t *)context;
}

static void ignore_end(void *context)
{
	(void)context;
}

static void report(struct model *model, struct outcome *outcome)
{
	const struct profile *profile = model_get_profile(model);
	struct table_sink sink = {&outcome->rows, ignore_begin, count_row, ignore_end};
	struct analysis_functions functions = {
		profile, model_get_functions(model), model_get_clock(model), NULL, BY_BEST, UINT64_MAX};
	struct analysis_tree tree = {
		profile, model_get_functions(model), model_get_clock(model), UINT64_MAX, UINT64_MAX, BY_BEST, 0};

	outcome->balanced = true;
	for (size_t i = 0; i < profile->thread_count; i++)
		outcome->balanced &= profile->threads[i].balanced;
	outcome->balanced &= analysis_functions(&functions, &sink) && analysis_tree(&tree, &sink);
}

static struct outcome run(const uint8_t *data, size_t size)
{
	struct outcome outcome = {0};
	struct diag *reader_diag = make_diag(), *model_diag = make_diag();
	/* of exactly this size, so that a sanitizer sees a byte too far */
	uint8_t *copy = memcpy(malloc(size + !size), data, size);
	struct reader *reader = make_reader(make_source_memory("hurt", copy, size, reader_diag), reader_diag);
	struct model_options options = {.want_profile = true};
	struct model *model = reader ? make_model(&options, model_diag) : NULL;
	struct message message;

	outcome.opened = reader;
	if (model) {
		do {
			reader_next(reader, &message);
			model_feed(model, &message);
		} while (message.kind != MESSAGE_END);
		model_finish(model);
		outcome.events = reader_get_health(reader)->events;
		report(model, &outcome);
	}
	free_model(model);
	free_reader(reader);
	outcome.reader_status = diag_status(reader_diag);
	free_diag(reader_diag);
	free_diag(model_diag);
	free(copy);
	return outcome;
}

/* A hurt file against the whole one. */
static void check(const struct outcome *hurt, const struct outcome *whole, const char *name, const char *what, size_t at)
{
	bool good = hurt->reader_status >= 1 && hurt->events <= whole->events && (!hurt->opened || hurt->balanced) &&
		hurt->opened == (hurt->reader_status < 2);

	if (!good)
		printf("# %s, %s at %zu: status %d, %llu events of %llu, %s\n", name, what, at, hurt->reader_status,
			(unsigned long long)hurt->events, (unsigned long long)whole->events, hurt->balanced ? "balanced" : "not balanced");
	CHECK(good);
}

static uint8_t *data;
static size_t size;
static const char *name;

TEST(cut_at_each_byte)
{
	struct outcome whole = run(data, size), hurt;

	CHECK(whole.opened && whole.balanced && whole.reader_status == 0);
	for (size_t at = 0; at < size && !tap_bad; at += STEP) {
		hurt = run(data, at);
		check(&hurt, &whole, name, "cut", at);
	}
}

TEST(flip_at_each_byte)
{
	struct outcome whole = run(data, size), hurt;

	for (size_t at = 0; at < size && !tap_bad; at += STEP) {
		int first = SANITIZED ? (int)(at % 9) : 0, last = SANITIZED ? first : 8;

		for (int bit = first; bit <= last; bit++) {
			uint8_t flip = bit == 8 ? 0xff : (uint8_t)(1 << bit);
			data[at] ^= flip;
			hurt = run(data, size);
			data[at] ^= flip;
			check(&hurt, &whole, name, "flipped", at);
		}
	}
}

static void try_trace(const char *file, uint8_t *bytes, size_t count)
{
	name = file;
	data = bytes;
	size = count;
	RUN(cut_at_each_byte);
	RUN(flip_at_each_byte);
}

int main(void)
{
	zoo_each_good(try_trace);
	return tap_done() || !tap_count;
}
