/* header: decodes the file header, field by field as in FORMAT.md. */
#include <string.h>
#include <zlib.h>

#include "dwell/format.h"
#include "reader/dwell/header.h"

static const char *find_problem(struct bytes start)
{
	if (start.size < 8 || memcmp(start.data, DWELL_FILE_MAGIC, 8))
		return "has no header";
	if (start.size < DWELL_HEADER_BYTES)
		return "is cut inside of its header";
	if (get_u32(start.data + DWELL_HEADER_CRC) != crc32(0, start.data, DWELL_HEADER_CRC))
		return "has a damaged header";
	if (get_u32(start.data + DWELL_HEADER_LENGTH) < DWELL_HEADER_BYTES)
		return "has a header that is too short";
	return NULL;
}

struct header header_parse(struct bytes start)
{
	struct header header = {.major = DWELL_FILE_MAJOR, .minor = DWELL_FILE_MINOR, .problem = find_problem(start)};
	struct message_header *message = &header.message;
	const uint8_t *p = start.data;
	uint8_t flags;

	*message = (struct message_header){
		.format = "dwell", .has_events = true, .unit = "", .clock_bits = 64, .pointer_bytes = 8, .clock_global = true};
	if (header.problem)
		return header;
	header.bytes = get_u32(p + DWELL_HEADER_LENGTH);
	header.incompatible = get_u32(p + DWELL_HEADER_INCOMPATIBLE);
	header.major = get_u16(p + DWELL_HEADER_MAJOR);
	header.minor = get_u16(p + DWELL_HEADER_MINOR);
	flags = p[DWELL_HEADER_CLOCK_FLAGS];
	message->clock_down = flags & DWELL_CLOCK_DOWN;
	message->clock_global = flags & DWELL_CLOCK_GLOBAL;
	message->clock_late = flags & DWELL_CLOCK_LATE;
	message->big_endian = p[DWELL_HEADER_BYTE_ORDER] == 2;
	message->clock_hz = get_u64(p + DWELL_HEADER_CLOCK_HZ);
	message->start_unix_ns = get_u64(p + DWELL_HEADER_START_UNIX_NS);
	message->machine = get_u16(p + DWELL_HEADER_MACHINE);
	if (p[DWELL_HEADER_CLOCK_BITS] >= 1 && p[DWELL_HEADER_CLOCK_BITS] <= 64)
		message->clock_bits = p[DWELL_HEADER_CLOCK_BITS];
	if (p[DWELL_HEADER_POINTER_BYTES] == 4)
		message->pointer_bytes = 4;
	return header;
}

bool header_check(const struct header *header, size_t bytes, const char *file, struct diag *diag)
{
	if (header->major != DWELL_FILE_MAJOR) {
		diag_add(diag, DIAG_ERROR, file, DWELL_HEADER_MAJOR, "is a dwell trace of version %u.%u; version %d was expected",
			header->major, header->minor, DWELL_FILE_MAJOR);
		return false;
	}
	if (header->incompatible) {
		diag_add(diag, DIAG_ERROR, file, DWELL_HEADER_INCOMPATIBLE,
			"needs features 0x%x that this version does not know; 0 was expected", header->incompatible);
		return false;
	}
	if (header->problem && bytes < DWELL_HEADER_BYTES) {
		diag_add(diag, DIAG_ERROR, file, bytes, "%s: %zu bytes, %d were expected", header->problem, bytes, DWELL_HEADER_BYTES);
		return false;
	}
	return true;
}
