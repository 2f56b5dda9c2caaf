/* demangle_d: D names as programmers write them: "_D3app3Box4areaMFZi" is "app.Box.area()". Internal to demangle.c. */
#ifndef DWELL_HOST_SYMBOL_DEMANGLE_D_H
#define DWELL_HOST_SYMBOL_DEMANGLE_D_H

#include <stdbool.h>
#include <stddef.h>

/* Returns a text that the caller frees; null: not a D name, too costly, or no memory. A compiler's suffix follows
 * as in C++: "app.f() [clone .part.0]". If has_arguments is false, arguments and suffix are left out: "app.f". */
char *make_d_name(const char *name, bool has_arguments);

#endif
