/* All options of all commands: their rows are whole, each is taken with a value of its kind, and of all pairs those are refused
 * that exclude one another, whichever comes first, with a message that says why. */
#include "check.h"

#include <stdlib.h>

#include "option/option_value.h"
#include "cli/tracing.h"
#include "util/diag.h"

#define OPTIONS_BYTES 65536 /* of any command's struct options */

static char options[OPTIONS_BYTES];

/* Of rows that read their values themselves. */
static const char *const own_values[][2] = {{"--only", "f"}, {"--not", "f"}, {"--keep-slowest", "3:f"}, {"--snapshot-when", "f > 5ms"},
	{"--ring", "1M"}, {"--linear", "1M"}, {"--on-full", "wait:5s"}, {"--throttle", "1"},
	{"--engine", "perf"}, {"-e", "page-faults"}, {"--fail-over", "5%"}, {"--link", "tcp:host:1"},
	{"--address", "0x10"}, {"--size", "4K"}, {"--color", "never"}, {"--time", "1s..2s"}};

static const char *good_value(const struct option_row *row, char text[static 64])
{
	const char *choices = row->choices;
	size_t bytes;

	switch (row->kind) {
	case OPTION_COUNT:
	case OPTION_COUNT_32:
	case OPTION_NUMBER:
		snprintf(text, 64, "%.10g", row->low);
		return text;
	case OPTION_SIZE:
		return "1M";
	case OPTION_DURATION:
	case OPTION_MOMENT:
		return "1s";
	case OPTION_CHOICE:
		choices = option_next_choice(&choices, &bytes);
		snprintf(text, 64, "%.*s", (int)bytes, choices);
		return text;
	case OPTION_OWN:
		for (size_t i = 0; i < sizeof own_values / sizeof *own_values; i++)
			if (!strcmp(own_values[i][0], row->name))
				return own_values[i][1];
		return NULL;
	default:
		return "x";
	}
}

/* --limit=1, -ofile: with a good value, or the one that is given. */
static void spell(const struct option_row *row, const char *value, char word[static 128])
{
	char text[64];

	if (row->value && !value)
		value = good_value(row, text);
	if (!CHECK(!row->value || value))
		printf("# %s has no value in this test\n", row->name);
	snprintf(word, 128, "%s%s%s", row->name, row->value && row->name[1] == '-' ? "=" : "", row->value && value ? value : "");
}

/* Whether the words are taken, with one more that the command cannot do without; else message is why. */
static bool takes(const struct command *command, const struct option_row *rows, size_t count, const char *a, const char *b,
	char message[static 1024])
{
	char one[128], other[128], needed[128] = "", name[] = "command", *argv[] = {name, one, other, needed, NULL};
	struct diag *diag = make_diag();
	struct option_line line;
	bool good;
	FILE *out = fmemopen(message, 1024, "w");

	snprintf(one, sizeof one, "%s", a);
	snprintf(other, sizeof other, "%s", b);
	for (size_t i = 0; i < count; i++)
		if (rows[i].missing && strncmp(a, rows[i].name, strlen(rows[i].name)) &&
			strncmp(b, rows[i].name, strlen(rows[i].name)))
			spell(&rows[i], NULL, needed);
	memset(options, 0, sizeof options);
	good = option_read_line(command, options, *needed ? 4 : 3, argv, &line, diag);
	diag_print(diag, out);
	fclose(out);
	free_diag(diag);
	for (size_t i = 0; i < count; i++) /* what was allocated */
		if (!strcmp(rows[i].name, "--snapshot-when"))
			tracing_clear((struct tracing *)(options + rows[i].at - offsetof(struct tracing, options.trigger)));
	return good;
}

static bool has_word(const char *list, const char *word)
{
	size_t bytes = word ? strlen(word) : 0;

	for (const char *at = list; bytes && at && (at = strstr(at, word)); at += bytes)
		if ((at == list || at[-1] == ' ') && (!at[bytes] || at[bytes] == ' '))
			return true;
	return false;
}

static bool is_of(const struct option_row *row, const char *of)
{
	return has_word(of, row->name) || has_word(of, row->family);
}

/* Every word is an option or a family of some command: a row that several commands have may name one that not all of them have. */
static void check_words(const char *list)
{
	for (char word[64]; list && *list; list += strcspn(list, " "), list += strspn(list, " ")) {
		struct option_row rows[OPTION_ROWS_MAX];
		bool found = false;

		snprintf(word, sizeof word, "%.*s", (int)strcspn(list, " "), list);
		for (const struct command *const *command = commands; *command; command++)
			for (size_t i = option_list((*command)->options, rows); i--;)
				found |= is_of(&rows[i], word);
		if (!CHECK(found))
			printf("# nothing is called %s\n", word);
	}
}

TEST(rows_are_whole)
{
	struct option_row rows[OPTION_ROWS_MAX];

	for (const struct command *const *command = commands; *command; command++) {
		size_t count = option_list((*command)->options, rows);

		CHECK(count < OPTION_ROWS_MAX);
		for (size_t i = 0; i < count; i++) {
			const struct option_row *row = &rows[i];
			bool takes_value = row->kind != OPTION_MARK && row->kind != OPTION_FLAG && row->kind != OPTION_SET;

			if (!CHECK(row->name[0] == '-') || !CHECK(row->help || i + 1 < count) ||
				!CHECK(!row->value == !takes_value) || !CHECK(row->kind != OPTION_OWN || row->read) ||
				!CHECK(row->kind != OPTION_CHOICE || row->choices) || !CHECK(row->at < OPTIONS_BYTES))
				printf("# %s %s\n", (*command)->name, row->name);
			for (size_t k = 0; k < i; k++)
				CHECK(strcmp(rows[k].name, row->name));
			for (const struct option_pair *pair = row->excludes; pair && pair->with; pair++) {
				check_words(pair->with);
				check_words(pair->unless);
				CHECK(pair->why && *pair->why);
			}
			check_words(row->needs.with);
		}
	}
}

/* A process of `dwell record --off` is recorded by that dwell. What traces is refused, what samples is not. */
TEST(attach_says_of_each_what_another_record_does)
{
	struct option_row rows[OPTION_ROWS_MAX];
	size_t count = option_list(command_attach.options, rows);

	CHECK(count > 15);
	for (size_t i = 0; i < count; i++)
		if (!CHECK(rows[i].started) || !CHECK_EQ(!*rows[i].started, is_of(&rows[i], "--for sampling")))
			printf("# attach %s: .started\n", rows[i].name);
}

TEST(the_first_that_another_record_decides)
{
	char name[] = "attach", time[] = "--for=1s", ring[] = "--ring=1M", pack[] = "--no-pack", *argv[] = {name, time, pack, ring, NULL};
	struct diag *diag = make_diag();
	struct option_line line;
	const char *started;

	memset(options, 0, sizeof options);
	CHECK(option_read_line(&command_attach, options, 4, argv, &line, diag));
	CHECK_STR(option_get_refused(&line, &started), "--no-pack");
	CHECK_STR(started, TRACING_WRITES_FILE);
	CHECK(option_read_line(&command_attach, options, 2, argv, &line, diag));
	CHECK(!option_get_refused(&line, &started));
	free_diag(diag);
}

TEST(values_are_checked)
{
	struct option_row rows[OPTION_ROWS_MAX];
	char message[1024], word[128];

	for (const struct command *const *command = commands; *command; command++) {
		size_t count = option_list((*command)->options, rows);

		for (size_t i = 0; i < count; i++) {
			bool is_free = rows[i].kind == OPTION_TEXT || rows[i].kind == OPTION_FILE || !strcmp(rows[i].name, "--only") ||
				       !strcmp(rows[i].name, "--not");

			if (!rows[i].value || is_free)
				continue;
			spell(&rows[i], "no-such-thing", word);
			if (!CHECK(!takes(*command, rows, count, word, "", message)) || !CHECK(strstr(message, "': expected ")) ||
				!CHECK(strstr(message, rows[i].name)))
				printf("# %s %s: %s\n", (*command)->name, word, message);
		}
	}
}

/* Of a row whose need is not there, alone or in this pair. */
static bool lacks(const struct option_row *row, const struct option_row *other)
{
	return row->needs.with && !is_of(other, row->needs.with);
}

static void check_pair(const struct command *command, const struct option_row *rows, size_t count, const struct option_row *a,
	const struct option_row *b)
{
	const char *why = option_excludes(command->options, a->name, b->name);
	bool good = !why && !lacks(a, b) && !lacks(b, a);
	char message[1024], one[128], other[128];

	spell(a, NULL, one);
	spell(b, NULL, other);
	if (!CHECK_EQ(takes(command, rows, count, one, other, message), good) || !CHECK(good || strstr(message, command->name)))
		printf("# %s %s %s: %s\n", command->name, one, other, message);
	if (why && (!CHECK(strstr(message, why)) || !CHECK(strstr(message, a->name) || strstr(message, b->name))))
		printf("# %s %s %s: %s\n", command->name, one, other, message);
	CHECK(why == option_excludes(command->options, b->name, a->name));
}

TEST(pairs)
{
	struct option_row rows[OPTION_ROWS_MAX];
	size_t pairs = 0;

	for (const struct command *const *command = commands; *command; command++) {
		size_t count = option_list((*command)->options, rows);

		for (size_t i = 0; i < count; i++)
			for (size_t k = 0; k < count; k++)
				if (i != k) {
					check_pair(*command, rows, count, &rows[i], &rows[k]);
					pairs++;
				}
	}
	CHECK(pairs > 3500);
	printf("# %zu pairs\n", pairs);
}

TEST(some_that_are_known)
{
	CHECK(option_excludes(command_record.options, "--count", "--ring"));
	CHECK(option_excludes(command_record.options, "--ring", "--count"));
	CHECK(option_excludes(command_record.options, "--sample", "--depth"));
	CHECK(option_excludes(command_record.options, "--on-full", "--ring"));
	CHECK(!option_excludes(command_record.options, "--depth", "--longer"));
	CHECK(!option_excludes(command_record.options, "--depth", "--depth"));
	CHECK(!option_excludes(command_record.options, "--depth", "--no-such-option"));
	CHECK(!option_excludes(command_snapshot.options, "--csv", "--json"));
}

TEST(an_exception)
{
	char name[] = "record", full[] = "--on-full=lose", when[] = "--snapshot-when=f > 5ms", ring[] = "--ring=1M";
	char *argv[] = {name, full, when, ring, NULL};
	struct tracing *tracing = NULL;
	struct option_row rows[OPTION_ROWS_MAX];
	struct diag *diag = make_diag();
	struct option_line line;

	memset(options, 0, sizeof options);
	CHECK(option_read_line(&command_record, options, 4, argv, &line, diag));
	CHECK_EQ(line.first, 4);
	CHECK_STR(option_get_given(&line, "--stream tracing"), "--snapshot-when");
	CHECK(!option_get_given(&line, "sampling"));
	for (size_t i = option_list(command_record.options, rows); i--;)
		if (!strcmp(rows[i].name, "--snapshot-when"))
			tracing = (struct tracing *)(options + rows[i].at - offsetof(struct tracing, options.trigger));
	if (CHECK(tracing))
		tracing_clear(tracing);
	free_diag(diag);
}

int main(void)
{
	RUN(rows_are_whole);
	RUN(attach_says_of_each_what_another_record_does);
	RUN(the_first_that_another_record_decides);
	RUN(values_are_checked);
	RUN(pairs);
	RUN(some_that_are_known);
	RUN(an_exception);
	return tap_done();
}
