#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#include "util/progress.h"
#include "util/term.h"

TEST(silent_for_a_second_then_a_line_then_gone)
{
	struct progress progress;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	progress_begin_on(&progress, out, "reading \x1b[2Jodd\xff", 4000);
	progress_update(&progress, 1);
	fflush(out);
	CHECK_EQ(bytes, 0);
	progress.begin_ns -= 2000000000; /* two seconds ago */
	progress.next_ns -= 2000000000;
	progress_update(&progress, 1000);
	fflush(out);
	CHECK(strstr(text, "\r 25 %  1.000 KB, "));
	CHECK(strstr(text, "B/s  reading \\x1b[2Jodd\\xff\033[K"));
	bytes = strlen(text);
	progress_update(&progress, 1001); /* at most ten a second */
	fflush(out);
	CHECK_EQ(strlen(text), bytes);
	progress_end(&progress);
	fflush(out);
	CHECK(bytes > 4 && !strcmp(text + strlen(text) - 4, "\r\033[K"));
	fclose(out);
	free(text);
}

TEST(unknown_size_has_no_percentage)
{
	struct progress progress;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	progress_begin_on(&progress, out, "reading -", UINT64_MAX);
	progress.begin_ns -= 2000000000;
	progress.next_ns -= 2000000000;
	progress_update(&progress, 5);
	progress_end(&progress);
	fclose(out);
	CHECK(strstr(text, "\r5 B, "));
	CHECK(!strchr(text, '%'));
	free(text);
}

/* Chunks are no bytes, and so many a second say nothing. */
TEST(counts_have_a_percentage_only)
{
	struct progress progress;
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	progress_begin_count(&progress, NULL, "reading again", 8);
	CHECK(progress.is_count);
	progress_begin_on(&progress, out, "reading again", 8);
	progress.is_count = true;
	progress.begin_ns -= 2000000000;
	progress.next_ns -= 2000000000;
	progress_update(&progress, 4);
	fflush(out);
	CHECK_STR(text, "\r 50 %  reading again\033[K");
	progress_end(&progress);
	fclose(out);
	free(text);
}

TEST(nothing_where_no_person_watches)
{
	struct progress progress;
	FILE *out = tmpfile();

	CHECK(!term_is_terminal(out));
	CHECK(!term_has_colour(out));
	CHECK_EQ(term_width(out), 0);
	fclose(out);
	if (!isatty(2)) {
		progress_begin(&progress, NULL, "reading", 1);
		CHECK(!progress.out);
		progress_update(&progress, 1);
		progress_end(&progress);
	}
}

int main(void)
{
	RUN(silent_for_a_second_then_a_line_then_gone);
	RUN(unknown_size_has_no_percentage);
	RUN(counts_have_a_percentage_only);
	RUN(nothing_where_no_person_watches);
	return tap_done();
}
