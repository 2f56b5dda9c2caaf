/* dwell fetch: bytes out of a machine's memory, through GDB's remote protocol. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/option.h"
#include "io/gdb.h"
#include "remote/fetch_buffers.h"
#include "remote/fetch_link.h"
#include "remote/fetch_program.h"
#include "remote/fetched.h"
#include "remote/gperf_live.h"
#include "symbol/data.h"
#include "symbol/image.h"
#include "util/units.h"

static const char help[] =
	"  --gdb WHERE    a GDB stub: " LINK_FORMS_OF_SOCKETS "\n"
	"                 " LINK_FORM_OF_LINES ".\n"
	"                 QEMU listens at :1234 (-s), OpenOCD and pyOCD at :3333, J-Link\n"
	"                 at :2331; no other debugger may be connected\n"
	"  --program FILE the ELF file that runs there: the buffers that dwell's\n"
	"                 libraries fill are looked for in its variables\n"
	"  --symbol NAME  this variable of it instead, with --size N bytes where the file\n"
	"                 does not say how large it is\n"
	"  --address A    this memory instead: --size N bytes from 0x… on. A heap, or all\n"
	"                 of the RAM: whoever reads it finds the buffers in it\n"
	"  -o FILE        where they go: an ELF core file, which says where the bytes\n"
	"                 lay, and which dwell report and the other commands read\n"
	"                 (--program FILE there, too); gdb and readelf know it as well\n"
	"  --raw          of --symbol or --address: the bytes alone\n"
	"  --run T        let the target run for that long first, as where a stub holds\n"
	"                 it at its first instruction until somebody connects\n"
	"  --stopped      leave the target standing; else it goes on. (A stub stops it\n"
	"                 when somebody connects)\n"
	"  --wait T       how long to wait for each answer (5s)\n"
	"\n"
	"LINK is that of a running program that has one and shares buffers over it\n"
	"(osProfileShare, doc/ultra.md): tcp:HOST:PORT, tcp-listen:PORT or\n"
	"serial:DEVICE:BAUD.\n"
	"\n"
	"The program is compared with the target's memory first: a file of another\n"
	"program, or another build of it, is refused.\n"
	"\n"
	"Exit status: 0; 1 when a part could not be read, which is said; 2 when nothing\n"
	"was written.\n";

struct options {
	const char *where, *link, *program, *symbol, *address_text, *size_text, *output;
	uint64_t address, size, wait_ns, run_ns;
	bool raw, stopped;
};

static bool refuse(struct diag *diag, const char *what)
{
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "fetch: %s", what);
	return false;
}

/* 0x20000000, or a decimal. */
static bool read_number(const char *text, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && !*end;
}

static bool read_range(struct options *options, struct diag *diag)
{
	if (options->address_text && !read_number(options->address_text, &options->address)) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "fetch: --address '%s': expected a number, as 0x20000000",
			options->address_text);
		return false;
	}
	if (options->size_text && !read_number(options->size_text, &options->size) &&
		!units_parse_bytes(options->size_text, &options->size)) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "fetch: --size '%s': expected bytes, as 4096, 0x1000 or 4K", options->size_text);
		return false;
	}
	return true;
}

static bool check(const struct options *options, struct diag *diag)
{
	bool has_range = options->symbol || options->address_text;

	if (!options->where && !options->link)
		return refuse(diag, "from where? --gdb tells a stub: " LINK_FORMS);
	if (options->link && (options->where || has_range || options->size || options->raw || options->run_ns || options->stopped))
		return refuse(diag, "a link gives what the program shares: it goes with --program, --wait and -o only");
	if (!options->output)
		return refuse(diag, "where to? -o FILE is missing");
	if (options->symbol && options->address_text)
		return refuse(diag, "--symbol and --address are one or the other");
	if (!options->program && !options->address_text && !options->link)
		return refuse(diag, options->symbol ? "--symbol: of which program? --program FILE is missing"
						    : "what? --program FILE, or --address A --size N");
	if (options->address_text && !options->size)
		return refuse(diag, "--address: how many bytes? --size N is missing");
	if (options->size && !has_range)
		return refuse(diag, "--size goes with --symbol or --address");
	if (options->raw && !has_range)
		return refuse(diag, "--raw goes with --symbol or --address: buffers are several, and nothing else says where they lay");
	if (options->size > FETCH_BYTES_MAX)
		return refuse(diag, "--size: more than 1 GiB");
	return true;
}

/* False: a diag says why, or help was printed. */
static bool read_options(int argc, char **argv, struct options *options, struct diag *diag)
{
	const struct option_row rows[] = {
		{"gdb", OPTION_TEXT, &options->where},
		{"program", OPTION_TEXT, &options->program},
		{"symbol", OPTION_TEXT, &options->symbol},
		{"address", OPTION_TEXT, &options->address_text},
		{"size", OPTION_TEXT, &options->size_text},
		{"output", OPTION_TEXT, &options->output, 'o'},
		{"raw", OPTION_FLAG, &options->raw},
		{"stopped", OPTION_FLAG, &options->stopped},
		{"wait", OPTION_DURATION, &options->wait_ns},
		{"run", OPTION_DURATION, &options->run_ns},
	};
	int first;

	*options = (struct options){.wait_ns = GDB_WAIT_NS};
	if (!option_read_words(&command_fetch, rows, sizeof rows / sizeof *rows, argc, argv, &first, diag))
		return false;
	if (first < argc && gperf_live_is_link(argv[first]))
		options->link = argv[first++];
	if (first < argc) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "fetch: '%s': usage: dwell fetch %s", argv[first], command_fetch.arguments);
		return false;
	}
	return read_range(options, diag) && check(options, diag);
}

/* Where a variable is. */
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

const struct command command_fetch = {"fetch",
	"LINK [--program FILE] [--wait T] -o FILE | --gdb WHERE [--program FILE] [--symbol NAME | --address A] [--size N] [--raw] [--run T] [--stopped] [--wait T] -o FILE",
	"Gets buffers out of a machine's memory, by a GDB stub or a link", help, run};
