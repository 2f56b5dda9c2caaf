/* capability: reads terminfo (capability.h). */
#include "tui/capability.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>

const char *capability_find_problem(int fd)
{
	const char *name = getenv("TERM");
	bool can;
	int found;

	if (!name || !*name || setupterm(name, fd, &found) == ERR)
		return "this terminal is not known";
	can = cursor_address && clr_eol;
	del_curterm(cur_term);
	return can ? NULL : "this terminal cannot place its cursor";
}

/* Appends a terminfo string at out[used], without its pauses ("$<5>"), which were for slow terminals. text null: nothing. Returns
 * the new number of bytes, at most room. */
static size_t add(const char *text, char *out, size_t used, size_t room)
{
	while (text && *text && used < room) {
		const char *end = text[0] == '$' && text[1] == '<' ? strchr(text, '>') : NULL;

		if (end)
			text = end + 1;
		else
			out[used++] = *text++;
	}
	return used;
}

size_t capability_get_restore(char *out, size_t room)
{
	size_t used = add(exit_attribute_mode, out, 0, room);

	used = add(keypad_local, out, used, room);
	used = add(cursor_normal, out, used, room);
	return add(exit_ca_mode, out, used, room);
}
