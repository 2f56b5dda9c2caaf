/* rhythm_text: see rhythm_text.h. */
#include "sample/rhythm_text.h"

#include <stdio.h>

#include "sample/code/images.h"

static const char *find_why(const struct engine *engine)
{
	if (engine->timers)
		return "timers from within take none at random moments beside them";
	if (engine_get_kind(engine) == DWELL_ENGINE_CYCLES)
		return "by the processor's cycles none are taken at random moments beside them";
	return "too few were taken at random moments beside them";
}

enum rhythm_answer rhythm_describe(const struct rhythm *rhythm, const struct engine *engine, char text[static RHYTHM_TEXT_BYTES])
{
	char place[300] = "the kernel, and code of no file,";
	const struct rhythm_place *found;
	double shares[RHYTHM_KINDS];
	enum rhythm_answer answer = rhythm_find(rhythm, &found, shares);
	double sight = answer == RHYTHM_NONE ? rhythm_find_sight(rhythm) : 1;

	switch (answer) {
	case RHYTHM_NONE:
		if (sight > RHYTHM_SIGHT_MAX)
			answer = RHYTHM_NOT_KNOWN;
		snprintf(text, RHYTHM_TEXT_BYTES,
			"%s: %.0f samples at random moments beside them; a difference of less than %.1f percentage points would not show",
			answer == RHYTHM_NONE ? "none" : "not known", rhythm->all[RHYTHM_RANDOM].sum, 100 * sight);
		break;
	case RHYTHM_NOT_KNOWN:
		snprintf(text, RHYTHM_TEXT_BYTES, "not known: %s", find_why(engine));
		break;
	case RHYTHM_IN_STEP:
		if (found->file)
			names_describe(images_path(found->file), found->address, place, sizeof place);
		snprintf(text, RHYTHM_TEXT_BYTES, "%s has %.1f %% of them, and %.1f %% of those taken at random moments beside them", place,
			100 * shares[RHYTHM_EVEN], 100 * shares[RHYTHM_RANDOM]);
	}
	return answer;
}
