/* points: the instructions that a handler may come before. */
#ifndef DWELL_TEST_ADVERSARY_POINTS_H
#define DWELL_TEST_ADVERSARY_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#define POINTS_MAX 5120

struct point {
	uint8_t *at;
	bool restarts; /* in a restartable sequence: who stops here is told that he is elsewhere */
	char name[64]; /* function+offset */
};

struct points {
	struct point *list;
	unsigned count;
};

/* Every instruction of the hooks as they are installed, and of the functions that objects (files of the build, separated by blanks)
 * define, in this process. All of it is writable afterwards. Prints why and ends the process when that cannot be. Freed by the
 * caller: list. */
struct points make_points(const char *objects);

#endif
