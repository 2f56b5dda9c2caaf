/* jit_names: reads the map of each process with generated code, and writes the names of sampled functions. */
#include "sample/code/jit_names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "dwell/format.h"
#include "sample/code/perf_map.h"
#include "util/jit_map.h"

/* The system sets a file's time to the time of its last tick, so the file's time may be too early by a tick. */
#define TICK_NS 20000000

/* What the names of all processes came to. The numbers count sampled addresses, as in struct perf_map. */
struct sum {
	uint64_t sampled, named, doubled;
	char why[160]; /* the first reason for an address without a name; empty: none */
};

static struct timespec back_by_a_tick(struct timespec time)
{
	if (time.tv_nsec < TICK_NS && time.tv_sec)
		return (struct timespec){time.tv_sec - 1, time.tv_nsec + 1000000000 - TICK_NS};
	return (struct timespec){time.tv_sec, time.tv_nsec < TICK_NS ? 0 : time.tv_nsec - TICK_NS};
}

static FILE *open_map(const struct images *images, const struct image *image, const char *path, struct sum *sum)
{
	char why[100];
	FILE *file = perf_map_open(path, image->jit.owner, back_by_a_tick(image->jit.since), why);

	if (!file && !*sum->why)
		snprintf(sum->why, sizeof sum->why, "%.30s: %.120s", path, *why ? why : strerror(errno));
	if (*why)
		diag_add(images->diag, DIAG_WARN, path, DIAG_NO_OFFSET, "names of code are not read from it: %s", why);
	return file;
}

static void report_problems(const struct images *images, const struct perf_map *map, const char *path)
{
	if (map->bad_lines)
		diag_add(images->diag, DIAG_WARN, path, map->bad_offset,
			"line %" PRIu64 ", '%s', expected a start and a size in hex and a name; lines that are passed over for this: %" PRIu64,
			map->bad_number, map->bad_text, map->bad_lines);
	if (map->is_cut)
		diag_add(images->diag, DIAG_WARN, path, DIAG_NO_OFFSET,
			"has more names than are read, so some functions may have none, or an older one's");
}

static void write_image(struct images *images, struct image *image, struct sum *sum)
{
	struct perf_map map = {0};
	char path[JIT_MAP_PATH_BYTES];
	FILE *file;

	jit_map_write_path(path, image->pid);
	file = open_map(images, image, path, sum);
	if (!file)
		return;
	images->starved += !perf_map_read(&map, file, &image->jit.addresses);
	fclose(file);
	report_problems(images, &map, path);
	if (map.count)
		trace_writer_names(images->writer, &(struct message_names){.path = DWELL_NAMES_JIT,
							   .build_id = image->jit.id,
							   .build_id_bytes = JIT_ID_BYTES,
							   .names = map.names,
							   .count = (uint32_t)map.count});
	sum->named += map.named;
	sum->doubled += map.doubled;
	perf_map_clear(&map);
}

/* Whether the image is the last of its process. The map's path has
 * the process's number, so the last program has written the map. */
static bool is_last(const struct images *images, size_t index)
{
	for (size_t i = index + 1; i < images->count; i++)
		if (images->images[i]->pid == images->images[index]->pid)
			return false;
	return true;
}

void jit_names_write(struct images *images)
{
	struct sum sum = {0};
	char text[400];
	int bytes;

	for (size_t i = 0; i < images->count; i++) {
		struct image *image = images->images[i];

		sum.sampled += image->jit.addresses.count;
		if (image->jit.addresses.count && is_last(images, i))
			write_image(images, image, &sum);
	}
	if (!sum.sampled)
		return;
	bytes = snprintf(text, sizeof text, "of %" PRIu64 " of the %" PRIu64 " addresses that were sampled in code made at run time",
		sum.named, sum.sampled);
	if (sum.doubled)
		bytes += snprintf(text + bytes, sizeof text - (size_t)bytes,
			"; at %" PRIu64 " of these several functions have been: the last one is named", sum.doubled);
	if (*sum.why)
		snprintf(text + bytes, sizeof text - (size_t)bytes, "; %s", sum.why);
	trace_writer_info(images->writer, &(const struct message_info){"jit-names", text}, 1);
	if (sum.doubled)
		diag_add(images->diag, DIAG_NOTE, NULL, DIAG_NO_OFFSET,
			"code made at run time: at %" PRIu64 " of %" PRIu64 " sampled addresses several functions have been, one after the other: the last one is named",
			sum.doubled, sum.sampled);
}
