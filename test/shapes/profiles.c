/* profiles: what other tools have summed up: folded stacks, and profiles of pprof. */
#include <stdlib.h>

#include "shapes/shapes.h"

static void folded_deep(const char *path, uint32_t count)
{
	FILE *out = fopen(path, "w");

	for (uint32_t i = 0; i < count; i++)
		fprintf(out, "%sf%u", i ? ";" : "", i % 1000);
	fputs(" 1\n", out);
	fclose(out);
}

static void folded_wide(const char *path, uint32_t count)
{
	FILE *out = fopen(path, "w");

	for (uint32_t i = 0; i < count; i++)
		fprintf(out, "a;b%u;c%u;d%u 1\n", i % 7, i, i);
	fclose(out);
}

static void put_varint(FILE *out, uint32_t value)
{
	for (; value > 127; value >>= 7)
		fputc((int)(value & 127) | 128, out);
	fputc((int)value, out);
}

static void put_number(FILE *out, uint32_t field, uint32_t value)
{
	put_varint(out, field << 3);
	put_varint(out, value);
}

static void put_bytes(FILE *out, uint32_t field, const void *bytes, size_t size)
{
	put_varint(out, field << 3 | 2);
	put_varint(out, (uint32_t)size);
	fwrite(bytes, 1, size, out);
}

/* A message in a field. */
struct part {
	FILE *out;
	char *bytes;
	size_t size;
};

static FILE *begin_part(struct part *part)
{
	return part->out = open_memstream(&part->bytes, &part->size);
}

static void end_part(struct part *part, FILE *out, uint32_t field)
{
	fclose(part->out);
	put_bytes(out, field, part->bytes, part->size);
	free(part->bytes);
}

/* Functions and places, each of one, and one path through all of them. */
static void pprof_deep(const char *path, uint32_t count)
{
	FILE *out = fopen(path, "w"), *stack;
	struct part part, line, places;
	char name[16];

	begin_part(&part);
	put_number(part.out, 1, 1);
	put_number(part.out, 2, 2);
	end_part(&part, out, 1);
	put_bytes(out, 6, "", 0);
	put_bytes(out, 6, "samples", 7);
	put_bytes(out, 6, "count", 5);
	stack = begin_part(&places);
	for (uint32_t i = 1; i <= count; i++) {
		put_bytes(out, 6, name, (size_t)snprintf(name, sizeof name, "f%u", i));
		begin_part(&part);
		put_number(part.out, 1, i);
		put_number(part.out, 2, 2 + i);
		end_part(&part, out, 5);
		begin_part(&part);
		put_number(part.out, 1, i);
		begin_part(&line);
		put_number(line.out, 1, i);
		end_part(&line, part.out, 4);
		end_part(&part, out, 4);
		put_varint(stack, i);
	}
	begin_part(&part);
	end_part(&places, part.out, 1);
	put_bytes(part.out, 2, "\1", 1);
	end_part(&part, out, 2);
	fclose(out);
}

const struct shape shapes_of_profiles[] = {
	{"folded_deep", folded_deep, 5000},
	{"folded_wide", folded_wide, 2500},
	{"pprof_deep", pprof_deep, 2500},
	{NULL, NULL, 0},
};
