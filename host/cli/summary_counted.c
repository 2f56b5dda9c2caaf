/* summary_counted: prints the event that was read, and the others. */
#include "cli/summary_counted.h"

void summary_print_counted(const struct trace *trace, FILE *out)
{
	const struct message_header *header = model_get_header(trace->model);

	if (header && header->counted && *header->counted)
		fprintf(out, " (%s)", header->counted);
}
