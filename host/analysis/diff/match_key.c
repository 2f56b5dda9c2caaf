#include "analysis/diff/match_key.h"

#include <stdlib.h>
#include <string.h>

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* FNV-1a; 0 is kept for what is unknown. */
static uint64_t hash(const uint8_t *bytes, uint32_t count)
{
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (uint32_t i = 0; i < count; i++)
		sum = (sum ^ bytes[i]) * UINT64_C(0x100000001b3);
	return count ? sum | 1 : 0;
}

bool match_key_make(struct match_key *key, struct functions *functions, uint32_t id, bool any_file)
{
	struct function_place place = {0};
	bool in_file = !any_file && functions_get_place(functions, id, &place);
	char *symbol = make_functions_name_and_place(functions, id);

	*key = (struct match_key){.name = strdup(functions_get_name(functions, id)),
		.file = strdup(in_file ? base_name(place.path) : ""),
		.build = in_file ? hash(place.build_id, place.build_id_bytes) : 0};
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
	return (struct match){
		.side = side, .name = key->name, .file = key->file, .nameless = key->nameless, .build = key->build, .context = context};
}
