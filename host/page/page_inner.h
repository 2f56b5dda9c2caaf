/* page_inner: the content of a page, for page.c and write.c only. */
#ifndef DWELL_HOST_PAGE_PAGE_INNER_H
#define DWELL_HOST_PAGE_PAGE_INNER_H

#include "page/page.h"
#include "util/output.h"
#include "writer/json_text.h"

#define PAGE_DEPTH_MAX 16u /* open objects and arrays are fewer than this */

struct page {
	struct output output; /* a buffer in front of json */
	struct output_memory json;
	uint32_t depth;
	bool needs_comma[PAGE_DEPTH_MAX]; /* for each open object or array: the next value needs a comma in front */
	char closes[PAGE_DEPTH_MAX]; /* } or ] */

	const char *table_key; /* the member that the next table becomes */
	const struct column *columns; /* borrowed from the analysis that makes the table, until the table's end */
	uint32_t column_count;

	char **names; /* indexed by function id; null: no name */
	size_t name_count, name_capacity;
	struct output_memory numbers[PAGE_NUMBERS_COUNT];
	bool has_failed; /* something is missing: memory ran out, or a value was nested too deep */
};

/* The page's program, and the SHA-256 of its style and its scripts in base64, for the Content-Security-Policy. The build makes them
 * from view/ (tools/embed.sh). */
extern const char page_body[], page_style[], page_early_script[], page_script[];
extern const char page_style_hash[], page_early_script_hash[], page_script_hash[];

#endif
