/* line_shares: divides a function's own samples by lines of its source, with intervals for all shares. For the functions whose
 * source lines are in the page. */
#ifndef DWELL_HOST_CMD_HTML_LINE_SHARES_H
#define DWELL_HOST_CMD_HTML_LINE_SHARES_H

#include "cmd/html/page.h"

struct line_shares;
/* trace and code are borrowed. Null: memory ran out. */
struct line_shares *make_line_shares(const struct trace *trace, const struct html_code *code);
void free_line_shares(struct line_shares *shares);
/* Adds a sample. Samples of functions without source lines in the page do not count. False: memory ran out. */
bool line_shares_take(struct line_shares *shares, const struct model_sample *sample);
/* Call this after the last sample. Writes a member of the page: functions, each with rows: line (0: none of the lines shown),
 * samples, share, low, high. False: memory ran out. */
bool line_shares_put(struct line_shares *shares, bool jittered, struct page *page);

#endif
