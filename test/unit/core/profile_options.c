/* The options of 1987: ranges, defaults, and a clear word for each that is wrong. */
#include "check.h"

#include "classic/core/profile_options.h"

static char said[256];

static void keep(void *context, const char *text, size_t bytes)
{
	size_t size = strlen(said);

	(void)context;
	if (bytes < sizeof said - size) {
		memcpy(said + size, text, bytes);
		said[size + bytes] = 0;
	}
}

static const struct dwell_put problem = {keep, NULL};

static enum dwell_profile_word take(struct dwell_profile_options *options, const char *word)
{
	said[0] = 0;
	return dwell_profile_options_take(options, word, &problem);
}

TEST(defaults)
{
	struct dwell_profile_options options;

	dwell_profile_options_init(&options);
	CHECK_EQ(options.sample_hz, 250);
	CHECK_EQ(options.cutoff_percent, 95);
	CHECK_EQ(options.intervals, 25);
	CHECK(!options.use_vblank && options.has_bars && !options.has_unseen);
	CHECK_STR(options.output, "profile.out");
	CHECK(!options.detail);
}

TEST(each_is_taken)
{
	static const char *const words[] = {"f=50", "f=1500", "p=1", "i=999", "o=A:\\OUT\\X.TXT", "x=_main", "+v", "-b", "+z"};
	struct dwell_profile_options options;

	dwell_profile_options_init(&options);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		CHECK_EQ(take(&options, words[i]), DWELL_PROFILE_OPTION);
		CHECK_STR(said, "");
	}
	CHECK_EQ(options.sample_hz, 1500);
	CHECK_EQ(options.cutoff_percent, 1);
	CHECK_EQ(options.intervals, 999);
	CHECK(options.use_vblank && !options.has_bars && options.has_unseen);
	CHECK_STR(options.output, "A:\\OUT\\X.TXT");
	CHECK_STR(options.detail, "_main");
	CHECK_EQ(take(&options, "-V"), DWELL_PROFILE_OPTION); /* as the desktop writes it */
	CHECK_EQ(take(&options, "F=0100"), DWELL_PROFILE_OPTION);
	CHECK(!options.use_vblank);
	CHECK_EQ(options.sample_hz, 100);
	CHECK_EQ(options.vblank_hz, 0);
	CHECK_EQ(take(&options, "v=71"), DWELL_PROFILE_OPTION);
	CHECK(options.use_vblank);
	CHECK_EQ(options.vblank_hz, 71);
}

TEST(what_is_wrong_is_said)
{
	static const struct {
		const char *word, *said;
	} bad[] = {
		{"f=49", "f=49: samples per second, 50 to 1500"},
		{"f=1501", "f=1501: samples per second, 50 to 1500"},
		{"f=4294967396", "f=4294967396: samples per second, 50 to 1500"},
		{"f=", "f=: samples per second, 50 to 1500"},
		{"f=100x", "f=100x: samples per second, 50 to 1500"},
		{"f=-100", "f=-100: samples per second, 50 to 1500"},
		{"p=0", "p=0: a percentage, 1 to 100"},
		{"p=101", "p=101: a percentage, 1 to 100"},
		{"P=9.5", "P=9.5: a percentage, 1 to 100"},
		{"i=0", "i=0: a number of intervals, 1 to 999"},
		{"i=1000", "i=1000: a number of intervals, 1 to 999"},
		{"o=", "o=: the name of a file is missing"},
		{"x=", "x=: the name of a symbol is missing"},
		{"v=", "v=: refreshes of the display per second, 50, 60 or 71"},
		{"v=59", "v=59: refreshes of the display per second, 50, 60 or 71"},
		{"V=4294967346", "V=4294967346: refreshes of the display per second, 50, 60 or 71"},
		{"q=1", "q=1: no such option; there are f= p= o= x= i= v="},
		{"=", ""},
		{"+q", "+q: no such option; there are +v +b +z and -v -b -z"},
		{"-", "-: no such option; there are +v +b +z and -v -b -z"},
		{"-vb", "-vb: no such option; there are +v +b +z and -v -b -z"},
	};
	struct dwell_profile_options options, before;

	dwell_profile_options_init(&options);
	before = options;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		CHECK_EQ(take(&options, bad[i].word), bad[i].said[0] ? DWELL_PROFILE_BAD : DWELL_PROFILE_PROGRAM);
		CHECK_STR(said, bad[i].said);
	}
	CHECK_EQ(options.sample_hz, before.sample_hz);
	CHECK_EQ(options.cutoff_percent, before.cutoff_percent);
	CHECK_EQ(options.intervals, before.intervals);
}

TEST(the_program_ends_the_options)
{
	struct dwell_profile_options options;

	dwell_profile_options_init(&options);
	CHECK_EQ(take(&options, "DWARFS.PRG"), DWELL_PROFILE_PROGRAM);
	CHECK_EQ(take(&options, "./f=1"), DWELL_PROFILE_PROGRAM);
	CHECK_EQ(take(&options, "f"), DWELL_PROFILE_PROGRAM);
	CHECK_EQ(take(&options, "fo=1"), DWELL_PROFILE_PROGRAM);
	CHECK_EQ(take(&options, ""), DWELL_PROFILE_PROGRAM);
}

int main(void)
{
	RUN(defaults);
	RUN(each_is_taken);
	RUN(what_is_wrong_is_said);
	RUN(the_program_ends_the_options);
	return tap_done();
}
