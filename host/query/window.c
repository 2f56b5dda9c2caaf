#include "query/window.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/calls/call_filter.h"
#include "util/numbers.h"
#include "util/real.h"
#include "util/units.h"

/* A stream: its events before the interval went to the model `before`; it is in the interval, or beyond. */
enum progress { BEFORE, INSIDE, BEYOND };

struct window {
	struct window_span span;
	struct clock_map clock;
	uint64_t from_ticks, to_ticks;
	struct model *model, *before; /* before: pairs the events before the interval, for the calls open at its beginning */
	struct numbers streams;       /* stream → enum progress */
	bool has_untimed;
	uint64_t first_ticks, last_ticks; /* of all events and samples so far; first_ticks 0: none */
	struct diag *diag;
};

void window_set_filter(const struct window_span *span, struct call_filter *filter)
{
	if (!span->is_given)
		return;
	filter->from_ns = span->from_ns;
	filter->to_ns = span->to_ns - (span->to_ns != INT64_MAX); /* the span ends before to_ns */
}

const char *window_read_span(void *span, const char *text)
{
	static const char expected[] = "BEGIN..END, as 2s..3s, 1.5ms.. or ..20us";
	struct window_span *to = span;
	const char *dots = strstr(text, "..");
	char from[32];

	*to = (struct window_span){INT64_MIN, INT64_MAX, true};
	if (!dots || (size_t)(dots - text) >= sizeof from || (dots == text && !dots[2]))
		return expected;
	memcpy(from, text, (size_t)(dots - text));
	from[dots - text] = 0;
	if ((*from && !units_parse_ns(from, &to->from_ns)) || (dots[2] && !units_parse_ns(dots + 2, &to->to_ns)))
		return expected;
	return to->from_ns < to->to_ns ? NULL : "BEGIN..END, of which END is the later";
}

/* The moment in ticks: the nearest that there is. */
static uint64_t find_ticks(const struct clock_map *clock, int64_t ns)
{
	uint64_t origin = clock->origin_ticks, distance = real_to_u64((ns < 0 ? -(double)ns : (double)ns) / clock->ns_per_tick);

	if (ns == INT64_MIN || ns == INT64_MAX)
		return ns < 0 ? 0 : UINT64_MAX;
	if (ns < 0)
		return distance < origin ? origin - distance : 0;
	return distance < UINT64_MAX - origin ? origin + distance : UINT64_MAX;
}

static void set_span(struct window *window)
{
	window->from_ticks = find_ticks(&window->clock, window->span.from_ns);
	window->to_ticks = find_ticks(&window->clock, window->span.to_ns);
}

struct window *make_window(const struct window_span *span, const struct clock_map *clock, struct model *model, struct diag *diag)
{
	const struct model_options options = {.functions = model_get_functions(model)};
	struct window *window = calloc(1, sizeof *window);

	if (!window)
		return NULL;
	window->span = *span;
	window->clock = *clock;
	window->model = model;
	window->diag = diag;
	window->before = make_model(&options, diag);
	if (!window->before) {
		free_window(window);
		return NULL;
	}
	set_span(window);
	return window;
}

void free_window(struct window *window)
{
	if (!window)
		return;
	free_model(window->before);
	numbers_clear(&window->streams);
	free(window);
}

bool window_has_untimed(const struct window *window)
{
	return window->has_untimed;
}

void window_get_data(const struct window *window, int64_t *first_ns, int64_t *last_ns)
{
	*first_ns = clock_moment_ns(&window->clock, window->first_ticks);
	*last_ns = clock_moment_ns(&window->clock, window->last_ticks);
}

/* Without a calibration point, time 0 is the first event. */
static void see_times(struct window *window, uint64_t first_ticks, uint64_t last_ticks)
{
	if (last_ticks > window->last_ticks)
		window->last_ticks = last_ticks;
	if (!window->first_ticks || first_ticks < window->first_ticks)
		window->first_ticks = first_ticks;
	if (window->clock.has_origin)
		return;
	clock_set_origin(&window->clock, first_ticks);
	set_span(window);
}

static enum progress get_progress(const struct window *window, uint32_t stream)
{
	return (enum progress)numbers_get(&window->streams, stream);
}

static void report_no_memory(struct window *window)
{
	diag_add(window->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: calls are missing");
}

/* Without memory, the stream stays where it was, and what follows of it is dropped. */
static void set_progress(struct window *window, uint32_t stream, enum progress progress)
{
	uint32_t *at = numbers_put(&window->streams, stream);

	if (at)
		*at = progress;
	else
		report_no_memory(window);
}

static bool has_begun(const struct model *model, uint32_t stream)
{
	uint32_t index = model_find_thread(model, stream);

	return index != UINT32_MAX && model_get_thread(model, index).last_ticks;
}

/* The stream's next time is ticks: enters the interval, and leaves it. after_loss: what came before that time is missing. */
static void advance(struct window *window, uint32_t stream, uint64_t ticks, bool after_loss)
{
	const struct event end[] = {{.kind = EVENT_LOST}, {.ticks = window->to_ticks, .kind = EVENT_RESUME}}; /* time passes */
	struct message message = {.kind = MESSAGE_EVENTS,
		.events = {.stream = stream, .events = after_loss ? end : end + 1, .count = after_loss ? 2 : 1}};

	if (get_progress(window, stream) == BEFORE && ticks >= window->from_ticks) {
		model_adopt_open_calls(window->model, window->before, stream, window->from_ticks);
		set_progress(window, stream, INSIDE);
	}
	if (get_progress(window, stream) == INSIDE && ticks >= window->to_ticks) {
		if (has_begun(window->model, stream))
			model_feed(window->model, &message);
		set_progress(window, stream, BEYOND);
	}
}

/* Whether the event without a time goes with the next event that has one, behind the border. A loss goes on across the border: at
 * the beginning of the interval it comes after the calls that are open there, at the end before it. */
static bool is_of_next(enum event_kind kind, bool at_begin)
{
	return kind == EVENT_CALLER || kind == EVENT_STACK || (at_begin && kind >= EVENT_LOST && kind <= EVENT_LOST_PUSHES);
}

/* The number of events up to the first at ticks (a border) or later; *next is that event's time. All of them: *next is 0. */
static uint32_t count_earlier(const struct message_events *events, uint64_t ticks, bool at_begin, uint64_t *next)
{
	uint32_t count = 0;

	*next = 0;
	while (count < events->count && !(event_has_time(&events->events[count]) && events->events[count].ticks >= ticks))
		count++;
	if (count == events->count)
		return count;
	*next = events->events[count].ticks;
	while (count && is_of_next(events->events[count - 1].kind, at_begin))
		count--;
	return count;
}

static void feed_part(struct model *model, const struct message *message, uint32_t count)
{
	struct message part = *message;

	part.events.count = count;
	if (count)
		model_feed(model, &part);
}

static void feed_events(struct window *window, const struct message *message)
{
	struct message rest = *message;
	uint32_t stream = message->events.stream;

	for (;;) {
		enum progress progress = get_progress(window, stream);
		uint64_t border = progress == BEFORE ? window->from_ticks : window->to_ticks, next;
		uint32_t count = count_earlier(&rest.events, border, progress == BEFORE, &next);

		if (progress == BEYOND)
			return;
		feed_part(progress == BEFORE ? window->before : window->model, &rest, count);
		rest.events.events += count;
		rest.events.count -= count;
		if (!next)
			return;
		advance(window, stream, next, false);
		if (get_progress(window, stream) == progress)
			return;
	}
}

/* A frame entered before the interval counts from its beginning. */
static void feed_frames(struct window *window, const struct message *message)
{
	struct message_checkpoint checkpoint = message->checkpoint;
	size_t bytes = (checkpoint.count ? checkpoint.count : 1) * sizeof *checkpoint.frames;
	struct message_frame *frames = malloc(bytes);
	struct message cut = *message;

	if (!frames) {
		report_no_memory(window);
		return;
	}
	for (uint32_t i = 0; i < checkpoint.count; i++) {
		frames[i] = checkpoint.frames[i];
		if (frames[i].enter_ticks >= window->from_ticks)
			continue;
		frames[i].enter_ticks = window->from_ticks;
		frames[i].no_entry = true;
		if (frames[i].child_ticks > checkpoint.ticks - window->from_ticks)
			frames[i].child_ticks = checkpoint.ticks - window->from_ticks;
	}
	cut.checkpoint.frames = frames;
	model_feed(window->model, &cut);
	free(frames);
}

static void feed_checkpoint(struct window *window, const struct message *message)
{
	uint32_t stream = message->checkpoint.stream;

	advance(window, stream, message->checkpoint.ticks, message->checkpoint.after_loss);
	if (get_progress(window, stream) == BEFORE)
		model_feed(window->before, message);
	if (get_progress(window, stream) == INSIDE)
		feed_frames(window, message);
}

static void feed_samples(struct window *window, const struct message *message)
{
	struct message inside = *message;
	struct message_samples *samples = &inside.samples;

	for (; samples->count && samples->samples->ticks < window->from_ticks; samples->count--)
		samples->samples++;
	while (samples->count && samples->samples[samples->count - 1].ticks >= window->to_ticks)
		samples->count--;
	if (samples->count)
		model_feed(window->model, &inside);
}

/* Facts about the whole recording that no part of it has. */
static bool is_of_whole(const struct message_info *info)
{
	return !strcmp(info->key, "interrupted") || !strcmp(info->key, "unsampled-kernel") ||
	       !strcmp(info->key, "page-faults-elsewhere");
}

void window_feed(struct window *window, const struct message *message)
{
	const struct message_events *events = &message->events;
	const struct message_samples *samples = &message->samples;
	struct message part = *message;

	switch (message->kind) {
	case MESSAGE_EVENTS:
		if (events->count)
			see_times(window, events->events[0].ticks, events->events[events->count - 1].ticks);
		feed_events(window, message);
		return;
	case MESSAGE_CHECKPOINT:
		see_times(window, message->checkpoint.ticks, message->checkpoint.ticks);
		feed_checkpoint(window, message);
		return;
	case MESSAGE_SAMPLES:
		if (samples->count)
			see_times(window, samples->samples[0].ticks, samples->samples[samples->count - 1].ticks);
		feed_samples(window, message);
		return;
	case MESSAGE_COUNTS:
	case MESSAGE_SUMS:
	case MESSAGE_WEIGHT:
		window->has_untimed = true;
		return;
	case MESSAGE_SAMPLING:
		part.sampling.cpu = 0;
		break;
	case MESSAGE_INFO:
		if (is_of_whole(&message->info))
			return;
		break;
	case MESSAGE_CPU_PLACES:
		return;
	case MESSAGE_FAULTS:
		part.faults.is_part = true;
		break;
	case MESSAGE_HEADER:
		window->has_untimed |= message->header.is_untimed;
		model_feed(window->before, message);
		break;
	case MESSAGE_THREAD:
		model_feed(window->before, message);
		part.thread.lost_events = 0; /* counted in the whole recording */
		break;
	default:
		break;
	}
	model_feed(window->model, &part);
}
