/* SPDX-License-Identifier: MIT */
#include "gcc-plugin.h"
#include "tree.h"
#include "c-family/c-pragma.h"
#include "diagnostic-core.h"
#include "options.h"
#include "pragma.h"

/* weak: the link-time optimiser has no pragmas. */
extern void c_register_pragma(const char *, const char *, pragma_handler_1arg) __attribute__((weak));
extern enum cpp_ttype pragma_lex(tree *, location_t *) __attribute__((weak));

enum change { TURN_ON, TURN_OFF, RESET };
struct pragma {
	location_t where;
	enum change change;
};
/* Sorted by location, which is the order of the text. Pragmas may be read before the functions in front of them: the
 * compiler parses a body inside a C++ class after the class, and a template at its use. So the code compares locations. */
static vec<struct pragma> pragmas;

static location_t place(location_t where)
{
	return linemap_resolve_location(line_table, where, LRK_MACRO_EXPANSION_POINT, NULL);
}

static void handle_pragma(cpp_reader *)
{
	static const char *const words[] = {"on", "off", "reset"};
	tree value;
	location_t where;
	int change = 3;
	if (pragma_lex(&value, &where) == CPP_NAME)
		for (change = 0; change < 3 && strcmp(IDENTIFIER_POINTER(value), words[change]) != 0;)
			change++;
	if (change == 3) {
		warning_at(where, OPT_Wpragmas, "%<#pragma profile%> must say %<on%>, %<off%> or %<reset%>: ignored");
		return;
	}
	struct pragma pragma = {place(where), (enum change)change};
	unsigned at = pragmas.length(), depth = 0;
	while (at > 0 && pragmas[at - 1].where > pragma.where)
		at--;
	for (unsigned i = 0; i < at; i++)
		depth = pragmas[i].change == RESET ? depth - 1 : depth + 1;
	if (pragma.change == RESET && depth == 0)
		warning_at(where, OPT_Wpragmas, "%<#pragma profile reset%> without an %<on%> or %<off%> before it: ignored");
	else
		pragmas.safe_insert(at, pragma);
	if (pragma_lex(&value, &where) != CPP_EOF)
		warning_at(where, OPT_Wpragmas, "junk at the end of %<#pragma profile%>");
}

bool pragma_is_on_at(location_t at)
{
	const location_t where = place(at);
	unsigned taken_back = 0;
	for (unsigned i = pragmas.length(); i-- > 0;) {
		if (pragmas[i].where > where)
			continue;
		if (pragmas[i].change == RESET)
			taken_back++;
		else if (taken_back > 0)
			taken_back--;
		else
			return pragmas[i].change == TURN_ON;
	}
	return true;
}

void pragma_register(void *, void *)
{
	c_register_pragma(NULL, "profile", handle_pragma);
}
