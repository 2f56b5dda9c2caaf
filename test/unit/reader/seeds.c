/* What the fuzzers begin with has one of everything: a kind of chunk or a tag that is in none of their seeds, they would have to
 * guess. */
#include "check.h"
#include "core/slot.h"
#include "dwell/format.h"
#include "reader/dwell/split.h"
#include "zoo.h"

static const char *const seeds[] = {"test/fuzz/corpus/trace/format-examples.dwell", "test/trace/good/zoo.dwell"};
enum { SEEDS = sizeof seeds / sizeof *seeds };

static bool kinds[UINT16_MAX + 1], tags[DWELL_TAG_LIMIT];

static const char *in_tree(char path[static 4096], const char *name)
{
	const char *root = getenv("ROOT");

	snprintf(path, 4096, "%s/%s", root ? root : ".", name);
	return path;
}

static void note_slots(const uint8_t *payload, const struct raw_chunk *chunk, bool *seen)
{
	for (size_t at = chunk->frames * (size_t)DWELL_FRAME_BYTES; at + DWELL_SLOT_BYTES <= chunk->length; at += DWELL_SLOT_BYTES)
		if (dwell_slot_is_tag(get_u64(payload + at)))
			seen[(uint32_t)get_u64(payload + at)] = true;
}

static bool note_all(const char *name)
{
	struct raw_chunk chunk;
	char path[4096];
	size_t size = 0, at = DWELL_HEADER_BYTES;
	uint8_t *data = zoo_load(in_tree(path, name), &size);

	while (data && at < size && split_parse_header((struct bytes){data + at, size - at}, &chunk)) {
		at += DWELL_CHUNK_HEADER_BYTES;
		kinds[chunk.kind] = true;
		if (chunk.kind == DWELL_CHUNK_SLOTS && !(chunk.flags & DWELL_CHUNK_PACKED))
			note_slots(data + at, &chunk, tags);
		at += chunk.length;
	}
	free(data);
	return data && at == size;
}

/* Each number that the header gives a name, in an enum of its own. */
static void check_enum(const char *header, const char *name, const char *prefix, const bool *seen)
{
	char path[4096], line[512], begin[64], word[64];
	bool inside = false;
	unsigned number, found = 0;
	FILE *file = fopen(in_tree(path, header), "r");

	CHECK(file);
	snprintf(begin, sizeof begin, "enum %s {", name);
	while (file && fgets(line, sizeof line, file)) {
		inside = inside ? line[0] != '}' : !strncmp(line, begin, strlen(begin));
		if (!inside || sscanf(line, " %63[A-Z0-9_] = %u", word, &number) != 2 || strncmp(word, prefix, strlen(prefix)))
			continue;
		found++;
		if (!CHECK(seen[number]))
			printf("# no seed has a %s\n", word);
	}
	CHECK(found >= 11);
	if (file)
		fclose(file);
}


TEST(each_kind) { check_enum("include/dwell/format.h", "dwell_chunk_kind", "DWELL_CHUNK_", kinds); }
TEST(each_tag) { check_enum("core/slot.h", "dwell_tag", "DWELL_TAG_", tags); }

/* The zoo that lies there is the one that is written today. */
TEST(zoo_is_up_to_date)
{
	struct diag *diag = make_diag();
	char path[4096], scratch[256];
	size_t old_size = 0, new_size = 0;
	uint8_t *old = zoo_load(in_tree(path, "test/trace/good/zoo.dwell"), &old_size), *new = NULL;

	CHECK(zoo_write(zoo_scratch(scratch, "seeds.dwell"), diag));
	new = zoo_load(scratch, &new_size);
	if (!CHECK(old && new && old_size == new_size && !memcmp(old, new, new_size)))
		printf("# build/tracegen --zoo -o test/trace/good/zoo.dwell, and likewise --pack\n");
	remove(scratch);
	free(old);
	free(new);
	free_diag(diag);
}

int main(void)
{
	for (unsigned i = 0; i < SEEDS; i++)
		if (!note_all(seeds[i])) {
			printf("Bail out! %s cannot be read\n", seeds[i]);
			return 1;
		}
	RUN(each_kind);
	RUN(each_tag);
	RUN(zoo_is_up_to_date);
	return tap_done();
}
