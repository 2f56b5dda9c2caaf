/* html_page: the page of `dwell html`, from a trace that is read. */
#ifndef DWELL_HOST_CMD_HTML_PAGE_H
#define DWELL_HOST_CMD_HTML_PAGE_H

#include "page/page.h"
#include "query/facts.h"
#include "query/health.h"
#include "query/parallel/page_calls.h"
#include "query/trace.h"

struct html_source {
	struct trace *trace;
	const struct facts *facts;
	struct page_calls *page_calls; /* ended; its calls are put in order */
};

/* False: no memory. */
bool html_page_fill(struct page *page, const struct html_source *source);
/* Single calls, and how dense the others are: html_calls.c. */
bool html_page_put_calls(struct page *page, const struct html_source *source);

#endif
