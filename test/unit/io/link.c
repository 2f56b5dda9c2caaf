/* Links: a serial line, played by a pair of terminals, is a line of plain bytes for one host, and afterwards what it was before;
 * and what cannot be opened. (TCP: test/e2e/machines/ultra.sh; sockets: test/unit/io/gdb.c.) */
#include <fcntl.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#include "check.h"
#include "classic/host/io/link.h"

/* No test here takes so long but one that hangs. */
#define LONG_NS UINT64_C(20000000000)

static int machine = -1; /* the other end of the line */
static char device[128];

static void open_line(void)
{
	machine = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	if (machine < 0 || grantpt(machine) || unlockpt(machine) || ptsname_r(machine, device, sizeof device)) {
		puts("1..0 # SKIP no pairs of terminals");
		exit(0);
	}
}

static struct link *open_link(const char *rate, struct diag *diag)
{
	char where[200];

	snprintf(where, sizeof where, "serial:%s%s", device, rate);
	return make_link(where, LONG_NS, diag);
}

static struct termios mode_of(int fd)
{
	struct termios mode = {0};

	CHECK(!tcgetattr(fd, &mode));
	return mode;
}

static bool is_same(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag && a->c_lflag == b->c_lflag &&
	       !memcmp(a->c_cc, b->c_cc, sizeof a->c_cc) && cfgetospeed(a) == cfgetospeed(b);
}

/* What diag has said: whether the words are in it. */
static bool says(struct diag *diag, const char *words)
{
	char *said = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&said, &size);
	bool found;

	diag_print(diag, out);
	fclose(out);
	found = strstr(said, words);
	if (!found)
		printf("# said: %s", said);
	free(said);
	return found;
}

/* Each byte that there is, each way, as it is: none is a line's end, an interrupt, or one that stops the line. */
TEST(plain_bytes)
{
	struct diag *diag = make_diag();
	struct link *link;
	uint8_t sent[256], got[256];
	size_t count = 0;

	open_line();
	link = open_link(":115200", diag);
	CHECK(link && !diag_status(diag));
	for (int i = 0; i < 256; i++)
		sent[i] = (uint8_t)(i * 7 + 3);
	CHECK_EQ(write(machine, sent, sizeof sent), sizeof sent);
	while (count < sizeof got) {
		size_t part = link_read(link, got + count, sizeof got - count, link_deadline(LONG_NS));

		if (!part)
			break;
		count += part;
	}
	CHECK_EQ(count, sizeof got);
	CHECK(!memcmp(sent, got, sizeof got));
	CHECK(link_write(link, sent, sizeof sent, link_deadline(LONG_NS)));
	memset(got, 0, sizeof got);
	for (count = 0; count < sizeof got;) {
		ssize_t part = read(machine, got + count, sizeof got - count);

		if (part > 0)
			count += (size_t)part;
	}
	CHECK(!memcmp(sent, got, sizeof got));
	/* Nothing more comes: none was sent back. */
	CHECK_EQ(link_read(link, got, sizeof got, link_deadline(1000000)), 0);
	CHECK(!link_is_gone(link));
	free_link(link);
	close(machine);
	free_diag(diag);
}

TEST(as_it_was)
{
	struct diag *diag = make_diag();
	struct termios before, during, after;
	struct link *link;
	int user;

	open_line();
	user = open(device, O_RDWR | O_NOCTTY);
	before = mode_of(user);
	cfsetspeed(&before, B19200);
	before.c_cc[VMIN] = 7;
	CHECK(!tcsetattr(user, TCSANOW, &before));
	before = mode_of(user);
	link = open_link(":921600", diag);
	CHECK(link);
	during = mode_of(user);
	CHECK_EQ(cfgetospeed(&during), B921600);
	CHECK_EQ(cfgetispeed(&during), B921600);
	CHECK(!(during.c_lflag & (ICANON | ECHO | ISIG)) && !(during.c_iflag & (IXON | ICRNL)) && !(during.c_oflag & OPOST));
	CHECK_EQ(during.c_cc[VMIN], 1);
	free_link(link);
	after = mode_of(user);
	CHECK(is_same(&before, &after));
	/* Without a rate it stays. */
	link = open_link("", diag);
	CHECK(link);
	during = mode_of(user);
	CHECK_EQ(cfgetospeed(&during), B19200);
	CHECK(!(during.c_lflag & ICANON));
	free_link(link);
	after = mode_of(user);
	CHECK(is_same(&before, &after));
	CHECK_EQ(diag_status(diag), 0);
	close(user);
	close(machine);
	free_diag(diag);
}

/* A line that is pulled out is gone, and said to be; nobody waits for it. */
TEST(pulled_out)
{
	struct diag *diag = make_diag();
	struct link *link;
	uint8_t byte = 0;

	open_line();
	link = open_link(":9600", diag);
	CHECK(link);
	close(machine);
	CHECK_EQ(link_read(link, &byte, 1, link_deadline(LONG_NS)), 0);
	CHECK(link_is_gone(link));
	CHECK(!link_write(link, &byte, 1, link_deadline(LONG_NS)));
	CHECK(says(diag, "the connection is gone"));
	free_link(link);
	free_diag(diag);
	diag = make_diag();
	CHECK(!open_link(":9600", diag));
	CHECK(says(diag, "No such file or directory"));
	free_diag(diag);
}

TEST(one_host)
{
	struct diag *diag = make_diag();
	struct link *first, *second;

	open_line();
	first = open_link(":115200", diag);
	CHECK(first && !diag_status(diag));
	second = open_link(":115200", diag);
	CHECK(!second);
	CHECK(says(diag, "another program has this serial line"));
	free_link(first);
	second = open_link(":115200", diag);
	CHECK(second);
	free_link(second);
	close(machine);
	free_diag(diag);
}

TEST(what_cannot_be_opened)
{
	static const char *const rates[] = {":", ":0", ":115201", ":-9600", ":9600x", ":99999999999999999999", ": "};
	static const struct {
		const char *where, *why;
	} wrong[] = {
		{"serial:/dev/null", "this is no serial line"},
		{"serial:/dev/null:115200", "this is no serial line"},
		{"tcp:localhost:0", "expected a port from 1 to 65535"},
		{"tcp:localhost:65536", "expected a port from 1 to 65535"},
		{"tcp:localhost:", "expected a port from 1 to 65535"},
		{"tcp-listen:99999", "expected a port from 1 to 65535"},
		{"tcp-listen:", "expected a port from 1 to 65535"},
		{"tcp-listen:localhost:5000", "not known"},
		{"tcp:localhost", "is no place to connect to"},
		{"nothing", "is no place to connect to"},
	};
	struct diag *diag = make_diag();
	struct termios before, after;

	open_line();
	before = mode_of(machine);
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		struct diag *one = make_diag();

		CHECK(!open_link(rates[i], one));
		CHECK(says(one, "expected a rate of 9600, 19200"));
		free_diag(one);
	}
	after = mode_of(machine);
	CHECK(is_same(&before, &after));
	close(machine);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct diag *one = make_diag();

		CHECK(!make_link(wrong[i].where, LONG_NS, one));
		CHECK(says(one, wrong[i].why));
		CHECK_EQ(diag_status(one), 2);
		free_diag(one);
	}
	free_diag(diag);
}

int main(void)
{
	RUN(plain_bytes);
	RUN(as_it_was);
	RUN(pulled_out);
	RUN(one_host);
	RUN(what_cannot_be_opened);
	return tap_done();
}
