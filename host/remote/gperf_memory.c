#include "remote/gperf_memory.h"

#include <stdio.h>

#include "io/gdb.h"
#include "remote/fetch_buffers.h"
#include "remote/fetch_program.h"
#include "remote/fetched.h"

static bool write_image(const struct fetched *fetched, const struct symbol_image *image, char **bytes, size_t *size)
{
	struct symbol_machine target = symbol_image_machine(image);
	const struct core_machine machine = {target.machine, target.pointer_bytes, target.is_big};
	FILE *out = open_memstream(bytes, size);
	bool good = out && core_file_write(out, &machine, fetched->parts, fetched->count);

	return out && !fclose(out) && good;
}

bool gperf_memory_read(const char *where, uint64_t wait_ns, const char *program, const struct symbol_image *image, uint8_t **bytes,
	size_t *size, struct diag *diag)
{
	struct gdb *gdb = make_gdb(where, wait_ns, diag);
	struct fetched fetched = {0};
	char *made = NULL;
	bool good = gdb && fetch_check_program(gdb, program, image, diag) && fetch_histograms(gdb, program, image, &fetched, diag);

	*bytes = NULL;
	*size = 0;
	free_gdb(gdb);
	if (good && !write_image(&fetched, image, &made, size)) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		good = false;
	}
	*bytes = (uint8_t *)made;
	fetched_clear(&fetched);
	return good;
}
