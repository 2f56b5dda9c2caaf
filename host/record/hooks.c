#include "record/hooks.h"

#include <inttypes.h>
#include <string.h>

void hooks_tell(const struct session *session, struct trace_writer *writer, const char *output, struct diag *diag)
{
	static const struct {
		uint64_t kind;
		const char *name;
	} kinds[] = {
		{DWELL_HOOKS_CYG, "-finstrument-functions"},
		{DWELL_HOOKS_FENTRY, "-mfentry -minstrument-return"},
		{DWELL_HOOKS_XRAY, "-fxray-instrument"},
		{DWELL_HOOKS_ENTRIES, "entries only"},
	};
	const struct dwell_session *shared = session->shared;
	char names[128] = "";
	struct message_info fact = {"hooks", names};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!(shared->hook_kinds & kinds[i].kind))
			continue;
		if (*names)
			strcat(names, ", ");
		strcat(names, kinds[i].name);
	}
	if (*names) /* calls that come in a way that is not looked for are of no kind that is known */
		trace_writer_info(writer, &fact, 1);
	if (shared->args && shared->hook_kinds & DWELL_HOOKS_CYG)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%s -finstrument-functions have no arguments in it: compile them with what `dwell cflags` prints",
			shared->hook_kinds & (DWELL_HOOKS_FENTRY | DWELL_HOOKS_XRAY) ? "the functions that were compiled with"
										     : "functions that were compiled with");
	if (shared->hook_kinds & DWELL_HOOKS_ENTRY_ONLY)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"some functions have a hook at their entry and none at their exits, and were not recorded: compile them with what "
			"`dwell cflags` prints");
	if (shared->hook_kinds & DWELL_HOOKS_UNFOUND)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"some functions with hooks were not recorded: they are not in the unwind tables (.eh_frame), by which they are found; compile "
			"them without -fno-asynchronous-unwind-tables");
	if (shared->unseen)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"longjmp, catches or vfork cannot be seen in a static program that is linked like this (%" PRIu64 " calls of them): calls may "
			"stay open, and others have the wrong caller; link it with what `dwell cflags --link` prints",
			(uint64_t)shared->unseen);
	if (shared->skipped_functions)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " functions were not recorded: their code has instructions that the agent does not know",
			(uint64_t)shared->skipped_functions);
	if (shared->unpatched_modules)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " files with patchable code were not recorded: this system does not let their code be changed; "
			"compile with -finstrument-functions",
			(uint64_t)shared->unpatched_modules);
}
