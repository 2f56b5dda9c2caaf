/* Any bytes as what Texas Instruments' tools write, with each choice of names: COFF, maps, ELF. */
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbol/object.h"
#include "tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[32];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size) {
		struct object_table *objects = make_object_table(path);
		uint64_t offset;

		for (uint64_t address = 0; objects && address < 0x10000; address += 256)
			object_find(objects, address, &offset);
		free_object_table(objects);
		for (unsigned way = 0; way < 4; way++) {
			const struct symbol_request want = {.choice = {.globals_only = way & 1, .all_names = way & 2}};
			struct diag *diag = make_diag();
			struct symbol_table *table = make_symbol_table(path, &want, diag);

			check_table(table);
			free_symbol_table(table);
			free_diag(diag);
		}
	}
	close(fd);
	return 0;
}
