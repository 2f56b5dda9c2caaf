/* SPDX-License-Identifier: MIT
 *
 * PROFILE.PRG, PROFILE.TTP: [options] PROGRAM [arguments]. Loads the program, samples it
 * while it runs, writes the report. Status: the program's; if that is 0: 0 done; 1 done, with a problem; 2 failed.
 */
#include "classic/target/atari/child.h"
#include "classic/target/atari/sampler.h"
#include "classic/target/atari/tos.h"
#include "classic/core/profile_options.h"
#include "classic/core/summary.h"

#define TAIL_BYTES 128
#define OUTPUT_BYTES 1024

int atari_main(void);

/* Writes text to the console, with TOS' ends of lines. */
static void put_console(void *context, const char *text, size_t bytes)
{
	(void)context;
	while (bytes--) {
		char line[3] = {*text, 0, 0};

		if (*text++ == '\n') {
			line[0] = '\r';
			line[1] = '\n';
		}
		tos_print(line);
	}
}

static const struct dwell_put console = {put_console, 0};

struct output {
	long handle;
	bool failed;
	uint32_t used;
	char bytes[OUTPUT_BYTES];
};

static void flush(struct output *output)
{
	if (output->used && tos_write(output->handle, output->bytes, output->used) != (long)output->used)
		output->failed = true;
	output->used = 0;
}

static void put_file(void *context, const char *text, size_t bytes)
{
	struct output *output = context;

	for (; bytes; bytes--, text++) {
		if (output->used > OUTPUT_BYTES - 2)
			flush(output);
		if (*text == '\n')
			output->bytes[output->used++] = '\r';
		output->bytes[output->used++] = *text;
	}
}

/* Returns the next word of a command line, ended by a zero byte; null: no word is left. */
static char *next_word(char **at)
{
	char *word;

	while (**at == ' ' || **at == '\t')
		(*at)++;
	if (!**at)
		return 0;
	word = *at;
	while (**at && **at != ' ' && **at != '\t')
		(*at)++;
	if (**at)
		*(*at)++ = 0;
	return word;
}

/* Returns the program's name; null: a message was printed. The rest in *at is the program's arguments. */
static const char *read_options(struct dwell_profile_options *options, char **at)
{
	char *word;

	dwell_profile_options_init(options);
	while ((word = next_word(at))) {
		switch (dwell_profile_options_take(options, word, &console)) {
		case DWELL_PROFILE_OPTION: continue;
		case DWELL_PROFILE_PROGRAM:
			if (!options->vblank_hz)
				return word;
			dwell_put_text(&console, "v=: this machine has a display, whose own rate +v has\n");
			return 0;
		case DWELL_PROFILE_BAD: dwell_put_text(&console, "\n"); return 0;
		}
	}
	dwell_put_text(&console, "PROFILE [options] PROGRAM.PRG [arguments]: where does it spend its time?\n");
	dwell_profile_options_help(&console);
	return 0;
}

static bool write_report(const struct dwell_summary *summary)
{
	static struct output output;
	const struct dwell_put put = {put_file, &output};

	output.handle = tos_create(summary->options->output);
	if (output.handle >= 0) {
		dwell_summary_put(summary, &put);
		dwell_summary_put_errors(summary, &put);
		flush(&output);
		tos_close(output.handle);
	}
	if (output.handle < 0 || output.failed) {
		dwell_put_text(&console, summary->options->output);
		dwell_put_text(&console, ": cannot be written\n");
		return false;
	}
	return true;
}

/* Runs the program under the sampler; *status: the program's. False: a message was printed. */
static bool run(struct dwell_summary *summary, int *status)
{
	static uint8_t tail[TAIL_BYTES];
	struct tos_basepage *program;
	uint32_t bytes = 0;
	long loaded;

	while (summary->arguments[bytes] && bytes < TAIL_BYTES - 2) {
		tail[1 + bytes] = (uint8_t)summary->arguments[bytes];
		bytes++;
	}
	tail[0] = (uint8_t)bytes;
	loaded = tos_load(summary->program, tail);
	if (loaded <= 0) {
		dwell_put_text(&console, summary->program);
		dwell_put_text(&console, ": cannot be loaded\n");
		return false;
	}
	program = (struct tos_basepage *)loaded;
	sampler_begin(program->text, summary->options->sample_hz, summary->options->use_vblank);
	*status = (int16_t)tos_run(program);
	summary->ticks = sampler_end();
	tos_free((void *)program->environment);
	tos_free(program);
	return true;
}

static bool has_place(const char *name)
{
	while (*name && *name != '@')
		name++;
	return *name;
}

static void say_of_detail(const struct dwell_profile_options *options, const char *what)
{
	dwell_put_text(&console, "x=");
	dwell_put_text(&console, options->detail);
	dwell_put_text(&console, what);
}

/* Returns the symbol of x=, or DWELL_TALLY_NONE. *status: 1 if the program has no symbol of that name. */
static size_t choose_detail(const struct dwell_profile_options *options, int *status)
{
	size_t index;

	if (!options->detail) {
		if (options->has_intervals)
			dwell_put_text(&console, "i= is of the symbol that x= names, and does nothing without it\n");
		return DWELL_TALLY_NONE;
	}
	index = dwell_tally_name(&sample_tally, options->detail, 0);
	if (index == DWELL_TALLY_NONE) {
		say_of_detail(options, ": the program has no text symbol of this name\n");
		*status = 1;
	} else if (!has_place(options->detail) && !dwell_tally_is_alone(&sample_tally, index)) {
		say_of_detail(options, ": several symbols have this name. This is the first; x=");
		dwell_put_text(&console, sample_tally.names[index]);
		dwell_put_text(&console, "@ADDRESS chooses\n");
	}
	return index;
}

int atari_main(void)
{
	static char line[TAIL_BYTES];
	static struct dwell_profile_options options;
	struct dwell_summary summary = {.options = &options, .tally = &sample_tally};
	enum child_state state;
	int status = 0, program_status = 0;
	char *at = line;
	size_t index;

	for (uint32_t i = 0; i < tos_basepage->tail[0] && i < TAIL_BYTES - 1 && tos_basepage->tail[1 + i] >= ' '; i++)
		line[i] = (char)tos_basepage->tail[1 + i];
	summary.program = read_options(&options, &at);
	if (!summary.program)
		return 2;
	summary.arguments = at;
	if (options.use_vblank)
		summary.doubt = "What a program does in step with the display is misjudged, and the percentages do not say so";
	state = child_read(summary.program, &sample_tally, options.detail ? options.intervals : 0, &console);
	if (state != CHILD_READY)
		dwell_put_text(&console, "\n");
	if (state == CHILD_NONE)
		return 2;
	if (state == CHILD_UNSURE)
		status = 1;
	index = choose_detail(&options, &status);
	dwell_tally_split(&sample_tally, index, options.intervals);
	if (!run(&summary, &program_status))
		return 2;
	if (!write_report(&summary))
		status = 2;
	return program_status ? program_status : status;
}
