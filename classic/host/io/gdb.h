/* gdb: a client of GDB's remote protocol, for the memory of a machine behind a stub. QEMU, OpenOCD, pyOCD and J-Link have one.
 *
 * A stub stops its target when a debugger connects; free_gdb continues it. The stub's answers are not trusted, and
 * no wait for an answer exceeds wait_ns. After a failure with a diag, every further call fails without a request. */
#ifndef DWELL_CLASSIC_HOST_IO_GDB_H
#define DWELL_CLASSIC_HOST_IO_GDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "classic/host/io/link.h"
#include "util/diag.h"

#define GDB_WAIT_NS UINT64_C(5000000000) /* the default for an answer */

struct gdb;

/* Connects and agrees on the protocol's options. The target is
 * stopped then. Null and a diag on failure. where: as for make_link. */
struct gdb *make_gdb(const char *where, uint64_t wait_ns, struct diag *diag);
/* The same over an open link, which the gdb owns. */
struct gdb *make_gdb_of(struct link *take_link, uint64_t wait_ns, struct diag *diag);
/* Continues the target; after gdb_keep_stopped, leaves it stopped. */
void free_gdb(struct gdb *gdb);
void gdb_keep_stopped(struct gdb *gdb);

/* Stops or continues the target. False and a diag on failure. */
bool gdb_stop(struct gdb *gdb);
bool gdb_go(struct gdb *gdb);

/* Runs the target for this time, or until the target stops by itself.
 * False and a diag: the program has ended, or cannot be stopped. */
bool gdb_run(struct gdb *gdb, uint64_t ns);

/* Reads size bytes of the target's memory. Returns how many bytes were read, from the first on. A short
 * read means unreadable memory, without a diag; or a failed connection, with a diag and gdb_has_failed. */
size_t gdb_read_memory(struct gdb *gdb, uint64_t address, void *buffer, size_t size);
bool gdb_has_failed(const struct gdb *gdb);

/* Sign-extends addresses of 32 bits: a stub of a 64-bit MIPS has the memory
 * that a 32-bit program addresses as 0x80000000 at 0xffffffff80000000. */
void gdb_extend_sign(struct gdb *gdb, bool extends);

/* Returns the number of requests sent, the cost of reading. */
uint64_t gdb_request_count(const struct gdb *gdb);

#endif
