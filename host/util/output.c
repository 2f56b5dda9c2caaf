#include "util/output.h"

#include <errno.h>

#include "util/stream.h"

void output_begin(struct output *output, FILE *out)
{
	output->out = out;
	output->used = 0;
	output->error = 0;
}

static void write_bytes(struct output *output, const char *bytes, size_t count)
{
	errno = 0;
	if (!output->error && count && fwrite(bytes, 1, count, output->out) != count)
		output->error = errno ? errno : EIO;
}

void output_flush(struct output *output)
{
	write_bytes(output, output->buffer, output->used);
	output->used = 0;
}

void output_put_bytes(struct output *output, const char *bytes, size_t count)
{
	if (count > OUTPUT_BYTES - output->used) {
		output_flush(output);
		if (count > OUTPUT_BYTES / 2) {
			write_bytes(output, bytes, count);
			return;
		}
	}
	memcpy(output->buffer + output->used, bytes, count);
	output->used += count;
}

bool output_end(struct output *output, const char *name, struct diag *diag)
{
	output_flush(output);
	return stream_finish(output->out, output->error, name, diag);
}
