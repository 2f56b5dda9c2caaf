/* Writes gmon.out for gprof, which reads it together with the program: how often the program counter was in a piece of code, and
 * how often one function called another. Measured times replace the samples expected by gprof.
 *
 * The format has the addresses of one file, and no names. So the exporter writes the file with the most time, and warns about the
 * time in other files. A counter has 16 bits; gprof adds up the counters of several records. The rate, counts per second, is low
 * enough for a reasonable number of records. gprof's times are exact to 1/rate, numbers of calls are exact. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/array.h"
#include "util/bytes.h"
#include "writer/export/export.h"
#include "writer/export/paths.h"

#define TAG_HISTOGRAM 0
#define TAG_ARC 1
#define BIN_BYTES 2u                    /* bytes of code per counter, which gprof expects, too */
#define BINS_MAX (UINT64_C(1) << 25)    /* 64 MiB of code */
#define FILE_BYTES_MAX (UINT64_C(1) << 26) /* of counters, unless a single record is larger */
#define COUNTER_MAX UINT64_C(65535)
#define SUM_MAX UINT64_C(2147483647)    /* gprof's own limit */

struct arc {
	uint32_t caller, callee; /* indexes of functions */
	uint64_t calls;
};

struct gmon {
	struct exporter exporter;
	struct paths paths;
	bool is_table;
	uint64_t *own; /* time, indexed by function */
	size_t own_capacity;
	struct arc *arcs;
	size_t arc_count, arc_capacity;
};

/* The part of the recording that is written. */
struct range {
	uint32_t file;          /* its string */
	uint64_t low, high;     /* addresses of the code */
	uint64_t bins, records; /* number of counters in a record, and of records */
	uint64_t rate;          /* counts per second */
	uint64_t left_out;      /* time in other files */
};

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct gmon *gmon = context;

	(void)name;
	gmon->is_table = paths_begin(&gmon->paths, columns, count);
}

static bool take(struct gmon *gmon, const struct cell *cells)
{
	size_t had = gmon->own_capacity;
	struct paths_row row;

	if (!paths_take(&gmon->paths, cells, &row) ||
		!array_reserve(&gmon->own, &gmon->own_capacity, gmon->paths.count, sizeof *gmon->own) ||
		!array_reserve(&gmon->arcs, &gmon->arc_capacity, gmon->arc_count + 1, sizeof *gmon->arcs))
		return false;
	memset(gmon->own + had, 0, (gmon->own_capacity - had) * sizeof *gmon->own);
	gmon->own[row.function] += row.self;
	if (row.caller != STRINGS_NONE && row.calls)
		gmon->arcs[gmon->arc_count++] = (struct arc){row.caller, row.function, row.calls};
	return true;
}

static void row(void *context, const struct cell *cells)
{
	struct gmon *gmon = context;

	if (gmon->is_table && !gmon->exporter.starved && !take(gmon, cells))
		export_out_of_memory(&gmon->exporter);
}

static bool is_inside(const struct gmon *gmon, const struct range *range, uint32_t index)
{
	const struct paths_function *function = &gmon->paths.functions[index];

	return function->has_address && function->file == range->file && function->address >= range->low &&
	       function->address < range->high;
}

/* Chooses the program file in whose functions the most time was spent, and sets left_out. Returns false if no function has a known
 * file and address, or if out of memory. */
static bool choose_file(const struct gmon *gmon, struct range *range)
{
	uint64_t *times = calloc(gmon->paths.strings.count + 1, sizeof *times), most = 0, all = 0;

	range->file = STRINGS_NONE;
	for (size_t i = 0; times && i < gmon->paths.count; i++) {
		const struct paths_function *function = &gmon->paths.functions[i];

		all += gmon->own[i];
		if (function->file == STRINGS_NONE || !function->has_address)
			continue;
		times[function->file] += gmon->own[i];
		if (range->file == STRINGS_NONE || times[function->file] > most) {
			range->file = function->file;
			most = times[function->file];
		}
	}
	free(times);
	range->left_out = all - most;
	return range->file != STRINGS_NONE;
}

/* Chooses the range of code, and a rate at which the largest time needs few records. */
static void choose_range(const struct gmon *gmon, struct range *range)
{
	uint64_t most = 0;

	range->low = UINT64_MAX;
	for (size_t i = 0; i < gmon->paths.count; i++) {
		const struct paths_function *function = &gmon->paths.functions[i];

		if (!function->has_address || function->file != range->file)
			continue;
		range->low = function->address < range->low ? function->address : range->low;
		range->high = function->address >= range->high ? function->address + BIN_BYTES : range->high;
		most = gmon->own[i] > most ? gmon->own[i] : most;
	}
	range->bins = (range->high - range->low + BIN_BYTES - 1) / BIN_BYTES;
	range->high = range->low + range->bins * BIN_BYTES;
	range->rate = gmon->paths.is_ns ? 1000000000 : 1;
	for (;; range->rate /= 10, most /= 10) {
		range->records = most / COUNTER_MAX + 1;
		if (range->rate <= 100 || (most <= SUM_MAX && range->records * range->bins * 2 <= FILE_BYTES_MAX))
			return;
	}
}

static void put(struct gmon *gmon, const uint8_t *bytes, size_t count)
{
	output_put_bytes(&gmon->exporter.output, (const char *)bytes, count);
}

/* Converts a time to counts at the rate, rounded. */
static uint64_t count_of(const struct range *range, uint64_t time)
{
	uint64_t unit = range->rate < 1000000000 && range->rate > 1 ? 1000000000 / range->rate : 1;

	return time / unit + (time % unit >= (unit + 1) / 2 && unit > 1);
}

/* Writes one record of counters: the counts in excess of the earlier records. */
static void put_histogram(struct gmon *gmon, const struct range *range, uint8_t *counters, uint64_t record)
{
	uint8_t head[1 + 8 + 8 + 4 + 4 + 15 + 1] = {TAG_HISTOGRAM};

	put_u64(head + 1, range->low);
	put_u64(head + 9, range->high);
	put_u32(head + 17, (uint32_t)range->bins);
	put_u32(head + 21, (uint32_t)range->rate);
	memcpy(head + 25, "seconds", 7);
	head[40] = 's';
	memset(counters, 0, range->bins * 2);
	for (uint32_t i = 0; i < gmon->paths.count; i++) {
		uint64_t before = record * COUNTER_MAX, all = is_inside(gmon, range, i) ? count_of(range, gmon->own[i]) : 0, sum;
		uint8_t *counter;

		if (all <= before)
			continue;
		counter = counters + (gmon->paths.functions[i].address - range->low) / BIN_BYTES * 2;
		sum = all - before + get_u16(counter);
		put_u16(counter, (uint16_t)(sum < COUNTER_MAX ? sum : COUNTER_MAX));
	}
	put(gmon, head, sizeof head);
	put(gmon, counters, range->bins * 2);
}

static void put_arcs(struct gmon *gmon, const struct range *range)
{
	for (size_t i = 0; i < gmon->arc_count; i++) {
		const struct arc *arc = &gmon->arcs[i];
		uint8_t bytes[1 + 8 + 8 + 4] = {TAG_ARC};

		if (!is_inside(gmon, range, arc->caller) || !is_inside(gmon, range, arc->callee))
			continue;
		put_u64(bytes + 1, gmon->paths.functions[arc->caller].address);
		put_u64(bytes + 9, gmon->paths.functions[arc->callee].address);
		/* The field has 32 bits; gprof adds up the arcs between the same two functions. */
		for (uint64_t left = arc->calls, part; left; left -= part) {
			part = left < UINT32_MAX ? left : UINT32_MAX;
			put_u32(bytes + 17, (uint32_t)part);
			put(gmon, bytes, sizeof bytes);
		}
	}
}

static void put_all(struct gmon *gmon)
{
	const struct export_target *target = &gmon->exporter.target;
	uint8_t head[20] = {'g', 'm', 'o', 'n', 1};
	struct range range = {0};
	uint8_t *counters;

	if (!choose_file(gmon, &range)) {
		diag_add(target->diag, DIAG_ERROR, target->title, DIAG_NO_OFFSET,
			"has no function whose address in a program is known, and gmon.out has nothing but addresses");
		return;
	}
	choose_range(gmon, &range);
	if (range.bins > BINS_MAX) {
		diag_add(target->diag, DIAG_ERROR, target->title, DIAG_NO_OFFSET,
			"has functions from 0x%" PRIx64 " to 0x%" PRIx64 " in one file: that is more code than gmon.out is made for", range.low,
			range.high);
		return;
	}
	if (range.left_out)
		diag_add(target->diag, DIAG_WARN, target->title, DIAG_NO_OFFSET,
			"gmon.out is of one file, %s: %" PRIu64 " %s in others are left out", gmon->paths.strings.texts[range.file],
			range.left_out, gmon->paths.is_ns ? "ns" : target->unit);
	counters = malloc(range.bins * 2);
	if (!counters) {
		export_out_of_memory(&gmon->exporter);
		return;
	}
	put(gmon, head, sizeof head);
	for (uint64_t i = 0; i < range.records; i++)
		put_histogram(gmon, &range, counters, i);
	put_arcs(gmon, &range);
	free(counters);
}

static void end(void *context)
{
	struct gmon *gmon = context;

	if (!gmon->exporter.starved)
		put_all(gmon);
	output_end(&gmon->exporter.output, gmon->exporter.target.name, gmon->exporter.target.diag);
}

static struct table_sink make_gmon(const struct export_target *target)
{
	struct gmon *gmon = make_exporter(target, sizeof *gmon);

	return gmon ? (struct table_sink){gmon, begin, row, end} : export_null_sink();
}

static void free_gmon(struct table_sink *sink)
{
	struct gmon *gmon = sink->context;

	if (!gmon)
		return;
	paths_clear(&gmon->paths);
	free(gmon->own);
	free(gmon->arcs);
	free(gmon);
}

const struct export_format export_gmon = {.name = "gmon",
	.source = EXPORT_PAIRS,
	.is_binary = true,
	.make = make_gmon,
	.free = free_gmon};
