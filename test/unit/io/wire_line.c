/* A wire line: what its target tells without a request ends the listening at once. (Requests: test/unit/ultra/wire_client.c,
 * test/e2e/machines/ultra.sh.) */
#include <arpa/inet.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "classic/core/histogram.h"
#include "classic/host/io/wire_line.h"

/* No test here takes so long but one that hangs. */
#define LONG_NS UINT64_C(20000000000)

static struct wire_line line;
static int target; /* the other end */

static void open_line(struct diag *diag)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof at;
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	char where[64];

	CHECK(!bind(listener, (struct sockaddr *)&at, sizeof at) && !listen(listener, 1));
	CHECK(!getsockname(listener, (struct sockaddr *)&at, &size));
	snprintf(where, sizeof where, "tcp:127.0.0.1:%d", ntohs(at.sin_port));
	line = (struct wire_line){.link = make_link(where, LONG_NS, diag), .client = make_wire_client(1), .wait_ns = LONG_NS};
	target = accept(listener, NULL, NULL);
	close(listener);
	CHECK(line.link && line.client && target >= 0);
}

static void close_line(void)
{
	free_link(line.link);
	free_wire_client(line.client);
	close(target);
}

/* Adds a frame of session 1; returns the end. */
static uint8_t *add(uint8_t *to, uint8_t type, size_t bytes, const uint8_t *content)
{
	struct wire_sender sender = {.bytes = {type, 1}};

	memcpy(sender.bytes + WIRE_HEAD_BYTES, content, bytes);
	dwell_wire_begin(&sender, WIRE_HEAD_BYTES + bytes);
	while (dwell_wire_next(&sender, to))
		to++;
	return to;
}

/* The target is greeted, and says what it has. */
static void greet(void)
{
	uint8_t content[WIRE_WELCOME_BYTES] = {WIRE_VERSION, 4, 1, HISTOGRAM_TEXT_BYTES}, frame[400];
	const uint8_t *end = add(frame, WIRE_WELCOME, sizeof content, content);

	wire_client_begin(line.client, WIRE_JOB_GREET);
	for (const uint8_t *at = frame; at < end; at++)
		wire_client_take(line.client, *at);
	CHECK(wire_client_state(line.client).is_known);
}

/* What came behind it is still to be taken: the line did not read on for the time that is left. */
static void ends_listening(uint8_t type, size_t bytes)
{
	static const uint8_t content[WIRE_STATUS_BYTES], behind[50] = {WIRE_FLAG, WIRE_FLAG};
	struct diag *diag = make_diag();
	uint8_t sent[800], *end;

	open_line(diag);
	greet();
	end = add(sent, type, bytes, content);
	memcpy(end, behind, sizeof behind);
	end += sizeof behind;
	CHECK_EQ(write(target, sent, (size_t)(end - sent)), end - sent);
	CHECK_EQ(wire_line_listen(&line, link_deadline(LONG_NS)), WIRE_DONE_WELL);
	CHECK(wire_client_is_told(line.client));
	CHECK(line.at < line.count);
	close_line();
	free_diag(diag);
}

TEST(told)
{
	ends_listening(WIRE_FLUSH, WIRE_STATUS_BYTES);
	ends_listening(WIRE_WANTED, 0);
}

int main(void)
{
	RUN(told);
	return tap_done();
}
