/* pprof_probe: parses the start of a file as protobuf, and looks for the messages of profile.proto in it.
 *
 * The format has no magic number, and the order of fields is the writer's: protobuf libraries begin with
 * the types of values, Go's runtime with the time or the period. So every field up to the first type of
 * values must be one of a profile. */
#include "reader/profiles/pprof_probe.h"

#include <stdint.h>

#include "reader/gunzip.h"

#define START_BYTES 16384u   /* of the unpacked file; nearly all profiles have a type of values in there */
#define FIELD_LAST 100u      /* later versions of the format may have fields up to this one */
#define MESSAGES_LEAST 8u    /* with so many other messages, the types may come behind START_BYTES */

enum { VARINT = 0, FIXED64 = 1, LENGTH = 2, FIXED32 = 5 };
enum { SAMPLE_TYPE = 1, SAMPLE = 2, MAPPING = 3, LOCATION = 4, FUNCTION = 5, STRING = 6, PERIOD_TYPE = 11, COMMENT = 13 };

/* The fields of a message: a bit for each number. Repeated numbers come as one field each, or several in one of LENGTH. */
struct shape {
	uint32_t varints, lengths;
};
#define BIT(n) (UINT32_C(1) << (n))
static const struct shape profile_shape = {BIT(7) | BIT(8) | BIT(9) | BIT(10) | BIT(12) | BIT(COMMENT) | BIT(14) | BIT(15),
	BIT(SAMPLE_TYPE) | BIT(SAMPLE) | BIT(MAPPING) | BIT(LOCATION) | BIT(FUNCTION) | BIT(STRING) | BIT(PERIOD_TYPE) |
		BIT(COMMENT)};
static const struct shape part_shapes[PERIOD_TYPE + 1] = {
	[SAMPLE_TYPE] = {BIT(1) | BIT(2), 0},
	[SAMPLE] = {BIT(1) | BIT(2), BIT(1) | BIT(2) | BIT(3)},
	[MAPPING] = {0x7fe, 0},
	[LOCATION] = {BIT(1) | BIT(2) | BIT(3) | BIT(5), BIT(4)},
	[FUNCTION] = {0x3e, 0},
	[PERIOD_TYPE] = {BIT(1) | BIT(2), 0},
};

struct field {
	uint64_t number;
	unsigned type;
	struct bytes content; /* of LENGTH */
};

enum outcome { WRONG, CUT, GOOD };

/* Takes a number from the front of bytes. */
static enum outcome take_varint(struct bytes *bytes, uint64_t *value)
{
	*value = 0;
	for (unsigned i = 0; i < 10 && i < bytes->size; i++) {
		*value |= (uint64_t)(bytes->data[i] & 0x7f) << 7 * i;
		if (bytes->data[i] < 0x80) {
			*bytes = bytes_part(*bytes, i + 1, bytes->size - i - 1);
			return GOOD;
		}
	}
	return bytes->size < 10 ? CUT : WRONG;
}

static enum outcome take_bytes(struct bytes *bytes, uint64_t size, struct bytes *content)
{
	if (!bytes_have(*bytes, 0, size))
		return CUT;
	*content = bytes_part(*bytes, 0, size);
	*bytes = bytes_part(*bytes, size, bytes->size - size);
	return GOOD;
}

static enum outcome take_content(struct bytes *bytes, struct field *field)
{
	enum outcome outcome;
	uint64_t number;

	if (field->type == FIXED64 || field->type == FIXED32)
		return take_bytes(bytes, field->type == FIXED64 ? 8 : 4, &field->content);
	outcome = take_varint(bytes, &number);
	return outcome == GOOD && field->type == LENGTH ? take_bytes(bytes, number, &field->content) : outcome;
}

/* Returns whether a message of this shape can have the field. A later version may have more fields. */
static bool fits(const struct field *field, const struct shape *shape)
{
	uint32_t bit = field->number < 32 ? BIT(field->number) : 0;

	if (!field->number || field->number > FIELD_LAST)
		return false;
	if ((shape->varints | shape->lengths) & bit)
		return (field->type == VARINT && shape->varints & bit) || (field->type == LENGTH && shape->lengths & bit);
	return field->type == VARINT || field->type == LENGTH || field->type == FIXED64 || field->type == FIXED32;
}

/* Takes a field from the front of bytes. */
static enum outcome take_field(struct bytes *bytes, const struct shape *shape, struct field *field)
{
	enum outcome outcome;
	uint64_t key;

	*field = (struct field){0};
	outcome = take_varint(bytes, &key);
	if (outcome != GOOD)
		return outcome;
	field->number = key >> 3;
	field->type = key & 7;
	return fits(field, shape) ? take_content(bytes, field) : WRONG;
}

/* Returns whether the bytes are a message of this shape, with a field that the shape has. */
static bool is_message(struct bytes bytes, const struct shape *shape)
{
	bool has_known = false;
	struct field field;

	while (bytes.size) {
		if (take_field(&bytes, shape, &field) != GOOD)
			return false;
		has_known |= field.number < 32 && (shape->varints | shape->lengths) & BIT(field.number);
	}
	return has_known;
}

/* What was found in a profile's first bytes. */
struct found {
	unsigned types, messages; /* of values; all known ones */
};

/* Checks the content of a field, and counts the field. */
static bool take_part(const struct field *field, struct found *found)
{
	const struct shape *shape = field->number <= PERIOD_TYPE ? &part_shapes[field->number] : NULL;

	if (field->type != LENGTH || !shape || !(shape->varints | shape->lengths) || !field->content.size)
		return true;
	if (!is_message(field->content, shape))
		return false;
	found->types += field->number == SAMPLE_TYPE;
	found->messages++;
	return true;
}

static bool is_profile(struct bytes bytes, bool whole)
{
	enum outcome outcome = GOOD;
	struct found found = {0};
	struct field field;

	while (bytes.size && outcome == GOOD && !found.types) {
		outcome = take_field(&bytes, &profile_shape, &field);
		if (outcome == GOOD && !take_part(&field, &found))
			outcome = WRONG;
	}
	return found.types || (outcome != WRONG && !whole && found.messages >= MESSAGES_LEAST);
}

bool pprof_probe(struct bytes start, bool whole)
{
	uint8_t head[START_BYTES];
	size_t size = gunzip_start(start, head, sizeof head);

	return is_profile((struct bytes){head, size}, whole && size < sizeof head);
}
