/* dwell/read.h, by the header alone: questions, parameters, errors, what is cancelled. Answers are compared with the commands' CSV
 * in test/e2e/read/read.sh. */
#include "dwell/read.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

static const char small[] = "test/trace/good/small.dwell", zoo[] = "test/trace/good/zoo.dwell";

struct got {
	size_t calls, rows, columns;
	size_t stop_at; /* rows; 0: never */
	char text[64];  /* the first cell of the first row */
	char key[64];
};

static int take(void *context, const struct dwell_rows *rows)
{
	struct got *got = context;

	CHECK(got->calls || !rows->row_count); /* the first one has none */
	CHECK(!got->calls || rows->row_count);
	CHECK(!got->calls || got->columns == rows->column_count);
	if (rows->row_count && !got->rows && rows->cells[0].value.text && rows->columns[0].unit <= DWELL_VALUE_NAME)
		snprintf(got->text, sizeof got->text, "%s", rows->cells[0].value.text);
	snprintf(got->key, sizeof got->key, "%s", rows->columns[0].key);
	got->calls++;
	got->rows += rows->row_count;
	got->columns = rows->column_count;
	return !got->stop_at || got->rows < got->stop_at;
}

static enum dwell_read_status ask(
	struct dwell_recording *recording, const char *question, const char *name, const char *value, struct got *got)
{
	const struct dwell_parameter parameter = {name, value};

	*got = (struct got){.stop_at = got->stop_at};
	return dwell_read_ask(recording, question, &parameter, name != NULL, take, got);
}

TEST(questions_have_answers)
{
	struct dwell_recording *recording = dwell_read_open(small, NULL);
	char function[64];
	struct got got = {0};

	CHECK_EQ(dwell_read_version() >> 16, DWELL_READ_VERSION_MAJOR);
	CHECK_EQ(ask(recording, "functions", NULL, NULL, &got), DWELL_READ_OK);
	CHECK(got.rows > 1 && got.calls == 2);
	CHECK_STR(got.key, "function");
	snprintf(function, sizeof function, "%s", got.text);
	CHECK_EQ(ask(recording, "functions", "limit", "1", &got), DWELL_READ_OK);
	CHECK_EQ(got.rows, 1);
	CHECK_EQ(dwell_read_add(recording, small, DWELL_RUN_OLD), 1);
	for (size_t i = 0; dwell_read_question(i); i++) {
		const struct dwell_question *question = dwell_read_question(i);
		int is_of_function = question->parameter_count && question->parameters[0].is_required;

		if (!strcmp(question->name, "split") || !strcmp(question->name, "times"))
			continue; /* of samples, which are not in it */
		CHECK_EQ(ask(recording, question->name, is_of_function ? "function" : NULL, function, &got), DWELL_READ_OK);
		CHECK(got.calls && got.columns);
		CHECK(!dwell_read_error(recording));
	}
	CHECK(!dwell_read_question(1000));
	dwell_read_close(recording);
	dwell_read_close(NULL);
}

TEST(errors_are_values)
{
	static const char *const wrong[][3] = {
		{"nonsense", NULL, NULL}, {"functions", "nonsense", ""}, {"functions", "limit", "many"}, {"functions", "limit", "-1"},
		{"functions", "by", "moon"}, {"functions", "sort", "moon"}, {"functions", "raw", "perhaps"}, {"functions", "thread", "nobody"},
		{"callers", NULL, NULL}, {"callers", "function", "nobody"}, {"tree", "min", "101"}, {"calls", "longer", "20"},
		{"calls", "longer", "-20us"}, {"calls", "by", "cpu"}, {"calls", "order", "none"}, {"slowest", "limit", "0"}, {"calls", "function", "nobody"},
		{"times", NULL, NULL}, {"times", "times_from", "nothing"}, {"diff", NULL, NULL}, {"diff", "by", "cpu"}, {"diff", "confidence", "10"}};
	struct dwell_recording *recording = dwell_read_open(small, NULL);
	struct dwell_message message;
	struct got got = {0};
	size_t errors, at;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		CHECK_EQ(ask(recording, wrong[i][0], wrong[i][1], wrong[i][2], &got), DWELL_READ_FAILED);
		CHECK(dwell_read_error(recording) != NULL);
		for (errors = at = 0; dwell_read_message(recording, at, &message); at++)
			errors += message.level == DWELL_MESSAGE_ERROR;
		CHECK(errors > 0);
		CHECK_EQ(got.rows, 0);
	}
	CHECK_EQ(ask(recording, "functions", NULL, NULL, &got), DWELL_READ_OK); /* and it goes on */
	CHECK(!dwell_read_error(recording));
	dwell_read_close(recording);

	recording = dwell_read_open("/nowhere/at.all", NULL);
	CHECK_EQ(ask(recording, "functions", NULL, NULL, &got), DWELL_READ_FAILED);
	CHECK(strstr(dwell_read_error(recording), "/nowhere/at.all") != NULL);
	dwell_read_close(recording);
	CHECK_EQ(dwell_read_ask(NULL, "functions", NULL, 0, take, &got), DWELL_READ_FAILED);
	CHECK_STR(dwell_read_error(NULL), "out of memory");
}

static int tell(void *context, uint64_t done, uint64_t total)
{
	uint64_t *told = context;

	CHECK(done <= total);
	return ++*told < 1;
}

TEST(what_is_cancelled_ends)
{
	uint64_t told = 0;
	struct dwell_read_options options = {.size = sizeof options, .threads = 1, .progress = tell, .progress_context = &told};
	struct dwell_recording *recording = dwell_read_open(zoo, NULL);
	struct got got = {.stop_at = 1};

	for (size_t i = 0; i < 2; i++) {
		CHECK_EQ(ask(recording, i ? "calls" : "functions", NULL, NULL, &got), DWELL_READ_CANCELLED);
		CHECK(!dwell_read_error(recording));
		CHECK_EQ(got.calls, 2);
	}
	dwell_read_close(recording);

	for (options.threads = 1; options.threads <= 2; options.threads++) {
		recording = dwell_read_open(zoo, &options);
		got.stop_at = told = 0;
		CHECK_EQ(ask(recording, "functions", NULL, NULL, &got), DWELL_READ_CANCELLED);
		CHECK_EQ(told, 1);
		CHECK_EQ(got.rows, 0);
		dwell_read_close(recording);
	}
}

TEST(runs_are_compared)
{
	struct dwell_recording *recording = dwell_read_open(zoo, NULL);
	struct got got = {0};

	CHECK_EQ(dwell_read_add(recording, zoo, DWELL_RUN_OLD), 1);
	CHECK_EQ(ask(recording, "diff", "by", "calls", &got), DWELL_READ_OK);
	CHECK(got.rows > 1);
	CHECK_EQ(dwell_read_add(recording, zoo, DWELL_RUN_NEW), 1);
	CHECK_EQ(dwell_read_add(recording, zoo, DWELL_RUN_OLD), 1);
	CHECK_EQ(ask(recording, "diff", "by", "time", &got), DWELL_READ_OK);
	CHECK_EQ(ask(recording, "diff", "limit", "1", &got), DWELL_READ_OK);
	CHECK_EQ(got.rows, 1);
	CHECK_EQ(ask(recording, "functions", NULL, NULL, &got), DWELL_READ_OK); /* of the first one alone */
	CHECK_EQ(dwell_read_add(recording, "/nowhere/at.all", DWELL_RUN_NEW), 1);
	CHECK_EQ(ask(recording, "diff", NULL, NULL, &got), DWELL_READ_FAILED);
	CHECK(strstr(dwell_read_error(recording), "/nowhere/at.all") != NULL);
	CHECK_EQ(dwell_read_add(NULL, small, DWELL_RUN_OLD), 0);
	dwell_read_close(recording);
}

/* What is missing in a recording is told beside each answer. */
TEST(losses_are_told)
{
	struct dwell_recording *recording = dwell_read_open(zoo, NULL);
	struct dwell_message message;
	struct got got = {0};
	size_t warnings;

	for (size_t i = 0; i < 3; i++) {
		CHECK_EQ(ask(recording, i == 2 ? "info" : i ? "calls" : "functions", NULL, NULL, &got), DWELL_READ_OK);
		CHECK(!dwell_read_error(recording));
		warnings = 0;
		for (size_t at = 0; dwell_read_message(recording, at, &message); at++)
			warnings += message.level == DWELL_MESSAGE_WARNING && strstr(message.text, "15 events were lost");
		CHECK_EQ(warnings, 1);
	}
	dwell_read_close(recording);
}

/* Who was built with an older header fills less. */
TEST(options_of_another_size)
{
	struct dwell_read_options options = {.size = sizeof(size_t), .format = "nonsense"};
	struct dwell_recording *recording = dwell_read_open(small, &options);
	struct got got = {0};

	CHECK_EQ(ask(recording, "functions", NULL, NULL, &got), DWELL_READ_OK);
	dwell_read_close(recording);
	options.size = sizeof options;
	recording = dwell_read_open(small, &options);
	CHECK_EQ(ask(recording, "functions", NULL, NULL, &got), DWELL_READ_FAILED);
	dwell_read_close(recording);
}

int main(void)
{
	RUN(questions_have_answers);
	RUN(errors_are_values);
	RUN(what_is_cancelled_ends);
	RUN(runs_are_compared);
	RUN(losses_are_told);
	RUN(options_of_another_size);
	return tap_done();
}
