/* What a page is made of. For this room. */
#ifndef DWELL_HOST_PAGE_PAGE_INNER_H
#define DWELL_HOST_PAGE_PAGE_INNER_H

#include "page/page.h"
#include "util/output.h"
#include "writer/json_text.h"

#define PAGE_DEPTH_MAX 16u /* of objects and arrays */

struct page {
	struct output output; /* of the object, into: */
	struct output_memory json;
	uint32_t depth;
	bool needs_comma[PAGE_DEPTH_MAX];
	char closes[PAGE_DEPTH_MAX];

	const char *table_key;
	const struct column *columns; /* borrowed from who writes the table, until its end */
	uint32_t column_count;

	char **names; /* by function id; null: none */
	size_t name_count, name_capacity;
	struct output_memory numbers[PAGE_NUMBERS_COUNT];
	bool has_failed;
};

/* The page's own program and its hashes, as view/ has them: made when dwell is built (tools/embed.sh). */
extern const char page_body[], page_style[], page_script[];
extern const char page_style_hash[], page_script_hash[];

#endif
