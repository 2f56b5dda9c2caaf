/* The report of 1987, to the character. The table below is the one that its manual prints, with figures rounded properly. */
#include "check.h"

#include <stdlib.h>

#include "classic/core/summary.h"

struct text {
	char bytes[65536];
	size_t size;
};

static void append(void *context, const char *bytes, size_t size)
{
	struct text *text = context;

	if (size < sizeof text->bytes - text->size) {
		memcpy(text->bytes + text->size, bytes, size);
		text->size += size;
	}
	text->bytes[text->size] = 0;
}

struct report {
	struct dwell_tally tally;
	struct dwell_profile_options options;
	struct dwell_summary summary;
	struct text text;
	struct dwell_put put;
	char names[128][32];
};

static struct report *make_report(size_t symbols, size_t intervals, uintptr_t text_bytes)
{
	struct report *report = calloc(1, sizeof *report);

	dwell_tally_init(&report->tally, malloc(dwell_tally_bytes(symbols, intervals)), symbols, intervals, text_bytes);
	dwell_profile_options_init(&report->options);
	report->summary = (struct dwell_summary){"DWARFS.PRG", "", &report->options, &report->tally, 2167};
	report->put = (struct dwell_put){append, &report->text};
	return report;
}

static void free_report(struct report *report)
{
	free(report->tally.names);
	free(report);
}

static void add_samples(struct report *report, uintptr_t offset, unsigned count)
{
	while (count--)
		dwell_tally_sample(&report->tally, offset);
}

/* The run in the manual: seven functions, main, and 74 symbols that are never hit. */
static struct report *make_dwarfs(void)
{
	static const struct {
		const char *name;
		unsigned count;
	} seen[] = {{"_main", 2}, {"_dopey", 217}, {"_grumpy", 435}, {"_doc", 220},
		{"_sleepy", 874}, {"_bashful", 217}, {"_happy", 436}, {"_sneezy", 220}};
	struct report *report = make_report(82, 25, 82 * 50);

	for (size_t i = 0; i < 82; i++) {
		snprintf(report->names[i], sizeof report->names[i], "_lib%02zu", i);
		dwell_tally_add(&report->tally, 50 * i, i < 8 ? seen[i].name : report->names[i]);
	}
	dwell_tally_finish(&report->tally);
	dwell_tally_split(&report->tally, DWELL_TALLY_NONE, 0);
	for (size_t i = 0; i < 8; i++)
		add_samples(report, 50 * i + i, seen[i].count);
	add_samples(report, 82 * 50 + 7, 53);
	return report;
}

/* What is unsure beside chance stands in place of what would not be true then; the report of 1987 is as it was. */
TEST(doubts)
{
	struct report *report = make_dwarfs();

	report->summary.doubt = "58 percent are in no sample";
	dwell_summary_put_errors(&report->summary, &report->put);
	CHECK(strstr(report->text.bytes, "with 95 % certainty") != NULL);
	CHECK(strstr(report->text.bytes, "\n58 percent are in no sample\n") != NULL);
	CHECK(strstr(report->text.bytes, "never hit") == NULL);
	report->text.size = 0;
	report->summary.is_false = true;
	dwell_summary_put_errors(&report->summary, &report->put);
	CHECK_STR(report->text.bytes, "\n\n58 percent are in no sample\n");
	free_report(report);
}

/* Addresses are the program's: those of its symbols. */
TEST(addresses_of_the_detail)
{
	struct report *report = make_dwarfs();

	dwell_tally_split(&report->tally, dwell_tally_name(&report->tally, "_sleepy", 0), 5);
	report->summary.base = 0x401000;
	dwell_summary_put(&report->summary, &report->put);
	CHECK(strstr(report->text.bytes, "|   1 | 004010C8 |") || strstr(report->text.bytes, "|   1 | 004010c8 |"));
	free_report(report);
}

static const char dwarfs[] =
	"Profile of 'DWARFS.PRG '\n"
	"\n"
	"There are 82 symbols\n"
	"\n"
	"Samples in appl:     2621  (98.02 %)\n"
	"Samples in sys :       53  ( 1.98 %)\n"
	"\n"
	"Num. of samples:     2674\n"
	"\n"
	"Run lasted 2167 clock ticks (10 seconds)\n"
	"Samples per second: 246.79\n"
	"Cutoff at 95 percent\n"
	"\n"
	"+-----+------------+---------+---------+-----------------------------------+\n"
	"|   # |   Symbol   |  Count  | Percent |             Barchart              |\n"
	"+-----+------------+---------+---------+-----------------------------------+\n"
	"|   1 |    _sleepy |     874 |   33.35 |***********************************|\n"
	"|   2 |     _happy |     436 |   16.63 |*****************                  |\n"
	"|   3 |    _grumpy |     435 |   16.60 |*****************                  |\n"
	"|   4 |       _doc |     220 |    8.39 |********                           |\n"
	"|   5 |    _sneezy |     220 |    8.39 |********                           |\n"
	"|   6 |   _bashful |     217 |    8.28 |********                           |\n"
	"|   7 |     _dopey |     217 |    8.28 |********                           |\n"
	"+-----+------------+---------+---------+-----------------------------------+\n"
	"\n"
	"\n"
	"End of profile\n";

TEST(the_manuals_report)
{
	struct report *report = make_dwarfs();

	dwell_summary_put(&report->summary, &report->put);
	CHECK_STR(report->text.bytes, dwarfs);
	report->text.size = 0; /* asking twice changes nothing */
	dwell_summary_put(&report->summary, &report->put);
	CHECK_STR(report->text.bytes, dwarfs);
	free_report(report);
}

TEST(cutoff_without_bars)
{
	struct report *report = make_dwarfs();
	const char *table;

	report->options.has_bars = false;
	report->options.cutoff_percent = 34; /* the second row crosses it: 33.35, 49.98 */
	report->summary.arguments = "-q 3";
	dwell_summary_put(&report->summary, &report->put);
	CHECK(!strncmp(report->text.bytes, "Profile of 'DWARFS.PRG -q 3'\n", 29));
	table = strstr(report->text.bytes, "Cutoff");
	CHECK_STR(table,
		"Cutoff at 34 percent\n"
		"\n"
		"+-----+------------+---------+---------+\n"
		"|   # |   Symbol   |  Count  | Percent |\n"
		"+-----+------------+---------+---------+\n"
		"|   1 |    _sleepy |     874 |   33.35 |\n"
		"|   2 |     _happy |     436 |   16.63 |\n"
		"+-----+------------+---------+---------+\n"
		"\n"
		"\n"
		"End of profile\n");
	free_report(report);
}

/* The row that reaches the cutoff exactly is the last. */
TEST(cutoff_is_exact)
{
	for (unsigned percent = 1; percent <= 100; percent++) {
		struct report *report = make_report(101, 0, 1010);
		unsigned rows = 0;

		for (uintptr_t i = 0; i < 101; i++) {
			snprintf(report->names[i], sizeof report->names[i], "f%03u", (unsigned)i);
			dwell_tally_add(&report->tally, 10 * i, report->names[i]);
		}
		dwell_tally_finish(&report->tally);
		for (uintptr_t i = 0; i < 100; i++)
			add_samples(report, 10 * i, 1); /* each has one percent, the last symbol none */
		report->options.cutoff_percent = percent;
		dwell_summary_put(&report->summary, &report->put);
		for (const char *at = report->text.bytes; (at = strstr(at, "|       1 |")); at++)
			rows++;
		CHECK_EQ(rows, percent);
		CHECK(!strstr(report->text.bytes, "f100"));
		free_report(report);
	}
}

TEST(unseen_symbols_keep_their_place)
{
	struct report *report = make_dwarfs();

	report->options.has_unseen = true;
	dwell_summary_put(&report->summary, &report->put);
	CHECK(strstr(report->text.bytes, "|   7 |     _dopey |     217 |    8.28 |********                           |\n"
					 "|   9 |     _lib08 |       0 |    0.00 |                                   |\n"
					 "|  10 |     _lib09 |"));
	CHECK(strstr(report->text.bytes, "|  82 |     _lib81 |       0 |    0.00 |                                   |\n+-"));
	CHECK(!strstr(report->text.bytes, "_main")); /* seen, and behind the cutoff */
	free_report(report);
}

TEST(longer_names_widen_the_column)
{
	struct report *report = make_report(3, 0, 100);

	dwell_tally_add(&report->tally, 10, "a_much_longer_name");
	dwell_tally_add(&report->tally, 20, "grün");
	dwell_tally_finish(&report->tally);
	add_samples(report, 5, 1); /* before the first symbol */
	add_samples(report, 10, 1);
	add_samples(report, 20, 2);
	report->options.cutoff_percent = 100;
	report->options.has_bars = false;
	dwell_summary_put(&report->summary, &report->put);
	CHECK(strstr(report->text.bytes, "There are 2 symbols\n"));
	CHECK_STR(strstr(report->text.bytes, "+--"),
		"+-----+--------------------+---------+---------+\n"
		"|   # |       Symbol       |  Count  | Percent |\n"
		"+-----+--------------------+---------+---------+\n"
		"|   1 |               grün |       2 |   50.00 |\n"
		"|   2 |                  ? |       1 |   25.00 |\n"
		"|   3 | a_much_longer_name |       1 |   25.00 |\n"
		"+-----+--------------------+---------+---------+\n"
		"\n"
		"\n"
		"End of profile\n");
	free_report(report);
}

TEST(nothing_was_sampled)
{
	struct report *report = make_report(1, 0, 100);

	dwell_tally_add(&report->tally, 0, "_main");
	dwell_tally_finish(&report->tally);
	report->summary.ticks = 0;
	dwell_summary_put(&report->summary, &report->put);
	dwell_summary_put_errors(&report->summary, &report->put);
	CHECK_STR(report->text.bytes,
		"Profile of 'DWARFS.PRG '\n"
		"\n"
		"There are 1 symbols\n"
		"\n"
		"Samples in appl:        0  ( 0.00 %)\n"
		"Samples in sys :        0  ( 0.00 %)\n"
		"\n"
		"Num. of samples:        0\n"
		"\n"
		"Run lasted 0 clock ticks (0 seconds)\n"
		"Samples per second: -\n"
		"Cutoff at 95 percent\n"
		"\n"
		"+-----+------------+---------+---------+-----------------------------------+\n"
		"|   # |   Symbol   |  Count  | Percent |             Barchart              |\n"
		"+-----+------------+---------+---------+-----------------------------------+\n"
		"+-----+------------+---------+---------+-----------------------------------+\n"
		"\n"
		"\n"
		"End of profile\n"
		"\n"
		"\n"
		"No samples in the program: nothing is known of its symbols\n");
	free_report(report);
}

TEST(one_symbol_in_detail)
{
	struct report *report = make_report(2, 4, 100);

	dwell_tally_add(&report->tally, 16, "_f");
	dwell_tally_add(&report->tally, 26, "_g");
	dwell_tally_finish(&report->tally);
	dwell_tally_split(&report->tally, dwell_tally_name(&report->tally, "f", 0), 4);
	add_samples(report, 17, 30);
	add_samples(report, 21, 60);
	add_samples(report, 25, 10);
	dwell_summary_put(&report->summary, &report->put);
	CHECK_STR(strstr(report->text.bytes, "Detail"),
		"Detail of '_f': 10 bytes in 4 intervals, 100 samples; with 95 % certainty from, to\n"
		"\n"
		"+-----+----------+-------+---------+---------+---------+---------+-----------------------------------+\n"
		"|   # | Address  | Bytes |  Count  | Percent |  From   |   To    |             Barchart              |\n"
		"+-----+----------+-------+---------+---------+---------+---------+-----------------------------------+\n"
		"|   1 | 00000010 |     2 |      30 |   30.00 |   21.87 |   39.60 |*****************                  |\n"
		"|   2 | 00000012 |     3 |       0 |    0.00 |    0.00 |    3.71 |                                   |\n"
		"|   3 | 00000015 |     2 |      60 |   60.00 |   50.18 |   69.08 |***********************************|\n"
		"|   4 | 00000017 |     3 |      10 |   10.00 |    5.50 |   17.45 |*****                              |\n"
		"+-----+----------+-------+---------+---------+---------+---------+-----------------------------------+\n"
		"\n"
		"\n"
		"End of profile\n");
	free_report(report);
}

TEST(errors_of_the_rows)
{
	struct report *report = make_dwarfs();

	report->options.cutoff_percent = 40;
	dwell_summary_put_errors(&report->summary, &report->put);
	CHECK_STR(report->text.bytes,
		"\n"
		"\n"
		"What 2621 samples tell: with 95 % certainty the percentages are\n"
		"\n"
		"+-----+------------+---------+---------+---------+\n"
		"|   # |   Symbol   | Percent |  From   |   To    |\n"
		"+-----+------------+---------+---------+---------+\n"
		"|   1 |    _sleepy |   33.35 |   31.56 |   35.18 |\n"
		"|   2 |     _happy |   16.63 |   15.25 |   18.12 |\n"
		"+-----+------------+---------+---------+---------+\n"
		"\n"
		"A symbol that was never hit has at most 0.15 percent\n");
	free_report(report);
}

/* Of one symbol, and of one interval of another, something else is known than the counts tell. */
static bool know(const void *context, bool is_detail, size_t index, uintptr_t *low, uintptr_t *high)
{
	const struct dwell_tally *tally = context;

	if (is_detail ? index != 2 : strcmp(tally->names[index], "_happy") != 0)
		return false;
	*low = is_detail ? 1234 : 100;
	*high = 9876;
	return true;
}

TEST(who_knows_the_order)
{
	struct report *report = make_dwarfs();

	report->options.cutoff_percent = 50;
	report->summary.get_interval = know;
	report->summary.context = &report->tally;
	dwell_summary_put_errors(&report->summary, &report->put);
	CHECK(strstr(report->text.bytes, "|   1 |    _sleepy |   33.35 |   31.56 |   35.18 |\n"));
	CHECK(strstr(report->text.bytes, "|   2 |     _happy |   16.63 |    1.00 |   98.76 |\n"));
	dwell_tally_split(&report->tally, dwell_tally_name(&report->tally, "_sleepy", 0), 5);
	add_samples(report, 50 * 4 + 25, 7);
	report->text.size = 0;
	dwell_summary_put(&report->summary, &report->put);
	CHECK(strstr(report->text.bytes, "|       7 |    0.79 |   12.34 |   98.76 |"));
	CHECK(strstr(report->text.bytes, "|       0 |    0.00 |    0.00 |    0."));
	free_report(report);
}

int main(void)
{
	RUN(doubts);
	RUN(addresses_of_the_detail);
	RUN(the_manuals_report);
	RUN(cutoff_without_bars);
	RUN(cutoff_is_exact);
	RUN(unseen_symbols_keep_their_place);
	RUN(longer_names_widen_the_column);
	RUN(nothing_was_sampled);
	RUN(one_symbol_in_detail);
	RUN(errors_of_the_rows);
	RUN(who_knows_the_order);
	return tap_done();
}
