/* call_note: what is unusual about a call, in words for scripts: "no entry, open"; "" for nothing. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_CALL_NOTE_H
#define DWELL_HOST_ANALYSIS_CALLS_CALL_NOTE_H

#include <stdint.h>

#define CALL_NOTE_BYTES 64

/* flags: enum dwell_call_flag. Returns text. */
const char *call_note(uint32_t flags, char text[static CALL_NOTE_BYTES]);

#endif
