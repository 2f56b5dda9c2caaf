/* Trace events of Chrome: any bytes as JSON, or, as few of them are, events that the bytes choose: four for each. */
#include "read_trace.h"

static void write_events(FILE *out, const uint8_t *data, size_t size)
{
	static const char *const names[] = {"a", "b", "c", "\\u001b[1m", "\\ud83d\\ude00", ";", "", "a b"};
	static const char phases[] = "BEXBEXBi";
	int64_t at = 0;

	fputs("{\"traceEvents\":[", out);
	for (size_t i = 0; i + 4 <= size; i += 4) {
		at += (int8_t)data[i + 2];
		fprintf(out, "%s{\"name\":\"%s\",\"ph\":\"%c\",\"ts\":%lld%s,\"pid\":%d,\"tid\":%s%d%s", i ? "," : "", names[data[i] % 8],
			phases[data[i] / 8 % 8], (long long)at, data[i] & 64 ? ".5" : data[i] & 128 ? "e9" : "", data[i + 1] % 2, data[i + 1] & 8 ? "\"" : "",
			data[i + 1] / 2 % 4, data[i + 1] & 8 ? "\"" : "");
		if (phases[data[i] / 8 % 8] == 'X')
			fprintf(out, ",\"dur\":%d", (int8_t)data[i + 3] + 32);
		fputc('}', out);
	}
	fputs("]}", out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out;

	if (size && (data[0] == '{' || data[0] == '[' || data[0] == 0x1f)) {
		read_behind(data, 0, data, size);
		return 0;
	}
	out = open_memstream(&text, &bytes);
	if (!out)
		return 0;
	write_events(out, data, size);
	fclose(out);
	read_behind(text, bytes, data, 0);
	free(text);
	return 0;
}
