#include "cli/modes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/units.h"

/* Blocks of 4096 bytes: two at least. Masks of 32 bits: not more. */
#define RING_BYTES_MIN (UINT64_C(8) << 10)
#define RING_BYTES_MAX (UINT64_C(1) << 30)

static bool read_size(const struct command *command, const char *option, const char *text, uint64_t least, uint64_t most,
	uint64_t *bytes, struct diag *diag)
{
	if (units_parse_bytes(text, bytes) && *bytes >= least && *bytes <= most)
		return true;
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --%s '%s': expected a size from %lluK to %lluM, such as 512K or 16M",
		command->name, option, text, (unsigned long long)(least >> 10), (unsigned long long)(most >> 20));
	return false;
}

bool modes_read_ring(const struct command *command, const char *option, const char *text, enum dwell_mode mode,
	struct recording_options *options, struct diag *diag)
{
	uint64_t wanted;

	if (options->mode != DWELL_MODE_STREAM && options->mode != mode) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --ring and --linear: one or the other", command->name);
		return false;
	}
	options->mode = mode;
	if (!read_size(command, option, text, RING_BYTES_MIN, RING_BYTES_MAX, &wanted, diag))
		return false;
	for (options->ring_bytes = RING_BYTES_MIN; options->ring_bytes < wanted; options->ring_bytes *= 2)
		;
	return true;
}

bool modes_read_memory(const struct command *command, const char *text, struct recording_options *options, struct diag *diag)
{
	return read_size(command, "memory", text, UINT64_C(12) << 10, UINT64_C(1) << 40, &options->memory_bytes, diag);
}

bool modes_read_on_full(const struct command *command, const char *text, struct recording_options *options, struct diag *diag)
{
	int64_t ns = 0;

	options->loses = !strcmp(text, "lose");
	if (options->loses || !strcmp(text, "wait"))
		return true;
	if (!strncmp(text, "wait:", 5) && units_read_ns(text + 5, &ns) && ns > 0) {
		options->wait_max_ns = (uint64_t)ns;
		return true;
	}
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --on-full '%s': expected wait, wait:TIME such as wait:5s, or lose", command->name,
		text);
	return false;
}

bool modes_read_pid(const struct command *command, const char *text, pid_t *pid, struct diag *diag)
{
	char *end;
	long number;

	errno = 0;
	number = strtol(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno && number >= 1 && number <= INT32_MAX) {
		*pid = (pid_t)number;
		return true;
	}
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: PID '%s': expected the number of a process", command->name, text);
	return false;
}

bool modes_check(const struct command *command, const struct recording_options *options, bool stream, struct diag *diag)
{
	if (stream && options->mode != DWELL_MODE_STREAM) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --stream and --%s: one or the other", command->name,
			options->mode == DWELL_MODE_RING ? "ring" : "linear");
		return false;
	}
	if (options->mode != DWELL_MODE_STREAM && !trigger_is_wanted(&options->trigger) && (options->loses || options->wait_max_ns)) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: --on-full is for --stream and --snapshot-when: --ring keeps the last events, --linear the first",
			command->name);
		return false;
	}
	/* As for tar and gzip, - would be standard output, which is the program's. */
	if (options->output && (!*options->output || !strcmp(options->output, "-"))) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s: -o '%s': expected the name of a file", command->name, options->output);
		return false;
	}
	if (options->mode != DWELL_MODE_STREAM && options->memory_bytes && options->memory_bytes < options->ring_bytes + 4096) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET,
			"%s: --memory has no room for a thread: one takes %llu KiB, the size that was asked for and 4 KiB", command->name,
			(unsigned long long)(options->ring_bytes + 4096) >> 10);
		return false;
	}
	return true;
}
