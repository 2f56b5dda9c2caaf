/* line_shares: of samples, which part of a function's own is in which line of its source, with the intervals of all
 * shares. Of functions whose lines are in the page. */
#ifndef DWELL_HOST_CMD_HTML_LINE_SHARES_H
#define DWELL_HOST_CMD_HTML_LINE_SHARES_H

#include "cmd/html/page.h"

struct line_shares;
/* trace and code are borrowed. Null: no memory. */
struct line_shares *make_line_shares(const struct trace *trace, const struct html_code *code);
void free_line_shares(struct line_shares *shares);
/* False: no memory. */
bool line_shares_take(struct line_shares *shares, const struct model_sample *sample);
/* No more samples. A member of the page: functions, each with its rows: line (0: none of those that are shown), samples,
 * share, low, high. */
bool line_shares_put(struct line_shares *shares, struct page *page);

#endif
