/* recording_stages: makes the list of stages, by which a recording leaves out, counts or keeps calls. */
#include "record/session/recording_inner.h"

#include "record/stage/count.h"
#include "record/stage/depth.h"
#include "record/stage/filter_stage.h"
#include "record/stage/longer.h"
#include "record/stage/slow_trees.h"
#include "record/stage/throttle.h"

uint64_t recording_memory_bytes(const struct recording_options *options)
{
	return options->memory_bytes ? options->memory_bytes : budget_default_bytes();
}

/* Adds a stage. False, and a diag: stage is null. */
static bool add(struct recording *recording, struct stage *stage)
{
	if (stage)
		stages_add(&recording->stages, stage);
	else if (!diag_has_error(recording->diag))
		diag_add(recording->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "no memory to record with");
	return stage;
}

/* Adds the stages in the order of the slots' path: filters come first, so
 * dropped functions count neither as a level of depth nor in a sum. */
static bool add_stages(struct recording *recording, const char *path, const struct recording_options *options)
{
	const struct filter_program program = {path, options->plans, options->argv, options->attach};
	struct diag *diag = recording->diag;
	struct filter *filter = NULL;
	bool good = true;

	if (filter_has_patterns(&options->filter))
		good = (filter = make_filter(&options->filter, &program, diag)) && add(recording, filter_get_stage(filter));
	if (good && options->throttle > 0)
		good = add(recording, make_throttle(options->throttle, diag));
	if (good && options->depth_limit)
		good = add(recording, make_depth_stage(options->depth_limit));
	if (good && options->longer_ns)
		good = add(recording, make_longer_stage(options->longer_ns));
	if (good && options->counts)
		good = add(recording, make_count_stage());
	if (good && watcher_has_rules(&options->slow))
		good = add(recording, make_slow_trees(&options->slow, &program, recording_memory_bytes(options), filter, diag));
	if (good && watcher_has_rules(&options->trigger))
		good = (recording->trigger = make_trigger(&options->trigger, &program, filter, diag)) &&
		       add(recording, trigger_get_stage(recording->trigger));
	return good;
}

bool recording_prepare(struct recording *recording, const char *path, const struct recording_options *options)
{
	if (add_stages(recording, path, options))
		return true;
	stages_free(&recording->stages);
	return false;
}
