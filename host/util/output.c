/* output: a buffer in front of a stream or of memory (output.h). */
#include "util/output.h"

#include <errno.h>

#include "util/array.h"
#include "util/stream.h"
#include "util/utf8.h"

void output_begin(struct output *output, FILE *out)
{
	output->out = out;
	output->memory = NULL;
	output->used = 0;
	output->error = 0;
}

void output_begin_memory(struct output *output, struct output_memory *memory)
{
	output_begin(output, NULL);
	output->memory = memory;
}

static bool add_to_memory(struct output_memory *memory, const char *bytes, size_t count)
{
	if (!array_reserve(&memory->bytes, &memory->capacity, memory->count + count, 1))
		return false;
	memcpy(memory->bytes + memory->count, bytes, count);
	memory->count += count;
	return true;
}

static void write_bytes(struct output *output, const char *bytes, size_t count)
{
	if (output->memory) {
		if (!output->error && count && !add_to_memory(output->memory, bytes, count))
			output->error = ENOMEM;
		return;
	}
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

void output_put_safe(struct output *output, const char *text, char twice)
{
	size_t left = strlen(text);

	while (left) {
		size_t taken = 0, written, plain = utf8_plain_bytes(text);
		int columns;

		while (taken < plain && text[taken] != twice)
			taken++;
		if (taken) {
			output_put_bytes(output, text, taken);
		} else if (twice && *text == twice) {
			output_put_char(output, twice);
			output_put_char(output, twice);
			taken = 1;
		} else {
			taken = utf8_escape(text, left, output_reserve(output), &written, &columns);
			output->used += written;
		}
		text += taken;
		left -= taken;
	}
}
