/* hooks: writes the kinds of hooks to the trace file, and warns of hooks that recorded nothing or wrong times. */
#include "record/program/hooks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "record/program/hooked_code.h"
#include "record/session/figures.h"
#include "symbol/debug/producer.h"
#include "util/code_share.h"

/* Warns once per file, however often the file was mapped, of results that GCC computes behind the exit hook. */
static void warn_of_moved_results(const struct called *called, struct diag *diag)
{
	for (size_t i = 0; i < called->count; i++) {
		const struct called_module *module = &called->modules[i];
		const struct symbol_request want = {.build_id = module->build_id, .build_id_bytes = module->build_id_bytes};
		const char *where = kept_file_path(module->file);
		size_t before = 0, units;

		while (before < i && called->modules[before].file != module->file)
			before++;
		units = before < i || !where ? 0 : producer_count(where, &want, producer_moves_results);
		if (units)
			diag_add(diag, DIAG_WARN, module->path, DIAG_NO_OFFSET,
				"GCC compiled %zu parts of it with -finstrument-functions and without -fno-tree-ter: results are computed behind "
				"the exit hook, so that their time is the caller's; compile with what `dwell cflags` prints",
				units);
	}
}

/* Writes how much of the files' code is in functions with hooks, and says it if it is not nearly all. */
static void tell_hooked_code(const struct called *called, struct trace_writer *writer, const char *output, struct diag *diag)
{
	struct code_share code = {0};
	char text[CODE_SHARE_TEXT_BYTES];
	unsigned unhooked;

	for (size_t i = 0; i < called->count; i++) {
		const char *where = kept_file_path(called->modules[i].file);
		size_t before = 0;

		while (before < i && called->modules[before].file != called->modules[i].file)
			before++;
		if (before == i && where)
			hooked_code_add(&code, where);
	}
	code_share_format(&code, text);
	if (code.bytes)
		trace_writer_info(writer, &(struct message_info){"hooked-code", text}, 1);
	unhooked = code_share_get_others(&code, CODE_SHARE_UNHOOKED_BYTES_MIN);
	if (unhooked >= CODE_SHARE_UNHOOKED_PERCENT_MIN)
		diag_add(diag, DIAG_NOTE, output, DIAG_NO_OFFSET, "%u %s", unhooked, CODE_SHARE_UNHOOKED_TEXT);
}

void hooks_report(const struct session *session, const struct called *called, struct trace_writer *writer, const char *output,
	struct diag *diag)
{
	static const struct {
		uint64_t kind;
		const char *name;
	} kinds[] = {
		{DWELL_HOOKS_CYG, "-finstrument-functions"},
		{DWELL_HOOKS_FENTRY, "-mfentry -minstrument-return"},
		{DWELL_HOOKS_XRAY, "-fxray-instrument"},
		{DWELL_HOOKS_PLANNED, "none: changed while it ran"},
		{DWELL_HOOKS_ENTRIES, "entries only"},
	};
	const uint64_t by_compiler = DWELL_HOOKS_CYG | DWELL_HOOKS_FENTRY | DWELL_HOOKS_XRAY;
	const struct figures figures = figures_read(session);
	char names[128] = "";
	struct message_info fact = {"hooks", names};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (!(figures.hook_kinds & kinds[i].kind))
			continue;
		if (*names)
			strcat(names, ", ");
		strcat(names, kinds[i].name);
	}
	if (*names) /* empty if the table has none of the hooks' kinds */
		trace_writer_info(writer, &fact, 1);
	if (figures.hook_kinds & by_compiler && !(figures.hook_kinds & DWELL_HOOKS_PLANNED))
		tell_hooked_code(called, writer, output, diag);
	if (figures.hook_kinds & DWELL_HOOKS_CYG)
		warn_of_moved_results(called, diag);
	if (session->args && figures.hook_kinds & DWELL_HOOKS_CYG)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%s -finstrument-functions have no arguments in it: compile them with what `dwell cflags` prints",
			figures.hook_kinds & (DWELL_HOOKS_FENTRY | DWELL_HOOKS_XRAY) ? "the functions that were compiled with"
										     : "functions that were compiled with");
	if (figures.hook_kinds & DWELL_HOOKS_DOUBLED)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"some functions have hooks of two kinds: those of -finstrument-functions were used, the patchable code was left alone; compile "
			"with one of the two");
	if (figures.hook_kinds & DWELL_HOOKS_UNFIT)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"a program or a library was not recorded: its code in memory differs from its file; use --sample");
	if (figures.hook_kinds & DWELL_HOOKS_UNFOUND)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"some functions with hooks were not recorded: they are not in the unwind tables (.eh_frame), which dwell needs to find them; compile "
			"them without -fno-asynchronous-unwind-tables");
	if (figures.unseen)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"dwell cannot see %" PRIu64 " calls of longjmp, catches or vfork, in a static program or behind dlmopen: calls may stay open, and "
			"others have the wrong caller; link static programs with what `dwell cflags --link` prints",
			figures.unseen);
	if (figures.skipped_functions)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " functions were not recorded: their code has instructions that the agent does not know; -finstrument-functions records them",
			figures.skipped_functions);
	if (figures.hook_kinds & DWELL_HOOKS_ELSEWHERE)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " files were not recorded: the program opened them with dlmopen, where --trace changes no code; compile them with "
			"what `dwell cflags` prints, or use --sample",
			figures.unpatched_modules);
	else if (figures.unpatched_modules)
		diag_add(diag, DIAG_WARN, output, DIAG_NO_OFFSET,
			"%" PRIu64 " files were not recorded: this system forbids changes of their code (PR_SET_MDWE, which systemd "
			"calls MemoryDenyWriteExecute; seccomp; SELinux), or a library was loaded a thousand times; %s",
			figures.unpatched_modules,
			*session->shared->plans ? "--sample needs none" : "compile them with -finstrument-functions");
}
