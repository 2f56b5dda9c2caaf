/* addresses PROGRAM COUNT FILE: a trace of COUNT samples, each at another address of the program, all over its functions. */
#include <stdio.h>
#include <stdlib.h>

#include "dwell/format.h"
#include "symbol/symbol.h"
#include "writer/trace/dwell.h"

#define BIAS UINT64_C(0x555555554000)
#define PERIOD_NS 1000000u
#define EM_X86_64 62u

static bool write_samples(struct trace_writer *writer, const struct symbol_table *table, uint32_t count)
{
	struct message_node *nodes = calloc(count, sizeof *nodes);
	struct message_sample *samples = calloc(count, sizeof *samples);
	size_t symbols = symbol_count(table);
	bool good = nodes && samples && symbols;

	for (uint32_t i = 0; good && i < count; i++) {
		/* Where there are fewer functions than addresses, several are in one. */
		const struct symbol *symbol = symbol_at(table, (size_t)((double)i * (double)symbols / count));

		nodes[i].address = BIAS + symbol->address + i % symbol->size;
		samples[i] = (struct message_sample){.ticks = (uint64_t)(i + 1) * PERIOD_NS, .weight = PERIOD_NS, .node = i + 1};
	}
	good = good &&
		trace_writer_samples(
			writer, &(struct message_samples){.nodes = nodes, .node_count = count, .samples = samples, .count = count});
	free(nodes);
	free(samples);
	return good;
}

static bool write_trace(const char *program, const struct symbol_table *table, uint32_t count, const char *path, struct diag *diag)
{
	const struct message_header header = {
		.clock_hz = 1000000000, .clock_bits = 64, .clock_global = true, .pointer_bytes = 8, .machine = EM_X86_64};
	const struct message_module module = {.low = BIAS, .high = BIAS + (UINT64_C(1) << 40), .bias = BIAS, .path = program};
	const struct message_sampling sampling = {.engine = DWELL_ENGINE_TASK_CLOCK, .unit = DWELL_UNIT_NS, .period = PERIOD_NS};
	struct trace_writer *writer = make_trace_writer(path, &header, diag);
	bool good = writer &&
		trace_writer_process(writer, &(struct message_process){.pid = 1, .path = program}) &&
		trace_writer_module(writer, &module) &&
		trace_writer_thread(writer, &(struct message_thread){.tid = 1, .place_kind = DWELL_PLACE_ADDRESS, .name = "made up"}) &&
		trace_writer_sampling(writer, &sampling) &&
		write_samples(writer, table, count) && trace_writer_finish(writer);

	free_trace_writer(writer);
	return good;
}

int main(int argc, char **argv)
{
	struct diag *diag = make_diag();
	struct symbol_table *table = argc == 4 ? make_symbol_table(argv[1], NULL, diag) : NULL;
	bool good = table && write_trace(argv[1], table, (uint32_t)atoi(argv[2]), argv[3], diag);

	free_symbol_table(table);
	diag_print(diag, stderr);
	free_diag(diag);
	if (!good)
		fprintf(stderr, "usage: addresses PROGRAM COUNT FILE\n");
	return good ? 0 : 2;
}
