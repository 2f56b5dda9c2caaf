/* early: gives NAMES chunks first; see early.h. */
#include "reader/dwell/early.h"

#include "dwell/format.h"

bool early_next(struct early *early, struct source *source, struct message *message)
{
	if (!early->begun)
		early->found = source_is_seekable(source) && overview_begin_kind(&early->overview, source, DWELL_CHUNK_NAMES);
	early->begun = true;
	if (!early->found || !overview_next(&early->overview, message))
		return false;
	message->offset = 0; /* names hold from the first message on */
	return true;
}

bool early_has_told(const struct early *early, const struct message *message)
{
	return early->found && early->overview.next == early->overview.count && !early->overview.in_chunk &&
	       message->kind == MESSAGE_NAMES;
}

void early_clear(struct early *early)
{
	overview_clear(&early->overview);
	*early = (struct early){0};
}
