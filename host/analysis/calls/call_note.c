/* call_note: translates the flags of a call into words. */
#include "analysis/calls/call_note.h"

#include <string.h>

#include "model/model.h"

const char *call_note(uint32_t flags, char text[static CALL_NOTE_BYTES])
{
	static const struct {
		uint32_t flag;
		const char *name;
	} names[] = {{DWELL_CALL_NO_ENTRY, "no entry"}, {DWELL_CALL_UNWOUND, "unwound"}, {DWELL_CALL_GAP, "lost"}, {DWELL_CALL_OPEN, "open"},
		{DWELL_CALL_NO_EXIT, "no exit"}, {DWELL_CALL_PIECE, "a piece"}};

	*text = 0;
	for (size_t i = 0; flags && i < sizeof names / sizeof *names; i++) {
		if (!(flags & names[i].flag))
			continue;
		if (*text)
			strcat(text, ", ");
		strcat(text, names[i].name);
	}
	return text;
}
