#include "classic/host/reader/nitro/lines_counted.h"

/* A buffer is counted once at a time: a second mark is damage. */
static bool is_counted_by(const struct lines_area *buffer, const struct lines_area *stats)
{
	return buffer->kind == LINES_KIND_COST && buffer->begin == stats->busy && buffer->words.bytes == stats->words.bytes &&
	       !buffer->opened && !buffer->skipped && stats->step_open <= buffer->count;
}

static void leave_out(struct lines_area *buffer, const struct lines_area *stats)
{
	buffer->opened = stats->step_open;
	buffer->opened_ticks = stats->step_ticks;
	buffer->skipped = stats->step_next - stats->step_open;
	buffer->count = buffer->opened + (buffer->stored > stats->step_next ? buffer->stored - stats->step_next : 0);
}

void lines_counted_leave_out(struct lines_area *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < count && list[i].busy && !list[i].is_buffer_found; k++)
			if (is_counted_by(&list[k], &list[i])) {
				leave_out(&list[k], &list[i]);
				list[i].is_buffer_found = true;
			}
}
