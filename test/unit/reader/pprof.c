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

int main(void)
{
	RUN(values);
	RUN(odd_values);
	RUN(cut);
	RUN(much_of_little);
	RUN(nothing_counted);
	return tap_done();
}
