/* Profiles of pprof: which value counts, what it is in our units, who was inlined; and files that are damaged, or mean harm. */
#include <stdlib.h>
#include <zlib.h>

#include "check.h"
#include "proto/pprof.pb-c.h"
#include "weights.h"

enum { EMPTY, SAMPLES, COUNT, CPU, MICROSECONDS, MAIN, WORK, INLINED, FILE_NAME, TEXTS };
static char *const texts[TEXTS] = {"", "samples", "count", "cpu", "microseconds", "main", "work;\xff", "inlined", "/usr/bin/app"};

/* main calls work, in which inlined is; main calls code without a name. 3 samples of 30 µs, 1 of 10. */
static size_t make_profile(uint8_t *to, int64_t default_type, int64_t value)
{
	Pprof__ValueType types[2] = {PPROF__VALUE_TYPE__INIT, PPROF__VALUE_TYPE__INIT}, *type_list[] = {&types[0], &types[1]};
	Pprof__Line lines[3] = {PPROF__LINE__INIT, PPROF__LINE__INIT, PPROF__LINE__INIT};
	Pprof__Line *work_lines[] = {&lines[2], &lines[1]}, *main_line[] = {&lines[0]};
	Pprof__Location places[3] = {PPROF__LOCATION__INIT, PPROF__LOCATION__INIT, PPROF__LOCATION__INIT};
	Pprof__Location *place_list[] = {&places[2], &places[1], &places[0]};
	Pprof__Function functions[3] = {PPROF__FUNCTION__INIT, PPROF__FUNCTION__INIT, PPROF__FUNCTION__INIT};
	Pprof__Function *function_list[] = {&functions[0], &functions[1], &functions[2]};
	Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mapping_list[] = {&mapping};
	Pprof__Sample samples[3] = {PPROF__SAMPLE__INIT, PPROF__SAMPLE__INIT, PPROF__SAMPLE__INIT};
	Pprof__Sample *sample_list[] = {&samples[0], &samples[1], &samples[2]};
	uint64_t paths[3][2] = {{20, 10}, {30, 10}, {99, 10}};
	int64_t values[3][2] = {{3, 30}, {1, value}, {5, 50}};
	Pprof__Profile profile = PPROF__PROFILE__INIT;

	types[0].type = SAMPLES;
	types[0].unit = COUNT;
	types[1].type = CPU;
	types[1].unit = MICROSECONDS;
	for (int i = 0; i < 3; i++) {
		functions[i].id = 7 + (uint64_t)i;
		functions[i].name = MAIN + i;
		lines[i].function_id = 7 + (uint64_t)i;
		places[i].id = 10 * (1 + (uint64_t)i);
		samples[i].n_location_id = samples[i].n_value = 2;
		samples[i].location_id = paths[i];
		samples[i].value = values[i];
	}
	places[0].n_line = 1;
	places[0].line = main_line;
	places[1].n_line = 2;
	places[1].line = work_lines;
	places[2].address = 0x401136;
	places[2].mapping_id = mapping.id = 4;
	mapping.filename = FILE_NAME;
	profile.n_sample_type = 2;
	profile.sample_type = type_list;
	profile.n_sample = 3;
	profile.sample = sample_list;
	profile.n_mapping = 1;
	profile.mapping = mapping_list;
	profile.n_location = 3;
	profile.location = place_list;
	profile.n_function = 3;
	profile.function = function_list;
	profile.n_string_table = TEXTS;
	profile.string_table = (char **)texts;
	profile.default_sample_type = default_type;
	return pprof__profile__pack(&profile, to);
}

static size_t pack(const uint8_t *data, size_t size, uint8_t *to, size_t room)
{
	z_stream stream = {.next_in = (uint8_t *)data, .avail_in = (uInt)size, .next_out = to, .avail_out = (uInt)room};

	deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	deflate(&stream, Z_FINISH);
	deflateEnd(&stream);
	return room - stream.avail_out;
}

TEST(values)
{
	uint8_t file[2048], packed[2048];
	size_t size = make_profile(file, 0, 10), packed_size = pack(file, size, packed, sizeof packed);
	struct weights seen = read_weights(packed, packed_size);

	/* Its third sample's place is missing. */
	CHECK_STR(seen.text, "main|work;\xff|inlined=30000 main|0x401136 (app)=10000 ");
	CHECK_STR(seen.unit, "ns");
	CHECK_EQ(seen.status, 1);
	CHECK(strstr(seen.messages, "that are left out: 1"));
	CHECK_EQ(seen.left_out, 1);
	free_weights(&seen);

	seen = read_weights(file, size);
	CHECK_STR(seen.text, "main|work;\xff|inlined=30000 main|0x401136 (app)=10000 ");
	free_weights(&seen);

	seen = read_weights(file, make_profile(file, SAMPLES, 10));
	CHECK_STR(seen.text, "main|work;\xff|inlined=3 main|0x401136 (app)=1 ");
	CHECK_STR(seen.unit, "samples");
	free_weights(&seen);
}

/* A profile must have a value of each type in each sample. */
TEST(missing_values)
{
	static const uint8_t one_value[] = {0x12, 0x06, 0x0a, 0x01, 0x14, 0x12, 0x01, 0x03}; /* sample: location 20, value 3 */
	uint8_t file[2048];
	size_t size = make_profile(file, 0, 10);
	struct weights seen;

	memcpy(file + size, one_value, sizeof one_value);
	seen = read_weights(file, size + sizeof one_value);
	CHECK_STR(seen.text, "main|work;\xff|inlined=30000 main|0x401136 (app)=10000 ");
	CHECK(strstr(seen.messages, "samples without a value of the type that is shown, that are left out: 1"));
	CHECK_EQ(seen.left_out, 2); /* and the one whose place is missing */
	CHECK_EQ(seen.status, 1);
	free_weights(&seen);
}

/* Differences, and numbers without room. */
TEST(odd_values)
{
	uint8_t file[2048];
	struct weights seen = read_weights(file, make_profile(file, 0, -10));

	CHECK_STR(seen.text, "main|work;\xff|inlined=30000 ");
	CHECK(strstr(seen.messages, "below 0"));
	free_weights(&seen);
	seen = read_weights(file, make_profile(file, 0, INT64_MAX));
	CHECK_STR(seen.text, "main|work;\xff|inlined=30000 main|0x401136 (app)=18446744073709551615 ");
	free_weights(&seen);
}

/* Cut at each byte: either it is not taken for a profile, or what is missing is said. */
TEST(cut)
{
	uint8_t file[2048], packed[2048];
	size_t size = make_profile(file, 0, 10), packed_size = pack(file, size, packed, sizeof packed);

	for (size_t at = 0; at < packed_size; at++) {
		struct weights seen = read_weights(packed, at);

		CHECK(!seen.opened || seen.status);
		free_weights(&seen);
	}
	for (size_t at = 0; at < size; at++) {
		struct weights seen = read_weights(file, at);

		CHECK(seen.status || !seen.lines); /* between two messages nobody can tell */
		free_weights(&seen);
	}
}

/* A location of 200,000 functions, which a sample names 200,000 times: some megabytes that ask for 320 GiB. */
TEST(much_of_little)
{
	const size_t count = 200000;
	Pprof__ValueType type = PPROF__VALUE_TYPE__INIT, *types = &type;
	Pprof__Line *lines = calloc(count, sizeof *lines), **line_list = calloc(count, sizeof *line_list);
	Pprof__Location place = PPROF__LOCATION__INIT, *places = &place;
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples = &sample;
	Pprof__Profile profile = PPROF__PROFILE__INIT;
	uint64_t *ids = calloc(count, sizeof *ids);
	int64_t value = 1;
	struct weights seen;
	uint8_t *file;
	size_t size;

	for (size_t i = 0; i < count; i++) {
		lines[i] = (Pprof__Line)PPROF__LINE__INIT;
		line_list[i] = &lines[i];
		ids[i] = 1;
	}
	type.type = type.unit = 1;
	place.id = 1;
	place.n_line = sample.n_location_id = count;
	place.line = line_list;
	sample.location_id = ids;
	sample.n_value = 1;
	sample.value = &value;
	profile.n_sample_type = profile.n_location = profile.n_sample = 1;
	profile.sample_type = &types;
	profile.location = &places;
	profile.sample = &samples;
	file = malloc(pprof__profile__get_packed_size(&profile));
	size = pprof__profile__pack(&profile, file);
	seen = read_weights(file, size);
	CHECK(seen.opened);
	CHECK_EQ(seen.lines, 0);
	CHECK_EQ(seen.status, 1);
	free_weights(&seen);
	free(file);
	free(lines);
	free(line_list);
	free(ids);
}

TEST(nothing_counted)
{
	static const uint8_t file[] = {0x0a, 0x02, 0x08, 0x01, 0x12, 0x04, 0x0a, 0x00, 0x12, 0x00};
	struct weights seen = read_weights(file, sizeof file);

	CHECK(seen.opened);
	CHECK_EQ(seen.lines, 0);
	free_weights(&seen);
	seen = read_weights("\x0a\x00", 2); /* no type in it */
	CHECK(!seen.opened);
	free_weights(&seen);
}

struct part {
	size_t at, size;
};

/* Finds the fields of a profile: each has a key of one byte, and a number, or bytes behind their length. */
static size_t find_parts(const uint8_t *file, size_t size, struct part *parts)
{
	size_t count = 0;

	for (size_t at = 0; at < size; at += parts[count++].size) {
		size_t length = 2;

		while (file[at + length - 1] >= 0x80)
			length++;
		if ((file[at] & 7) == 2)
			length += file[at + 1]; /* all are shorter than 128 */
		parts[count] = (struct part){at, length};
	}
	return count;
}

static void check_order(const uint8_t *file, const struct part *parts, size_t count, size_t first)
{
	uint8_t other[2048], packed[2048];
	size_t size = 0, packed_size;
	struct weights seen;

	for (size_t i = 0; i < count; i++) {
		const struct part *part = &parts[(first + i) % count];

		memcpy(other + size, file + part->at, part->size);
		size += part->size;
	}
	packed_size = pack(other, size, packed, sizeof packed);
	seen = read_weights(other, size);
	CHECK(seen.opened && seen.lines == 2);
	CHECK(strstr(seen.text, "|inlined=") && strstr(seen.text, "|0x401136 (app)="));
	free_weights(&seen);
	seen = read_weights(packed, packed_size);
	CHECK(seen.opened && seen.lines == 2);
	free_weights(&seen);
}

/* A profile is what is in it: each field comes first once. The number of a text is its place, so all texts stay in a row. */
TEST(any_order)
{
	uint8_t file[2048];
	size_t size = make_profile(file, SAMPLES, 10), count, texts_at = 0;
	struct part parts[64];

	count = find_parts(file, size, parts);
	while (file[parts[texts_at].at] != (6 << 3 | 2))
		texts_at++;
	for (size_t first = 0; first <= texts_at; first++)
		check_order(file, parts, count, first);
	check_order(file, parts, count, texts_at + TEXTS);
}

/* The default is named by its text: a writer may have the text twice. */
TEST(default_type_by_text)
{
	uint8_t file[2048];
	size_t size = make_profile(file, TEXTS, 10);
	static const uint8_t again[] = {6 << 3 | 2, 7, 's', 'a', 'm', 'p', 'l', 'e', 's'};
	struct weights seen;

	memcpy(file + size, again, sizeof again);
	seen = read_weights(file, size + sizeof again);
	CHECK_STR(seen.text, "main|work;\xff|inlined=3 main|0x401136 (app)=1 ");
	CHECK_STR(seen.counted, "samples; also in the file: cpu");
	free_weights(&seen);
	size = make_profile(file, TEXTS + 1000, 10);
	seen = read_weights(file, size);
	CHECK_STR(seen.unit, "ns");
	CHECK_STR(seen.counted, "cpu; also in the file: samples");
	free_weights(&seen);
}

/* What looks like fields of a profile without being one. */
TEST(no_profiles)
{
	static const struct {
		const char *bytes;
		size_t size;
	} files[] = {
		{"HHPPHHPPHHPPHHPP\n", 17},             /* numbers only: text can look like them */
		{"2 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 34}, /* a text of 32 bytes */
		{"\x0a\x02\x1a\x00", 4},                /* a type of values with neither name nor unit */
		{"\x0a\x02\x08\xff", 4},                /* a type that ends within a number */
		{"\x08\x01\x0a\x04\x08\x01\x10\x02", 8}, /* its first field is a number, which types are not */
		{"\x5a\x02\x08\x01\x00\x00", 6},        /* no field has the number 0 */
		{"\x48\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x0a\x02\x08\x01", 16}, /* a number of more than 64 bits */
	};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		uint8_t packed[256];
		size_t size = pack((const uint8_t *)files[i].bytes, files[i].size, packed, sizeof packed);
		struct weights seen = read_weights(files[i].bytes, files[i].size);

		CHECK(!seen.opened);
		free_weights(&seen);
		seen = read_weights(packed, size);
		CHECK(!seen.opened && strstr(seen.messages, "compressed with gzip"));
		free_weights(&seen);
	}
}

/* A sample that names no place counts, too. */
TEST(no_stack)
{
	static const uint8_t file[] = {0x5a, 2, 8, 1, 0x0a, 2, 8, 1, 0x12, 2, 0x10, 5, 0x32, 0, 0x32, 1, 'n'};
	struct weights seen = read_weights(file, sizeof file);

	CHECK_STR(seen.text, "(no stack)=5 ");
	CHECK_STR(seen.unit, "n");
	CHECK_EQ(seen.status, 0);
	free_weights(&seen);
}

static struct weights read_file(const char *name)
{
	const char *root = getenv("ROOT");
	static uint8_t data[8192];
	char path[4200];
	size_t size;
	FILE *file;

	snprintf(path, sizeof path, "%s/test/trace/good/%s", root ? root : ".", name);
	file = fopen(path, "rb");
	CHECK(file);
	size = file ? fread(data, 1, sizeof data, file) : 0;
	if (file)
		fclose(file);
	return read_weights(data, size);
}

/* What Go's runtime writes (go_profiles.go): the time or the period first, then the types. What others write: `pprof -proto` of the
 * profiles of gperftools' CPU profiler and of its heap, an agent that samples whole machines (agent_profile.go), and
 * `jeprof --collapsed` of jemalloc's heap, which are folded stacks. */
TEST(profiles_of_others)
{
	static const struct {
		const char *name, *unit, *counted, *has;
	} files[] = {
		{"gperftools-cpu.pprof", "ns", "cpu; also in the file: samples",
			"0x401070 (app)|0x7f0db850b304 (libc.so.6)|0x7f0db850b249 (libc.so.6)|0x4011ba (app)|0x401185 (app)|0x401141 (app)=240000000 "},
		{"gperftools-heap.pprof", "bytes", "space; also in the file: objects", "|0x4011ba (app)|0x401194 (app)|0x401162 (app)=67108864 "},
		{"agent.pprof", "samples", "", "0x401185 (app)|0x401141 (app)=17 0x401185 (app)|0x7f00000f8a1d (libc.so.6)|vfs_read=2 "},
		{"jemalloc.folded", "samples", "", "main<00000000004011b2>|run<0000000000401178>|grow<0000000000401154>=67108864 "},
		{"go-cpu.pprof", "ns", "cpu; also in the file: samples", "runtime.main|main.main|main.spin=160000000 "},
		{"go-heap.pprof", "bytes", "inuse_space; also in the file: alloc_objects, alloc_space, inuse_objects", "main.main|main.grow="},
		{"go-allocs.pprof", "bytes", "alloc_space; also in the file: alloc_objects, inuse_objects, inuse_space", "main.main|main.grow="},
		{"go-mutex.pprof", "ns", "delay; also in the file: contentions", "main.fight|sync.(*Mutex).Unlock="},
		{"go-block.pprof", "ns", "delay; also in the file: contentions", "main.fight|sync.(*Mutex).Lock="},
		{"go-goroutine.pprof", "goroutine", "", "runtime.main|main.main|main.write|main.main.func2|"},
	};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct weights seen = read_file(files[i].name);

		CHECK(seen.opened && seen.lines);
		CHECK_EQ(seen.status, 0);
		CHECK_STR(seen.unit, files[i].unit);
		CHECK_STR(seen.counted, files[i].counted);
		if (!strstr(seen.text, files[i].has))
			printf("# %s: %s\n", files[i].name, seen.text);
		CHECK(strstr(seen.text, files[i].has));
		free_weights(&seen);
	}
}

int main(void)
{
	RUN(values);
	RUN(missing_values);
	RUN(odd_values);
	RUN(cut);
	RUN(much_of_little);
	RUN(nothing_counted);
	RUN(any_order);
	RUN(default_type_by_text);
	RUN(no_profiles);
	RUN(no_stack);
	RUN(profiles_of_others);
	return tap_done();
}
