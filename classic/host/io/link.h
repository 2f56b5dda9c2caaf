/* link: a connection to another machine, bytes both ways, without a protocol: TCP, a Unix socket, a serial line.
 *
 * No function waits beyond its deadline: the other end may be silent for ever. */
#ifndef DWELL_CLASSIC_HOST_IO_LINK_H
#define DWELL_CLASSIC_HOST_IO_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

struct link;

/* The forms of an address. */
#define LINK_FORMS_OF_SOCKETS "HOST:PORT, the path of a Unix socket,"
#define LINK_FORM_OF_LINES "or of a serial line, /dev/ttyACM0:115200"
#define LINK_FORMS LINK_FORMS_OF_SOCKETS " " LINK_FORM_OF_LINES
/* A prefix may select the form: tcp:HOST:PORT, serial:DEVICE:BAUD. With tcp-listen:PORT or
 * tcp-listen:ADDRESS:PORT the other end connects; without an address only from this machine. */

/* Opens a link, in wait_ns at most (resolving a name may take longer). Null and a diag on failure. */
struct link *make_link(const char *where, uint64_t wait_ns, struct diag *diag);
/* Makes a link of an open descriptor of a socket or a terminal; free_link closes the descriptor. For tests and fuzzers. */
struct link *make_link_of(int take_descriptor, const char *name, struct diag *diag);
void free_link(struct link *link);

/* For messages: the address as given. */
const char *link_name(const struct link *link);

/* Returns the time wait_ns from now. */
uint64_t link_deadline(uint64_t wait_ns);

/* Writes all bytes, before the deadline. False and a diag on failure. */
bool link_write(struct link *link, const void *bytes, size_t size, uint64_t deadline);

/* Reads what has arrived, at least one byte, before the deadline. 0: nothing
 * arrived, without a diag; or the other end is gone, with a diag and link_is_gone. */
size_t link_read(struct link *link, void *buffer, size_t size, uint64_t deadline);
bool link_is_gone(const struct link *link);
/* From here on an end of the connection is no diag. */
void link_expect_end(struct link *link);

#endif
