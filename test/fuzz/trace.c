/* Any bytes as a trace of any format that dwell reads (read_trace.h says what is asked for). Formats whose beginning is hard to
 * guess have programs of their own, trace_*.c.
 *
 * Each input is read as it is, and once more with the checksums put right: behind them is most of the code, and no fuzzer guesses a
 * CRC. */
#include "read_trace.h"

#include <zlib.h>

#include "dwell/format.h"
#include "util/bytes.h"

static uint32_t crc(const uint8_t *data, size_t size)
{
	return (uint32_t)crc32(0, data, (uInt)size);
}

/* Puts the checksums of the header and of every chunk right, as far as they are inside. */
static void seal(uint8_t *data, size_t size)
{
	struct bytes bytes = {data, size};
	size_t at = DWELL_HEADER_BYTES;

	if (!bytes_have(bytes, 0, DWELL_HEADER_BYTES))
		return;
	put_u32(data + DWELL_HEADER_CRC, crc(data, DWELL_HEADER_CRC));
	while (bytes_have(bytes, at, DWELL_CHUNK_HEADER_BYTES)) {
		uint8_t *chunk = data + at;
		uint32_t length = get_u32(chunk + DWELL_CHUNK_LENGTH);

		if (get_u32(chunk + DWELL_CHUNK_MARKER) != DWELL_CHUNK_MARK) {
			at++;
			continue;
		}
		at += DWELL_CHUNK_HEADER_BYTES;
		if (bytes_have(bytes, at, length)) {
			put_u32(chunk + DWELL_CHUNK_PAYLOAD_CRC, crc(data + at, length));
			at += length;
		}
		put_u32(chunk + DWELL_CHUNK_CRC, crc(chunk, DWELL_CHUNK_CRC));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *sealed = malloc(size ? size : 1);

	read_trace(data, size);
	if (sealed) {
		memcpy(sealed, data, size);
		seal(sealed, size);
		if (memcmp(sealed, data, size))
			read_trace(sealed, size);
	}
	free(sealed);
	return 0;
}
