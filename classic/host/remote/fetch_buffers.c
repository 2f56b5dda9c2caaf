#include "classic/host/remote/fetch_buffers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/source.h"
#include "classic/host/reader/nitro/lines_find.h"
#include "classic/host/reader/nitro/lines_play.h"
#include "classic/host/reader/ti/hook_image.h"
#include "classic/host/remote/fetch_histogram.h"
#include "util/units.h"
#include "util/utf8.h"

#define TEXT_BYTES_MAX 256u

struct search {
	struct gdb *gdb;
	const struct symbol_image *image;
	struct fetched *fetched;
	struct memory memory; /* of all variables */
	struct diag *diag;
};

static bool fail(const struct search *search)
{
	diag_add(search->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return false;
}

/* Reads all memory that the program may write. */
static bool read_variables(
	struct gdb *gdb, const char *path, const struct symbol_image *image, struct fetched *all, struct diag *diag)
{
	for (size_t i = 0; i < symbol_image_count(image); i++) {
		struct symbol_span span = symbol_image_at(image, i);
		uint64_t size = span.high - span.low, got;

		if (!span.is_writable)
			continue;
		if (size > FETCH_BYTES_MAX) {
			diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
				"has more than 1 GiB of variables at 0x%" PRIx64 ": --address A --size N says what of it", span.low);
			return false;
		}
		if (!fetched_read(all, gdb, span.low, size, &got, diag))
			return false;
		if (got < size)
			diag_add(diag, DIAG_WARN, path, span.low, "only %" PRIu64 " of %" PRIu64 " bytes of its variables can be read", got, size);
	}
	return fetched_join(all);
}

/* Adds the text at an address, from the program file or from the machine. False: the connection failed, or no memory. */
static bool take_text(struct search *search, uint64_t address)
{
	char text[TEXT_BYTES_MAX];
	bool found = symbol_image_text(search->image, address, text, sizeof text);

	if (!found) {
		const char *end = memchr(text, 0, gdb_read_memory(search->gdb, address, text, sizeof text));

		found = end && utf8_is_text(text, (size_t)(end - text)); /* the address may be that of a function's code */
	}
	if (gdb_has_failed(search->gdb))
		return false;
	return !found || fetched_add(search->fetched, address, text, strlen(text) + 1) || fail(search);
}

static bool take_names(struct search *search, const struct lines_area *area)
{
	struct lines_play play;
	bool good = lines_play_begin(&play, &search->memory, area, 0, 0) || fail(search);

	for (size_t i = 0; good && i < play.name_count; i++)
		if (!words_is_tag(&area->words, play.names[i]))
			good = take_text(search, play.names[i]);
	lines_play_end(&play);
	return good;
}

/* Adds the bytes of a range, as far as the program's variables contain it. False: no memory. */
static bool take_bytes(struct search *search, uint64_t address, uint64_t size)
{
	uint64_t have = memory_have(&search->memory, address, size);
	uint8_t *bytes = malloc(have ? (size_t)have : 1);
	size_t got = bytes ? memory_read(&search->memory, address, bytes, (size_t)have) : 0;
	bool good = bytes && (!got || fetched_add(search->fetched, address, bytes, got));

	free(bytes);
	return good;
}

static bool take_area(struct search *search, const struct lines_area *area)
{
	bool good = take_bytes(search, area->address, area->bytes);

	printf("%s at 0x%" PRIx64 ": %" PRIu64 " of %" PRIu64 " %s\n", lines_area_kind_name(area), area->address, area->count,
		area->capacity, area->kind == LINES_KIND_STATS ? "rows" : "lines");
	return good ? take_names(search, area) : fail(search);
}

static bool take_hook_names(struct search *search, const struct hook_image *image)
{
	uint32_t *names;
	size_t count;
	bool good = hook_image_names(&search->memory, image, &names, &count) || fail(search);

	for (size_t i = 0; good && i < count; i++)
		good = take_text(search, names[i]);
	free(names);
	return good;
}

/* Adds the control area, the count, and the written records. A program has one buffer of hooks, or none. */
static bool take_hooks(struct search *search, size_t *count)
{
	struct hook_image image;
	uint64_t used;

	if (hook_image_find(&search->memory, &image) != HOOK_IMAGE_FOUND)
		return true;
	*count = 1;
	used = hook_image_used(&image);
	printf("function hooks at 0x%" PRIx64 ": %" PRIu64 " of %" PRIu64 " records\n", image.records, used, image.capacity);
	if (!take_bytes(search, image.control.address, image.control_bytes) || !take_bytes(search, image.count_at, 4) ||
		!take_bytes(search, image.records, used * HOOK_RECORD_BYTES))
		return fail(search);
	return image.place != HOOK_PLACE_NAME || take_hook_names(search, &image);
}

static bool take_lines(struct search *search, const char *path, size_t *count)
{
	struct lines_areas areas;
	bool good;

	lines_find(&areas, &search->memory);
	good = !areas.no_memory || fail(search);
	for (size_t i = 0; good && i < areas.count; i++)
		good = take_area(search, &areas.list[i]);
	areas.elsewhere = 0; /* copies that the program made are no problem: the address of each variable is known here */
	lines_areas_warn(&areas, path, search->diag);
	*count = areas.count;
	lines_areas_clear(&areas);
	return good;
}

static bool search_memory(struct search *search, const char *path, const struct fetched *all)
{
	size_t lines = 0, hooks = 0, histograms = 0;
	char bytes[UNITS_TEXT_BYTES];
	bool good = take_lines(search, path, &lines) && take_hooks(search, &hooks);

	if (good)
		good = fetch_histogram(&search->memory, search->fetched, &histograms) || fail(search);
	if (good && !lines && !hooks && !histograms) {
		units_format_bytes(bytes, fetched_bytes(all));
		diag_add(search->diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
			"has no buffer of dwell's in its %s of variables: it has not been initialised yet (--run T lets the program run "
			"first), or lies in other memory, which --address A --size N fetches",
			bytes);
		good = false;
	}
	return good && (fetched_join(search->fetched) || fail(search));
}

/* Searches the variables in the same way as any image, by making a core file of them in memory. */
static bool search_image(struct search *search, const char *path, const struct fetched *all)
{
	const struct core_machine nobody = {0};
	const char *problem = NULL;
	char *core = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&core, &size);
	bool good = out && core_file_write(out, &nobody, all->parts, all->count);
	struct source *source;

	good = out && !fclose(out) && good;
	source = good ? make_source_memory(path, core, size, search->diag) : NULL;
	good = source && memory_open(&search->memory, source, &problem) ? search_memory(search, path, all) : fail(search);
	memory_close(&search->memory);
	free_source(source);
	free(core);
	return good;
}

static bool fetch_all(struct search *search, const char *path)
{
	struct fetched all = {0};
	bool good = read_variables(search->gdb, path, search->image, &all, search->diag) && search_image(search, path, &all);

	fetched_clear(&all);
	return good;
}

bool fetch_buffers(struct gdb *gdb, const char *path, const struct symbol_image *image, struct fetched *fetched, struct diag *diag)
{
	struct search search = {.gdb = gdb, .image = image, .fetched = fetched, .diag = diag};

	return fetch_all(&search, path);
}
