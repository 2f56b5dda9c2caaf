/* slow_trees: keeps, for each named function, the trees of the N slowest calls. A tree is a call and all calls below, with times
 * and values. The file has no other events. The stage also counts the calls of the named functions.
 *
 * slow_thread.c has the stage's state for a thread, and slow_kept.c the kept trees. slow_trees.c writes the trees at the end of the
 * recording.
 *
 * Only the end shows which calls are the slowest, so trees stay in memory until then. For each function these are at most N trees
 * of ended calls, and the trees of calls that never ended. A tree has some SLOW_TREE_SLOTS slots at most (slow_kept.h): a longer
 * tree keeps its beginning and its exit, with a gap in between. If the kept trees and a growing tree together would exceed the
 * budget, the stage cuts the growing tree in the same way. */
#ifndef DWELL_HOST_RECORD_STAGE_SLOW_TREES_H
#define DWELL_HOST_RECORD_STAGE_SLOW_TREES_H

#include <stdbool.h>
#include <stdint.h>

#include "record/stage/watcher.h"
#include "util/diag.h"

#define SLOW_KEPT_MAX 1000u

/* Adds the rule "N:FUNC", N from 1 to SLOW_KEPT_MAX. text is borrowed. False: *wrong is a static text that describes the expected
 * form, or how many rules are allowed. */
bool slow_read_rule(struct watcher_options *options, const char *text, const char **wrong);

/* program, filter: as for make_watcher. budget_bytes: for the slots of all kept trees. Null and a diag: the filter leaves out all
 * functions of a rule, or no memory. */
struct stage *make_slow_trees(const struct watcher_options *options, const struct filter_program *program, uint64_t budget_bytes,
	const struct filter *filter, struct diag *diag);

#endif
