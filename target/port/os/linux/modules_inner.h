/* SPDX-License-Identifier: MIT
 *
 * The agent's data about each mapped file. modules.c maintains it, modules_at.c finds files by address.
 */
#ifndef DWELL_LINUX_MODULES_INNER_H
#define DWELL_LINUX_MODULES_INNER_H

#include "port/os/linux/agent.h"

#define MODULES_MAX 1024
#define PATH_BYTES 1024

struct module {
	uint64_t low, high, bias;
	uint64_t load_ticks;
	uint32_t flags; /* of the MODULE record */
	bool is_unmapped;      /* unmapped: the entry is free for another file */
	bool exported;  /* calls come to the exported entries, since the agent could not redirect them */
	uint64_t unwind_index, unwind_index_bytes; /* .eh_frame_hdr, 0: none */
	struct hook_targets targets; /* destinations of its hook calls; null: not redirected */
	struct sites *sites;         /* null: no patched sites */
	bool window;                 /* the low-32 span collides with another module's */
	bool needs_plan;                   /* request a plan once the loader's lock is free */
	bool is_new, is_program;     /* of a module with needs_plan: not in the journal yet; the program's own file */
	bool is_elsewhere;           /* in another namespace: port/os/linux/namespaces.h */
	bool settled;                /* calls of __fentry__ here are from functions not recorded or not patched */
	uint8_t build_id[20];
	uint32_t build_id_bytes;
	char path[PATH_BYTES];
};

extern struct module modules[MODULES_MAX] HIDDEN;
extern unsigned module_count HIDDEN;

/* Returns the file at address; null: none. Any thread, any signal. */
struct module *modules_at(uint64_t address) HIDDEN;

struct image;
struct dwell_plan;
struct dl_phdr_info;
/* modules.c. Lists the files of all namespaces until each returns another value than 0: those of the agent's namespace first, and
 * others with size 0. Takes the loader's lock. */
void modules_list_files(int (*each)(struct dl_phdr_info *info, size_t size, void *data), void *data) HIDDEN;
/* Returns the file if an earlier look has found it; else null. */
struct module *modules_find_known(const struct image *image) HIDDEN;
/* Writes the module into the journal. ticks: when the file was loaded or unmapped; 0: before the recording. flags: added to the
 * module's own. */
void modules_report(struct dwell_session *session, const struct module *module, uint64_t ticks, uint32_t flags) HIDDEN;
/* Counts one more file with hooks: in the agent, the control block and the session. */
void modules_count_hooked(void) HIDDEN;

/* modules_plan.c. Requests a plan and waits for the plan, which the caller owns (plans_fetch). Null: no plan is wanted for this
 * file, or there is none. */
const struct dwell_plan *modules_request_plan(const struct image *image, const struct module *module, bool is_program) HIDDEN;
/* Requests and applies the plans of all modules with `needs_plan`. */
void modules_adopt_postponed(void) HIDDEN;

#endif
