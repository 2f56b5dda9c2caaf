/* html_page: the contents of the page of `dwell html`, from a trace that has been read. */
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
	struct page_calls *page_calls; /* finished; filling the page sorts its calls */
	bool leaves_sources;           /* the page has no source lines */
};

/* False: memory ran out. */
bool html_page_fill(struct page *page, const struct html_source *source);
/* The page that compares two recordings; in compared.c. False: memory ran out. */
bool html_page_fill_compared(
	struct page *page, const struct comparison *comparison, const struct trace *old, const struct trace *new);
/* Single calls, and the density of all calls; in calls.c. */
void html_page_put_calls(struct page *page, const struct html_source *source);

/* The number of functions whose source lines are in the page. */
#define SHOWN_SOURCES_MAX 256u
struct lines;
struct html_code {
	struct lines *lines; /* null: no source lines are known */
	struct shown_source {
		uint32_t function, first, count; /* function id; number of the first line; number of lines */
	} shown[SHOWN_SOURCES_MAX];
	size_t count;
};

/* Puts source lines of functions into the page, and lists these functions in code; in sources.c. False: memory ran out. */
bool html_page_put_sources(struct page *page, const struct trace *trace, struct html_code *code);
/* For samples in a file, read a second time: callers and callees with intervals, and shares of source lines; in relatives.c.
 * False: memory ran out, or the file cannot be read again. */
bool html_page_put_relatives(struct page *page, const struct trace *trace, const struct html_code *code);

#endif
