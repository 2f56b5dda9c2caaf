#include "check.h"

#include <stdlib.h>

#include "util/diag.h"

static char *printed(struct diag *diag)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	diag_print(diag, out);
	fclose(out);
	return text;
}

#define CHECK_PRINTED(diag, want)                                                                                                  \
	do {                                                                                                                       \
		char *text_ = printed(diag);                                                                                       \
		CHECK_STR(text_, want);                                                                                            \
		free(text_);                                                                                                       \
	} while (0)

TEST(status_is_that_of_the_worst)
{
	struct diag *diag = make_diag();

	CHECK_EQ(diag_status(diag), 0);
	diag_add(diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET, "a note");
	CHECK_EQ(diag_status(diag), 0);
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "an error");
	diag_add(diag, DIAG_WARN, NULL, DIAG_NO_OFFSET, "a warning");
	CHECK_EQ(diag_status(diag), 2);
	CHECK(diag_has_error(diag));
	free_diag(diag);
}

TEST(form_on_the_terminal)
{
	struct diag *diag = make_diag();

	diag_add(diag, DIAG_WARN, "run.dwell", 0x1a40, "chunk %d (thread %d): length %d exceeds file", 812, 3, 24);
	diag_add(diag, DIAG_WARN, "run.dwell", DIAG_NO_OFFSET, "empty");
	diag_add(diag, DIAG_WARN, NULL, DIAG_NO_OFFSET, "no file");
	CHECK_PRINTED(diag,
		"dwell: run.dwell:0x1a40: chunk 812 (thread 3): length 24 exceeds file\ndwell: run.dwell: empty\ndwell: no file\n");
	CHECK_PRINTED(diag, ""); /* each is printed once */
	free_diag(diag);
}

TEST(a_flood_is_counted)
{
	struct diag *diag = make_diag();
	char *text;
	int lines = 0;
	char format_elsewhere[] = "bad slot %d";

	for (int i = 0; i < 4731; i++)
		diag_add(diag, DIAG_WARN, "f", (uint64_t)i, i % 2 ? "bad slot %d" : format_elsewhere, i);
	text = printed(diag);
	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	CHECK_EQ(lines, 22);
	CHECK(strstr(text, "\ndwell: and 4711 more like this:\ndwell: f:0x13: bad slot 19\n"));
	free(text);
	diag_add(diag, DIAG_WARN, "f", 1, "bad slot %d", 7);
	diag_add(diag, DIAG_WARN, "f", 1, "other %d", 7);
	CHECK_PRINTED(diag, "dwell: f:0x1: other 7\ndwell: and 1 more like this:\ndwell: f:0x13: bad slot 19\n");
	free_diag(diag);
}

/* Two passes over two files: whatever was said in between. */
TEST(the_same_again_is_said_once)
{
	struct diag *diag = make_diag();

	for (int pass = 0; pass < 2; pass++)
		for (int file = 0; file < 3; file++) {
			diag_add(diag, DIAG_WARN, file ? "a" : "b", DIAG_NO_OFFSET, "is of another build of %s", file == 2 ? "x" : "y");
			diag_add(diag, DIAG_WARN, "c", (uint64_t)file, "is damaged");
		}
	CHECK_PRINTED(diag, "dwell: b: is of another build of y\ndwell: c:0x0: is damaged\ndwell: a: is of another build of y\n"
			    "dwell: c:0x1: is damaged\ndwell: a: is of another build of x\ndwell: c:0x2: is damaged\n");
	diag_add(diag, DIAG_WARN, "b", DIAG_NO_OFFSET, "is of another build of %s", "y");
	CHECK_EQ(diag_status(diag), 1);
	free_diag(diag);
}

TEST(hostile_text_does_not_reach_the_terminal)
{
	struct diag *diag = make_diag();
	char *long_name = malloc(1 << 20), *text;

	diag_add(diag, DIAG_WARN, "a\x1b[2Jb\n", 0, "name '%s'", "x\r\x9b\xe2\x80\xae\xc3\xa9");
	CHECK_PRINTED(diag, "dwell: a\\x1b[2Jb\\n:0x0: name 'x\\r\\x9b\\u{202e}\xc3\xa9'\n");
	memset(long_name, 'n', (1 << 20) - 1);
	long_name[(1 << 20) - 1] = 0;
	diag_add(diag, DIAG_WARN, NULL, 0, "long %s", long_name);
	text = printed(diag);
	CHECK(strlen(text) < 4096);
	CHECK(strstr(text, "nnn...\n"));
	free(text);
	free(long_name);
	free_diag(diag);
}

int main(void)
{
	RUN(status_is_that_of_the_worst);
	RUN(form_on_the_terminal);
	RUN(a_flood_is_counted);
	RUN(the_same_again_is_said_once);
	RUN(hostile_text_does_not_reach_the_terminal);
	return tap_done();
}
