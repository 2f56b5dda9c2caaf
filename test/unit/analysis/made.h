/* A profile made by hand: what is called when, in ticks that are nanoseconds; and a table as text. */
#ifndef DWELL_TEST_ANALYSIS_MADE_H
#define DWELL_TEST_ANALYSIS_MADE_H

#include <stdlib.h>

#include "analysis/table.h"
#include "model/function/pattern.h"
#include "model/model.h"

static struct model *made_model;
static struct diag *made_diag;

static inline void made_feed_head(void)
{
	struct message header = {.kind = MESSAGE_HEADER, .header = {.format = "test", .has_events = true, .clock_bits = 64}};
	struct message thread = {.kind = MESSAGE_THREAD, .thread = {.place_kind = DWELL_PLACE_ADDRESS, .name = "main"}};

	model_feed(made_model, &header);
	model_feed(made_model, &thread);
}

static inline void made_begin(void)
{
	struct model_options options = {.want_profile = true};

	made_diag = make_diag();
	made_model = make_model(&options, made_diag);
	made_feed_head();
}

/* Functions are a, b, …: they are called 0xa00, 0xb00, … as no module is known. */
static inline void made_event(uint64_t ticks, enum event_kind kind, char function)
{
	struct event event = {ticks, (uint64_t)(function - 'a' + 10) * 0x100, kind};
	struct message message = {
		.kind = MESSAGE_EVENTS, .events = {.place_kind = DWELL_PLACE_ADDRESS, .events = &event, .count = 1}};

	model_feed(made_model, &message);
}

/* "a10 b12 12 a20 …": a letter and a time is an enter, a time alone the exit of what was entered last. */
static inline void made_calls(const char *text)
{
	char stack[64];
	size_t depth = 0;

	while (*text) {
		char function = 0, *end;
		uint64_t ticks;

		if (*text >= 'a' && *text <= 'z')
			function = *text++;
		ticks = strtoull(text, &end, 10);
		if (function)
			stack[depth++] = function;
		made_event(ticks, function ? EVENT_ENTER : EVENT_EXIT, function ? function : stack[--depth]);
		text = end + (*end == ' ');
	}
}

static inline void made_end(void)
{
	free_model(made_model);
	free_diag(made_diag);
}

/* ---- a table as text: "value,value|…", what scripts see, without columns that hold nothing ---- */

struct made_text {
	char text[4096];
	size_t used;
	const struct column *columns;
	uint32_t count;
};

static inline void made_text_begin(void *context, const char *name, const struct column *columns, uint32_t count)
{
	struct made_text *text = context;

	(void)name;
	text->columns = columns;
	text->count = count;
}

static inline void made_text_row(void *context, const struct cell *cells)
{
	struct made_text *text = context;

	for (uint32_t i = 0; i < text->count; i++) {
		const char *comma = text->used && text->text[text->used - 1] != '|' ? "," : "";
		size_t room = sizeof text->text - text->used;

		if (text->columns[i].text_only || text->columns[i].empty || room < 100)
			continue;
		if (cells[i].absent)
			text->used += (size_t)snprintf(text->text + text->used, room, "%s-", comma);
		else if (text->columns[i].unit == UNIT_TEXT || text->columns[i].unit == UNIT_NAME)
			text->used += (size_t)snprintf(text->text + text->used, room, "%s%s", comma, cells[i].text);
		else if (text->columns[i].unit == UNIT_PERCENT)
			text->used += (size_t)snprintf(text->text + text->used, room, "%s%.0f%%", comma, cells[i].real);
		else
			text->used += (size_t)snprintf(text->text + text->used, room, "%s%s%llu", comma, cells[i].unsure ? "~" : "",
				(unsigned long long)cells[i].count);
	}
	text->used += (size_t)snprintf(text->text + text->used, sizeof text->text - text->used, "|");
}

static inline void made_text_end(void *context)
{
	(void)context;
}

static inline struct table_sink made_sink(struct made_text *text)
{
	*text = (struct made_text){0};
	return (struct table_sink){text, made_text_begin, made_text_row, made_text_end};
}

#endif
