/* Measures time, and compares it with itself: sixteen times as much input takes each reader and the model some twenty times as
 * long, whatever the shape of the input, where something quadratic takes 256. The shapes are those with which one could be made
 * to go through what it has again and again: deep, wide, all in one, each in the one before. */
#include <time.h>

#include "check.h"
#include "model/model.h"
#include "reader/reader.h"

#define MORE 16u
#define TIMES_MAX 120.0
#define TRIES 4
#define FASTEST_NS 500000 /* shorter ones are too short to be compared */

typedef void make_input(FILE *out, uint32_t count);

static void folded_deep(FILE *out, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		fprintf(out, "%sf%u", i ? ";" : "", i % 1000);
	fputs(" 1\n", out);
}

static void folded_wide(FILE *out, uint32_t count)
{
	for (uint32_t i = 0; i < count; i += 4)
		fprintf(out, "a;b%u;c%u;d%u 1\n", i % 7, i, i);
}

static void put_varint(FILE *out, uint32_t value)
{
	for (; value > 127; value >>= 7)
		fputc((int)(value & 127) | 128, out);
	fputc((int)value, out);
}

/* A field of a message: bytes. */
static void put_field(FILE *out, uint32_t number, const void *bytes, size_t size)
{
	put_varint(out, number << 3 | 2);
	put_varint(out, (uint32_t)size);
	fwrite(bytes, 1, size, out);
}

static void put_numbers(FILE *out, uint32_t number, uint32_t first, uint32_t second, bool has_line, uint32_t line)
{
	char *bytes, *inner;
	size_t size, inner_size;
	FILE *message = open_memstream(&bytes, &size), *part;

	put_varint(message, 1 << 3);
	put_varint(message, first);
	if (second) {
		put_varint(message, 2 << 3);
		put_varint(message, second);
	}
	if (has_line) {
		part = open_memstream(&inner, &inner_size);
		put_varint(part, 1 << 3);
		put_varint(part, line);
		fclose(part);
		put_field(message, 4, inner, inner_size);
		free(inner);
	}
	fclose(message);
	put_field(out, number, bytes, size);
	free(bytes);
}

/* Functions and places, each of one, and one path through all of them. */
static void pprof_deep(FILE *out, uint32_t count)
{
	char *path, *sample, name[16];
	size_t path_size, sample_size;
	FILE *places = open_memstream(&path, &path_size), *message;

	put_numbers(out, 1, 1, 2, false, 0);
	put_field(out, 6, "", 0);
	put_field(out, 6, "samples", 7);
	put_field(out, 6, "count", 5);
	for (uint32_t i = 1; i <= count; i++) {
		put_field(out, 6, name, (size_t)snprintf(name, sizeof name, "f%u", i));
		put_numbers(out, 5, i, 2 + i, false, 0);
		put_numbers(out, 4, i, 0, true, i);
		put_varint(places, i);
	}
	fclose(places);
	message = open_memstream(&sample, &sample_size);
	put_field(message, 1, path, path_size);
	put_field(message, 2, "\1", 1);
	fclose(message);
	put_field(out, 2, sample, sample_size);
	free(sample);
	free(path);
}

/* Nanoseconds of this thread's CPU time to read it all. */
static uint64_t read_ns(const char *data, size_t size)
{
	const struct model_options options = {.want_profile = true};
	struct diag *diag = make_diag();
	struct timespec before, after;
	struct message message = {0};
	struct reader *reader;
	struct model *model;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
	reader = make_reader(make_source_memory("input", data, size, diag), diag);
	model = make_model(&options, diag);
	while (reader && (reader_next(reader, &message), message.kind != MESSAGE_END))
		model_feed(model, &message);
	model_finish(model);
	CHECK(reader && model_get_profile(model)->total);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
	free_model(model);
	free_reader(reader);
	free_diag(diag);
	return (uint64_t)(after.tv_sec - before.tv_sec) * 1000000000u + (uint64_t)(after.tv_nsec - before.tv_nsec);
}

static uint64_t made_ns(make_input *make, uint32_t count)
{
	char *data;
	size_t size;
	FILE *out = open_memstream(&data, &size);
	uint64_t ns;

	make(out, count);
	fclose(out);
	ns = read_ns(data, size);
	free(data);
	return ns;
}

/* The least of a few tries: what disturbs only adds. */
static void check(const char *name, make_input *make, uint32_t count)
{
	uint64_t little = UINT64_MAX, much = UINT64_MAX, ns;

	for (int i = 0; i < TRIES && (much == UINT64_MAX || (double)much > TIMES_MAX * (double)little); i++) {
		ns = made_ns(make, count);
		little = ns < FASTEST_NS ? FASTEST_NS : ns < little ? ns : little;
		ns = made_ns(make, MORE * count);
		much = ns < much ? ns : much;
	}
	printf("# %s: %u in %.1f ms, %u in %.1f ms: %.1f times\n", name, count, (double)little / 1e6, MORE * count, (double)much / 1e6,
		(double)much / (double)little);
	CHECK((double)much <= TIMES_MAX * (double)little);
}

#define SHAPE(name, count)                                                                                                         \
	TEST(of_##name)                                                                                                            \
	{                                                                                                                          \
		check(#name, name, count);                                                                                         \
	}

SHAPE(folded_deep, 12500)
SHAPE(folded_wide, 12500)
SHAPE(pprof_deep, 5000)

int main(void)
{
	RUN(of_folded_deep);
	RUN(of_folded_wide);
	RUN(of_pprof_deep);
	return tap_done();
}
