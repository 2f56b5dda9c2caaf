/* term: colours, width and encoding of a terminal (term.h). */
#include "util/term.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static enum term_colour colour_choice;

void term_set_colour(enum term_colour colour)
{
	colour_choice = colour;
}

bool term_is_terminal(FILE *out)
{
	return isatty(fileno(out)) == 1;
}

bool term_has_colour(FILE *out)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (colour_choice != TERM_COLOUR_AUTO)
		return colour_choice == TERM_COLOUR_ALWAYS;
	return term_is_terminal(out) && !(no_color && *no_color) && term && *term && strcmp(term, "dumb") != 0;
}

bool term_has_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"}; /* the first variable with a value counts */

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
	}
	return false;
}

int term_width(FILE *out)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;

	if (columns) {
		char *end;
		long width = strtol(columns, &end, 10);

		if (end != columns && !*end && width > 0 && width <= 10000)
			return (int)width;
	}
	if (!term_is_terminal(out))
		return 0;
	if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return 80;
}
