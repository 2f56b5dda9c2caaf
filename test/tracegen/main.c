/* tracegen: writes valid traces of any size, and says what is in them by a count of its own. For tests, the bench and the demo.
 *
 * The clock ticks once a nanosecond, so that ticks and the times of a report are the same numbers. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracegen/functions.h"
#include "tracegen/samples.h"
#include "tracegen/walk.h"
#include "writer/trace/dwell.h"
#include "zoo.h"

#define START_TICKS (UINT64_C(0x1fff00000)) /* the low half of the clock soon turns, so that small traces see it, too */
#define START_UNIX_NS UINT64_C(1700000000000000000)
#define THREADS_MAX 256
#define HEADER                                                                                                                     \
	{                                                                                                                          \
		.clock_hz = 1000000000, .clock_bits = 64, .clock_global = true, .start_unix_ns = START_UNIX_NS,                    \
		.pointer_bytes = 8,                                                                                                \
		.machine = 62                                                                                                      \
	}

static const char usage[] =
	"usage: tracegen -o FILE [--events N] [--threads N] [--functions N] [--depth N] [--seed N] [--program ELF] [--truth FILE]\n"
	"                        [--pairs FILE] [--switches N] [--args N] [--pack]\n"
	"       tracegen -o FILE --samples N [--shares N,N...] [--run N] [--threads N] [--functions N] [--seed N]\n"
	"                        [--program ELF] [--truth FILE]\n"
	"       tracegen -o FILE --zoo [--pack]\n"
	"\n"
	"  --events N      enters and exits, all threads together (default 100000); the calls open at the end are left on top of "
	"that\n"
	"  --threads N     default 2, at most 256\n"
	"  --functions N   default 100, at most 4096\n"
	"  --depth N       of the call tree, default 20, at most 4095\n"
	"  --seed N        the same seed gives the same file\n"
	"  --program ELF   the functions are this program's, so that a report shows names\n"
	"  --truth FILE    writes function,calls,total_ns,self_ns as counted while generating\n"
	"  --pairs FILE    writes caller,function,calls,total_ns,self_ns likewise; of a call that is outermost the caller is (outermost)\n"
	"  --switches N    off the CPU, once in N steps; the truth gets total_off_ns,self_off_ns\n"
	"  --args N        arguments of each call, at most 6, and what it returns: depth, ticks, -depth - 1, 0, -ticks, ticks << 30; its\n"
	"                  duration\n"
	"  --pack          packed chunks\n"
	"  --samples N     samples and no events, about a millisecond each, all threads together; the truth is function,samples,self_ns\n"
	"  --shares N,...  what the functions weigh, in the order of their names; without it the first as much as all others, the second as\n"
	"                  those behind it, and so on\n"
	"  --run N         a thread stays in a function for so many samples on average (1)\n"
	"  --unsampled N   the system counts N percent more CPU time than they stand for (0)\n"
	"  --excess N      the system counts N percent less CPU time than they stand for (0)\n"
	"  --clock-step TEXT  the recording says that its clock steps so\n"
	"  --interrupted TEXT  the recording says that so many were left out\n"
	"  --unsampled-kernel TEXT  the recording says that so much CPU time of the kernel has no samples\n"
	"  --throttled N   N calls of the first function and 2 N of the second were not recorded, those counted and these not; and what recording\n"
	"                  a call cost\n"
	"  --losses N      N each of lost samples, times held back, and records that made no sense\n"
	"  --cycles        they are measured in cycles, not in nanoseconds\n"
	"  --zoo           a small file with one of everything that the format has\n";

struct options {
	const char *out, *program, *truth, *pairs;
	uint64_t events, seed;
	uint32_t threads, functions, depth, switch_rate, args, run, unsampled, excess;
	uint64_t samples; /* 0: events */
	uint64_t losses, throttled;
	const char *shares, *interrupted, *unsampled_kernel, *clock_step;
	bool zoo, pack, cycles;
};

static bool read_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
	char *end;

	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && *number >= least && *number <= most;
}

static bool read_options(int argc, char **argv, struct options *options)
{
	static const struct option known[] = {{"events", required_argument, NULL, 'e'}, {"threads", required_argument, NULL, 't'},
		{"functions", required_argument, NULL, 'f'}, {"depth", required_argument, NULL, 'd'},
		{"seed", required_argument, NULL, 's'}, {"program", required_argument, NULL, 'p'},
		{"truth", required_argument, NULL, 'T'}, {"pairs", required_argument, NULL, '2'}, {"zoo", no_argument, NULL, 'z'},
		{"pack", no_argument, NULL, 'P'}, {"switches", required_argument, NULL, 'S'},
		{"args", required_argument, NULL, 'a'}, {"samples", required_argument, NULL, 'N'},
		{"shares", required_argument, NULL, 'H'}, {"run", required_argument, NULL, 'r'},
		{"cycles", no_argument, NULL, 'c'}, {"unsampled", required_argument, NULL, 'u'},
		{"losses", required_argument, NULL, 'l'},
		{"throttled", required_argument, NULL, 'R'}, {"excess", required_argument, NULL, 'E'},
		{"interrupted", required_argument, NULL, 'I'}, {"unsampled-kernel", required_argument, NULL, 'K'}, {"clock-step", required_argument, NULL, 'C'}, {0}};
	uint64_t threads = 2, functions = 100, depth = 20, switch_rate = 0, args = 0, run = 1, unsampled = 0, excess = 0;
	bool good = true;
	int option;

	*options = (struct options){.events = 100000, .seed = 1};
	while ((option = getopt_long(argc, argv, "o:", known, NULL)) != -1) {
		switch (option) {
		case 'o':
			options->out = optarg;
			break;
		case 'e':
			good &= read_number(optarg, 0, UINT64_MAX / 2, &options->events);
			break;
		case 't':
			good &= read_number(optarg, 1, THREADS_MAX, &threads);
			break;
		case 'f':
			good &= read_number(optarg, 1, WALK_FUNCTIONS_MAX, &functions);
			break;
		case 'd':
			good &= read_number(optarg, 1, WALK_DEPTH_MAX - 1, &depth);
			break;
		case 's':
			good &= read_number(optarg, 0, UINT64_MAX, &options->seed);
			break;
		case 'S':
			good &= read_number(optarg, 1, UINT32_MAX, &switch_rate);
			break;
		case 'a':
			good &= read_number(optarg, 1, DWELL_ARGS_MAX, &args);
			break;
		case 'N':
			good &= read_number(optarg, 1, UINT64_MAX / SAMPLES_PERIOD_NS / 2, &options->samples);
			break;
		case 'C':
			options->clock_step = optarg;
			break;
		case 'H':
			options->shares = optarg;
			break;
		case 'l':
			good &= read_number(optarg, 1, UINT64_MAX, &options->losses);
			break;
		case 'R':
			good &= read_number(optarg, 1, UINT64_MAX / 2, &options->throttled);
			break;
		case 'c':
			options->cycles = true;
			break;
		case 'u':
			good &= read_number(optarg, 0, 1000, &unsampled);
			break;
		case 'E':
			good &= read_number(optarg, 0, 99, &excess);
			break;
		case 'I':
			options->interrupted = optarg;
			break;
		case 'K':
			options->unsampled_kernel = optarg;
			break;
		case 'r':
			good &= read_number(optarg, 1, UINT32_MAX, &run);
			break;
		case 'p':
			options->program = optarg;
			break;
		case 'T':
			options->truth = optarg;
			break;
		case '2':
			options->pairs = optarg;
			break;
		case 'z':
			options->zoo = true;
			break;
		case 'P':
			options->pack = true;
			break;
		default:
			good = false;
		}
	}
	options->threads = (uint32_t)threads;
	options->functions = (uint32_t)functions;
	options->depth = (uint32_t)depth;
	options->switch_rate = (uint32_t)switch_rate;
	options->args = (uint32_t)args;
	options->run = (uint32_t)run;
	options->unsampled = (uint32_t)unsampled;
	options->excess = (uint32_t)excess;
	return good && options->out && optind == argc;
}

static void declare(struct trace_writer *writer, const struct options *options, const struct functions_list *list)
{
	const char *slash = strrchr(list->module.path, '/'), *argv[1];
	char called[300];
	struct message_process process = {
		.pid = 4711, .parent_pid = 1, .start_ticks = START_TICKS, .path = list->module.path, .argv = argv, .argc = 1};
	struct message_clock clock = {START_TICKS, 0, START_UNIX_NS};
	struct message_info fact = {"generator", "tracegen"};
	char name[32];

	snprintf(called, sizeof called, "/%s", slash ? slash + 1 : list->module.path);
	argv[0] = called;
	trace_writer_process(writer, &process);
	trace_writer_module(writer, &list->module);
	for (uint32_t i = 0; i < options->threads; i++) {
		struct message_thread thread = {.stream = i, .tid = 4711 + i, .name = name,
			.place_kind = options->samples ? DWELL_PLACE_ADDRESS : DWELL_PLACE_LOW32};
		snprintf(name, sizeof name, i ? "worker-%u" : "main", i);
		trace_writer_thread(writer, &thread);
	}
	trace_writer_clock(writer, &clock);
	trace_writer_info(writer, &fact, 1);
	if (options->clock_step)
		trace_writer_info(writer, &(const struct message_info){"clock-step", options->clock_step}, 1);
}

/* What the chunk that is written next needs. */
static void tell_switches(struct trace_writer *writer, struct walk *walk, uint32_t stream)
{
	struct message_switches switches = {.stream = stream,
		.from_ticks = walk->known_until,
		.until_ticks = walk->now,
		.off_before_ticks = walk->off_before,
		.preempted_before_ticks = walk->preempted_before,
		.switches = walk->switches,
		.count = walk->switch_count};

	trace_writer_switches(writer, &switches);
	walk->known_until = walk->now;
}

static bool write_chunk(struct trace_writer *writer, struct packer *packer, struct walk *walk, uint32_t stream)
{
	uint8_t *bytes = (uint8_t *)walk->slots;
	struct bytes piece = {bytes, walk->slot_count * (size_t)DWELL_SLOT_BYTES};
	struct trace_slots run = {
		stream, walk->frames, walk->frame_count, &piece, 1, walk->first, walk->last, walk->events, packer};

	if (walk->switch_rate)
		tell_switches(writer, walk, stream);
	for (uint32_t i = 0; i < walk->slot_count; i++)
		put_u64(bytes + i * (size_t)DWELL_SLOT_BYTES, walk->slots[i]);
	return trace_writer_slots(writer, &run);
}

/* The threads take turns, a chunk each. Returns the time of the last event. */
static uint64_t write_events(struct trace_writer *writer, struct packer *packer, const struct options *options, struct walk *walks,
	struct walk_truth *truth)
{
	uint64_t left = options->events, last = START_TICKS;

	for (uint32_t i = 0; left; i = (i + 1) % options->threads) {
		uint64_t share = left / (options->threads - i ? options->threads - i : 1) + 1;
		walk_begin_chunk(&walks[i]);
		walk_fill_chunk(&walks[i], (uint32_t)(share < WALK_CHUNK_SLOTS ? share : WALK_CHUNK_SLOTS), truth);
		left -= walks[i].events < left ? walks[i].events : left;
		write_chunk(writer, packer, &walks[i], i);
	}
	for (uint32_t i = 0; i < options->threads; i++) {
		struct message_thread thread = {
			.stream = i, .tid = 4711 + i, .ended = true, .place_kind = DWELL_PLACE_LOW32, .name = ""};
		char name[32];
		walk_begin_chunk(&walks[i]);
		walk_leave_all(&walks[i], truth);
		write_chunk(writer, packer, &walks[i], i);
		snprintf(name, sizeof name, i ? "worker-%u" : "main", i);
		thread.name = name;
		trace_writer_thread(writer, &thread);
		last = walks[i].now > last ? walks[i].now : last;
	}
	return last;
}

static bool write_truth(const char *path, const struct functions_list *list, const struct walk_truth *truth, bool off)
{
	FILE *out = fopen(path, "w");
	bool bad;

	if (!out)
		return false;
	fprintf(out, "function,calls,total_ns,self_ns%s\n", off ? ",total_off_ns,self_off_ns" : "");
	for (uint32_t i = 0; i < list->count; i++) {
		if (!truth[i].calls)
			continue;
		fprintf(out, "%s,%llu,%llu,%llu", list->names[i], (unsigned long long)truth[i].calls,
			(unsigned long long)truth[i].total, (unsigned long long)truth[i].self);
		if (off)
			fprintf(out, ",%llu,%llu", (unsigned long long)truth[i].total_off, (unsigned long long)truth[i].self_off);
		putc('\n', out);
	}
	bad = ferror(out);
	return !fclose(out) && !bad;
}

static bool write_pairs(const char *path, const struct functions_list *list, const struct walk_pair *pairs)
{
	FILE *out = fopen(path, "w");
	bool bad;

	if (!out)
		return false;
	fprintf(out, "caller,function,calls,total_ns,self_ns\n");
	for (size_t i = 0; i < (list->count + (size_t)1) * list->count; i++)
		if (pairs[i].calls)
			fprintf(out, "%s,%s,%llu,%llu,%llu\n", i < list->count ? "(outermost)" : list->names[i / list->count - 1],
				list->names[i % list->count], (unsigned long long)pairs[i].calls,
				(unsigned long long)pairs[i].total, (unsigned long long)pairs[i].self);
	bad = ferror(out);
	return !fclose(out) && !bad;
}

static bool write_sample_truth(const char *path, const struct functions_list *list, const struct samples_truth *truth)
{
	FILE *out = fopen(path, "w");
	bool bad;

	if (!out)
		return false;
	fprintf(out, "function,samples,self_ns\n");
	for (uint32_t i = 0; i < list->count; i++)
		if (truth[i].samples)
			fprintf(out, "%s,%llu,%llu\n", list->names[i], (unsigned long long)truth[i].samples,
				(unsigned long long)truth[i].weight);
	bad = ferror(out);
	return !fclose(out) && !bad;
}

static void tell_losses(struct trace_writer *writer, uint64_t count, uint64_t ticks)
{
	static const uint32_t reasons[] = {DWELL_LOSS_SAMPLES, DWELL_LOSS_THROTTLED, DWELL_LOSS_DAMAGED};

	for (size_t i = 0; count && i < sizeof reasons / sizeof *reasons; i++)
		trace_writer_loss(writer, &(const struct message_loss){.reason = reasons[i], .count = count, .ticks = ticks});
}

static void tell_throttled(struct trace_writer *writer, const struct functions_list *list, uint64_t calls)
{
	const struct message_throttled throttled[] = {
		{.place = list->places[0],
			.since_ticks = START_TICKS + 20000,
			.calls = calls,
			.call_sixteenths = 50 * 16,
			.cut = 1,
			.is_counted = true},
		{.place = list->places[1], .since_ticks = START_TICKS + 40000, .calls = 2 * calls, .call_sixteenths = 50 * 16},
	};
	const struct message_info fact = {
		"overhead-hooks", "inner 30.0 (28.0 to 33.0), outer 20.0 (19.0 to 24.0), ticks, measured 5 times"};

	/* An earlier word, which does not count. */
	trace_writer_throttle(writer, &(struct message_throttle){.list = &(struct message_throttled){.place = list->places[0],
								     .since_ticks = START_TICKS + 20000, .calls = calls / 2},
					      .count = 1});
	trace_writer_throttle(writer, &(struct message_throttle){.list = throttled, .count = list->count > 1 ? 2 : 1});
	trace_writer_info(writer, &fact, 1);
}

static bool generate_samples(const struct options *options, struct functions_list *list, struct diag *diag)
{
	const struct samples_plan plan = {options->samples, options->seed, options->threads, options->run, options->cycles,
		options->shares, options->unsampled, options->excess};
	struct message_header header = HEADER;
	struct samples_truth *truth = calloc(list->count, sizeof *truth);
	struct trace_writer *writer;
	struct message_clock clock = {0};
	bool good;

	if (!truth || !samples_plan_check(&plan, list->count)) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "--shares '%s': expected a number for each of %u functions at the most",
			plan.shares ? plan.shares : "", (unsigned)list->count);
		free(truth);
		return false;
	}
	writer = make_trace_writer(options->out, &header, diag);
	if (writer) {
		declare(writer, options, list);
		clock.ticks = samples_write(writer, &plan, list, START_TICKS, truth);
		clock.monotonic_ns = clock.ticks - START_TICKS;
		clock.unix_ns = START_UNIX_NS + clock.monotonic_ns;
		trace_writer_clock(writer, &clock);
		tell_losses(writer, options->losses, clock.ticks);
		if (options->interrupted)
			trace_writer_info(writer, &(const struct message_info){"interrupted", options->interrupted}, 1);
		if (options->unsampled_kernel)
			trace_writer_info(writer, &(const struct message_info){"unsampled-kernel", options->unsampled_kernel}, 1);
	}
	good = writer && clock.ticks && trace_writer_finish(writer);
	free_trace_writer(writer);
	if (good && options->truth && !write_sample_truth(options->truth, list, truth)) {
		diag_add(diag, DIAG_ERROR, options->truth, DIAG_NO_OFFSET, "cannot be written");
		good = false;
	}
	free(truth);
	return good;
}

static bool generate(const struct options *options, struct functions_list *list, struct diag *diag)
{
	struct message_header header = HEADER;
	struct walk *walks = calloc(options->threads, sizeof *walks);
	struct walk_truth *truth = calloc(WALK_FUNCTIONS_MAX, sizeof *truth);
	size_t pair_count = options->pairs ? (list->count + (size_t)1) * list->count : 0;
	struct walk_pair *pairs = pair_count ? calloc(pair_count, sizeof *pairs) : NULL;
	struct trace_writer *writer = walks && truth ? make_trace_writer(options->out, &header, diag) : NULL;
	struct packer *packer = options->pack ? make_packer() : NULL;
	struct message_clock clock;
	bool good = false;

	if (writer && !packer == !options->pack) {
		for (uint32_t i = 0; i < options->threads; i++) {
			walks[i].random =
				((options->seed + 1) * UINT64_C(0x9e3779b97f4a7c15) + i * UINT64_C(0xbf58476d1ce4e5b9)) | 1;
			walks[i].now = START_TICKS + i * 1000;
			walks[i].function_count = list->count;
			walks[i].places = list->places;
			walks[i].depth_max = options->depth;
			walks[i].switch_rate = options->switch_rate;
			walks[i].args = options->args;
			walks[i].callers = list->real;
			walks[i].active_pairs = pairs ? calloc(pair_count, sizeof *walks[i].active_pairs) : NULL;
			walks[i].pairs = walks[i].active_pairs ? pairs : NULL;
		}
		declare(writer, options, list);
		clock.ticks = write_events(writer, packer, options, walks, truth);
		clock.monotonic_ns = clock.ticks - START_TICKS;
		clock.unix_ns = START_UNIX_NS + clock.monotonic_ns;
		trace_writer_clock(writer, &clock);
		if (options->throttled)
			tell_throttled(writer, list, options->throttled);
		good = trace_writer_finish(writer);
	}
	free_packer(packer);
	free_trace_writer(writer);
	if (good && options->truth && !write_truth(options->truth, list, truth, options->switch_rate)) {
		diag_add(diag, DIAG_ERROR, options->truth, DIAG_NO_OFFSET, "cannot be written");
		good = false;
	}
	if (good && options->pairs && !(pairs && write_pairs(options->pairs, list, pairs))) {
		diag_add(diag, DIAG_ERROR, options->pairs, DIAG_NO_OFFSET, "cannot be written");
		good = false;
	}
	for (uint32_t i = 0; walks && i < options->threads; i++)
		free(walks[i].active_pairs);
	free(walks);
	free(truth);
	free(pairs);
	return good;
}

int main(int argc, char **argv)
{
	struct diag *diag = make_diag();
	static struct functions_list list;
	struct options options;
	bool good;

	if (!read_options(argc, argv, &options)) {
		fputs(usage, stderr);
		return 2;
	}
	if (options.zoo)
		good = options.pack ? zoo_write_packed(options.out, diag) : zoo_write(options.out, diag);
	else
		good = functions_list_make(&list, options.program, options.functions, diag) &&
			(options.samples ? generate_samples(&options, &list, diag) : generate(&options, &list, diag));
	functions_list_clear(&list);
	diag_print(diag, stderr);
	free_diag(diag);
	return good ? 0 : 2;
}
