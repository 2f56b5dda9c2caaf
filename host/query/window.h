/* window: passes to a model what lies in an interval of time, so that its profile is of that interval. --time of reports.
 *
 * The calls open at the beginning count from there, as calls begun before the data; calls open at the end count until there.
 * So each time is exactly the part of it in the interval, and the times of a thread add up to the interval. */
#ifndef DWELL_HOST_QUERY_WINDOW_H
#define DWELL_HOST_QUERY_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "reader/message.h"

/* [from_ns, to_ns), counted from the start of the recording. */
struct window_span {
	int64_t from_ns, to_ns;
	bool is_given;
};

/* For rows of kind OPTION_OWN: reads "2s..3s", "2s.." or "..3s". span: a struct window_span. Returns null, or what is expected. */
const char *window_read_span(void *span, const char *text);

/* Makes a filter of single calls take those that were running in the span, with their whole times. */
struct call_filter;
void window_set_filter(const struct window_span *span, struct call_filter *filter);

struct window;
/* clock: of the whole recording. Null: no memory. */
struct window *make_window(const struct window_span *span, const struct clock_map *clock, struct model *model, struct diag *diag);
void free_window(struct window *window);
/* In place of model_feed. */
void window_feed(struct window *window, const struct message *message);
/* Whether the recording has numbers without times, which are left out. */
bool window_has_untimed(const struct window *window);
/* The times of the first and the last event or sample, in the interval or not, since the start of the recording. */
void window_get_data(const struct window *window, int64_t *first_ns, int64_t *last_ns);

#endif
