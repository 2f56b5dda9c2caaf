/* privileged: collects the paths of programs that were started and not recorded. */
#include "record/program/privileged.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/program/hooked.h"
#include "util/array.h"

#define PATHS_MAX 1000u /* more are forged */

void privileged_add(struct privileged *privileged, const char *path, const char *there)
{
	char *copy;

	for (size_t i = 0; i < privileged->count; i++)
		if (!strcmp(privileged->paths[i], path))
			return;
	if (privileged->count == PATHS_MAX || (there && !hooked_file(there, false) && access(there, R_OK) == 0) ||
		!array_reserve(&privileged->paths, &privileged->capacity, privileged->count + 1, sizeof *privileged->paths) ||
		!(copy = strdup(path)))
		return;
	privileged->paths[privileged->count++] = copy;
}

void privileged_clear(struct privileged *privileged)
{
	for (size_t i = 0; i < privileged->count; i++)
		free(privileged->paths[i]);
	free(privileged->paths);
	*privileged = (struct privileged){0};
}
