#include "classic/host/remote/gperf_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "classic/core/histogram.h"
#include "classic/core/wire.h"
#include "symbol/vdso.h"

#define PAGE_BYTES UINT64_C(4096) /* the smallest page size */

/* Whether the file has this text at the link-time address. */
static bool has_text(const struct symbol_image *image, const struct wire_segment *segment, uint64_t address)
{
	uint32_t bytes = segment->counters * HISTOGRAM_TEXT_BYTES, crc = 0;

	for (uint32_t i = 0; i < WIRE_SUM_PIECES; i++) {
		uint8_t piece[WIRE_SUM_BYTES];

		if (symbol_image_read(image, address + dwell_wire_sum_at(bytes, i), piece, sizeof piece) < sizeof piece)
			return false;
		crc = dwell_wire_crc(crc, piece, sizeof piece);
	}
	return crc == segment->sum;
}

/* Searches the read-only parts of the file at all distances of whole pages from the link-time address: a loader moves whole pages.
 * The summed pieces must be in the file. The end of the segment need not be: a linker's text may end within a word. */
static bool find_moved(const struct symbol_image *image, const struct wire_segment *segment, uint64_t *bias)
{
	uint32_t bytes = segment->counters * HISTOGRAM_TEXT_BYTES;
	uint64_t summed = (uint64_t)dwell_wire_sum_at(bytes, WIRE_SUM_PIECES - 1) + WIRE_SUM_BYTES;

	for (size_t i = 0; i < symbol_image_count(image); i++) {
		struct symbol_span span = symbol_image_at(image, i);
		uint64_t at = span.low + ((segment->text - span.low) & (PAGE_BYTES - 1));

		for (; !span.is_writable && at < span.high && span.high - at >= summed; at += PAGE_BYTES) {
			*bias = segment->text - at;
			if (has_text(image, segment, at))
				return true;
		}
	}
	return false;
}

/* Searches the text in this order: moved like the segment before; at its link-time address; at the start
 * of a part of the file; anywhere in the file. bias: in, of the segment before; out, of this segment. */
static bool find_text(const struct symbol_image *image, const struct wire_segment *segment, uint64_t *bias)
{
	if (!image)
		return false;
	if (has_text(image, segment, segment->text - *bias))
		return true;
	*bias = 0;
	if (has_text(image, segment, segment->text))
		return true;
	for (size_t i = 0; *segment->name && i < symbol_image_count(image); i++) {
		uint64_t low = symbol_image_at(image, i).low & ~UINT64_C(3);

		*bias = segment->text - low;
		if (has_text(image, segment, low))
			return true;
	}
	if (find_moved(image, segment, bias))
		return true;
	*bias = 0;
	return false;
}

struct finding {
	const struct wire_client *client;
	const char *program;
	const struct symbol_image *image;
	struct diag *diag;
	uint64_t bias; /* of the program's last segment */
	uint32_t known, own, others; /* segments: whose extent has come; with text of the program; of no file */
	uint64_t other_text;  /* of the first segment of no file */
};

/* The kernel's own code, with names if the target's kernel is this one, or of the same build. */
static struct gperf_file find_vdso(const struct wire_segment *segment)
{
	struct gperf_file file = {.path = VDSO_NAME, .bias = segment->text};
	int fd = open_vdso();
	struct symbol_image *image;
	uint64_t bias = 0;
	char path[32];

	if (fd < 0)
		return file;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	image = make_symbol_image(path);
	if (find_text(image, segment, &bias) && read_build_id(path, file.build_id, &file.build_id_bytes))
		file.bias = bias;
	free_symbol_image(image);
	close(fd);
	return file;
}

/* Finds the file of a segment. A library is opened by the name that the target sent. */
static struct gperf_file find_file(struct finding *finding, const struct wire_segment *segment)
{
	struct gperf_file file = {.path = finding->program, .bias = finding->bias};
	struct symbol_image *image;

	if (!segment->counters)
		return (struct gperf_file){0};
	if (find_text(finding->image, segment, &file.bias)) {
		finding->own++;
		finding->bias = file.bias;
		return file;
	}
	if (*segment->name && *segment->name != '/') /* a name that is no path */
		return find_vdso(segment);
	image = *segment->name == '/' ? make_symbol_image(segment->name) : NULL;
	file.path = find_text(image, segment, &file.bias) ? segment->name : NULL;
	free_symbol_image(image);
	if (file.path)
		return file;
	if (*segment->name)
		diag_add(finding->diag, DIAG_WARN, segment->name, DIAG_NO_OFFSET,
			"is not there, or has not the text that runs at 0x%" PRIx64 ": its functions have no names", segment->text);
	else if (!finding->others++)
		finding->other_text = segment->text;
	return file;
}

struct gperf_file *make_gperf_files(
	const struct wire_client *client, const char *program, const struct symbol_image *image, struct diag *diag)
{
	struct finding finding = {.client = client, .program = program, .image = image, .diag = diag};
	uint32_t count = wire_client_segments(client);
	struct gperf_file *files = calloc(count ? count : 1, sizeof *files);

	for (uint32_t i = 0; files && i < count; i++) {
		const struct wire_segment *segment = wire_client_segment(client, i);

		if (segment)
			files[i] = find_file(&finding, segment);
		finding.known += segment != NULL;
	}
	if (!files) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	} else if (count && !finding.known) {
		diag_add(diag, DIAG_ERROR, program, DIAG_NO_OFFSET, "none of its %" PRIu32 " segments was fetched: it made new counters meanwhile (osProfileInit)", count);
		free(files);
		files = NULL;
	} else if (count && !finding.own) {
		diag_add(diag, DIAG_ERROR, program, DIAG_NO_OFFSET,
			"is not what runs there: of the target's %" PRIu32 " segments none has its text; another program, or another build of it", count);
		free(files);
		files = NULL;
	} else if (finding.others) {
		diag_add(diag, DIAG_WARN, program, finding.other_text,
			"has not the text of %" PRIu32 " of the target's segments: functions there have no names", finding.others);
	}
	return files;
}
