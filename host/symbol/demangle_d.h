/* demangle_d: names of functions of D, "_D3app3Box4areaMFZi", as people write them: "app.Box.area()". Inside of demangle.c. */
#ifndef DWELL_HOST_SYMBOL_DEMANGLE_D_H
#define DWELL_HOST_SYMBOL_DEMANGLE_D_H

#include <stdbool.h>
#include <stddef.h>

/* To be freed; null: not a name of D, one that would cost too much, or no memory. A suffix of the compiler follows as in C++: "app.f() [clone
 * .part.0]". Without arguments there is neither: "app.f". */
char *make_d_name(const char *name, bool has_arguments);

#endif
