/* dwell names: replaces addresses in the text of a console by function names. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/option.h"
#include "cmd/names/address_text.h"
#include "cmd/names/console_name.h"
#include "util/output.h"

#define PIECE_BYTES 65536

static const char about[] =
	"dwell names copies standard input to standard output and replaces addresses of\n"
	"PROGRAM's code by the function's name and the distance from its beginning. It\n"
	"also replaces addresses of name strings of PROGRAM's functions, such as\n"
	"__PROFILE_ENTRY gets. It works live: dwell names app.elf < /dev/ttyUSB0.\n"
	"\n"
	"An address is a hexadecimal number that stands alone: 4 to 16 digits after 0x,\n"
	"or 8 or 16 digits without it. A number that happens to look like one cannot be\n"
	"told from it. In code for ARM and MIPS bit 0, which tells the state, is left\n"
	"out. For a return address (lr=0200434c) --lines shows where the call is.\n"
	"\n"
	"If a program was not loaded at its file's addresses, as position-independent\n"
	"ones never are, give it as PROGRAM@BASE. BASE is the difference, in hexadecimal.\n"
	"There may be several programs, as with shared libraries.\n";

#define AT(member) offsetof(struct console_options, member)
static const struct option_row rows[] = {
	{"--lines", NULL, OPTION_FLAG, AT(lines), "add the place in the source: parse+0x1a (/src/app.c:12)"},
	{"--full-names", NULL, OPTION_FLAG, AT(full_names), "C++ names with all arguments"},
	{0}};

/* Copies standard input to standard output with names for addresses. Ends without an error if the reader of the output closes it.
 */
static void filter(struct console_names *names, struct diag *diag)
{
	struct output *output = malloc(sizeof *output);
	char *bytes = malloc(PIECE_BYTES);
	struct address_text text = {.name = console_name, .context = names, .out = output};
	ssize_t got = 0;

	if (output && bytes) {
		output_begin(output, stdout);
		do {
			got = read(STDIN_FILENO, bytes, PIECE_BYTES);
			if (got <= 0)
				continue;
			address_text_feed(&text, bytes, (size_t)got);
			output_flush(output);
			if (!output->error && fflush(stdout))
				output->error = errno;
		} while (!output->error && (got > 0 || (got < 0 && errno == EINTR)));
		if (got < 0)
			diag_add(diag, DIAG_ERROR, "standard input", DIAG_NO_OFFSET, "cannot read: %s", strerror(errno));
		address_text_finish(&text);
		if (output_end(output, "standard output", diag))
			console_names_explain(names, text.numbers, diag);
	} else {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "no memory");
	}
	free(output);
	free(bytes);
}

static int run(int argc, char **argv, struct diag *diag)
{
	struct console_options options = {0};
	struct console_names *names;
	struct option_line line;

	if (!option_read_line(&command_names, &options, argc, argv, &line, diag))
		return COMMAND_BY_DIAG;
	if (line.first == argc) {
		option_refuse_words(&command_names, "which program?", diag);
		return COMMAND_BY_DIAG;
	}
	names = make_console_names(argv + line.first, (size_t)(argc - line.first), &options, diag);
	if (names)
		filter(names, diag);
	free_console_names(names);
	return COMMAND_BY_DIAG;
}

const struct command command_names = {"names", "PROGRAM[@BASE] ... < TEXT", "Replaces addresses in a console's text by function names", rows, about, run,
	.task = TASK_TARGETS,
	.examples = "  dwell names app.elf < /dev/ttyUSB0         live, from a serial line\n"
		    "  dwell names --lines app.elf < console.log  with source lines\n"};
