/* Any bytes as what a GDB stub says: all of them at once, then it is gone. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "classic/host/io/gdb.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SAID_MAX (96u << 10) /* what a socket takes without a reader */
#define WAIT_NS UINT64_C(1000000)

static void talk(struct gdb *gdb)
{
	static uint8_t buffer[9000];

	for (int i = 0; i < 3; i++) {
		size_t got = gdb_read_memory(gdb, UINT64_C(0x1000) << 20 * i, buffer, sizeof buffer >> i);

		if (got > sizeof buffer >> i)
			abort();
		if (!gdb_go(gdb) || !gdb_stop(gdb))
			break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct diag *diag = make_diag();
	struct gdb *gdb;
	int ends[2];

	if (size > SAID_MAX)
		size = SAID_MAX;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		abort();
	if (send(ends[1], data, size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && size)
		abort();
	shutdown(ends[1], SHUT_WR);
	gdb = make_gdb_of(make_link_of(ends[0], "stub", diag), WAIT_NS, diag);
	if (gdb)
		talk(gdb);
	else if (diag_status(diag) != 2)
		abort(); /* it is to say why */
	free_gdb(gdb);
	close(ends[1]);
	free_diag(diag);
	return 0;
}
