/* early_names: gives NAMES chunks first; see early_names.h. */
#include "reader/dwell/early_names.h"

#include "dwell/format.h"

bool early_names_next(struct early_names *early_names, struct source *source, struct message *message)
{
	if (!early_names->begun)
		early_names->found =
			source_is_seekable(source) && overview_begin_kind(&early_names->overview, source, DWELL_CHUNK_NAMES);
	early_names->begun = true;
	if (!early_names->found || !overview_next(&early_names->overview, message))
		return false;
	message->offset = 0; /* names hold from the first message on */
	return true;
}

bool early_names_is_repeat(const struct early_names *early_names, const struct message *message)
{
	return early_names->found && early_names->overview.next == early_names->overview.count && !early_names->overview.in_chunk &&
	       message->kind == MESSAGE_NAMES;
}

void early_names_clear(struct early_names *early_names)
{
	overview_clear(&early_names->overview);
	*early_names = (struct early_names){0};
}
