/* split: writes a row for each interval of a function's code. */
#include "analysis/split.h"

#include "model/profile/estimate.h"

enum { INTERVAL, ADDRESS, BYTES, SAMPLES, SHARE, LOW, HIGH, BAR, COLUMN_COUNT };

static const struct column columns[COLUMN_COUNT] = {
	[INTERVAL] = {.key = "interval", .title = "#", .unit = UNIT_COUNT},
	[ADDRESS] = {.key = "address", .title = "address", .unit = UNIT_ADDRESS},
	[BYTES] = {.key = "bytes", .title = "bytes", .unit = UNIT_COUNT},
	[SAMPLES] = {.key = "samples", .title = "samples", .unit = UNIT_COUNT},
	[SHARE] = {.key = "percent", .title = "%", .unit = UNIT_PERCENT},
	[LOW] = {.key = "low", .title = "from", .unit = UNIT_PERCENT},
	[HIGH] = {.key = "high", .title = "to", .unit = UNIT_PERCENT},
	[BAR] = {.key = "bar", .title = "", .unit = UNIT_BAR, .text_only = true},
};

void analysis_split(const struct split_symbol *symbol, const struct table_sink *sink)
{
	uint64_t largest = 0;

	for (uint32_t i = 0; i < symbol->interval_count; i++)
		if (symbol->weights[i] > largest)
			largest = symbol->weights[i];
	sink->begin(sink->context, "split", columns, COLUMN_COUNT);
	for (uint32_t i = 0; i < symbol->interval_count; i++) {
		struct estimate_share share = estimates_get_share(&symbol->estimates, i, (double)symbol->weights[i]);
		struct cell cells[COLUMN_COUNT] = {
			[INTERVAL] = {.count = i + 1},
			[ADDRESS] = {.count = symbol->start + split_begin(symbol, i)},
			[BYTES] = {.count = split_begin(symbol, i + 1) - split_begin(symbol, i)},
			[SAMPLES] = {.count = i < symbol->estimates.count ? symbol->estimates.functions[i].samples : 0},
			[SHARE] = {.real = 100 * share.share},
			[LOW] = {.real = 100 * share.low},
			[HIGH] = {.real = 100 * share.high},
			[BAR] = {.real = largest ? (double)symbol->weights[i] / (double)largest : 0},
		};

		sink->row(sink->context, cells);
	}
	sink->end(sink->context);
}
