/* What record shares with a program is written over by it, everywhere and all the time, while record works: nothing may come of it
 * but a damaged recording. Under the sanitizers each wrong step is seen; and a file that is cut off is no end of record. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "dwell/format.h"
#include "record/drain/streams.h"
#include "record/drain/workers.h"
#include "record/stage/count.h"
#include "record/stage/depth.h"
#include "record/stage/longer.h"
#include "record/stage/throttle.h"
#include "record/session/figures.h"
#include "record/session/keeper.h"
#include "record/session/session.h"
#include "record/sink/capture.h"
#include "record/sink/losses.h"
#include "util/guard.h"
#include "stages.h"
#include "zoo.h"

#define SLOTS 4u
#define RING_BYTES (8u * DWELL_BLOCK_BYTES)
#define SWEEPS (SANITIZED ? 40 : 150)
#define MEMORY_BYTES (UINT64_C(1) << 20)

static uint64_t seed;

static uint64_t pick(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return seed >> 33 ^ seed << 13;
}

/* Small, near a limit, or anything. */
static uint64_t any(uint64_t limit)
{
	switch (pick() % 7) {
	case 0:
		return pick();
	case 1:
		return UINT64_MAX - pick() % 16;
	case 2:
		return limit + pick() % 16;
	case 3:
		return 0;
	default:
		return pick() % (limit + 1);
	}
}

static uint64_t any_slot(void)
{
	uint64_t stamp = pick() << 32;

	return pick() % 3 ? stamp | (DWELL_TAG_LIMIT + pick() % 64 * 2 + pick() % 2) : stamp % (UINT64_C(9) << 32) | pick() % 32;
}

static void scribble_slot(const struct session *session)
{
	struct dwell_session_slot *slot = session_slot(session, (uint32_t)(pick() % SLOTS));
	uint32_t pids[] = {0, (uint32_t)getpid(), (uint32_t)getppid(), (uint32_t)pick()};

	slot->process = (uint32_t)any(3);
	slot->pid = pids[pick() % 4];
	slot->tid = pids[pick() % 4];
	slot->begin_ticks = pick() % 3;
	memset(slot->name, (int)pick(), sizeof slot->name);
	slot->state = pick() % 4 ? dwell_session_state(DWELL_SESSION_LIVE, slot->pid) : any(4);
}

static void scribble_ring(const struct session *session)
{
	struct dwell_ring *ring = session_ring(session, (uint32_t)(pick() % SLOTS));
	uint64_t *data = (uint64_t *)((unsigned char *)ring + DWELL_RING_HEADER_BYTES), count = pick() % 64;

	for (uint64_t i = 0, at = pick(); i < count; i++)
		data[(at + i) % (RING_BYTES / 8)] = any_slot();
	ring->pos = pick() % 4 ? ring->pos + count * 8 : any(RING_BYTES);
	if (pick() % 4)
		return;
	ring->consumed = any(RING_BYTES);
	ring->ready = any(RING_BYTES) / DWELL_BLOCK_BYTES * DWELL_BLOCK_BYTES;
	ring->lost_events = any(9);
	ring->bytes = any(RING_BYTES);
	ring->header_bytes = (uint32_t)any(DWELL_RING_HEADER_BYTES);
	ring->commits_last = (uint32_t)any(1);
	ring->room = any(RING_BYTES);
	ring->mode = (uint32_t)any(2);
	for (uint32_t i = 0; i < 64; i++)
		((uint64_t *)ring)[DWELL_RING_HEADER_BYTES / 16 + i] = any(1000); /* counters */
}

static void scribble_journal(const struct session *session)
{
	uint64_t at = pick() % 64 * 64, bytes = any(128) & ~UINT64_C(7);
	struct dwell_session_entry *entry =
		(struct dwell_session_entry *)((unsigned char *)session->shared + session->journal_offset + at);

	for (uint32_t i = 0; i < 32; i++)
		((uint64_t *)(entry + 1))[i] = pick() % 3 ? any(4) : UINT64_C(0x0061616161616161);
	entry->kind = (uint32_t)any(DWELL_CHUNK_TEXT);
	entry->ready = (uint32_t)any(1);
	entry->claim = any(3) | bytes << 32;
}

/* None of its own are kept. */
static void scribble_header(const struct session *session)
{
	uint64_t *words = (uint64_t *)session->shared;

	words[pick() % (sizeof *session->shared / 8)] = any(9);
}

static void scribble(const struct session *session)
{
	switch (pick() % 7) {
	case 0:
		scribble_header(session);
		break;
	case 1:
		scribble_journal(session);
		break;
	case 2:
		scribble_slot(session);
		break;
	default:
		scribble_ring(session);
		break;
	}
	session->shared->slots_used = SLOTS;
}

static void scribble_some(const struct session *session)
{
	for (int i = 0; i < 40; i++)
		scribble(session);
}

/* Another process does while record is at it, and this one does in between. */
static pid_t begin_scribbling(const struct session *session, uint64_t with)
{
	pid_t child = fork();

	seed = with;
	if (child)
		return child;
	seed += 1000;
	alarm(100); /* whatever becomes of the test */
	for (;;)
		scribble(session);
}

static void end_scribbling(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void hear_process(void *context, const struct message_process *process)
{
	(void)context;
	CHECK(strlen(process->path) < 4096);
}

enum kind { LISTED, LIMITED, COUNTED, LONGER, THROTTLED, KINDS };

static void stream(uint64_t with, enum kind kind)
{
	const struct session_options options = {
		.slot_count = SLOTS, .ring_bytes = RING_BYTES, .journal_bytes = 1 << 16};
	const struct journal_listener listener = {.on_process = hear_process};
	struct message_header header = zoo_header();
	struct message_clock first = {1000, 0, 0};
	struct diag *diag = make_diag();
	struct session *session = make_session(&options, diag);
	struct trace_writer *writer = make_trace_writer("/dev/null", &header, diag);
	struct journal journal = {.session = session};
	struct switches switches;
	struct streams streams;
	struct privileged privileged = {0}, unreached = {0}, unloaded = {0};
	struct losses losses = {.session = session, .privileged = &privileged, .unreached = &unreached, .unloaded = &unloaded};
	pid_t child;

	/* The rate of a clock that is scribbled on may never be known. */
	stages_recording.session = kind == LONGER ? &stages_session : session;
	add_stage(kind == COUNTED     ? make_count_stage()
		  : kind == LONGER    ? make_longer_stage(5)
		  : kind == LIMITED   ? make_depth_stage(2)
		  : kind == THROTTLED ? make_throttle(0.1, diag)
				      : NULL);
	CHECK(stages_begin(&stages, &stages_recording));
	switches_begin(&switches, writer, &first);
	CHECK(streams_begin(&streams, session, writer, &switches, MEMORY_BYTES));
	streams.workers = make_workers(true);
	streams.stages = &stages;
	child = begin_scribbling(session, with);
	for (uint64_t i = 1; i <= SWEEPS; i++) {
		uint64_t now_ns = i * 100000000;

		scribble_some(session);
		streams_read_positions(&streams, now_ns, false);
		journal_copy(&journal, writer, now_ns, false, &listener);
		stages_sweep(&stages, writer, now_ns);
		streams_write(&streams, now_ns, false);
	}
	streams_read_positions(&streams, UINT64_MAX / 2, true);
	streams_write(&streams, UINT64_MAX / 2, true);
	stages_finish(&stages, &(struct stage_end){.workers = streams.workers, .writer = writer});
	losses.broken = streams.broken;
	losses_report(&losses, writer, "", diag);
	end_scribbling(child);
	CHECK(streams.lost_events <= session_count_max(session) * SLOTS);
	free_workers(streams.workers);
	streams_end(&streams);
	switches_end(&switches);
	free_trace_writer(writer);
	stages_free(&stages);
	free_session(session);
	free_diag(diag);
}

static void ring(uint64_t with, enum dwell_mode mode)
{
	const struct session_options options = {
		.mode = mode, .slot_count = SLOTS, .ring_bytes = RING_BYTES, .journal_bytes = 1 << 16};
	struct message_header header = zoo_header();
	struct message_clock first = {1000, 0, 0};
	struct followed followed = {0};
	struct diag *diag = make_diag();
	struct session *session = make_session(&options, diag);
	struct trace_writer *writer = make_trace_writer("/dev/null", &header, diag);
	struct workers *workers = make_workers(true);
	struct keeper keeper;
	pid_t child;

	keeper_begin(&keeper, session, NULL, 0, &first);
	child = begin_scribbling(session, with);
	for (uint64_t i = 0; i < SWEEPS; i++) {
		struct capture capture = {.session = session, .writer = writer, .workers = workers, .live = i + 1 < SWEEPS};

		scribble_some(session);
		keeper_sweep(&keeper, &followed, i * UINT64_C(1000000000));
		CHECK(capture_write(&capture));
		CHECK(capture.lost_events <= session_count_max(session) * SLOTS);
	}
	end_scribbling(child);
	free_workers(workers);
	free_trace_writer(writer);
	free_session(session);
	free_diag(diag);
}

TEST(streams)
{
	for (uint64_t with = 1; with <= 5; with++)
		for (enum kind kind = 0; kind < KINDS; kind++)
			stream(with * 7 + (uint64_t)kind, kind);
}

TEST(rings)
{
	for (uint64_t with = 1; with <= 5; with++) {
		ring(with, DWELL_MODE_RING);
		ring(with, DWELL_MODE_LINEAR);
	}
}

/* Whatever a header says, no more is read than a ring holds. */
TEST(extents)
{
	struct dwell_extent_facts facts = {
		.mode = DWELL_MODE_RING, .pos = 10 * RING_BYTES, .ready = RING_BYTES, .bytes = RING_BYTES};
	struct dwell_extent extent;
	uint32_t good = 0;

	CHECK(!dwell_extent_of(&facts, &extent));
	for (uint32_t i = 0; i < 200000; i++) {
		facts = (struct dwell_extent_facts){.mode = (uint32_t)(pick() % 3),
			.commits_last = pick() % 2,
			.pos = any(4 * RING_BYTES) & ~UINT64_C(7),
			.consumed = any(4 * RING_BYTES),
			.ready = any(4 * RING_BYTES) / DWELL_BLOCK_BYTES * DWELL_BLOCK_BYTES,
			.bytes = RING_BYTES};
		if (!dwell_extent_of(&facts, &extent))
			continue;
		good++;
		if (extent.begin > extent.end || extent.end - extent.begin > RING_BYTES)
			CHECK_EQ(extent.begin, extent.end);
	}
	CHECK(good > 1000);
}

static struct session *make(void)
{
	struct diag *diag = make_diag();
	struct session *session = make_session(
		&(struct session_options){.slot_count = SLOTS, .ring_bytes = RING_BYTES, .journal_bytes = 1 << 16}, diag);

	free_diag(diag);
	return session;
}

/* One slot in the name of nobody, and none before it. */
TEST(a_thread_of_nobody)
{
	struct session *session = make();
	struct message_header header = zoo_header();
	struct message_clock first = {1000, 0, 0};
	struct diag *diag = make_diag();
	struct trace_writer *writer = make_trace_writer("/dev/null", &header, diag);
	struct switches switches;
	struct streams streams;

	switches_begin(&switches, writer, &first);
	CHECK(streams_begin(&streams, session, writer, &switches, MEMORY_BYTES));
	streams.workers = make_workers(true);
	session_slot(session, 1)->state = dwell_session_state(DWELL_SESSION_LIVE, 0);
	session_slot(session, 1)->tid = 5;
	session_slot(session, 1)->process = 1;
	session->shared->slots_used = 2;
	streams_read_positions(&streams, 1, true);
	CHECK_EQ(streams.threads, 1);
	streams_write(&streams, 1, true);
	free_workers(streams.workers);
	streams_end(&streams);
	switches_end(&switches);
	free_trace_writer(writer);
	free_session(session);
	free_diag(diag);
}

/* What agents count is told; what they cannot have counted is not. */
TEST(figures)
{
	struct session *session = make();
	struct figures figures;

	session->shared->lost_threads = 3;
	session->shared->hook_kinds = DWELL_HOOKS_CYG;
	figures = figures_read(session);
	CHECK(!figures.is_damaged);
	CHECK_EQ(figures.lost_threads, 3);
	session->shared->lost_events = UINT64_MAX / 2;
	figures = figures_read(session);
	CHECK(figures.is_damaged);
	CHECK_EQ(figures.lost_threads + figures.lost_events, 0);
	CHECK_EQ(figures.hook_kinds, DWELL_HOOKS_CYG);
	session->shared->lost_events = 0;
	session->shared->slot_bytes += 8;
	CHECK(figures_read(session).is_damaged);
	free_session(session);
}

TEST(machine)
{
	struct session *session = make();
	struct session_machine machine;

	CHECK(!session_read_machine(session, &machine));
	session->shared->machine = 183;
	session->shared->pointer_bytes = 8;
	session->shared->clock_bits = 65;
	session->shared->machine_ready = 1;
	CHECK(session_read_machine(session, &machine));
	CHECK_EQ(machine.clock_bits, 64);
	session->shared->clock_bits = 32;
	CHECK(session_read_machine(session, &machine));
	CHECK_EQ(machine.clock_bits, 64); /* once and for all */
	free_session(session);
}

/* Nobody can shorten it, and the file that a ring or linear recording comes to is none of it. */
TEST(cut_off)
{
	const char *path = "scribbled.session";
	struct session *session = make();
	struct diag *diag = make_diag();

	CHECK(ftruncate(session->fd, 0) < 0);
	free_session(session);
	session = make_session(&(struct session_options){.mode = DWELL_MODE_RING,
				       .slot_count = SLOTS,
				       .ring_bytes = RING_BYTES,
				       .journal_bytes = 1 << 16,
				       .path = path},
		diag);
	CHECK(session != NULL);
	CHECK(access(path, F_OK) < 0);
	CHECK(ftruncate(session->fd, 0) < 0);
	session->shared->lost_threads = 5;
	CHECK(session_save(session->fd, session->bytes, path));
	CHECK_EQ(truncate(path, 0), 0);
	CHECK_EQ(session->shared->lost_threads, 5);
	CHECK(!guard_was_truncated(session->shared));
	free_session(session);
	CHECK_EQ(unlink(path), 0);
	free_diag(diag);
}

int main(void)
{
	RUN(a_thread_of_nobody);
	RUN(extents);
	RUN(figures);
	RUN(machine);
	RUN(cut_off);
	RUN(streams);
	RUN(rings);
	return tap_done();
}
