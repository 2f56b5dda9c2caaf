/* shapes: writes input of a shape (shapes.h). */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "shapes/shapes.h"

static const struct shape *const all[] = {shapes_of_calls, shapes_of_facts, shapes_of_samples, shapes_of_tools, shapes_of_dumps,
	shapes_of_profiles};

int main(int argc, char **argv)
{
	bool list = argc == 2 && !strcmp(argv[1], "--list");

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		for (const struct shape *shape = all[i]; shape->name; shape++)
			if (list) {
				printf("%s %u\n", shape->name, (unsigned)shape->count);
			} else if (argc == 4 && !strcmp(shape->name, argv[1])) {
				shape->make(argv[3], (uint32_t)strtoul(argv[2], NULL, 10));
				return 0;
			}
	if (!list)
		fputs("usage: shapes NAME COUNT FILE | --list\n", stderr);
	return list ? 0 : 2;
}
