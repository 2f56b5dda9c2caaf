/* record --gdb: samples whatever is behind a GDB stub: it is stopped, asked where it is, and goes on. No code of ours is in it. */
#ifndef DWELL_HOST_REMOTE_RECORD_GDB_H
#define DWELL_HOST_REMOTE_RECORD_GDB_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"

struct record_gdb {
	const char *where;   /* as for make_link */
	const char *program; /* the ELF file that runs there */
	const char *output;  /* null: PROGRAM.dwell */
	const char *command_line;
	double hz;
	bool fixed;
	uint64_t for_ns;     /* 0: until somebody sends SIGINT or SIGTERM */
};

/* What is wrong is a diag. */
void record_gdb(const struct record_gdb *options, struct diag *diag);

#endif
