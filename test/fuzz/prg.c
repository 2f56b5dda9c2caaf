/* Any bytes as a GEMDOS program: by way of the reader that runs on the ST, into its tally, its report; and by way of the host. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "classic/core/prg/prg.h"
#include "classic/core/summary.h"
#include "tables.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *data;
	size_t size;
};

struct keeper {
	struct dwell_tally tally;
	const struct dwell_prg *prg;
	char *names;
	size_t used, room, symbols;
};

static bool read_at(void *context, uint32_t offset, uint8_t *into, uint32_t bytes)
{
	const struct input *input = context;

	if (offset > input->size || bytes > input->size - offset)
		abort(); /* it is to stay in the file */
	memcpy(into, input->data + offset, bytes);
	return true;
}

static bool count(void *context, const struct dwell_prg_symbol *symbol)
{
	struct keeper *keeper = context;

	if (!symbol->name[0] || strlen(symbol->name) > DWELL_PRG_NAME_BYTES || symbol->value >= keeper->prg->text_bytes)
		abort();
	keeper->room += strlen(symbol->name) + 1;
	keeper->symbols++;
	return keeper->room < 1 << 22;
}

static bool keep(void *context, const struct dwell_prg_symbol *symbol)
{
	struct keeper *keeper = context;
	size_t bytes = strlen(symbol->name) + 1;

	if (bytes > keeper->room - keeper->used || !dwell_tally_add(&keeper->tally, symbol->value, keeper->names + keeper->used))
		return false;
	memcpy(keeper->names + keeper->used, symbol->name, bytes);
	keeper->used += bytes;
	return true;
}

static void drop(void *context, const char *text, size_t bytes)
{
	uint64_t *sum = context;

	for (size_t i = 0; i < bytes; i++)
		*sum += (uint8_t)text[i];
}

static void report(struct keeper *keeper, size_t seed)
{
	struct dwell_profile_options options;
	uint64_t sum = 0, samples = keeper->tally.system;
	const struct dwell_put put = {drop, &sum};
	struct dwell_summary summary = {"X.PRG", "", &options, &keeper->tally, seed % 1000};

	dwell_profile_options_init(&options);
	options.has_unseen = seed & 1;
	for (uintptr_t offset = 0; offset < 4096; offset += 1 + seed % 7)
		dwell_tally_sample(&keeper->tally, offset * (1 + seed % 13) - 40);
	dwell_summary_put(&summary, &put);
	dwell_summary_put_errors(&summary, &put);
	for (size_t i = 0; i <= keeper->tally.count; i++)
		samples += keeper->tally.counts[i];
	if (samples + keeper->tally.system != (4096 + seed % 7) / (1 + seed % 7))
		abort();
}

static void as_on_the_st(const uint8_t *data, size_t size)
{
	static struct dwell_prg prg;
	struct input input = {data, size};
	struct keeper keeper = {.prg = &prg};
	void *memory;

	dwell_prg_open(&prg, read_at, &input, (uint32_t)size);
	if (!dwell_prg_header(&prg))
		return;
	dwell_prg_symbols(&prg, count, &keeper);
	memory = malloc(dwell_tally_bytes(keeper.symbols, 25));
	keeper.names = malloc(keeper.room + 1);
	if (memory && keeper.names) {
		dwell_tally_init(&keeper.tally, memory, keeper.symbols, 25, prg.text_bytes);
		dwell_prg_symbols(&prg, keep, &keeper);
		dwell_tally_finish(&keeper.tally);
		dwell_tally_split(&keeper.tally, keeper.tally.count ? size % keeper.tally.count : DWELL_TALLY_NONE, 25);
		report(&keeper, size);
	}
	free(memory);
	free(keeper.names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct diag *diag = make_diag();
	char path[32];

	as_on_the_st(data, size);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size) {
		struct symbol_table *table = make_symbol_table(path, NULL, diag);

		check_table(table);
		free_symbol_table(table);
	}
	free_diag(diag);
	close(fd);
	return 0;
}
