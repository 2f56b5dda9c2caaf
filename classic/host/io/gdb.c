#include "classic/host/io/gdb.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classic/host/io/packet.h"
#include "util/units.h"

#define GDB_REQUEST_BYTES 64u
#define INTERRUPT "\3"
#define PACKET_BYTES_UNTOLD 400u /* GDB's default */
#define PACKET_BYTES_LEAST 64u
#define PACKET_BYTES_MOST (128u << 10)
#define ROOM_LEAST 4096u /* enough for the registers of large machines */
#define AGAIN_MOST 3u     /* requests for a damaged packet */
#define UNASKED_MOST 200u /* packets in front of an answer */
/* Some stubs refuse every acknowledgement, but answer the request behind it. An immediate repeat would cause many answers. */
#define REFUSED_PART 10u /* a refused request is repeated after wait_ns / REFUSED_PART */
#define GREETING_NS UINT64_C(1000000000) /* a running target does not answer: gdb_stop after this time */

struct gdb {
	struct link *link;
	struct diag *diag;
	uint64_t wait_ns;
	struct packet packet;
	uint8_t *payload;
	uint8_t in[1 << 14];
	size_t in_begin, in_end;
	char request[GDB_REQUEST_BYTES + 8]; /* the last request, as sent */
	size_t request_bytes;
	bool awaits_stop; /* the answer may be a stop */
	bool extends_sign; /* of addresses of 32 bits */
	bool has_acks, is_running, stays_stopped, has_failed;
	size_t packet_bytes, chunk;
	uint64_t request_count;
};

enum gdb_answer { GDB_ANSWERED, GDB_SILENT, GDB_FAILED };

bool gdb_has_failed(const struct gdb *gdb)
{
	return gdb->has_failed;
}

uint64_t gdb_request_count(const struct gdb *gdb)
{
	return gdb->request_count;
}

/* ---- requests and answers ---- */

/* Returns the last request for messages; without numbers, because several may have been sent. */
static const char *asked(const struct gdb *gdb, char text[32])
{
	size_t bytes = gdb->request_bytes > 4 ? gdb->request_bytes - 4 : 0;

	snprintf(text, 32, "%.*s", (int)(strchr("mx", gdb->request[1]) ? 1 : bytes), gdb->request + 1);
	return text;
}

static enum gdb_answer fail(struct gdb *gdb, const char *how)
{
	char text[32];

	if (!gdb->has_failed && !link_is_gone(gdb->link))
		diag_add(gdb->diag, DIAG_ERROR, link_name(gdb->link), DIAG_NO_OFFSET, "'%s' %s", asked(gdb, text), how);
	gdb->has_failed = true;
	return GDB_FAILED;
}

static enum gdb_answer fail_silent(struct gdb *gdb)
{
	char wait[UNITS_TEXT_BYTES], how[160];

	units_format_ns(wait, gdb->wait_ns);
	snprintf(how, sizeof how, "is not answered within %s: is it a GDB stub, and no other debugger connected?", wait);
	return fail(gdb, how);
}

static bool put(struct gdb *gdb, const void *bytes, size_t size)
{
	if (!gdb->has_failed && !link_write(gdb->link, bytes, size, link_deadline(gdb->wait_ns)))
		gdb->has_failed = true;
	return !gdb->has_failed;
}

static bool send_request(struct gdb *gdb, const char *text)
{
	gdb->request_bytes = packet_frame(text, gdb->request, sizeof gdb->request);
	gdb->request_count++;
	return gdb->request_bytes && put(gdb, gdb->request, gdb->request_bytes);
}

/* Console output: "O" and text in hex. "OK" is none. */
static bool is_console(const struct packet *packet)
{
	return packet->size && packet->payload[0] == 'O' && packet->payload[1] != 'K';
}

/* A stop: "T05thread:01;" or "S05". It may come without a request, as when a debugger connects. */
static bool is_stop(const struct packet *packet)
{
	const uint8_t *text = packet->payload;

	return packet->size >= 3 && (text[0] == 'T' || text[0] == 'S') && text[1] <= '9' && text[2] <= 'f';
}

/* An end: "W00", "X0b": the debugged program has ended. */
static bool is_end(const struct packet *packet)
{
	return packet->size && strchr("WX", packet->payload[0]);
}

/* Repairs of one answer: damaged packets are repeated, in either direction. */
struct repair {
	uint32_t again, unasked;
	uint64_t resend_at; /* when to repeat a refused request if no answer comes; 0: not refused */
};

/* Handles one event. GDB_ANSWERED: a packet has arrived; GDB_SILENT: nothing yet. */
static enum gdb_answer take_event(struct gdb *gdb, enum packet_event event, struct repair *repair)
{
	switch (event) {
	case PACKET_WHOLE:
		if (gdb->has_acks && !put(gdb, "+", 1))
			return GDB_FAILED;
		if (!is_console(&gdb->packet) && (gdb->awaits_stop || !is_stop(&gdb->packet)))
			return GDB_ANSWERED;
		return ++repair->unasked < UNASKED_MOST ? GDB_SILENT : fail(gdb, "is answered with nothing but what nobody asked for");
	case PACKET_BROKEN:
		if (!gdb->has_acks || ++repair->again > AGAIN_MOST)
			return fail(gdb, "is answered with a damaged packet (wrong checksum)");
		return put(gdb, "-", 1) ? GDB_SILENT : GDB_FAILED;
	case PACKET_TOO_LONG:
		return fail(gdb, "is answered with a packet that is longer than the stub said");
	case PACKET_NAK:
		if (!gdb->has_acks || ++repair->again > AGAIN_MOST)
			return fail(gdb, "is refused as damaged, again and again");
		if (!repair->resend_at)
			repair->resend_at = link_deadline(gdb->wait_ns / REFUSED_PART);
		break;
	case PACKET_ACK:
	case PACKET_NOTHING:
		break;
	}
	return GDB_SILENT;
}

/* Waits for the next packet, in gdb->packet. GDB_SILENT: none came before the deadline; no diag then. */
static enum gdb_answer receive(struct gdb *gdb, uint64_t deadline)
{
	struct repair repair = {0};
	uint64_t until;

	while (!gdb->has_failed) {
		while (gdb->in_begin < gdb->in_end) {
			enum packet_event event;
			enum gdb_answer answer;

			gdb->in_begin += packet_take(&gdb->packet, gdb->in + gdb->in_begin, gdb->in_end - gdb->in_begin, &event);
			answer = take_event(gdb, event, &repair);
			if (answer != GDB_SILENT)
				return answer;
		}
		if (repair.resend_at && link_deadline(0) > repair.resend_at) {
			repair.resend_at = 0;
			put(gdb, gdb->request, gdb->request_bytes);
		}
		if (link_deadline(0) > deadline)
			return GDB_SILENT;
		until = repair.resend_at && repair.resend_at < deadline ? repair.resend_at : deadline;
		gdb->in_begin = 0;
		gdb->in_end = link_read(gdb->link, gdb->in, sizeof gdb->in, until);
		if (!gdb->in_end && !link_is_gone(gdb->link) && until == deadline)
			return GDB_SILENT;
		gdb->has_failed |= !gdb->in_end && link_is_gone(gdb->link);
	}
	return GDB_FAILED;
}

static bool ask(struct gdb *gdb, const char *request)
{
	enum gdb_answer answer = send_request(gdb, request) ? receive(gdb, link_deadline(gdb->wait_ns)) : GDB_FAILED;

	if (answer == GDB_SILENT)
		fail_silent(gdb);
	return answer == GDB_ANSWERED;
}

static const char *text_of(const struct gdb *gdb)
{
	return (const char *)gdb->packet.payload;
}

static bool is_refusal(const struct packet *packet)
{
	return packet->size && packet->payload[0] == 'E' && (packet->size == 3 || packet->payload[1] == '.');
}

/* ---- beginning and end ---- */

static bool has_feature(const char *features, const char *name)
{
	size_t bytes = strlen(name);

	for (const char *at = features; (at = strstr(at, name)); at += bytes)
		if ((at == features || at[-1] == ';') && (!at[bytes] || at[bytes] == ';'))
			return true;
	return false;
}

static size_t read_packet_bytes(const char *features)
{
	static const char name[] = "PacketSize=";
	const char *at = strstr(features, name);
	unsigned long long bytes = at ? strtoull(at + sizeof name - 1, NULL, 16) : PACKET_BYTES_UNTOLD;

	return bytes < PACKET_BYTES_LEAST ? PACKET_BYTES_LEAST : bytes > PACKET_BYTES_MOST ? PACKET_BYTES_MOST : (size_t)bytes;
}

/* Returns how many bytes fit in one answer in hex, with its frame. */
static size_t chunk_of(size_t packet_bytes)
{
	size_t bytes = (packet_bytes - 4) / 2;

	return bytes - bytes % 16;
}

static bool give_room(struct gdb *gdb, size_t room)
{
	uint8_t *payload = realloc(gdb->payload, room + 1);

	if (!payload) {
		diag_add(gdb->diag, DIAG_ERROR, link_name(gdb->link), DIAG_NO_OFFSET, "cannot be talked to: out of memory");
		gdb->has_failed = true;
		return false;
	}
	gdb->payload = payload;
	packet_init(&gdb->packet, payload, room);
	return true;
}

/* Sends the first request. The stub of a running target only reacts to an interrupt, so the target may have to be stopped first. */
static bool greet(struct gdb *gdb)
{
	uint64_t patience = gdb->wait_ns < GREETING_NS ? gdb->wait_ns : GREETING_NS;
	enum gdb_answer answer = GDB_FAILED;

	if (put(gdb, "+", 1) && send_request(gdb, "qSupported"))
		answer = receive(gdb, link_deadline(patience));
	if (answer != GDB_SILENT)
		return answer == GDB_ANSWERED;
	gdb->is_running = true;
	return gdb_stop(gdb) && ask(gdb, "qSupported");
}

static bool agree(struct gdb *gdb)
{
	bool may_drop_acks;

	if (!greet(gdb))
		return false;
	may_drop_acks = has_feature(text_of(gdb), "QStartNoAckMode+");
	gdb->packet_bytes = read_packet_bytes(text_of(gdb));
	gdb->chunk = chunk_of(gdb->packet_bytes);
	if (!give_room(gdb, gdb->packet_bytes > ROOM_LEAST ? gdb->packet_bytes : ROOM_LEAST))
		return false;
	if (may_drop_acks) {
		if (!ask(gdb, "QStartNoAckMode"))
			return false;
		gdb->has_acks = strcmp(text_of(gdb), "OK") != 0;
	}
	gdb->awaits_stop = true;
	if (!ask(gdb, "?"))
		return false;
	gdb->awaits_stop = false;
	if (is_end(&gdb->packet)) {
		fail(gdb, "is answered with an end: the program that was debugged is over");
		return false;
	}
	return true;
}

struct gdb *make_gdb_of(struct link *take_link, uint64_t wait_ns, struct diag *diag)
{
	struct gdb *gdb = calloc(1, sizeof *gdb);

	if (!gdb) {
		diag_add(diag, DIAG_ERROR, link_name(take_link), DIAG_NO_OFFSET, "cannot be talked to: out of memory");
		free_link(take_link);
		return NULL;
	}
	gdb->link = take_link;
	gdb->diag = diag;
	gdb->wait_ns = wait_ns;
	gdb->has_acks = true;
	if (give_room(gdb, ROOM_LEAST) && agree(gdb))
		return gdb;
	free_gdb(gdb);
	return NULL;
}

struct gdb *make_gdb(const char *where, uint64_t wait_ns, struct diag *diag)
{
	struct link *link = make_link(where, wait_ns, diag);

	return link ? make_gdb_of(link, wait_ns, diag) : NULL;
}

void gdb_keep_stopped(struct gdb *gdb)
{
	gdb->stays_stopped = true;
}

bool gdb_stop(struct gdb *gdb)
{
	enum gdb_answer answer = GDB_ANSWERED;
	uint32_t late = 0;
	uint64_t deadline;

	if (gdb->is_running && !gdb->has_failed) {
		gdb->awaits_stop = true;
		deadline = link_deadline(gdb->wait_ns);
		answer = put(gdb, INTERRUPT, 1) ? receive(gdb, deadline) : GDB_FAILED;
		/* A late packet is the answer to an earlier request. */
		while (answer == GDB_ANSWERED && !is_stop(&gdb->packet) && !is_end(&gdb->packet) && late++ < UNASKED_MOST)
			answer = receive(gdb, deadline);
		if (answer == GDB_SILENT)
			fail_silent(gdb);
		else if (answer == GDB_ANSWERED && !is_stop(&gdb->packet))
			fail(gdb, "was to be interrupted, and the answer is no stop: the program is over?");
		gdb->awaits_stop = false;
	}
	gdb->is_running &= gdb->has_failed;
	return !gdb->has_failed;
}

bool gdb_go(struct gdb *gdb)
{
	if (!gdb->is_running && send_request(gdb, "c")) /* answered at the next stop */
		gdb->is_running = true;
	return !gdb->has_failed;
}

bool gdb_run(struct gdb *gdb, uint64_t ns)
{
	enum gdb_answer answer = GDB_FAILED;

	gdb->awaits_stop = true;
	if (gdb_go(gdb))
		answer = receive(gdb, link_deadline(ns));
	gdb->awaits_stop = false;
	if (answer == GDB_SILENT)
		return gdb_stop(gdb);
	gdb->is_running = false;
	if (answer == GDB_ANSWERED && !is_stop(&gdb->packet))
		fail(gdb, "is answered with an end: the program is over");
	return !gdb->has_failed;
}

/* Detaches. A stub may send no answer; if a stub does not support D, the target is continued instead. */
static void leave(struct gdb *gdb)
{
	enum gdb_answer answer;

	if (gdb->has_failed || gdb->is_running)
		return;
	link_expect_end(gdb->link);
	answer = send_request(gdb, "D") ? receive(gdb, link_deadline(gdb->wait_ns)) : GDB_FAILED;
	if (answer == GDB_SILENT)
		diag_add(gdb->diag, DIAG_WARN, link_name(gdb->link), DIAG_NO_OFFSET,
			"does not say whether the target goes on: it may stand still");
	else if (answer == GDB_ANSWERED && strcmp(text_of(gdb), "OK"))
		gdb_go(gdb);
}

void free_gdb(struct gdb *gdb)
{
	if (!gdb)
		return;
	if (gdb->stays_stopped)
		gdb_stop(gdb);
	else
		leave(gdb);
	free_link(gdb->link);
	free(gdb->payload);
	free(gdb);
}

/* ---- memory ---- */

/* Reads up to size bytes at an address, in one packet; *got: bytes read. False: the stub refused, or the connection failed. */
static bool read_part(struct gdb *gdb, uint64_t address, uint8_t *buffer, size_t size, size_t *got)
{
	const struct packet *packet = &gdb->packet;
	char text[GDB_REQUEST_BYTES];

	snprintf(text, sizeof text, "m%" PRIx64 ",%zx", address, size);
	*got = 0;
	if (!ask(gdb, text) || is_refusal(packet))
		return false;
	*got = packet_unhex(packet->payload, packet->size, buffer, size);
	if (*got && *got != SIZE_MAX)
		return true;
	*got = 0;
	fail(gdb, packet->size ? "is answered with something else than so many bytes" : "is not understood: no memory can be read");
	return false;
}

void gdb_extend_sign(struct gdb *gdb, bool extends)
{
	gdb->extends_sign = extends;
}

size_t gdb_read_memory(struct gdb *gdb, uint64_t address, void *buffer, size_t size)
{
	size_t done = 0, part, got, chunk = gdb->chunk;

	if (gdb->extends_sign && address >> 31 == 1)
		address |= UINT64_C(0xffffffff) << 32;
	while (done < size && chunk) {
		part = size - done < chunk ? size - done : chunk;
		if (read_part(gdb, address + done, (uint8_t *)buffer + done, part, &got))
			done += got;
		else if (gdb->has_failed)
			break;
		else
			chunk = part / 2; /* too much at once, or the memory ends in it */
	}
	if (done == size && chunk < gdb->chunk)
		gdb->chunk = chunk; /* it was too much at once */
	return done;
}
