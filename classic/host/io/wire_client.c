#include "classic/host/io/wire_client_inner.h"

#include <stdlib.h>
#include <string.h>

#include "classic/core/histogram.h"
#include "classic/host/io/wire_list.h"

#define REFUSALS_MAX 8u

struct wire_client *make_wire_client(uint32_t host)
{
	struct wire_client *client = calloc(1, sizeof *client);

	if (client)
		*client = (struct wire_client){.host = host, .wants = WIRE_HELLO, .is_done = true};
	return client;
}

static void forget_segments(struct wire_client *client)
{
	for (uint32_t i = 0; i < client->segment_count; i++) {
		free(client->segments[i].now.list);
		free(client->segments[i].taken.list);
		free(client->segments[i].fresh.list);
	}
	free(client->segments);
	client->segments = NULL;
	client->segment_count = 0;
	client->counters = 0;
}

void free_wire_client(struct wire_client *client)
{
	if (!client)
		return;
	forget_segments(client);
	wire_areas_clear(&client->areas);
	free(client);
}

/* Begins a pass through the segment: adds the counts that the last pass took to taken, and drops its copies. */
static bool begin_pass(struct wire_client *client)
{
	struct segment *segment = &client->segments[client->segment];
	struct wire_list sum = {0};

	segment->now.count = 0;
	segment->full = 0;
	if (!segment->fresh.count)
		return true;
	if (!wire_list_add(&sum, &segment->taken, &segment->fresh)) {
		free(sum.list);
		return false;
	}
	free(segment->taken.list);
	segment->taken = sum;
	segment->fresh.count = 0;
	return true;
}

/* ---- requests ---- */

static uint32_t pending_number(const struct wire_client *client)
{
	return dwell_wire_get16(client->pending + 4);
}

/* Returns 32 bits of a pending TAKE of WIRE_REST. */
static uint32_t pending_rest(const struct wire_client *client, uint32_t entry)
{
	const uint8_t *at = client->pending + 4 + WIRE_DATA_HEAD_BYTES + entry * WIRE_ENTRY_BYTES + 2;

	return dwell_wire_get16(at) | (uint32_t)dwell_wire_get16(at + WIRE_ENTRY_BYTES) << 16;
}

/* The target has executed the pending TAKE of WIRE_REST. */
static void settle_rest(struct wire_client *client)
{
	client->pending_bytes = 0;
	client->rest.overflow += pending_rest(client, 0);
	client->rest.beyond += pending_rest(client, 2);
	client->rest.is_done = true;
}

/* Whether a pass that takes has interrupts to take that no counter has. */
static bool wants_rest(const struct wire_client *client)
{
	return client->takes && client->segment_count && !client->rest.is_done && !client->rest.is_refused &&
	       (client->state.overflow || client->state.beyond);
}

/* The next TAKE is for what the last status had. */
static void begin_rest(struct wire_client *client)
{
	uint8_t *at = client->pending;
	const uint32_t rest[2] = {client->state.overflow, client->state.beyond};

	dwell_wire_put32(at, client->taken + 1);
	dwell_wire_put16(at + 4, WIRE_REST);
	dwell_wire_put32(at + 6, 0);
	dwell_wire_put32(at + 10, WIRE_REST_ENTRIES);
	at += 4 + WIRE_DATA_HEAD_BYTES;
	for (uint16_t i = 0; i < WIRE_REST_ENTRIES; i++, at += WIRE_ENTRY_BYTES) {
		dwell_wire_put16(at, i);
		dwell_wire_put16(at + 2, (uint16_t)(rest[i / 2] >> (i % 2 ? 16 : 0)));
	}
	client->pending_bytes = 4 + WIRE_DATA_HEAD_BYTES + WIRE_REST_ENTRIES * WIRE_ENTRY_BYTES;
	client->wants = WIRE_TAKE;
}

/* Adds the counts of the pending TAKE, which the target has subtracted. */
static bool settle(struct wire_client *client)
{
	const uint8_t *data = client->pending + 4;
	size_t bytes = client->pending_bytes - 4;
	uint32_t number = dwell_wire_get16(data), first = dwell_wire_get32(data + 2);
	struct segment *segment = &client->segments[number];

	if (number == WIRE_REST) {
		settle_rest(client);
		return true;
	}
	client->pending_bytes = 0;
	for (size_t i = WIRE_DATA_HEAD_BYTES; i < bytes; i += WIRE_ENTRY_BYTES)
		if (!wire_list_append(&segment->fresh, first + dwell_wire_get16(data + i), dwell_wire_get16(data + i + 2)))
			return false;
	if (number == client->segment)
		client->first = dwell_wire_get32(data + 6);
	return true;
}

/* Drops the pending TAKE, which the target has not executed and will not: the counters are read again. */
static void forget_pending(struct wire_client *client)
{
	client->pending_bytes = 0;
	client->first = 0;
}

/* Drops a pending TAKE of which the target has forgotten whether it was executed: its counts are only reported as doubtful. */
static void doubt_pending(struct wire_client *client)
{
	bool is_rest = pending_number(client) == WIRE_REST;

	if (is_rest)
		client->doubtful += (uint64_t)pending_rest(client, 0) + pending_rest(client, 2);
	for (size_t i = 4 + WIRE_DATA_HEAD_BYTES; !is_rest && i < client->pending_bytes; i += WIRE_ENTRY_BYTES)
		client->doubtful += dwell_wire_get16(client->pending + i + 2);
	forget_pending(client);
}

static void want_segment(struct wire_client *client, uint32_t segment)
{
	client->asked = segment;
	client->wants = WIRE_SEGMENT;
}

/* Chooses the next request of a pass: for the counters from first on, or for the next segment. */
static void choose_of_pass(struct wire_client *client)
{
	while (client->segment < client->segment_count && client->segments[client->segment].is_sure &&
		client->first >= client->segments[client->segment].said.counters) {
		client->segment++;
		client->first = 0;
	}
	if (client->segment == client->segment_count && wants_rest(client))
		begin_rest(client);
	else if (client->segment == client->segment_count)
		client->wants = client->knows_time ? WIRE_ASK : WIRE_RAN;
	else if (client->segments[client->segment].is_sure)
		client->wants = WIRE_GET;
	else
		want_segment(client, client->segment);
}

/* Chooses the next request. An unanswered TAKE comes first, once it is certain that the same program runs. False: no memory. */
static bool choose(struct wire_client *client)
{
	static const uint8_t types[] = {[WIRE_JOB_GREET] = WIRE_ASK, [WIRE_JOB_ASK] = WIRE_ASK, [WIRE_JOB_STOP] = WIRE_STOP,
		[WIRE_JOB_START] = WIRE_START, [WIRE_JOB_DONE] = WIRE_DONE, [WIRE_JOB_BYE] = WIRE_BYE};
	uint32_t pending = client->pending_bytes && pending_number(client) != WIRE_REST ? pending_number(client) : 0;
	uint32_t number = client->pending_bytes ? dwell_wire_get32(client->pending) : 0;

	if (client->pending_bytes && !client->segments[pending].is_sure) {
		want_segment(client, pending);
		return true;
	}
	/* Was the TAKE executed before the line was cut? Or did another
	 * host connect meanwhile, and sent a TAKE with this number? */
	if (client->pending_bytes && number == client->own && !settle(client))
		return false;
	if (client->pending_bytes && client->own == WIRE_NUMBER_FORGOTTEN && (int32_t)(client->taken - number) >= 0)
		doubt_pending(client);
	if (client->pending_bytes && number == client->taken)
		forget_pending(client);
	if (client->pending_bytes)
		client->wants = WIRE_TAKE;
	else if (client->job == WIRE_JOB_FETCH || client->job == WIRE_JOB_TAKE)
		choose_of_pass(client);
	else if (client->job == WIRE_JOB_AREAS)
		client->wants = wire_areas_want_bytes(&client->areas)  ? WIRE_READ
				: wire_areas_want_area(&client->areas) ? WIRE_AREA
								       : WIRE_ASK;
	else
		client->wants = types[client->job];
	return true;
}

static enum wire_event go_on(struct wire_client *client)
{
	return choose(client) ? WIRE_ANSWERED : WIRE_STARVED;
}

void wire_client_begin(struct wire_client *client, enum wire_job job)
{
	client->job = job;
	client->takes = job == WIRE_JOB_TAKE;
	client->is_done = client->knows_time = client->rest.is_done = client->rest.is_refused = false;
	client->refusals = 0;
	client->state.refused = 0;
	client->segment = 0;
	client->first = 0;
	if (job == WIRE_JOB_FETCH || job == WIRE_JOB_TAKE)
		client->state.ran_us = 0; /* of the last pass */
	if (job == WIRE_JOB_AREAS)
		wire_areas_clear(&client->areas);
	if (client->wants != WIRE_HELLO && !choose(client))
		client->wants = WIRE_ASK; /* the lack of memory is reported at the next answer */
}

bool wire_client_is_done(const struct wire_client *client)
{
	return client->is_done;
}

void wire_client_reconnect(struct wire_client *client)
{
	client->in = (struct wire_receiver){.damaged = client->in.damaged};
	client->wants = WIRE_HELLO;
	/* Another program may run there now, or the line may lead to another target. */
	for (uint32_t i = 0; i < client->segment_count; i++)
		client->segments[i].is_sure = false;
}

size_t wire_client_frame(struct wire_client *client, uint8_t frame[static WIRE_CLIENT_FRAME_MAX])
{
	struct wire_sender out = {.count = 0};
	uint8_t *payload = out.bytes + WIRE_HEAD_BYTES;
	size_t bytes = 0, count = 0;

	out.bytes[0] = client->wants;
	out.bytes[1] = client->session;
	switch (client->wants) {
	case WIRE_HELLO:
		payload[0] = WIRE_VERSION;
		dwell_wire_put32(payload + 1, client->host);
		bytes = 5;
		break;
	case WIRE_SEGMENT:
		dwell_wire_put16(payload, (uint16_t)client->asked);
		bytes = 2;
		break;
	case WIRE_GET:
		dwell_wire_put16(payload, (uint16_t)client->segment);
		dwell_wire_put32(payload + 2, client->first);
		bytes = 6;
		break;
	case WIRE_AREA:
		dwell_wire_put16(payload, (uint16_t)client->areas.count);
		bytes = 2;
		break;
	case WIRE_READ:
		dwell_wire_put16(payload, (uint16_t)(client->areas.count - 1));
		dwell_wire_put32(payload + 2, (uint32_t)client->areas.list[client->areas.count - 1].count);
		bytes = 6;
		break;
	case WIRE_TAKE:
		memcpy(payload, client->pending, client->pending_bytes);
		bytes = client->pending_bytes;
		break;
	case WIRE_START: /* 0: the last period */
		dwell_wire_put32(payload, 0);
		bytes = 4;
		break;
	case WIRE_DONE:
		dwell_wire_put32(payload, client->state.flush);
		bytes = 4;
		break;
	}
	dwell_wire_begin(&out, WIRE_HEAD_BYTES + bytes);
	while (dwell_wire_next(&out, &frame[count]))
		count++;
	return count;
}

/* ---- answers ---- */

static void take_status(struct wire_client *client, const uint8_t *at)
{
	client->state.is_running = at[0] & HISTOGRAM_STATE_RUNNING;
	client->state.is_fixed = at[0] & HISTOGRAM_STATE_FIXED;
	client->is_wanted |= at[1] != 0;
	client->state.period_us = dwell_wire_get32(at + 2);
	client->state.overflow = dwell_wire_get32(at + 6);
	client->state.beyond = dwell_wire_get32(at + 10);
	client->taken = dwell_wire_get32(at + 14);
	client->state.flush = dwell_wire_get32(at + 18);
}

/* Begins anew after the target made new counters: the old counters are gone, and the old counts belong to an earlier run. */
static void begin_anew(struct wire_client *client)
{
	client->renewed++;
	client->rest.overflow = client->rest.beyond = 0;
	client->pending_bytes = 0;
	client->segment = client->first = 0;
	forget_segments(client);
}

/* An implausible WELCOME is ignored. */
static enum wire_event take_welcome(struct wire_client *client, const uint8_t *at, size_t bytes)
{
	uint32_t generation, segments, taken = client->taken;

	if (bytes != WIRE_WELCOME_BYTES || at[0] != WIRE_VERSION || (at[1] != 4 && at[1] != 8) || (at[2] != 1 && at[2] != 2) ||
		at[3] != HISTOGRAM_TEXT_BYTES)
		return WIRE_NOTHING;
	segments = dwell_wire_get16(at + 4);
	generation = dwell_wire_get32(at + 6);
	if (segments > WIRE_CLIENT_SEGMENTS_MAX)
		return WIRE_NOTHING;
	take_status(client, at + 10);
	client->own = dwell_wire_get32(at + 10 + WIRE_STATUS_BYTES);
	/* After a reset a machine has its first state again, except that this host is unknown to the machine. */
	if (client->state.is_known && (generation != client->state.generation || segments != client->segment_count ||
					      client->own == WIRE_NUMBER_NEW || (int32_t)(client->taken - taken) < 0))
		begin_anew(client);
	if (!client->segments) {
		client->segments = calloc(segments ? segments : 1, sizeof *client->segments);
		if (!client->segments)
			return WIRE_STARVED;
		client->segment_count = segments;
	}
	client->session = client->in.bytes[1];
	client->state.is_known = true;
	client->state.generation = generation;
	client->state.word_bytes = at[1];
	client->state.is_big = at[2] == 2;
	client->state.text_bytes = at[3];
	client->state.busy_with = 0;
	return go_on(client);
}

static bool is_same(const struct wire_segment *a, const struct wire_segment *b)
{
	return a->text == b->text && a->counters == b->counters && a->sum == b->sum && !strcmp(a->name, b->name);
}

static enum wire_event take_extent(struct wire_client *client, const uint8_t *at, size_t bytes)
{
	struct segment *segment = &client->segments[client->asked];
	struct wire_segment said = {0};

	if (bytes < WIRE_EXTENT_BYTES || dwell_wire_get16(at) != client->asked)
		return WIRE_NOTHING;
	said.text = dwell_wire_get32(at + 2) | (uint64_t)dwell_wire_get32(at + 6) << 32;
	said.counters = dwell_wire_get32(at + 10);
	said.sum = dwell_wire_get32(at + 15);
	memcpy(said.name, at + WIRE_EXTENT_BYTES, bytes - WIRE_EXTENT_BYTES); /* ≤ WIRE_NAME_MAX, because the frame has a limit */
	if (said.text > UINT64_MAX - (uint64_t)HISTOGRAM_TEXT_BYTES * (said.counters + 4ull))
		return WIRE_NOTHING;
	if (segment->is_known && !is_same(&said, &segment->said)) {
		uint32_t count = client->segment_count;

		begin_anew(client);
		client->segments = calloc(count, sizeof *client->segments);
		if (!client->segments)
			return WIRE_STARVED;
		client->segment_count = count;
		return go_on(client);
	}
	if (!segment->is_known && said.counters > WIRE_CLIENT_COUNTERS_MAX - client->counters)
		return WIRE_NOTHING;
	client->counters += segment->is_known ? 0 : said.counters;
	segment->said = said;
	segment->is_known = segment->is_sure = true;
	return go_on(client);
}

/* Whether a DATA continues at first, with entries in order. */
static bool is_right(const struct wire_client *client, const uint8_t *at, size_t bytes)
{
	const struct segment *segment = &client->segments[client->segment];
	uint32_t first, next;
	int32_t before = -1;
	size_t entries;

	if (bytes < WIRE_DATA_HEAD_BYTES || (bytes - WIRE_DATA_HEAD_BYTES) % WIRE_ENTRY_BYTES)
		return false;
	first = dwell_wire_get32(at + 2);
	next = dwell_wire_get32(at + 6);
	entries = (bytes - WIRE_DATA_HEAD_BYTES) / WIRE_ENTRY_BYTES;
	if (dwell_wire_get16(at) != client->segment || first != client->first || next > segment->said.counters || next <= first)
		return false;
	/* A frame must cover as many counters as it can: a target that does not would keep the host asking. */
	if (next < segment->said.counters && entries < WIRE_ENTRIES_MAX && next - first <= UINT16_MAX)
		return false;
	for (size_t i = WIRE_DATA_HEAD_BYTES; i < bytes; i += WIRE_ENTRY_BYTES) {
		uint16_t offset = dwell_wire_get16(at + i);

		if (offset <= before || offset >= next - first || !dwell_wire_get16(at + i + 2))
			return false;
		before = offset;
	}
	return true;
}

static enum wire_event take_data(struct wire_client *client, const uint8_t *at, size_t bytes)
{
	struct segment *segment = &client->segments[client->segment];

	if (!is_right(client, at, bytes))
		return WIRE_NOTHING;
	if (!client->first && !begin_pass(client))
		return WIRE_STARVED;
	for (size_t i = WIRE_DATA_HEAD_BYTES; i < bytes; i += WIRE_ENTRY_BYTES) {
		uint16_t count = dwell_wire_get16(at + i + 2);

		segment->full += count == HISTOGRAM_COUNTER_MAX;
		if (!client->takes && !wire_list_append(&segment->now, client->first + dwell_wire_get16(at + i), count))
			return WIRE_STARVED;
	}
	if (client->takes && bytes > WIRE_DATA_HEAD_BYTES) {
		dwell_wire_put32(client->pending, client->taken + 1);
		memcpy(client->pending + 4, at, bytes);
		client->pending_bytes = 4 + bytes;
		client->wants = WIRE_TAKE;
		return WIRE_ANSWERED;
	}
	client->first = dwell_wire_get32(at + 6);
	return go_on(client);
}

static enum wire_event take_taken(struct wire_client *client, const uint8_t *at, size_t bytes)
{
	if (bytes < 4 || !client->pending_bytes || dwell_wire_get32(at) != dwell_wire_get32(client->pending))
		return WIRE_NOTHING;
	client->taken = dwell_wire_get32(at);
	client->own = client->taken;
	return go_on(client); /* which settles the TAKE */
}

/* After a refusal the client begins a new session, and from there repeats the request. */
static enum wire_event take_refusal(struct wire_client *client, const uint8_t *at, size_t bytes)
{
	if (bytes < 2 || at[0] != client->wants)
		return WIRE_NOTHING;
	client->state.refused = at[1];
	if (at[1] == WIRE_WHY_STATE && (client->wants == WIRE_START || client->wants == WIRE_STOP)) {
		client->is_done = true;
		return WIRE_ANSWERED;
	}
	if (at[1] == WIRE_WHY_RANGE && client->wants == WIRE_AREA && !client->areas.count) {
		client->is_done = true; /* it shares no memory */
		return WIRE_ANSWERED;
	}
	if (at[1] == WIRE_WHY_CONTENT && client->wants == WIRE_RAN) {
		client->knows_time = true; /* a program of an older version */
		client->state.ran_us = 0;
		return go_on(client);
	}
	if (at[1] == WIRE_WHY_RANGE && client->wants == WIRE_TAKE && pending_number(client) == WIRE_REST) {
		client->rest.is_refused = true; /* a program of an older version, or another host has taken them */
		client->pending_bytes = 0;
		return go_on(client);
	}
	if (at[1] != WIRE_WHY_SESSION && client->wants == WIRE_TAKE)
		forget_pending(client); /* a TAKE happens completely or not at all: so not at all */
	if (++client->refusals > REFUSALS_MAX)
		return WIRE_REFUSES;
	client->wants = WIRE_HELLO;
	return WIRE_ANSWERED;
}

static enum wire_event take_time(struct wire_client *client, const uint8_t *at, size_t bytes)
{
	if (bytes != WIRE_TIME_BYTES)
		return WIRE_NOTHING;
	client->state.ran_us = dwell_wire_get64(at);
	client->state.away = dwell_wire_get64(at + 8);
	client->knows_time = true;
	return go_on(client);
}

static enum wire_event take_area(struct wire_client *client, uint8_t type, const uint8_t *at, size_t bytes)
{
	bool starved = false, good = false;

	if (type == WIRE_SHARED && client->wants == WIRE_AREA)
		good = wire_areas_take_area(&client->areas, at, bytes, &starved);
	else if (type == WIRE_BYTES && client->wants == WIRE_READ)
		good = wire_areas_take_bytes(&client->areas, at, bytes, &starved);
	return starved ? WIRE_STARVED : good ? go_on(client) : WIRE_NOTHING;
}

static enum wire_event take_frame(struct wire_client *client, uint8_t type, const uint8_t *at, size_t bytes)
{
	switch (type) {
	case WIRE_WELCOME:
		return client->wants == WIRE_HELLO ? take_welcome(client, at, bytes) : WIRE_NOTHING;
	case WIRE_BUSY:
		if (client->wants != WIRE_HELLO || bytes < 4)
			return WIRE_NOTHING;
		client->state.busy_with = dwell_wire_get32(at);
		return WIRE_IS_BUSY;
	case WIRE_REFUSED:
		return take_refusal(client, at, bytes);
	}
	/* Frames of this session only. */
	if (client->wants == WIRE_HELLO || client->in.bytes[1] != client->session)
		return WIRE_NOTHING;
	switch (type) {
	case WIRE_FLUSH:
		if (bytes == WIRE_STATUS_BYTES) {
			take_status(client, at);
			client->is_flushing = true;
		}
		return WIRE_NOTHING;
	case WIRE_WANTED:
		client->is_wanted = true;
		return WIRE_NOTHING;
	case WIRE_EXTENT:
		return client->wants == WIRE_SEGMENT ? take_extent(client, at, bytes) : WIRE_NOTHING;
	case WIRE_DATA:
		return client->wants == WIRE_GET ? take_data(client, at, bytes) : WIRE_NOTHING;
	case WIRE_TAKEN:
		return client->wants == WIRE_TAKE ? take_taken(client, at, bytes) : WIRE_NOTHING;
	case WIRE_SHARED:
	case WIRE_BYTES:
		return take_area(client, type, at, bytes);
	case WIRE_TIME:
		return client->wants == WIRE_RAN ? take_time(client, at, bytes) : WIRE_NOTHING;
	case WIRE_STATUS:
		if (client->wants < WIRE_START || client->wants > WIRE_ASK || bytes != WIRE_STATUS_BYTES)
			return WIRE_NOTHING;
		/* Ignores a late answer to an earlier request. */
		if (client->wants == (at[0] & HISTOGRAM_STATE_RUNNING ? WIRE_STOP : WIRE_START))
			return WIRE_NOTHING;
		take_status(client, at);
		client->is_done = true;
		if (client->wants == WIRE_BYE)
			client->wants = WIRE_HELLO;
		return WIRE_ANSWERED;
	}
	return WIRE_NOTHING;
}

enum wire_event wire_client_take(struct wire_client *client, uint8_t byte)
{
	size_t size = dwell_wire_receive(&client->in, byte);

	return size ? take_frame(client, client->in.bytes[0], client->in.bytes + WIRE_HEAD_BYTES, size - WIRE_HEAD_BYTES)
		    : WIRE_NOTHING;
}
