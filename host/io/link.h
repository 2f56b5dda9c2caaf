/* link: a line to another machine, bytes both ways: TCP, a Unix socket, a serial line. Knows no protocol.
 *
 * Nothing here waits for longer than it was told: whoever is at the other end may be silent for ever. */
#ifndef DWELL_HOST_IO_LINK_H
#define DWELL_HOST_IO_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

struct link;

/* What is given as the other end. */
#define LINK_FORMS_OF_SOCKETS "HOST:PORT, the path of a Unix socket,"
#define LINK_FORM_OF_LINES "or of a serial line, /dev/ttyACM0:115200"
#define LINK_FORMS LINK_FORMS_OF_SOCKETS " " LINK_FORM_OF_LINES
/* Which of them it is may be said: tcp:HOST:PORT, serial:DEVICE:BAUD. tcp-listen:PORT, tcp-listen:ADDRESS:PORT: the other end connects, on
 * this machine unless there is an address. */

/* Opens it, in wait_ns at most (a name is looked up for as long as the system likes). Null and a diag when it cannot be. */
struct link *make_link(const char *where, uint64_t wait_ns, struct diag *diag);
/* One that is open: a descriptor of a socket or a terminal, which is closed with it. For tests and fuzzers. */
struct link *make_link_of(int take_descriptor, const char *name, struct diag *diag);
void free_link(struct link *link);

/* For messages: as it was given. */
const char *link_name(const struct link *link);

/* A moment that lies so far ahead. */
uint64_t link_deadline(uint64_t wait_ns);

/* All of them, before the deadline. False and a diag when that cannot be. */
bool link_write(struct link *link, const void *bytes, size_t size, uint64_t deadline);

/* What there is, a byte at least, before the deadline. 0: there was none until then, and no diag; or the other end is gone, which is a
 * diag and link_is_gone. */
size_t link_read(struct link *link, void *buffer, size_t size, uint64_t deadline);
bool link_is_gone(const struct link *link);
/* From here on the other end may go: that is no diag. */
void link_expect_end(struct link *link);

#endif
