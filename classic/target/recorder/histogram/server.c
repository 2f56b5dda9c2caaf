/* SPDX-License-Identifier: MIT */
#include "classic/target/recorder/histogram/server.h"

/* Counters read in one call, counters subtracted from in one call, pieces of a text summed in one call. */
#define LOOK_AT 64
#define TAKE_AT 8
#define SUM_AT 8

void dwell_server_begin(struct histogram_server *server, struct histogram *histogram, const struct histogram_control *control)
{
	server->histogram = histogram;
	server->control = control;
	server->generation++;
	server->known_count = 0;
	server->forgot = false;
	server->holds = false;
	server->flushed = server->flush;
	server->in_session = false;
	server->work = SERVER_IDLE;
	server->away = 0;
	server->rest = (struct server_rest){0, 0};
}

void dwell_server_release(struct histogram_server *server)
{
	bool held = server->holds;

	server->holds = false;
	if (held)
		server->control->start(0);
}

static void take(struct histogram_server *server);

void dwell_server_reset(struct histogram_server *server)
{
	/* A TAKE that has begun is completed even at the end of the session: all or nothing. */
	while (server->work == SERVER_TAKES)
		take(server);
	server->in.count = 0;
	server->in.escaped = false;
	server->in.bad = false;
	server->in.crc = 0;
	server->out.count = 0;
	server->work = SERVER_IDLE;
	server->in_session = false;
	server->rival_asked = 0;
	server->flushed = server->flush;
	dwell_server_release(server);
}

/* Begins a frame of the given type; returns the address of the content. */
static uint8_t *answer(struct histogram_server *server, uint8_t type)
{
	server->out.bytes[0] = type;
	server->out.bytes[1] = server->session;
	return server->out.bytes + WIRE_HEAD_BYTES;
}

static void send(struct histogram_server *server, size_t bytes)
{
	dwell_wire_begin(&server->out, WIRE_HEAD_BYTES + bytes);
}

static void refuse(struct histogram_server *server, uint8_t type, enum wire_why why)
{
	uint8_t *at = answer(server, WIRE_REFUSED);

	at[0] = type;
	at[1] = (uint8_t)why;
	send(server, 2);
}

static void put_status(const struct histogram_server *server, uint8_t *at)
{
	const struct histogram *histogram = server->histogram;

	at[0] = (uint8_t)histogram->state;
	at[1] = histogram->wanted != 0;
	dwell_wire_put32(at + 2, (uint32_t)histogram->period);
	dwell_wire_put32(at + 6, (uint32_t)histogram->overflow - server->rest.overflow);
	dwell_wire_put32(at + 10, (uint32_t)histogram->beyond - server->rest.beyond);
	dwell_wire_put32(at + 14, (uint32_t)histogram->taken);
	dwell_wire_put32(at + 18, server->flush);
}

static void send_status(struct histogram_server *server, uint8_t type)
{
	put_status(server, answer(server, type));
	send(server, WIRE_STATUS_BYTES);
}

/* Returns the number of the served host's last TAKE, or one of WIRE_NUMBER_…. */
static uint32_t last_take(const struct histogram_server *server)
{
	for (int i = 0; i < server->known_count; i++)
		if (server->known[i].host == server->host)
			return server->known[i].number;
	return server->forgot ? WIRE_NUMBER_FORGOTTEN : WIRE_NUMBER_NEW;
}

/* Moves the host to the front of the list; a full list drops its oldest host. */
static void note_host(struct histogram_server *server, uint32_t number)
{
	int at = 0;

	while (at < server->known_count && server->known[at].host != server->host)
		at++;
	if (at == server->known_count && at < SERVER_HOSTS)
		server->known_count++;
	server->forgot |= at == SERVER_HOSTS;
	at -= at == SERVER_HOSTS;
	for (; at; at--)
		server->known[at] = server->known[at - 1];
	server->known[0].host = server->host;
	server->known[0].number = number;
}

static void welcome(struct histogram_server *server)
{
	const uint16_t one = 1;
	uint32_t number = last_take(server);
	uint8_t *at;

	note_host(server, number < WIRE_NUMBER_NEW ? number : 0);
	server->session++;
	server->in_session = true;
	server->rival_asked = 0;
	server->flush_told = false;
	at = answer(server, WIRE_WELCOME);
	at[0] = WIRE_VERSION;
	at[1] = sizeof(uintptr_t);
	at[2] = *(const uint8_t *)&one ? 1 : 2;
	at[3] = HISTOGRAM_TEXT_BYTES;
	dwell_wire_put16(at + 4, (uint16_t)server->histogram->count);
	dwell_wire_put32(at + 6, server->generation);
	put_status(server, at + 10);
	dwell_wire_put32(at + 10 + WIRE_STATUS_BYTES, number);
	send(server, WIRE_WELCOME_BYTES);
}

/* Keeps the first host's session and answers a second host with BUSY, unless the first host stays silent. */
static void hello(struct histogram_server *server, uint32_t host)
{
	if (server->in_session && host != server->host) {
		server->rival_asked = host == server->rival ? server->rival_asked + 1 : 1;
		server->rival = host;
		if (server->rival_asked < SERVER_RIVAL_ASKS) {
			dwell_wire_put32(answer(server, WIRE_BUSY), server->host);
			send(server, 4);
			return;
		}
	}
	if (host != server->host)
		dwell_server_release(server);
	server->host = host;
	welcome(server);
}

static void begin_sum(struct histogram_server *server, uint16_t number)
{
	server->work = SERVER_SUMS;
	server->segment = number;
	server->at = 0;
	server->sum = 0;
}

static void send_extent(struct histogram_server *server)
{
	const struct histogram_segment *segment = &server->histogram->segments[server->segment];
	uint8_t *at = answer(server, WIRE_EXTENT);

	dwell_wire_put16(at, server->segment);
	dwell_wire_put32(at + 2, (uint32_t)segment->text);
	dwell_wire_put32(at + 6, (uint32_t)((uint64_t)segment->text >> 32));
	dwell_wire_put32(at + 10, dwell_histogram_counters(segment));
	at[14] = segment->wanted != 0;
	dwell_wire_put32(at + 15, server->sum);
	send(server, WIRE_EXTENT_BYTES + server->control->name(segment->text, (char *)at + WIRE_EXTENT_BYTES, WIRE_NAME_MAX));
}

/* Sums some pieces of the text, and sends the extent after the last one. A few places are enough to
 * identify a text. A text that does not exist any more (a library that was closed) has the sum 0. */
static void sum(struct histogram_server *server)
{
	const struct histogram_segment *segment = &server->histogram->segments[server->segment];
	uint8_t piece[WIRE_SUM_BYTES];

	if (!segment->bytes)
		server->at = WIRE_SUM_PIECES;
	for (int i = 0; i < SUM_AT && server->at < WIRE_SUM_PIECES; i++) {
		uintptr_t from = segment->text + dwell_wire_sum_at((uint32_t)segment->bytes, server->at++);

		if (server->control->read(from, piece, WIRE_SUM_BYTES)) {
			server->sum = dwell_wire_crc(server->sum, piece, WIRE_SUM_BYTES);
		} else {
			server->sum = 0;
			server->at = WIRE_SUM_PIECES;
		}
	}
	if (server->at < WIRE_SUM_PIECES)
		return;
	server->work = SERVER_IDLE;
	send_extent(server);
}

static void begin_look(struct histogram_server *server, uint16_t number, uint32_t first)
{
	server->work = SERVER_LOOKS;
	server->segment = number;
	server->first = first;
	server->at = first;
	server->entries = 0;
	/* A host that fetches from the first counter on needs no WANTED for this segment any more. */
	if (!first)
		server->histogram->segments[number].wanted = 0;
}

/* Reads some counters, and sends the frame when it is full or no counter is left. */
static void look(struct histogram_server *server)
{
	const struct histogram_segment *segment = &server->histogram->segments[server->segment];
	uint32_t counters = dwell_histogram_counters(segment);
	uint8_t *at = answer(server, WIRE_DATA);

	for (int i = 0; i < LOOK_AT && server->at < counters && server->entries < WIRE_ENTRIES_MAX; i++) {
		uint32_t offset = server->at - server->first;
		uint16_t count;

		if (offset > UINT16_MAX)
			break;
		count = segment->counters[server->at++];
		if (count) {
			uint8_t *entry = at + WIRE_DATA_HEAD_BYTES + WIRE_ENTRY_BYTES * server->entries++;

			dwell_wire_put16(entry, (uint16_t)offset);
			dwell_wire_put16(entry + 2, count);
		}
	}
	if (server->at < counters && server->entries < WIRE_ENTRIES_MAX && server->at - server->first <= UINT16_MAX)
		return;
	dwell_wire_put16(at, server->segment);
	dwell_wire_put32(at + 2, server->first);
	dwell_wire_put32(at + 6, server->at);
	server->work = SERVER_IDLE;
	send(server, WIRE_DATA_HEAD_BYTES + WIRE_ENTRY_BYTES * (size_t)server->entries);
}

static void send_taken(struct histogram_server *server)
{
	dwell_wire_put32(answer(server, WIRE_TAKEN), (uint32_t)server->histogram->taken);
	send(server, 4);
}

/* Returns the offset of the next entry of a TAKE, and its count. */
static uint32_t next_of_take(struct histogram_server *server, uint16_t *count)
{
	const uint8_t *entry = server->in.bytes + WIRE_HEAD_BYTES + 4 + WIRE_DATA_HEAD_BYTES + WIRE_ENTRY_BYTES * server->at++;

	*count = dwell_wire_get16(entry + 2);
	return dwell_wire_get16(entry);
}

/* Reads a TAKE of WIRE_REST. False: wrong entries, or more than there is. */
static bool read_rest(struct histogram_server *server)
{
	const struct histogram *histogram = server->histogram;
	uint16_t half[WIRE_REST_ENTRIES];

	if (server->entries != WIRE_REST_ENTRIES)
		return false;
	for (uint32_t i = 0; i < WIRE_REST_ENTRIES; i++)
		if (next_of_take(server, &half[i]) != i)
			return false;
	server->asked.overflow = half[0] | (uint32_t)half[1] << 16;
	server->asked.beyond = half[2] | (uint32_t)half[3] << 16;
	return server->asked.overflow <= (uint32_t)histogram->overflow - server->rest.overflow &&
	       server->asked.beyond <= (uint32_t)histogram->beyond - server->rest.beyond;
}

/* Takes interrupts that no counter has, at once. */
static void take_rest(struct histogram_server *server)
{
	if (!read_rest(server)) {
		refuse(server, WIRE_TAKE, WIRE_WHY_RANGE);
		return;
	}
	server->rest.overflow += server->asked.overflow;
	server->rest.beyond += server->asked.beyond;
	server->away += (uint64_t)server->asked.overflow + server->asked.beyond;
	server->histogram->taken++;
	note_host(server, (uint32_t)server->histogram->taken);
	send_taken(server);
}

/* data: the content of a DATA; it stays in the receiver until the answer. */
static void begin_take(struct histogram_server *server, uint32_t number, const uint8_t *data, size_t bytes)
{
	uint32_t taken = (uint32_t)server->histogram->taken;

	server->segment = dwell_wire_get16(data);
	server->first = dwell_wire_get32(data + 2);
	server->entries = (uint16_t)((bytes - WIRE_DATA_HEAD_BYTES) / WIRE_ENTRY_BYTES);
	server->at = 0;
	if ((bytes - WIRE_DATA_HEAD_BYTES) % WIRE_ENTRY_BYTES)
		refuse(server, WIRE_TAKE, WIRE_WHY_CONTENT);
	else if (number == taken) /* done already; only the answer was lost */
		send_taken(server);
	else if (number != taken + 1)
		refuse(server, WIRE_TAKE, WIRE_WHY_NUMBER);
	else if (server->segment == WIRE_REST)
		take_rest(server);
	else if (server->segment >= server->histogram->count ||
		 server->first > dwell_histogram_counters(&server->histogram->segments[server->segment]))
		refuse(server, WIRE_TAKE, WIRE_WHY_RANGE);
	else
		server->work = SERVER_CHECKS;
}

/* Checks some entries of a TAKE. The server checks all entries before it subtracts the first, so a TAKE
 * happens completely or not at all. Counters only grow between the two steps, so the check stays valid. */
static void check(struct histogram_server *server)
{
	const struct histogram_segment *segment = &server->histogram->segments[server->segment];
	uint32_t counters = dwell_histogram_counters(segment) - server->first;

	for (int i = 0; i < TAKE_AT && server->at < server->entries; i++) {
		bool is_first = !server->at;
		uint16_t count;
		uint32_t offset = next_of_take(server, &count);

		if (offset >= counters || (!is_first && offset <= server->before) ||
			count > segment->counters[server->first + offset]) {
			server->work = SERVER_IDLE;
			refuse(server, WIRE_TAKE, WIRE_WHY_RANGE);
			return;
		}
		server->before = offset;
	}
	if (server->at < server->entries)
		return;
	server->work = SERVER_TAKES;
	server->at = 0;
}

static void take(struct histogram_server *server)
{
	struct histogram_segment *segment = &server->histogram->segments[server->segment];

	for (int i = 0; i < TAKE_AT && server->at < server->entries; i++) {
		uint16_t count;
		uint32_t offset = next_of_take(server, &count);

		dwell_histogram_take(segment, server->first + offset, count);
		server->away += count;
	}
	if (server->at < server->entries)
		return;
	server->work = SERVER_IDLE;
	server->histogram->taken++;
	note_host(server, (uint32_t)server->histogram->taken);
	send_taken(server);
}

void dwell_server_share(struct histogram_server *server, const struct histogram_area *areas, uint16_t count)
{
	server->areas = areas;
	server->area_count = count;
}

static void send_shared(struct histogram_server *server, uint16_t number)
{
	const struct histogram_area *area = &server->areas[number];
	uint8_t *at = answer(server, WIRE_SHARED);

	dwell_wire_put16(at, number);
	dwell_wire_put16(at + 2, server->area_count);
	dwell_wire_put32(at + 4, (uint32_t)area->address);
	dwell_wire_put32(at + 8, (uint32_t)((uint64_t)area->address >> 32));
	dwell_wire_put32(at + 12, area->size);
	send(server, WIRE_SHARED_BYTES);
}

/* pre: offset is within the area. */
static void send_bytes(struct histogram_server *server, uint16_t number, uint32_t offset)
{
	const struct histogram_area *area = &server->areas[number];
	uint32_t size = area->size - offset < WIRE_BYTES_MAX ? area->size - offset : WIRE_BYTES_MAX;
	uint8_t *at = answer(server, WIRE_BYTES);

	dwell_wire_put16(at, number);
	dwell_wire_put32(at + 2, offset);
	if (server->control->read(area->address + offset, at + WIRE_BYTES_HEAD_BYTES, size))
		send(server, WIRE_BYTES_HEAD_BYTES + size);
	else
		refuse(server, WIRE_READ, WIRE_WHY_RANGE);
}

static void send_time(struct histogram_server *server)
{
	uint8_t *at = answer(server, WIRE_TIME);

	dwell_wire_put64(at, server->control->ran());
	dwell_wire_put64(at + 8, server->away);
	send(server, WIRE_TIME_BYTES);
}

/* Returns the bytes that a type needs behind the head. */
static size_t least_bytes(uint8_t type)
{
	switch (type) {
	case WIRE_HELLO: return 5;
	case WIRE_SEGMENT: return 2;
	case WIRE_GET: return 6;
	case WIRE_TAKE: return 4 + WIRE_DATA_HEAD_BYTES;
	case WIRE_START: return 4;
	case WIRE_DONE: return 4;
	case WIRE_AREA: return 2;
	case WIRE_READ: return 6;
	default: return 0;
	}
}

static void asked(struct histogram_server *server, uint8_t type, const uint8_t *at, size_t bytes)
{
	struct histogram *histogram = server->histogram;
	uint16_t number = bytes >= 2 ? dwell_wire_get16(at) : 0;

	switch (type) {
	case WIRE_SEGMENT:
	case WIRE_GET:
		if (number >= histogram->count ||
			(type == WIRE_GET && dwell_wire_get32(at + 2) > dwell_histogram_counters(&histogram->segments[number])))
			refuse(server, type, WIRE_WHY_RANGE);
		else if (type == WIRE_SEGMENT)
			begin_sum(server, number);
		else
			begin_look(server, number, dwell_wire_get32(at + 2));
		break;
	case WIRE_AREA:
	case WIRE_READ:
		if (number >= server->area_count ||
			(type == WIRE_READ && dwell_wire_get32(at + 2) >= server->areas[number].size))
			refuse(server, type, WIRE_WHY_RANGE);
		else if (type == WIRE_AREA)
			send_shared(server, number);
		else
			send_bytes(server, number, dwell_wire_get32(at + 2));
		break;
	case WIRE_TAKE:
		begin_take(server, dwell_wire_get32(at), at + 4, bytes - 4);
		break;
	case WIRE_START:
	case WIRE_STOP:
		if (type == WIRE_START ? server->control->start(dwell_wire_get32(at)) : server->control->stop()) {
			server->holds = type == WIRE_STOP;
			send_status(server, WIRE_STATUS);
		} else {
			refuse(server, type, WIRE_WHY_STATE);
		}
		break;
	case WIRE_DONE:
		if (dwell_wire_get32(at) == server->flush)
			server->flushed = server->flush;
		send_status(server, WIRE_STATUS);
		break;
	case WIRE_RAN:
		send_time(server);
		break;
	case WIRE_ASK:
		send_status(server, WIRE_STATUS);
		break;
	case WIRE_BYE:
		send_status(server, WIRE_STATUS);
		server->in_session = false;
		server->holds = false;
		server->flushed = server->flush;
		break;
	default:
		refuse(server, type, WIRE_WHY_CONTENT);
	}
}

void dwell_server_receive(struct histogram_server *server, uint8_t byte)
{
	size_t size = dwell_wire_receive(&server->in, byte);
	const uint8_t *content = server->in.bytes;
	uint8_t type = content[0];

	if (!size)
		return;
	size -= WIRE_HEAD_BYTES;
	server->heard++;
	if (size < least_bytes(type)) {
		refuse(server, type, WIRE_WHY_CONTENT);
	} else if (type == WIRE_HELLO) {
		if (content[WIRE_HEAD_BYTES] == WIRE_VERSION)
			hello(server, dwell_wire_get32(content + WIRE_HEAD_BYTES + 1));
		else
			refuse(server, type, WIRE_WHY_CONTENT);
	} else if (!server->in_session || content[1] != server->session) {
		refuse(server, type, WIRE_WHY_SESSION);
	} else {
		server->rival_asked = 0;
		asked(server, type, content + WIRE_HEAD_BYTES, size);
	}
}

/* Sends a frame without a request: a flush, or a segment to fetch. */
static void tell(struct histogram_server *server)
{
	struct histogram *histogram = server->histogram;

	if (!server->in_session)
		return;
	if (dwell_server_flushes(server) && !server->flush_told) {
		server->flush_told = true;
		send_status(server, WIRE_FLUSH);
	} else if (histogram->wanted) {
		histogram->wanted = 0;
		for (uintptr_t i = 0; i < histogram->count; i++)
			if (histogram->segments[i].wanted) {
				dwell_wire_put16(answer(server, WIRE_WANTED), (uint16_t)i);
				send(server, 2);
				return;
			}
	}
}

/* Does a piece of the unfinished answer. */
static void work(struct histogram_server *server)
{
	switch (server->work) {
	case SERVER_LOOKS: look(server); break;
	case SERVER_SUMS: sum(server); break;
	case SERVER_CHECKS: check(server); break;
	case SERVER_TAKES: take(server); break;
	case SERVER_IDLE:
		if (server->histogram)
			tell(server);
	}
}

bool dwell_server_send(struct histogram_server *server, uint8_t *byte)
{
	if (!dwell_wire_sends(&server->out)) {
		work(server);
	}
	return dwell_wire_next(&server->out, byte);
}

bool dwell_server_flush(struct histogram_server *server)
{
	if (!server->in_session)
		return false;
	server->flush_told = false;
	server->flush++;
	return true;
}

size_t dwell_server_busy(const struct histogram_server *server, uint8_t *frame)
{
	struct wire_sender sender;
	size_t count = 0;

	sender.bytes[0] = WIRE_BUSY;
	sender.bytes[1] = server->session;
	dwell_wire_put32(sender.bytes + WIRE_HEAD_BYTES, server->host);
	dwell_wire_begin(&sender, WIRE_HEAD_BYTES + 4);
	while (dwell_wire_next(&sender, &frame[count]))
		count++;
	return count;
}
