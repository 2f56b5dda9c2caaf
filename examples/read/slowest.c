/* The five slowest functions of a recording, by their own time.
 *
 *     cc slowest.c $(pkg-config --cflags --libs dwell-read) -o slowest
 *     ./slowest app.dwell
 */
#include <dwell/read.h>
#include <stdio.h>
#include <string.h>

static size_t find(const struct dwell_rows *rows, const char *key)
{
	size_t i = 0;

	while (i < rows->column_count && strcmp(rows->columns[i].key, key) != 0)
		i++;
	return i;
}

static int print(void *context, const struct dwell_rows *rows)
{
	size_t name = find(rows, "function"), self = find(rows, "self_ns"), width = rows->column_count;

	(void)context;
	if (name == width || self == width)
		return 0; /* samples, or sums without a time */
	for (size_t row = 0; row < rows->row_count; row++)
		printf("%10.3f ms  %s\n", (double)rows->cells[row * width + self].value.count / 1e6, rows->cells[row * width + name].value.text);
	return 1;
}

int main(int argc, char **argv)
{
	const struct dwell_parameter parameters[] = {{"limit", "5"}, {"sort", "self"}, {"by", "wall"}};
	struct dwell_recording *recording = dwell_read_open(argc > 1 ? argv[1] : "dwell.dwell", NULL);
	enum dwell_read_status status = dwell_read_ask(recording, "functions", parameters, 3, print, NULL);

	if (status != DWELL_READ_OK)
		fprintf(stderr, "%s\n", status == DWELL_READ_FAILED ? dwell_read_error(recording) : "it has no times of functions");
	dwell_read_close(recording);
	return status != DWELL_READ_OK;
}
