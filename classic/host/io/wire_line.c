#include "classic/host/io/wire_line.h"

#define AGAIN_NS UINT64_C(500000000) /* without an answer for this long, the request is repeated */
#define BUSY_NS UINT64_C(300000000)  /* pause before HELLO is repeated to a target that serves another host */
#define LOOK_NS UINT64_C(200000000)  /* interval of checking the stop flag */
/* BUSY answers to one request until the line gives up. The target drops the served host at the fourth HELLO of a second host since
 * the last frame of the served host (SERVER_RIVAL_ASKS). So six suffice even if the last frame comes after the second HELLO. */
#define BUSY_TRIES 6u

static bool is_stopped(const struct wire_line *line)
{
	return line->stop && *line->stop;
}

static bool send_frame(struct wire_line *line)
{
	uint8_t frame[WIRE_CLIENT_FRAME_MAX];
	size_t size = wire_client_frame(line->client, frame);

	line->frames++;
	line->bytes_out += size;
	return link_write(line->link, frame, size, link_deadline(line->wait_ns));
}

/* What ends the reading of bytes. */
enum until {
	UNTIL_ANSWER, /* or another event of a request */
	UNTIL_TOLD,   /* or what the target tells without a request */
};

/* Takes received bytes, up to the first event. WIRE_NOTHING: no event before the deadline, which also ends an endless stream; or
 * the target has told something. */
static enum wire_event receive(struct wire_line *line, uint64_t deadline, enum until until)
{
	for (bool is_late = false;;) {
		while (line->at < line->count) {
			enum wire_event event = wire_client_take(line->client, line->bytes[line->at++]);

			if (event != WIRE_NOTHING || (until == UNTIL_TOLD && wire_client_is_told(line->client)))
				return event;
		}
		line->at = line->count = 0;
		if (is_late)
			return WIRE_NOTHING;
		line->count = link_read(line->link, line->bytes, sizeof line->bytes, deadline);
		line->bytes_in += line->count;
		if (!line->count)
			return WIRE_NOTHING;
		is_late = link_deadline(0) >= deadline;
	}
}

/* Repeats one request until the answer. */
static enum wire_outcome ask(struct wire_line *line)
{
	uint64_t deadline = link_deadline(line->wait_ns);
	uint32_t busy = 0;
	bool again = false;

	while (!is_stopped(line)) {
		uint64_t next = link_deadline(AGAIN_NS);
		enum wire_event event;

		line->repeats += again;
		again = true;
		if (!send_frame(line))
			return WIRE_LINE_GONE;
		event = receive(line, next < deadline ? next : deadline, UNTIL_ANSWER);
		if (link_is_gone(line->link) && event == WIRE_NOTHING)
			return WIRE_LINE_GONE;
		switch (event) {
		case WIRE_ANSWERED: line->answers++; return WIRE_DONE_WELL;
		case WIRE_STARVED: return WIRE_LINE_STARVED;
		case WIRE_REFUSES: return WIRE_LINE_REFUSED;
		case WIRE_IS_BUSY:
			if (++busy == BUSY_TRIES)
				return WIRE_LINE_BUSY;
			receive(line, link_deadline(BUSY_NS), UNTIL_ANSWER);
			if (link_is_gone(line->link))
				return WIRE_LINE_BUSY;
			break;
		case WIRE_NOTHING:
			if (link_deadline(0) >= deadline)
				return WIRE_LINE_SILENT;
		}
	}
	return WIRE_LINE_STOPPED;
}

enum wire_outcome wire_line_go_on(struct wire_line *line)
{
	enum wire_outcome outcome = WIRE_DONE_WELL;

	while (outcome == WIRE_DONE_WELL && !wire_client_is_done(line->client))
		outcome = ask(line);
	return outcome;
}

enum wire_outcome wire_line_do(struct wire_line *line, enum wire_job job)
{
	wire_client_begin(line->client, job);
	return wire_line_go_on(line);
}

bool wire_line_speak(struct wire_line *line)
{
	wire_client_begin(line->client, WIRE_JOB_ASK);
	return send_frame(line);
}

enum wire_outcome wire_line_listen(struct wire_line *line, uint64_t deadline)
{
	while (!is_stopped(line)) {
		uint64_t look = link_deadline(LOOK_NS);

		if (wire_client_is_told(line->client) || link_deadline(0) >= deadline)
			return WIRE_DONE_WELL;
		receive(line, look < deadline ? look : deadline, UNTIL_TOLD);
		if (link_is_gone(line->link) && line->at == line->count)
			return WIRE_LINE_GONE;
	}
	return WIRE_LINE_STOPPED;
}

const char *wire_outcome_text(enum wire_outcome outcome)
{
	switch (outcome) {
	case WIRE_DONE_WELL: return "all was answered";
	case WIRE_LINE_GONE: return "the connection is gone";
	case WIRE_LINE_SILENT: return "no answer that makes sense came: is that an osProfile program's link?";
	case WIRE_LINE_BUSY: return "another host is being served";
	case WIRE_LINE_REFUSED: return "the target refuses what it is asked";
	case WIRE_LINE_STARVED: return "out of memory";
	case WIRE_LINE_STOPPED: return "stopped";
	}
	return "";
}
