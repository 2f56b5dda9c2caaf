/* later: whether a program can come to have functions that nobody sees before it runs. */
#ifndef DWELL_HOST_RECORD_PROGRAM_LATER_H
#define DWELL_HOST_RECORD_PROGRAM_LATER_H

#include <stdbool.h>

/* Whether the file asks for functions that open libraries or, unless that does not matter, run other programs; or, where it is linked
 * statically, has some. True where it cannot be known; false of what cannot be read. */
bool later_may_come(const char *path, bool programs_matter);

#endif
