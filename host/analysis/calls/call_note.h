/* call_note: what is unusual about a call, as words for the column "note" of CSV and JSON: "no entry, open"; "": nothing. */
#ifndef DWELL_HOST_ANALYSIS_CALLS_CALL_NOTE_H
#define DWELL_HOST_ANALYSIS_CALLS_CALL_NOTE_H

#include <stdint.h>

#define CALL_NOTE_BYTES 64

/* flags: enum dwell_call_flag. Returns text. */
const char *call_note(uint32_t flags, char text[static CALL_NOTE_BYTES]);

#endif
