/* match_key: takes the name, file and build of a function from the table of functions. */
#include "analysis/diff/match_key.h"

#include <stdlib.h>
#include <string.h>

#include "util/file_name.h"
#include "util/hash.h"

static char *make_file_name(const char *path)
{
	int length;
	const char *name = file_name_shown(path, &length);

	return strndup(name, (size_t)length);
}

/* 0 means unknown. */
static uint64_t hash_build(const uint8_t *id, uint32_t bytes)
{
	return bytes ? hash_bytes(HASH_BEGIN, id, bytes) | 1 : 0;
}

bool match_key_make(struct match_key *key, struct functions *functions, uint32_t id, bool any_file)
{
	struct function_place place = {0};
	bool in_file = !any_file && functions_get_place(functions, id, &place);
	char *symbol = make_functions_name_and_place(functions, id);

	*key = (struct match_key){.name = strdup(functions_get_name(functions, id)),
		.file = in_file ? make_file_name(place.path) : strdup(""),
		.build = in_file ? hash_build(place.build_id, place.build_id_bytes) : 0};
	key->nameless = !symbol && key->name && (in_file || !strncmp(key->name, "0x", 2));
	free(symbol);
	return key->name && key->file;
}

void match_key_clear(struct match_key *key)
{
	free(key->name);
	free(key->file);
}

struct match match_of(const struct match_key *key, int side, void *context)
{
	return (struct match){.side = side,
		.name = key->name,
		.file = key->file,
		.nameless = key->nameless,
		.build = key->build,
		.context = context};
}
