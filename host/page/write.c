/* write: writes the file of one or more pages: the program of view/, which is always the same, and the packed data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "page/page_inner.h"

#define PACKED_PIECE 3072u /* bytes; a multiple of three, so that base64 has no padding between pieces */

/* Writes bytes as base64. */
static void put_base64(struct output *output, const unsigned char *bytes, size_t count)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < count; i += 3) {
		uint32_t left = count - i < 3 ? (uint32_t)(count - i) : 3;
		uint32_t bits =
			(uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
		char *to = output_reserve(output);

		to[0] = letters[bits >> 18];
		to[1] = letters[bits >> 12 & 63];
		to[2] = left > 1 ? letters[bits >> 6 & 63] : '=';
		to[3] = left > 2 ? letters[bits & 63] : '=';
		output->used += 4;
	}
}

/* Writes bytes compressed by zlib, as base64. Returns false if out of memory. */
static bool put_packed(struct output *output, const char *bytes, size_t count)
{
	unsigned char packed[PACKED_PIECE];
	z_stream stream = {0};
	int state = Z_OK;

	if (deflateInit(&stream, 6) != Z_OK)
		return false;
	while (state != Z_STREAM_END) {
		stream.next_out = packed;
		stream.avail_out = sizeof packed;
		while (stream.avail_out && state != Z_STREAM_END) {
			if (!stream.avail_in && count) {
				stream.next_in = (unsigned char *)bytes;
				stream.avail_in = count < 1u << 30 ? (uInt)count : 1u << 30;
				bytes += stream.avail_in;
				count -= stream.avail_in;
			}
			state = deflate(&stream, count ? Z_NO_FLUSH : Z_FINISH);
		}
		put_base64(output, packed, sizeof packed - stream.avail_out);
	}
	deflateEnd(&stream);
	return true;
}

/* Writes a script element with the id "WHAT-PAGE" that contains the packed data. Returns false if out of memory. */
static bool put_data(struct output *output, const char *what, size_t page, const struct output_memory *data)
{
	char id[40];
	bool good;

	snprintf(id, sizeof id, "%s-%zu", what, page);
	output_put_text(output, "<script type=\"text/plain\" id=\"");
	output_put_text(output, id);
	output_put_text(output, "\">");
	good = put_packed(output, data->bytes, data->count);
	output_put_text(output, "</script>\n");
	return good;
}

static void put_head(struct output *output)
{
	output_put_text(output, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; connect-src 'none'; base-uri 'none'; form-action 'none'; "
		"script-src 'sha256-");
	output_put_text(output, page_early_script_hash);
	output_put_text(output, "' 'sha256-");
	output_put_text(output, page_script_hash);
	output_put_text(output, "'; style-src 'sha256-");
	output_put_text(output, page_style_hash);
	output_put_text(output, "'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"generator\" content=\"dwell " DWELL_VERSION "\">\n"
		"<title>dwell</title>\n<script>");
	output_put_text(output, page_early_script);
	output_put_text(output, "</script>\n<style>");
	output_put_text(output, page_style);
	output_put_text(output, "</style>\n</head>\n<body>\n");
}

static void put_names(struct page *page)
{
	page_open_array(page, "names");
	for (size_t i = 0; i < page->name_count; i++)
		if (page->names[i])
			page_put_text(page, NULL, page->names[i]);
		else
			page_put_null(page, NULL);
	page_close(page);
}

static bool end_page(struct page *page)
{
	put_names(page);
	page_close(page);
	output_flush(&page->output);
	return page_is_whole(page);
}

static bool put_page(struct output *output, const struct page *page, size_t which)
{
	static const char *const names[] = {[PAGE_CALLS] = "calls", [PAGE_DENSITY] = "density", [PAGE_STATES] = "states"};
	bool good = put_data(output, "data", which, &page->json);

	for (int i = 0; good && i < PAGE_NUMBERS_COUNT; i++)
		good = put_data(output, names[i], which, &page->numbers[i]);
	return good;
}

bool pages_write(struct page *const *pages, size_t count, FILE *out, const char *name, struct diag *diag)
{
	struct output *output = malloc(sizeof *output);
	bool good = output;

	for (size_t i = 0; i < count; i++)
		good = end_page(pages[i]) && good;
	if (good) {
		output_begin(output, out);
		put_head(output);
		output_put_text(output, page_body);
		for (size_t i = 0; good && i < count; i++)
			good = put_page(output, pages[i], i);
		output_put_text(output, "<script>");
		output_put_text(output, page_script);
		output_put_text(output, "</script>\n<i id=\"end\" hidden></i>\n</body>\n</html>\n");
	}
	if (!good)
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	good = good && output_end(output, name, diag);
	free(output);
	return good;
}
