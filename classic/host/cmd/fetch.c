/* dwell fetch: reads a machine's memory, through GDB's remote protocol or a program's link. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classic/host/doors.h"
#include "cli/command.h"
#include "cli/option.h"
#include "classic/host/io/gdb.h"
#include "classic/host/remote/fetch_buffers.h"
#include "classic/host/remote/fetch_link.h"
#include "classic/host/remote/fetch_program.h"
#include "classic/host/remote/fetched.h"
#include "classic/host/symbol/data.h"
#include "symbol/image.h"
#include "util/units.h"

static const char about[] =
	"LINK is the link of a running program that shares buffers over it\n"
	"(osProfileShare, doc/ultra.md): tcp:HOST:PORT, tcp-listen:PORT or\n"
	"serial:DEVICE:BAUD.\n"
	"\n"
	"dwell first compares the program with the target's memory, and refuses the file\n"
	"of another program or another build.\n"
	"\n"
	"Exit status: 0; 1 if a part could not be read, with a message; 2 if nothing was\n"
	"written.\n";

struct options {
	const char *where, *link, *program, *symbol, *output;
	uint64_t address, size, wait_ns, run_ns;
	bool raw, stopped;
};

/* Parses 0x20000000, or a decimal number. */
static bool read_number(const char *text, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && !*end;
}

static const char *take_address(void *address, const char *text)
{
	return read_number(text, address) ? NULL : "a number, as 0x20000000";
}

static const char *take_size(void *value, const char *text)
{
	uint64_t *size = value;

	if (!read_number(text, size) && !units_parse_bytes(text, size))
		return "bytes, as 4096, 0x1000 or 4K";
	return *size > FETCH_BYTES_MAX ? "1 GiB at the most" : NULL;
}

#define OF_STUB .family = "stub"
static bool is_link(const char *word)
{
	return !strncmp(word, "tcp:", 4) || !strncmp(word, "tcp-listen:", 11) || !strncmp(word, "serial:", 7);
}

static const struct option_row rows[] = {
	{"--gdb", "WHERE", OPTION_TEXT, OPTION_AT(where),
		"a GDB stub: " LINK_FORMS ". QEMU listens at :1234 (-s), OpenOCD and pyOCD at :3333, J-Link at :2331; no other debugger may be "
		"connected",
		.in_operands = true, OF_STUB},
	{"--program", "FILE", OPTION_FILE, OPTION_AT(program),
		"the ELF file that runs there; dwell looks for buffers of its libraries in the file's variables"},
	{"--symbol", "NAME", OPTION_TEXT, OPTION_AT(symbol),
		"read this variable instead; add --size N if the file does not say its size",
		.excludes = OPTION_EXCLUDES({"--address", "--symbol and --address are one or the other"}),
		.needs = {"--program", "--symbol: of which program? --program FILE is missing"}, OF_STUB},
	{"--address", "A", OPTION_OWN, OPTION_AT(address),
		"read this memory instead: --size N bytes from A (as 0x20000000) on, such as a heap or all RAM; the commands that read "
		"FILE find the buffers in it",
		.read = take_address, .needs = {"--size", "--address: how many bytes? --size N is missing"}, OF_STUB},
	{"--size", "N", OPTION_OWN, OPTION_AT(size),
		"with --symbol or --address: the number of bytes, as 4096, 0x1000 or 4K", .read = take_size,
		.needs = {"--symbol --address"}, OF_STUB},
	{"-o", "FILE", OPTION_FILE, OPTION_AT(output),
		"the file to write: an ELF core file with the addresses of the bytes. dwell report and the other commands read "
		"it (give them --program FILE, too), and so do gdb and readelf",
		"--output", .missing = "where to? -o FILE is missing"},
	{"--raw", NULL, OPTION_FLAG, OPTION_AT(raw), "with --symbol or --address: write the bytes alone",
		.needs = {"--symbol --address", "buffers are several, and nothing else says where they lay"}, OF_STUB},
	{"--run", "T", OPTION_DURATION, OPTION_AT(run_ns),
		"let the target run for T first, for a stub that holds it at its first instruction until somebody connects",
		OF_STUB},
	{"--stopped", NULL, OPTION_FLAG, OPTION_AT(stopped),
		"leave the target stopped. Without it the target goes on (a stub stops it when somebody connects)", OF_STUB},
	{"--wait", "T", OPTION_DURATION, OPTION_AT(wait_ns), "wait for each answer for T (5s)"},
	{0}};

static bool check(const struct option_line *line, const struct options *options, struct diag *diag)
{
	const struct command *command = line->command;

	if (!options->where && !options->link)
		return option_refuse(command, "from where? --gdb names a GDB stub: " LINK_FORMS, diag);
	if (options->link && option_get_given(line, "stub"))
		return option_refuse(command, "a link gives what the program shares: it goes with --program, --wait and -o only", diag);
	if (!options->program && !options->size && !options->link)
		return option_refuse(command, "what? --program FILE, or --address A --size N", diag);
	return true;
}

/* False: a diag has the reason, or help was printed. */
static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	struct option_line line;
	char problem[80];
	int next;

	*options = (struct options){.wait_ns = GDB_WAIT_NS};
	if (!option_read_line(&command_fetch, options, argc, argv, &line, diag))
		return false;
	next = line.first;
	if (next < argc && is_link(argv[next]))
		options->link = argv[next++];
	if (next == argc)
		return check(&line, options, diag);
	snprintf(problem, sizeof problem, "'%.64s':", argv[next]);
	return option_refuse_words(&command_fetch, problem, diag);
}

/* Finds the address of a variable. */
static bool find_symbol(struct options *options, struct diag *diag)
{
	struct symbol_data data = {0};
	size_t count = symbol_find_data(options->program, options->symbol, &data);

	if (!count)
		diag_add(diag, DIAG_ERROR, options->program, DIAG_NO_OFFSET, "has no variable '%s'", options->symbol);
	if (count > 1)
		diag_add(diag, DIAG_ERROR, options->program, DIAG_NO_OFFSET,
			"has %zu variables '%s': --address A --size N says which one is meant", count, options->symbol);
	if (count != 1)
		return false;
	options->address = data.address;
	if (!options->size)
		options->size = data.size;
	if (options->size)
		return true;
	diag_add(diag, DIAG_ERROR, options->program, DIAG_NO_OFFSET, "does not say how large '%s' is: --size N is missing", options->symbol);
	return false;
}

static bool fetch_range(struct gdb *gdb, const struct options *options, struct fetched *fetched, struct diag *diag)
{
	uint64_t got;

	if (!fetched_read(fetched, gdb, options->address, options->size, &got, diag))
		return false;
	if (!got)
		diag_add(diag, DIAG_ERROR, options->where, options->address, "cannot be read");
	else if (got < options->size)
		diag_add(diag, DIAG_WARN, options->where, options->address, "only %" PRIu64 " of %" PRIu64 " bytes can be read", got,
			options->size);
	return got;
}

static void say_done(const struct options *options, uint64_t requests, const struct fetched *fetched)
{
	char bytes[UNITS_TEXT_BYTES];

	units_format_bytes(bytes, fetched_bytes(fetched));
	printf("%s: %s, %" PRIu64 " requests\n", options->output, bytes, requests);
}

static void fetch(const struct options *options, struct symbol_image *image, struct diag *diag)
{
	struct gdb *gdb = make_gdb(options->where, options->wait_ns, diag);
	struct symbol_machine target = image ? symbol_image_machine(image) : (struct symbol_machine){0};
	const struct core_machine machine = {target.machine, target.pointer_bytes, target.is_big};
	struct fetched fetched = {0};
	bool good;

	if (!gdb)
		return;
	if (options->stopped)
		gdb_keep_stopped(gdb);
	good = (!options->run_ns || gdb_run(gdb, options->run_ns)) &&
	       (!image || fetch_check_program(gdb, options->program, image, diag));
	if (good)
		good = options->size ? fetch_range(gdb, options, &fetched, diag)
				     : fetch_buffers(gdb, options->program, image, &fetched, diag);
	if (good && fetched_write(&fetched, options->output, options->raw, &machine, diag))
		say_done(options, gdb_request_count(gdb), &fetched);
	fetched_clear(&fetched);
	free_gdb(gdb);
}

static void fetch_shared(const struct options *options, const struct symbol_image *image, struct diag *diag)
{
	const struct fetch_link link = {options->link, options->program, image, options->wait_ns};
	struct symbol_machine target = image ? symbol_image_machine(image) : (struct symbol_machine){0};
	const struct core_machine machine = {target.machine, target.pointer_bytes, target.is_big};
	struct fetched fetched = {0};
	uint64_t requests;

	if (fetch_link(&link, &fetched, &requests, diag) && fetched_write(&fetched, options->output, false, &machine, diag))
		say_done(options, requests, &fetched);
	fetched_clear(&fetched);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct options options;
	struct symbol_image *image = NULL;

	if (!read_options(argc, argv, &options, diag))
		return COMMAND_BY_DIAG;
	if (options.program) {
		image = fetch_open_program(options.program, diag);
		if (!image || (options.symbol && !find_symbol(&options, diag))) {
			free_symbol_image(image);
			return COMMAND_BY_DIAG;
		}
	}
	if (options.link)
		fetch_shared(&options, image, diag);
	else
		fetch(&options, image, diag);
	free_symbol_image(image);
	return COMMAND_BY_DIAG;
}

const struct command command_fetch = {"fetch", "LINK | --gdb WHERE", "Reads buffers out of a target's memory (GDB stub or link)", rows, about, run,
	.task = TASK_TARGETS,
	.examples = "  dwell fetch --gdb :3333 --program app.elf -o app.core  from OpenOCD\n"
		    "  dwell report --program app.elf app.core                read what came\n"};
