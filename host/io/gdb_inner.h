/* gdb inner: what the parts of the client (gdb.h) share: gdb.c, which talks, and gdb_memory.c, which reads. For nobody else. */
#ifndef DWELL_HOST_IO_GDB_INNER_H
#define DWELL_HOST_IO_GDB_INNER_H

#include "io/gdb.h"
#include "io/packet.h"

#define GDB_REQUEST_BYTES 64u
#define GDB_FLIGHTS_MOST 16u
#define GDB_NO_ACKS "QStartNoAckMode+"

struct gdb {
	struct link *link;
	struct diag *diag;
	uint64_t wait_ns;
	struct packet packet;
	uint8_t *payload;
	uint8_t in[1 << 14];
	size_t in_begin, in_end;
	char request[GDB_REQUEST_BYTES + 8]; /* the last one, as it was sent */
	size_t request_bytes;
	bool awaits_stop; /* in an answer */
	bool extends_sign; /* of addresses of 32 bits */
	bool has_acks, has_binary, is_running, stays_stopped, has_failed;
	size_t packet_bytes, chunk;
	uint32_t window; /* so many requests may be under way */
	uint64_t request_count;
};

enum gdb_answer { GDB_ANSWERED, GDB_SILENT, GDB_FAILED };

/* Sends; false: it cannot be. */
bool gdb_send(struct gdb *gdb, const char *text);
/* The next packet, which is in gdb->packet then. SILENT: there was none before the deadline, and it is no diag. */
enum gdb_answer gdb_receive(struct gdb *gdb, uint64_t deadline);
/* Says what is wrong with the last request's answer; from here on everything fails. Always FAILED. */
enum gdb_answer gdb_fail(struct gdb *gdb, const char *how);
enum gdb_answer gdb_fail_silent(struct gdb *gdb);
/* Whether the packet is an error's number, or its text. */
bool gdb_is_refusal(const struct packet *packet);
/* Whether a list of features, "a+;b=1", has this one. */
bool gdb_has_feature(const char *features, const char *name);

#endif
