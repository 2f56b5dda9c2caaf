/* SPDX-License-Identifier: MIT
 *
 * What is known of each mapped file. modules.c keeps it, modules_at.c is asked about addresses.
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
	bool gone;      /* not seen by the last look */
	bool exported;  /* its calls come to the exported entries: they could not be redirected */
	uint64_t unwind_index, unwind_index_bytes; /* .eh_frame_hdr, 0 when it has none */
	struct hook_targets targets; /* what its calls were redirected to; null: it has no hooks */
	struct sites *sites;         /* null: none that are patched */
	bool window;                 /* its low half collides with another's */
	bool settled;                /* calls of __fentry__ from it are of functions that are not recorded, or not patched */
	uint8_t build_id[20];
	uint32_t build_id_bytes;
	char path[PATH_BYTES];
};

extern struct module modules[MODULES_MAX] HIDDEN;
extern unsigned module_count HIDDEN;

/* Null: none is there. Any thread, any signal. */
struct module *modules_at(uint64_t address) HIDDEN;

#endif
