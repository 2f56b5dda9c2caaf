#include "classic/host/remote/fetch_program.h"

#include <inttypes.h>
#include <string.h>

#include "cpu/cpu.h"
#include "symbol/symbol.h"

#define FUNCTIONS_COMPARED 64u
#define BYTES_COMPARED 64u

struct symbol_image *fetch_open_program(const char *path, struct diag *diag)
{
	const struct symbol_request want = {.required = true};
	struct symbol_image *image = make_symbol_image(path);
	struct symbol_table *table;

	if (image)
		return image;
	table = make_symbol_table(path, &want, diag); /* reports the problem of the file */
	if (!diag_has_error(diag))
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "does not say what of it is loaded where: a linked ELF file was expected");
	free_symbol_table(table);
	return NULL;
}

struct comparison {
	uint32_t compared, different;
	uint64_t address; /* of the first difference */
};

static void compare(struct gdb *gdb, const struct symbol_image *image, const struct symbol *symbol, struct comparison *comparison)
{
	uint8_t own[BYTES_COMPARED], theirs[BYTES_COMPARED];
	size_t size = symbol->size < sizeof own ? (size_t)symbol->size : sizeof own, there;

	size = symbol_image_read(image, symbol->address, own, size);
	if (!size)
		return;
	there = gdb_read_memory(gdb, symbol->address, theirs, size);
	comparison->compared++;
	if (there == size && !memcmp(own, theirs, size))
		return;
	if (!comparison->different++)
		comparison->address = symbol->address;
}

static struct comparison compare_some(struct gdb *gdb, const struct symbol_image *image, const struct symbol_table *table)
{
	size_t count = symbol_count(table), step = count / FUNCTIONS_COMPARED + 1;
	struct comparison comparison = {0};

	for (size_t i = 0; i < count && !gdb_has_failed(gdb); i += step)
		compare(gdb, image, symbol_at(table, i), &comparison);
	return comparison;
}

bool fetch_check_program(struct gdb *gdb, const char *path, const struct symbol_image *image, struct diag *diag)
{
	struct diag *quiet = make_diag(); /* no diag if there are no symbols: the comparison is optional */
	struct symbol_table *table = make_symbol_table(path, NULL, quiet);
	struct comparison comparison = compare_some(gdb, image, table);
	struct symbol_machine machine = symbol_image_machine(image);
	const struct cpu *cpu = cpu_find(machine.machine);

	/* A MIPS stub needs addresses either sign-extended or not; only reading shows which. */
	if (comparison.compared && comparison.different == comparison.compared && cpu && cpu->gdb_is_signed &&
		machine.pointer_bytes == 4) {
		gdb_extend_sign(gdb, true);
		comparison = compare_some(gdb, image, table);
		gdb_extend_sign(gdb, comparison.different < comparison.compared);
	}
	free_symbol_table(table);
	free_diag(quiet);
	if (gdb_has_failed(gdb))
		return false;
	if (2 * comparison.different > comparison.compared)
		diag_add(diag, DIAG_ERROR, path, comparison.address,
			"is not what runs there: %" PRIu32 " of %" PRIu32 " functions that were compared have other bytes in the target's memory",
			comparison.different, comparison.compared);
	else if (comparison.different)
		diag_add(diag, DIAG_WARN, path, comparison.address,
			"%" PRIu32 " of %" PRIu32 " functions that were compared have other bytes in the target's memory", comparison.different,
			comparison.compared);
	return 2 * comparison.different <= comparison.compared;
}
