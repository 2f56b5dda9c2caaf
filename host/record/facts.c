#include "record/facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/utsname.h>

void facts_make(struct facts *facts, const struct recording_options *options)
{
	static const char *const modes[] = {[DWELL_MODE_STREAM] = "stream", [DWELL_MODE_RING] = "ring", [DWELL_MODE_LINEAR] = "linear"};
	struct utsname system;

	*facts = (struct facts){.count = 4};
	if (uname(&system) == 0)
		snprintf(facts->kernel, sizeof facts->kernel, "%s %s %s", system.sysname, system.release, system.machine);
	facts->list[0] = (struct message_info){"recorded-by", "dwell " DWELL_VERSION};
	facts->list[1] = (struct message_info){"command", options->command_line};
	facts->list[2] = (struct message_info){"system", facts->kernel};
	facts->list[3] = (struct message_info){"mode", modes[options->mode]};
	if (options->mode == DWELL_MODE_STREAM)
		return;
	snprintf(facts->ring, sizeof facts->ring, "%" PRIu64, options->ring_bytes);
	facts->list[facts->count++] = (struct message_info){"bytes-of-each-thread", facts->ring};
}
