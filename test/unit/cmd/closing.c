/* The path in the closing line: a shell must take it for that path, whatever is in it. */
#include <stdlib.h>

#include "check.h"
#include "cli/closing.h"

TEST(words)
{
	static const struct {
		const char *path, *word;
	} cases[] = {
		{"app.dwell", "app.dwell"},
		{"/tmp/a+b,c@1.2:3%/x_y-z.dwell", "/tmp/a+b,c@1.2:3%/x_y-z.dwell"},
		{"-o.dwell", "./-o.dwell"},
		{"- o.dwell", "'./- o.dwell'"},
		{"a b", "'a b'"},
		{"it's", "'it'\\''s'"},
		{"$(rm x);`y`\"*?", "'$(rm x);`y`\"*?'"},
		{"~me", "'~me'"},
		{"\xc3\xa4", "'\xc3\xa4'"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *word = make_shell_word(cases[i].path);

		CHECK_STR(word, cases[i].word);
		free(word);
	}
}

int main(void)
{
	RUN(words);
	return tap_done();
}
