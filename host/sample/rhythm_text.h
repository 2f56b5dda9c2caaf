/* rhythm_text: whether samples are in step with the program, for people, as a trace file has it. */
#ifndef DWELL_HOST_SAMPLE_RHYTHM_TEXT_H
#define DWELL_HOST_SAMPLE_RHYTHM_TEXT_H

#include "sample/engine.h"
#include "sample/rhythm.h"

#define RHYTHM_TEXT_BYTES 400u

/* "NAME has 46.5 % of them, and 10.1 % of those taken at random moments beside them"; "none: of 400 samples …", and how
 * small a difference would not have shown; "not known: " and why, as where one of more than 10 percentage points would not have. Places are those of
 * intake.h. */
enum rhythm_answer rhythm_describe(const struct rhythm *rhythm, const struct engine *engine, char text[static RHYTHM_TEXT_BYTES]);

#endif
