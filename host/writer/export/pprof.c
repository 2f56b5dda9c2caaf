/* Writes pprof's profile.proto, gzipped: calls, wall time and, if known, CPU time; or the file's own weights.
 *
 * Samples are written as the paths arrive, each as a piece of the single message that makes up the file. Functions and strings
 * follow at the end. Each function has one location, its start, because the table no longer has single addresses. */
#include <protobuf-c/protobuf-c.h>
#include <stdlib.h>
#include <string.h>

#include "proto/pprof.pb-c.h"
#include "util/array.h"
#include "util/utf8.h"
#include "writer/export/export.h"
#include "writer/export/gzip.h"
#include "writer/export/paths.h"

#define TYPES_MAX 3

/* Texts before those of the functions in the string table. */
enum { EMPTY, CALLS, COUNT, WALL, CPU, NANOSECONDS, TIME, UNIT, LACKS, OWN_TEXTS };

struct pprof {
	struct exporter exporter;
	struct gzip gzip;
	struct paths paths;
	bool is_table;
	uint8_t *packed; /* the current piece, encoded */
	size_t packed_capacity;
	uint64_t *ids; /* locations of the current sample, innermost first */
	size_t id_capacity;
	char *valid; /* the current string, as valid UTF-8 */
	size_t valid_capacity;
};

/* Writes a piece of the profile. */
static void put(struct pprof *pprof, Pprof__Profile *piece)
{
	size_t bytes = pprof__profile__get_packed_size(piece);

	if (!array_reserve(&pprof->packed, &pprof->packed_capacity, bytes, 1)) {
		export_out_of_memory(&pprof->exporter);
		return;
	}
	gzip_put(&pprof->gzip, pprof->packed, pprof__profile__pack(piece, pprof->packed));
}

/* Protobuf requires UTF-8. */
static void put_string(struct pprof *pprof, const char *text)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	size_t bytes = strlen(text);

	if (!array_reserve(&pprof->valid, &pprof->valid_capacity, 3 * bytes + 1, 1)) {
		export_out_of_memory(&pprof->exporter);
		return;
	}
	pprof->valid[utf8_make_valid(text, bytes, pprof->valid)] = 0;
	piece.n_string_table = 1;
	piece.string_table = &pprof->valid;
	put(pprof, &piece);
}

static void put_head(struct pprof *pprof)
{
	const struct export_target *target = &pprof->exporter.target;
	const struct paths *paths = &pprof->paths;
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__ValueType values[TYPES_MAX], *types[TYPES_MAX];
	int64_t lacks = LACKS;

	if (paths->has_calls) {
		values[piece.n_sample_type] = (Pprof__ValueType)PPROF__VALUE_TYPE__INIT;
		values[piece.n_sample_type].type = CALLS;
		values[piece.n_sample_type++].unit = COUNT;
	}
	values[piece.n_sample_type] = (Pprof__ValueType)PPROF__VALUE_TYPE__INIT;
	values[piece.n_sample_type].type = !paths->is_ns ? UNIT : paths->has_calls ? WALL : TIME;
	values[piece.n_sample_type++].unit = paths->is_ns ? NANOSECONDS : COUNT;
	piece.default_sample_type = values[piece.n_sample_type - 1].type;
	if (paths->has_cpu) {
		values[piece.n_sample_type] = (Pprof__ValueType)PPROF__VALUE_TYPE__INIT;
		values[piece.n_sample_type].type = CPU;
		values[piece.n_sample_type++].unit = NANOSECONDS;
		piece.default_sample_type = CPU;
	}
	for (size_t i = 0; i < piece.n_sample_type; i++)
		types[i] = &values[i];
	piece.sample_type = types;
	piece.time_nanos = (int64_t)target->start_unix_ns;
	if (target->lacks && *target->lacks) {
		piece.n_comment = 1;
		piece.comment = &lacks;
	}
	piece.duration_nanos = (int64_t)target->duration_ns;
	put(pprof, &piece);
}

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct pprof *pprof = context;

	(void)name;
	pprof->is_table = paths_begin(&pprof->paths, columns, count);
	put_head(pprof);
}

static int64_t value_of(uint64_t count)
{
	return count < INT64_MAX ? (int64_t)count : INT64_MAX;
}

static bool take(struct pprof *pprof, const struct cell *cells)
{
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Sample sample = PPROF__SAMPLE__INIT, *samples = &sample;
	int64_t values[TYPES_MAX];
	const uint32_t *path;
	struct paths_row row;
	size_t depth;

	if (!paths_take(&pprof->paths, cells, &row))
		return false;
	if (!row.self && !row.calls)
		return true;
	path = paths_get_limited(&pprof->paths, &depth);
	if (!path || !array_reserve(&pprof->ids, &pprof->id_capacity, depth, sizeof *pprof->ids))
		return false;
	for (size_t i = 0; i < depth; i++)
		pprof->ids[depth - 1 - i] = path[i] + UINT64_C(1);
	sample.n_location_id = depth;
	sample.location_id = pprof->ids;
	if (pprof->paths.has_calls)
		values[sample.n_value++] = value_of(row.calls);
	values[sample.n_value++] = value_of(row.self);
	if (pprof->paths.has_cpu)
		values[sample.n_value++] = value_of(row.self_cpu);
	sample.value = values;
	piece.n_sample = 1;
	piece.sample = &samples;
	put(pprof, &piece);
	return true;
}

static void row(void *context, const struct cell *cells)
{
	struct pprof *pprof = context;

	if (pprof->is_table && !pprof->exporter.starved && !take(pprof, cells))
		export_out_of_memory(&pprof->exporter);
}

static int64_t text_of(uint32_t string)
{
	return string == STRINGS_NONE ? EMPTY : OWN_TEXTS + (int64_t)string;
}

static void put_function(struct pprof *pprof, uint32_t index)
{
	const struct paths_function *from = &pprof->paths.functions[index];
	Pprof__Profile piece = PPROF__PROFILE__INIT;
	Pprof__Function function = PPROF__FUNCTION__INIT, *functions = &function;
	Pprof__Location location = PPROF__LOCATION__INIT, *locations = &location;
	Pprof__Line line = PPROF__LINE__INIT, *lines = &line;

	function.id = location.id = line.function_id = index + UINT64_C(1);
	function.name = function.system_name = text_of(from->name);
	function.filename = text_of(from->source);
	function.start_line = line.line = value_of(from->line);
	location.mapping_id = from->file == STRINGS_NONE ? 0 : from->file + UINT64_C(1);
	location.address = from->address;
	location.n_line = 1;
	location.line = &lines;
	piece.n_function = piece.n_location = 1;
	piece.function = &functions;
	piece.location = &locations;
	put(pprof, &piece);
}

/* A file is a mapping, with the number of the name + 1 as the id. */
static bool put_mappings(struct pprof *pprof)
{
	bool *told = calloc(pprof->paths.strings.count + 1, sizeof *told);

	if (!told)
		return false;
	for (size_t i = 0; i < pprof->paths.count; i++) {
		Pprof__Profile piece = PPROF__PROFILE__INIT;
		Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings = &mapping;
		uint32_t file = pprof->paths.functions[i].file;

		if (file == STRINGS_NONE || told[file])
			continue;
		told[file] = true;
		mapping.id = file + UINT64_C(1);
		mapping.memory_limit = UINT64_MAX; /* addresses are those of the file's symbols */
		mapping.filename = text_of(file);
		mapping.has_functions = true;
		mapping.has_filenames = mapping.has_line_numbers = pprof->paths.functions[i].source != STRINGS_NONE;
		piece.n_mapping = 1;
		piece.mapping = &mappings;
		put(pprof, &piece);
	}
	free(told);
	return true;
}

static void end(void *context)
{
	struct pprof *pprof = context;
	const struct export_target *target = &pprof->exporter.target;
	const char *const own[OWN_TEXTS] = {[EMPTY] = "", [CALLS] = "calls", [COUNT] = "count", [WALL] = "wall", [CPU] = "cpu",
		[NANOSECONDS] = "nanoseconds", [TIME] = "time", [UNIT] = target->unit, [LACKS] = target->lacks ? target->lacks : ""};

	for (int i = 0; i < OWN_TEXTS; i++)
		put_string(pprof, own[i]);
	for (size_t i = 0; i < pprof->paths.strings.count; i++)
		put_string(pprof, pprof->paths.strings.texts[i]);
	if (!put_mappings(pprof))
		export_out_of_memory(&pprof->exporter);
	for (uint32_t i = 0; i < pprof->paths.count; i++)
		put_function(pprof, i);
	gzip_end(&pprof->gzip);
	output_end(&pprof->exporter.output, pprof->exporter.target.name, pprof->exporter.target.diag);
}

static void free_pprof(struct table_sink *sink)
{
	struct pprof *pprof = sink->context;

	if (!pprof)
		return;
	gzip_clear(&pprof->gzip);
	paths_clear(&pprof->paths);
	free(pprof->packed);
	free(pprof->ids);
	free(pprof->valid);
	free(pprof);
}

static struct table_sink make_pprof(const struct export_target *target)
{
	struct pprof *pprof = make_exporter(target, sizeof *pprof);

	if (!pprof)
		return export_null_sink();
	if (!gzip_begin(&pprof->gzip, &pprof->exporter.output))
		export_out_of_memory(&pprof->exporter);
	return (struct table_sink){pprof, begin, row, end};
}

const struct export_format export_pprof = {.name = "pprof",
	.source = EXPORT_PATHS,
	.is_binary = true,
	.make = make_pprof,
	.free = free_pprof};
