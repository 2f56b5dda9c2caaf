/* Writes speedscope's JSON, with profiles of the type "sampled": each path with its weight. In speedscope's time-ordered views
 * the paths follow each other, largest first: sums have no times. */
#include <stdlib.h>

#include "util/array.h"
#include "util/saturate.h"
#include "util/short_name.h"
#include "writer/export/export.h"
#include "writer/export/paths.h"
#include "writer/form.h"
#include "writer/json_text.h"

struct speedscope {
	struct exporter exporter;
	struct paths paths;
	struct export_profile profile; /* the current one */
	size_t profile_count;
	bool is_table;
	uint64_t *weights; /* weights of the current profile's paths */
	size_t count, capacity;
	uint64_t sum;
};

static void put_text(struct speedscope *speedscope, const char *text)
{
	json_text_put(&speedscope->exporter.output, text);
}

/* The name of a function, shortened as in reports. */
static void put_name(struct speedscope *speedscope, const char *name)
{
	char *shorter = make_short_name(name);

	put_text(speedscope, shorter ? shorter : name);
	free(shorter);
}

/* speedscope shows the name of the profile, and no other text. */
static void put_profile_name(struct speedscope *speedscope)
{
	const struct export_target *target = &speedscope->exporter.target;
	const struct export_profile *profile = &speedscope->profile;
	const char *time = profile->by_cpu ? "CPU time" : speedscope->paths.has_cpu ? "wall-clock time" : "";
	const char *lacks = target->lacks ? target->lacks : "";
	char *name = NULL;

	if (asprintf(&name, "%s%s%s%s%s%s%s", target->title, profile->thread ? ", " : "", profile->thread ? profile->thread : "",
		    *time ? ", " : "", time, *lacks ? ": " : "", lacks) < 0)
		name = NULL;
	put_text(speedscope, name ? name : target->title);
	free(name);
}

static void begin_profile(struct table_sink *sink, const struct export_profile *profile)
{
	struct speedscope *speedscope = sink->context;

	if (speedscope)
		speedscope->profile = *profile;
}

static void put_head(struct speedscope *speedscope)
{
	struct output *output = &speedscope->exporter.output;

	output_put_text(output, "{\"$schema\": \"https://www.speedscope.app/file-format-schema.json\",\n"
				"\"exporter\": \"dwell " DWELL_VERSION "\",\n\"name\": ");
	put_text(speedscope, speedscope->exporter.target.title);
	output_put_text(output, ",\n\"activeProfileIndex\": 0,\n\"profiles\": [");
}

static void begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct speedscope *speedscope = context;
	struct output *output = &speedscope->exporter.output;

	(void)name;
	speedscope->is_table = paths_begin(&speedscope->paths, columns, count);
	speedscope->count = speedscope->sum = 0;
	if (!speedscope->profile_count++)
		put_head(speedscope);
	else
		output_put_text(output, ",\n");
	output_put_text(output, "{\"type\": \"sampled\",\n\"name\": ");
	put_profile_name(speedscope);
	output_put_text(output, ",\n\"unit\": ");
	output_put_text(output, speedscope->paths.is_ns ? "\"nanoseconds\"" : "\"none\"");
	output_put_text(output, ",\n\"samples\": [");
}

static bool take(struct speedscope *speedscope, const struct cell *cells)
{
	struct output *output = &speedscope->exporter.output;
	const uint32_t *path;
	struct paths_row row;
	uint64_t weight;
	size_t depth;

	if (!paths_take(&speedscope->paths, cells, &row))
		return false;
	weight = speedscope->profile.by_cpu ? row.self_cpu : row.self;
	if (!weight)
		return true;
	path = paths_get_limited(&speedscope->paths, &depth);
	if (!path ||
		!array_reserve(&speedscope->weights, &speedscope->capacity, speedscope->count + 1, sizeof *speedscope->weights))
		return false;
	output_put_text(output, speedscope->count ? ",\n" : "\n");
	for (size_t i = 0; i < depth; i++) {
		output_put_char(output, i ? ',' : '[');
		writer_put_decimal(output, path[i]);
	}
	output_put_char(output, ']');
	speedscope->weights[speedscope->count++] = weight;
	saturate_add(&speedscope->sum, weight);
	return true;
}

static void row(void *context, const struct cell *cells)
{
	struct speedscope *speedscope = context;

	if (speedscope->is_table && !speedscope->exporter.starved && !take(speedscope, cells))
		export_out_of_memory(&speedscope->exporter);
}

static void put_frame(struct speedscope *speedscope, const struct paths_function *function)
{
	struct output *output = &speedscope->exporter.output;

	output_put_text(output, "{\"name\": ");
	put_name(speedscope, speedscope->paths.strings.texts[function->name]);
	if (function->source != STRINGS_NONE) {
		output_put_text(output, ", \"file\": ");
		put_text(speedscope, speedscope->paths.strings.texts[function->source]);
		output_put_text(output, ", \"line\": ");
		writer_put_decimal(output, function->line);
	} else if (function->file != STRINGS_NONE) {
		output_put_text(output, ", \"file\": ");
		put_text(speedscope, speedscope->paths.strings.texts[function->file]);
	}
	output_put_char(output, '}');
}

static void end(void *context)
{
	struct speedscope *speedscope = context;
	struct output *output = &speedscope->exporter.output;

	output_put_text(output, "],\n\"weights\": [");
	for (size_t i = 0; i < speedscope->count; i++) {
		output_put_text(output, i ? "," : "");
		writer_put_decimal(output, speedscope->weights[i]);
	}
	output_put_text(output, "],\n\"startValue\": 0,\n\"endValue\": ");
	writer_put_decimal(output, speedscope->sum);
	output_put_char(output, '}');
}

static void finish(struct table_sink *sink)
{
	struct speedscope *speedscope = sink->context;
	struct output *output = speedscope ? &speedscope->exporter.output : NULL;

	if (!speedscope)
		return;
	if (!speedscope->profile_count)
		put_head(speedscope);
	output_put_text(output, "],\n\"shared\": {\"frames\": [");
	for (size_t i = 0; i < speedscope->paths.count; i++) {
		output_put_text(output, i ? ",\n" : "\n");
		put_frame(speedscope, &speedscope->paths.functions[i]);
	}
	output_put_text(output, "]}}\n");
	output_end(output, speedscope->exporter.target.name, speedscope->exporter.target.diag);
}

static struct table_sink make_speedscope(const struct export_target *target)
{
	struct speedscope *speedscope = make_exporter(target, sizeof *speedscope);

	return speedscope ? (struct table_sink){speedscope, begin, row, end} : export_null_sink();
}

static void free_speedscope(struct table_sink *sink)
{
	struct speedscope *speedscope = sink->context;

	if (!speedscope)
		return;
	paths_clear(&speedscope->paths);
	free(speedscope->weights);
	free(speedscope);
}

const struct export_format export_speedscope = {.name = "speedscope",
	.source = EXPORT_PATHS,
	.make = make_speedscope,
	.begin_profile = begin_profile,
	.finish = finish,
	.free = free_speedscope};
