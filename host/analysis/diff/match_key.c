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

	*key = (struct match_key){.name = strdup(functions_get_name(functions, id)),
		.file = in_file ? make_file_name(place.path) : strdup(""),
		.longer = make_functions_name_and_place(functions, id),
		.build = in_file ? hash_build(place.build_id, place.build_id_bytes) : 0,
		.address = in_file ? place.address : 0};
	key->nameless = !key->longer && key->name && (in_file || !strncmp(key->name, "0x", 2));
	return key->name && key->file;
}

void match_key_clear(struct match_key *key)
{
	free(key->name);
	free(key->file);
	free(key->longer);
}

struct match match_of(const struct match_key *key, int side, void *context)
{
	return (struct match){.side = side,
		.name = key->name,
		.file = key->file,
		.longer = key->longer,
		.nameless = key->nameless,
		.build = key->build,
		.address = key->address,
		.context = context};
}
