/* row: writes a row of `dwell dump`. */
#include <stdarg.h>
#include <stdio.h>

#include "cmd/dump.h"

void dump_put(struct dump *dump, uint64_t offset, uint64_t bytes, const char *record, uint64_t stream, uint64_t ticks,
	const char *format, ...)
{
	struct cell cells[COLUMN_COUNT] = {0};
	char what[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	dump->gap |= offset != dump->end;
	dump->end = offset + bytes;
	dump->bytes += bytes;
	dump->regions++;
	cells[COLUMN_OFFSET].count = offset;
	cells[COLUMN_BYTES].count = bytes;
	cells[COLUMN_RECORD].text = record;
	cells[COLUMN_STREAM] = (struct cell){.count = stream, .absent = stream == UINT64_MAX};
	cells[COLUMN_TICKS] = (struct cell){.count = ticks, .absent = ticks == UINT64_MAX};
	cells[COLUMN_WHAT].text = what;
	if (dump->rows++ < dump->limit) /* rows beyond the limit are only counted; reading goes on, to find damage */
		dump->sink.row(dump->sink.context, cells);
}
