/* html_page: the page of `dwell html`, from a trace that is read. */
#ifndef DWELL_HOST_CMD_HTML_PAGE_H
#define DWELL_HOST_CMD_HTML_PAGE_H

#include "page/page.h"
#include "query/comparison.h"
#include "query/facts.h"
#include "query/health.h"
#include "query/parallel/page_calls.h"
#include "query/trace.h"

struct html_source {
	struct trace *trace;
	const struct facts *facts;
	struct page_calls *page_calls; /* ended; its calls are put in order */
	bool leaves_sources;           /* out: no line of a source file is in the page */
};

/* False: no memory. */
bool html_page_fill(struct page *page, const struct html_source *source);
/* Of two recordings, what changed: compared.c. */
bool html_page_fill_compared(struct page *page, const struct comparison *comparison, const struct trace *old, const struct trace *new);
/* Single calls, and how dense the others are: html_calls.c. */
void html_page_put_calls(struct page *page, const struct html_source *source);

/* Functions whose source lines are in the page. */
#define SHOWN_SOURCES_MAX 256u
struct lines;
struct html_code {
	struct lines *lines; /* null: nothing is known of any */
	struct shown_source {
		uint32_t function, first, count; /* lines */
	} shown[SHOWN_SOURCES_MAX];
	size_t count;
};

/* Source lines around functions, and says which: sources.c. */
bool html_page_put_sources(struct page *page, const struct trace *trace, struct html_code *code);
/* Of samples of a file, which is read a second time: callers and callees with their intervals, and shares of source lines: relatives.c. */
bool html_page_put_relatives(struct page *page, const struct trace *trace, const struct html_code *code);

#endif
