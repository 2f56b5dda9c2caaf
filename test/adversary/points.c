#include "points.h"

#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "port/cpu/x86_64/stubs.h"
#include "port/os/linux/agent.h"


/* port/cpu/x86_64: the template, and where the exported entries go. */
extern const uint8_t dwell_stub_claim_enter[], dwell_stub_claim_exit[], dwell_stub_claim_enter_slow[], dwell_stub_claim_exit_slow[];
extern const uint8_t dwell_stub_enter_descriptor[], dwell_stub_exit_descriptor[];
extern const uint8_t dwell_stub_site_descriptor[], dwell_stub_site_keeping_descriptor[];
extern const uint8_t dwell_stub_claim_site[], dwell_stub_claim_site_slow[];
extern const uint8_t dwell_stub_claim_site_keeping[], dwell_stub_claim_site_keeping_slow[];
/* The forms for where functions are left out, and counted. */
extern const uint8_t dwell_stub_counting_enter_descriptor[], dwell_stub_chosen_exit_descriptor[];
extern const uint8_t dwell_stub_claim_counting_enter[], dwell_stub_claim_counting_enter_slow[];
extern const uint8_t dwell_stub_claim_chosen_exit[], dwell_stub_claim_chosen_exit_slow[];
extern void *dwell_enter_target, *dwell_exit_target;

static void give_up(const char *what)
{
	printf("Bail out! %s\n", what);
	exit(1);
}

static FILE *run(const char *command)
{
	FILE *output = popen(command, "r");

	if (!output)
		give_up(command);
	return output;
}

static void end(FILE *output, const char *command)
{
	if (pclose(output))
		give_up(command);
}

static void add(struct points *points, uint8_t *at, const char *function, unsigned long offset)
{
	struct point *point = &points->list[points->count++];

	if (points->count == POINTS_MAX)
		give_up("more instructions than expected");
	point->at = at;
	point->restarts = !strncmp(function, "stub ", 5) || !strcmp(function, "dwell_rseq_push");
	snprintf(point->name, sizeof point->name, "%.48s+0x%lx", function, offset);
}

/* " WORD " for each function of the objects. noinline: else GCC 12 takes that memory for the variable which points to it, and
 * warns. */
static __attribute__((noinline)) char *make_names(const char *objects)
{
	char command[4096], line[1024], name[512], kind, *names = NULL;
	size_t size;
	FILE *output, *list = open_memstream(&names, &size);

	snprintf(command, sizeof command, "nm --defined-only %s", objects);
	output = run(command);
	fputc(' ', list);
	while (fgets(line, sizeof line, output))
		if (sscanf(line, "%*x %c %511s", &kind, name) == 2 && (kind == 't' || kind == 'T'))
			fprintf(list, "%s ", name);
	end(output, command);
	fclose(list);
	return names;
}

/* Each of the names once: the host's library, which stands behind the agent, may have functions of these names, too. */
static bool take_name(char *names, const char *name)
{
	const char *at;
	char wanted[520];

	snprintf(wanted, sizeof wanted, " %s ", name);
	at = strstr(names, wanted);
	if (at)
		names[at - names + 1] = '\n';
	return at != NULL;
}

static int find_bias(struct dl_phdr_info *info, size_t size, void *bias)
{
	(void)size;
	*(uintptr_t *)bias = info->dlpi_addr;
	return 1; /* the program comes first */
}

/* Instructions of the program's own text, as objdump sees the file; but for push, which has more than instructions. */
static void add_functions(struct points *points, const char *objects)
{
	char command[256], line[1024], name[512], *names = make_names(objects);
	unsigned long address, begin = 0;
	uintptr_t bias = 0;
	bool inside = false;
	FILE *output;

	dl_iterate_phdr(find_bias, &bias);
	snprintf(command, sizeof command, "objdump -d --no-show-raw-insn /proc/%d/exe", (int)getpid());
	output = run(command);
	while (fgets(line, sizeof line, output)) {
		char colon;

		if (sscanf(line, "%lx <%511[^>]>%c", &address, name, &colon) == 3 && colon == ':') {
			inside = take_name(names, name) && strcmp(name, "dwell_rseq_push") != 0;
			begin = address;
		} else if (inside && sscanf(line, " %lx%c", &address, &colon) == 2 && colon == ':') {
			add(points, (uint8_t *)(bias + address), name, address - begin);
		}
	}
	end(output, command);
	free(names);
}

/* Instructions at code + from, as objdump sees these bytes. */
static void add_bytes(struct points *points, uint8_t *code, size_t from, size_t size, const char *name)
{
	char path[] = "/tmp/dwell-points.XXXXXX", command[256], line[1024], colon;
	int fd = mkstemp(path);
	unsigned long offset;
	FILE *output;

	if (fd < 0 || write(fd, code + from, size) != (ssize_t)size)
		give_up("no room for a scratch file in /tmp");
	snprintf(command, sizeof command, "objdump -D -b binary -m i386:x86-64 --no-show-raw-insn %s", path);
	output = run(command);
	while (fgets(line, sizeof line, output))
		if (sscanf(line, " %lx%c", &offset, &colon) == 2 && colon == ':')
			add(points, code + from + offset, name, from + offset);
	end(output, command);
	close(fd);
	unlink(path);
}

static void add_restartable(struct points *points, uint8_t *code, const uint8_t *descriptor, const char *name)
{
	uint64_t abort = *(const uint64_t *)(descriptor + 24); /* an offset in the template */

	/* Before the abort handler stands its signature, which is no code; and the handler is one jump. */
	add_bytes(points, code, 0, abort - 4, name);
	add(points, code + abort, name, abort);
}

/* In front of what it does when it is aborted stands the signature, too: with a breakpoint in that the kernel kills the thread that
 * it aborts, which is whichever it takes a processor from just then. */
static void add_push(struct points *points)
{
	static const uint8_t signature[] = {0x53, 0x30, 0x05, 0x53}, end[] = {0x31, 0xc0, 0xc3};
	uint8_t *code = (uint8_t *)(uintptr_t)dwell_rseq_push, *at = code;

	while (memcmp(at, signature, sizeof signature) != 0)
		at++;
	if (memcmp(at + sizeof signature, end, sizeof end) != 0)
		give_up("dwell_rseq_push is not what this test knows");
	add_bytes(points, code, 0, (size_t)(at - code), "dwell_rseq_push");
	add_bytes(points, code, (size_t)(at - code) + sizeof signature, sizeof end, "dwell_rseq_push");
}

static void make_writable(const struct points *points)
{
	for (unsigned i = 0; i < points->count; i++)
		if (mprotect((void *)((uintptr_t)points->list[i].at & ~(PAGE - 1)), PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) < 0)
			give_up("this system does not let a program change its code");
}

struct points make_points(const char *objects)
{
	struct points points = {.list = calloc(POINTS_MAX, sizeof *points.list)};

	struct stubs stubs = stubs_general();

	if (!points.list)
		give_up("no memory");
	if (dwell_rseq_offset) {
		add_restartable(&points, dwell_enter_target,
			throttle_is_on ? dwell_stub_counting_enter_descriptor : dwell_stub_enter_descriptor, "stub enter");
		add_restartable(&points, dwell_exit_target,
			throttle_is_on ? dwell_stub_chosen_exit_descriptor : dwell_stub_exit_descriptor, "stub exit");
		add_restartable(&points, stubs.site, dwell_stub_site_descriptor, "stub site");
		add_restartable(&points, stubs.site_keeping, dwell_stub_site_keeping_descriptor, "stub site keeping");
	} else {
		add_bytes(&points, dwell_enter_target, 0,
			(size_t)(throttle_is_on ? dwell_stub_claim_counting_enter_slow - dwell_stub_claim_counting_enter
						: dwell_stub_claim_enter_slow - dwell_stub_claim_enter), "claiming stub enter");
		add_bytes(&points, dwell_exit_target, 0,
			(size_t)(throttle_is_on ? dwell_stub_claim_chosen_exit_slow - dwell_stub_claim_chosen_exit
						: dwell_stub_claim_exit_slow - dwell_stub_claim_exit), "claiming stub exit");
		add_bytes(&points, stubs.site, 0, (size_t)(dwell_stub_claim_site_slow - dwell_stub_claim_site), "claiming stub site");
		add_bytes(&points, stubs.site_keeping, 0,
			(size_t)(dwell_stub_claim_site_keeping_slow - dwell_stub_claim_site_keeping), "claiming stub site keeping");
	}
	add_push(&points);
	add_functions(&points, objects);
	make_writable(&points);
	return points;
}
