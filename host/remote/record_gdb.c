#include "remote/record_gdb.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/gdb.h"
#include "record/sink/trace_file.h"
#include "remote/fetch_program.h"
#include "remote/machine_pc.h"
#include "remote/now_point.h"
#include "writer/trace/dwell.h"

/* Between two samples the target runs for so long at least: a machine that is stopped again at once stands still, as its emulator never
 * comes to run it. */
#define RUN_LEAST_NS 500000u
#define RUN_SPREAD 0.7        /* of the mean, to either side */
#define BATCH_SAMPLES 512u
#define BATCH_NS UINT64_C(500000000) /* what is in no file yet is no more than that */

struct sampling {
	const struct record_gdb *options;
	struct gdb *gdb;
	struct symbol_machine machine;
	struct trace_writer *writer;
	struct diag *diag;
	struct message_node nodes[BATCH_SAMPLES];
	struct message_sample samples[BATCH_SAMPLES];
	uint32_t count;
	uint64_t batch_ns;      /* when it began */
	uint64_t all, ran_ns, begun_ns, ended_ns;
	double stopped_ns;      /* how long one sample stops it, on average of late */
	uint64_t random;
};

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

static uint64_t now_ns(void)
{
	return link_deadline(0);
}

static uint64_t draw(struct sampling *sampling, uint64_t below)
{
	sampling->random ^= sampling->random << 13;
	sampling->random ^= sampling->random >> 7;
	sampling->random ^= sampling->random << 17;
	return below ? sampling->random % below : 0;
}

/* How long it runs next: what is left of the period beside the stop, varied so that it cannot be in step with the program. */
static uint64_t choose_run(struct sampling *sampling)
{
	double mean = 1e9 / sampling->options->hz - sampling->stopped_ns, low, high;

	if (mean < RUN_LEAST_NS)
		mean = RUN_LEAST_NS;
	if (sampling->options->fixed)
		return (uint64_t)mean;
	low = mean * (1 - RUN_SPREAD) > RUN_LEAST_NS ? mean * (1 - RUN_SPREAD) : RUN_LEAST_NS;
	high = 2 * mean - low > 2.0 * RUN_LEAST_NS ? 2 * mean - low : 2.0 * RUN_LEAST_NS;
	return (uint64_t)low + draw(sampling, (uint64_t)(high - low));
}

/* A signal ends it before. */
static void sleep_ns(uint64_t ns)
{
	const struct timespec time = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};

	nanosleep(&time, NULL);
}

static bool write_batch(struct sampling *sampling)
{
	const struct message_samples samples = {.nodes = sampling->nodes,
		.node_count = sampling->count,
		.samples = sampling->samples,
		.count = sampling->count};
	bool good = !sampling->count || trace_writer_samples(sampling->writer, &samples);

	sampling->count = 0;
	return good;
}

static bool add(struct sampling *sampling, uint64_t pc, uint64_t ns, uint64_t weight)
{
	if (!sampling->count)
		sampling->batch_ns = ns;
	sampling->nodes[sampling->count] = (struct message_node){.address = pc};
	sampling->samples[sampling->count] = (struct message_sample){ns, weight, sampling->count + 1, DWELL_STACK_LEAF};
	sampling->count++;
	sampling->all++;
	sampling->ran_ns += weight;
	return (sampling->count < BATCH_SAMPLES && ns - sampling->batch_ns < BATCH_NS) || write_batch(sampling);
}

/* One sample: it runs, and is stopped and asked. False: a diag. */
static bool take(struct sampling *sampling)
{
	uint8_t registers[2048];
	uint64_t begun = now_ns(), ran, asked, pc;
	size_t size;

	if (!gdb_go(sampling->gdb))
		return false;
	sleep_ns(choose_run(sampling));
	asked = now_ns();
	ran = asked - begun;
	if (!gdb_stop(sampling->gdb))
		return false;
	size = gdb_read_registers(sampling->gdb, registers, sizeof registers);
	if (!size)
		return false;
	if (!machine_pc(&sampling->machine, registers, size, &pc)) {
		diag_add(sampling->diag, DIAG_ERROR, sampling->options->where, DIAG_NO_OFFSET,
			"%zu bytes of registers: the program counter of this machine (ELF %u) is not known there", size,
			sampling->machine.machine);
		return false;
	}
	sampling->stopped_ns += ((double)(now_ns() - asked) - sampling->stopped_ns) / 8;
	return add(sampling, pc, asked, ran);
}

/* ---- the file ---- */

static bool write_clock(struct sampling *sampling)
{
	struct message_clock point = now_point();

	return trace_writer_clock(sampling->writer, &point);
}

static bool write_head(struct sampling *sampling, const struct symbol_image *image)
{
	const struct record_gdb *options = sampling->options;
	const struct message_process process = {.path = options->program, .start_ticks = now_ns()};
	const struct message_thread thread = {.tid = 1, .place_kind = DWELL_PLACE_ADDRESS, .name = "target"};
	const struct message_sampling how = {.engine = DWELL_ENGINE_DEBUGGER,
		.unit = DWELL_UNIT_NS,
		.jittered = !options->fixed,
		.has_kernel = true,
		.is_wall = true,
		.period = (uint64_t)(1e9 / options->hz),
		.millihertz = (uint64_t)(1000 * options->hz)};
	const struct message_info facts[] = {{"gdb", options->where}, {"command", options->command_line}};
	bool good = write_clock(sampling) && trace_writer_process(sampling->writer, &process);

	for (size_t i = 0; good && i < symbol_image_count(image); i++) {
		struct symbol_span span = symbol_image_at(image, i);

		good = trace_writer_module(
			sampling->writer, &(struct message_module){.low = span.low, .high = span.high, .path = options->program});
	}
	return good && trace_writer_thread(sampling->writer, &thread) && trace_writer_sampling(sampling->writer, &how) &&
	       trace_writer_info(sampling->writer, facts, 2);
}

static double share_of(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static bool write_end(struct sampling *sampling)
{
	double seconds = (double)(sampling->ended_ns - sampling->begun_ns) / 1e9;
	char rate[64], ran[64];
	const struct message_info facts[] = {{"samples-a-second", rate}, {"target-ran", ran}};

	snprintf(rate, sizeof rate, "%.1f", seconds > 0 ? (double)sampling->all / seconds : 0);
	snprintf(ran, sizeof ran, "%.1f %% of the time", share_of(sampling->ran_ns, sampling->ended_ns - sampling->begun_ns));
	fprintf(stderr, "dwell: %" PRIu64 " samples in %.1f s: %s a second, %g were asked for; the target ran for %s\n", sampling->all, seconds,
		rate, sampling->options->hz, ran);
	return write_batch(sampling) && trace_writer_info(sampling->writer, facts, 2) && write_clock(sampling);
}

static void sample(struct sampling *sampling, const char *path, const struct symbol_image *image)
{
	const struct message_header header = {.clock_hz = 1000000000,
		.clock_bits = 64,
		.clock_global = true,
		.big_endian = sampling->machine.is_big,
		.pointer_bytes = sampling->machine.pointer_bytes,
		.machine = sampling->machine.machine};
	uint64_t end = sampling->options->for_ns ? link_deadline(sampling->options->for_ns) : UINT64_MAX;

	sampling->writer = make_trace_writer(path, &header, sampling->diag);
	if (!sampling->writer)
		return;
	sampling->begun_ns = now_ns();
	sampling->random = sampling->begun_ns | 1;
	if (write_head(sampling, image))
		while (!stopped && now_ns() < end && take(sampling))
			;
	sampling->ended_ns = now_ns();
	write_end(sampling);
	trace_writer_finish(sampling->writer);
	free_trace_writer(sampling->writer);
}

static bool connect_to(struct sampling *sampling, const struct symbol_image *image)
{
	const struct record_gdb *options = sampling->options;

	sampling->gdb = make_gdb(options->where, GDB_WAIT_NS, sampling->diag);
	if (!sampling->gdb || !fetch_check_program(sampling->gdb, options->program, image, sampling->diag))
		return false;
	fprintf(stderr, "dwell: %s is stopped for each sample: whatever it does with other machines, or in time, is not what it would be\n",
		options->where);
	fflush(stderr);
	return true;
}

void record_gdb(const struct record_gdb *options, struct diag *diag)
{
	const struct sigaction on_stop = {.sa_handler = stop};
	struct symbol_image *image = fetch_open_program(options->program, diag);
	struct sampling *sampling = image ? calloc(1, sizeof *sampling) : NULL;
	struct trace_file file = {0};

	if (!sampling) {
		if (image)
			diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		free_symbol_image(image);
		return;
	}
	*sampling = (struct sampling){.options = options, .diag = diag, .machine = symbol_image_machine(image)};
	sigaction(SIGINT, &on_stop, NULL);
	sigaction(SIGTERM, &on_stop, NULL);
	if (connect_to(sampling, image) && trace_file_begin(&file, options->output, options->program, diag)) {
		trace_file_let_go(file.path);
		sample(sampling, file.path, image);
		if (sampling->all)
			trace_file_keep(&file);
		else
			trace_file_undo(&file, true);
	}
	trace_file_end(&file);
	free_gdb(sampling->gdb);
	free(sampling);
	free_symbol_image(image);
}
