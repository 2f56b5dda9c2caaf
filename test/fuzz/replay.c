/* Feeds files to a fuzz program's entry once each: what the fuzzer found stays found, without clang. Names each file before it is
 * read, so that the last line tells which one brought the program down. Prints TAP. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	long length;

	if (!file)
		return NULL;
	if (!fseek(file, 0, SEEK_END) && (length = ftell(file)) >= 0 && !fseek(file, 0, SEEK_SET)) {
		/* of exactly this size, so that a byte too far is seen */
		data = malloc(length ? (size_t)length : 1);
		*size = data ? fread(data, 1, (size_t)length, file) : 0;
	}
	fclose(file);
	return data;
}

int main(int argc, char **argv)
{
	int bad = 0;

	for (int i = 1; i < argc; i++) {
		size_t size = 0;
		uint8_t *data = read_file(argv[i], &size);

		printf("# %s\n", argv[i]);
		fflush(stdout);
		if (data)
			LLVMFuzzerTestOneInput(data, size);
		bad += !data;
		printf("%sok %d - %s\n", data ? "" : "not ", i, argv[i]);
		free(data);
	}
	printf("1..%d\n", argc - 1);
	return bad != 0;
}
