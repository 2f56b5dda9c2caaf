/* gdb: the client of GDB's remote protocol: a machine that a stub gives access to. QEMU, OpenOCD, pyOCD and J-Link have one.
 *
 * A stub stops its target when somebody connects; free_gdb lets it go on. What it says is not trusted, and nothing waits longer for an
 * answer than was said. After a failure that is a diag nothing more is asked, and everything fails. */
#ifndef DWELL_HOST_IO_GDB_H
#define DWELL_HOST_IO_GDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/link.h"
#include "util/diag.h"

#define GDB_WAIT_NS UINT64_C(5000000000) /* what is usual to wait for an answer */

struct gdb;

/* Connects, and agrees on how to talk. The target stands then. Null and a diag when that cannot be. where: as for make_link. */
struct gdb *make_gdb(const char *where, uint64_t wait_ns, struct diag *diag);
/* By a link that is open, which is freed with it. */
struct gdb *make_gdb_of(struct link *take_link, uint64_t wait_ns, struct diag *diag);
/* Leaves the target running; or standing, where that was asked for. */
void free_gdb(struct gdb *gdb);
void gdb_keep_stopped(struct gdb *gdb);

/* The target stands, or goes on. False and a diag when it does not. */
bool gdb_stop(struct gdb *gdb);
bool gdb_go(struct gdb *gdb);

/* Lets the target run for so long, or until it stops by itself. False and a diag when it is over, or cannot be stopped. */
bool gdb_run(struct gdb *gdb, uint64_t ns);

/* Reads size bytes of the target's memory. Returns how many could be, from the first on: what lies behind them cannot be read, which is no
 * diag; or the connection failed, which is one, and gdb_has_failed. */
size_t gdb_read_memory(struct gdb *gdb, uint64_t address, void *buffer, size_t size);
bool gdb_has_failed(const struct gdb *gdb);

/* Addresses of 32 bits are sign-extended: a MIPS of 64 bits has the memory that a program of 32 bits calls 0x80000000 there. */
void gdb_extend_sign(struct gdb *gdb, bool extends);

/* How many requests were sent: what reading costs. */
uint64_t gdb_request_count(const struct gdb *gdb);

#endif
