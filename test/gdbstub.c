/* gdbstub SOCKET PROGRAM [MANNER]: a GDB stub at a Unix socket, whose memory is what the program file puts there. It serves whoever
 * connects, one after the other, and ends when nobody does for 20 seconds. Prints nothing; the socket is there as soon as it
 * listens. */
#include <errno.h>
#include <sys/un.h>

#include "stub.h"
#include "symbol/image.h"

static const struct {
	const char *name;
	enum stub_manner manner;
} manners[] = {{"good", STUB_GOOD}, {"silent", STUB_SILENT}, {"damages", STUB_DAMAGES_ALL}, {"refuses", STUB_REFUSES}, {"goes", STUB_GOES},
	{"no-hex", STUB_NO_HEX}, {"announces", STUB_ANNOUNCES}};

/* Under its name only once it listens: who waits for that may connect. */
static int listen_at(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof address.sun_path, "%s~", path);
	if (fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof address) || listen(fd, 4) ||
		rename(address.sun_path, path)) {
		fprintf(stderr, "gdbstub: %s: %s\n", path, strerror(errno));
		exit(2);
	}
	return fd;
}

/* Its segments, with zeros where the file has no bytes. */
static size_t load(const char *path, struct stub_memory memory[SYMBOL_SPANS_MAX])
{
	struct symbol_image *image = make_symbol_image(path);
	size_t count = image ? symbol_image_count(image) : 0;

	for (size_t i = 0; i < count; i++) {
		struct symbol_span span = symbol_image_at(image, i);
		size_t size = (size_t)(span.high - span.low);
		uint8_t *bytes = calloc(1, size);

		symbol_image_read(image, span.low, bytes, size);
		memory[i] = (struct stub_memory){span.low, bytes, size};
	}
	free_symbol_image(image);
	return count;
}

int main(int argc, char **argv)
{
	static struct stub_memory memory[SYMBOL_SPANS_MAX];
	struct stub stub = {.packet_bytes = 0x400, .no_ack = true, .memory = memory};
	int listener;

	if (argc < 3)
		return 2;
	for (size_t i = 0; argc > 3 && i < sizeof manners / sizeof *manners; i++)
		if (!strcmp(argv[3], manners[i].name))
			stub.manner = manners[i].manner;
	stub.memory_count = load(argv[2], memory);
	listener = listen_at(argv[1]);
	for (;;) {
		struct stub one = stub;

		alarm(20);
		one.fd = accept(listener, NULL, NULL);
		if (one.fd < 0)
			return 2;
		stub_serve(&one);
		close(one.fd);
	}
}
