/* file_name: shortens paths of files for output (file_name.h). */
#include "util/file_name.h"

#include <limits.h>
#include <string.h>

#define DIGITS "0123456789"

const char *file_name_shown(const char *path, int *length)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *so = strstr(name, ".so.");
	size_t bytes = strlen(name);

	if (so && so > name) {
		size_t first = (size_t)(so - name) + 4;
		size_t digits = strspn(name + first, DIGITS);

		if (digits && name[first + digits] == '.' && !name[first + digits + strspn(name + first + digits, DIGITS ".")])
			bytes = first + digits;
	}
	*length = bytes < INT_MAX ? (int)bytes : INT_MAX;
	return name;
}
