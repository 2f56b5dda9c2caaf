/* The hooks and their slow path, interrupted before each of their instructions by a signal handler that has hooks itself. Nothing
 * may be lost without being counted, nothing torn, nothing out of order.
 *
 *     adversary restartable|claiming|restartable-counting|claiming-counting
 *
 * counting: with the hooks that a session with a throttle has.
 *
 * Before an instruction stands a breakpoint, one a run: single-stepping would start a restartable sequence again for ever. The
 * program holds the agent itself and records into a session that it makes for it, so it can read what is in the ring. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "points.h"
#include "port/os/linux/agent.h"
#include "record/session/session.h"
#include "record/stage/throttle.h"
#include "traced.h"
#include "trial.h"

#define RING_BYTES (32u * 1024u)
#define SLOTS 8u
#define FAILURES_SHOWN 10u

static struct points points;
static uint64_t runs, hits, failures;
static bool reached[POINTS_MAX], was_hit[POINTS_MAX];

static void try_all(const struct trial *trial)
{
	trial_prepare(trial);
	trial_survey(trial, &points, reached);
	for (unsigned i = 0; i < points.count; i++) {
		const char *problem;
		bool hit;

		if (!reached[i])
			continue;
		problem = trial_run(trial, points.list[i].at, &hit);
		runs++;
		hits += hit;
		was_hit[i] |= hit;
		if (problem && failures++ < FAILURES_SHOWN)
			printf("# before %s: %s (%s)\n", points.list[i].name, problem, trial_name(trial));
	}
}

static void try_everywhere(struct trial trial)
{
	static const unsigned slots_left[] = {0, 1, 2, 3, 4, 5, DWELL_BLOCK_SLOTS / 2, DWELL_BLOCK_SLOTS - 1};

	for (unsigned i = 0; i < sizeof slots_left / sizeof *slots_left; i++) {
		for (int fills = 0; fills < 2; fills++) {
			trial.slots_left = slots_left[i];
			trial.fills = fills;
			try_all(&trial);
		}
	}
}

static void try_states(enum dwell_mode mode, enum trial_action action, enum trial_from from)
{
	for (enum trial_state state = 0; state < TRIAL_STATES; state++)
		if (!(mode == DWELL_MODE_RING && state == TRIAL_FULL) && !(mode != DWELL_MODE_STREAM && state == TRIAL_FREED))
			try_everywhere((struct trial){.mode = mode, .state = state, .action = action, .from = from});
}

static void test_mode(const char *name, enum dwell_mode mode)
{
	failures = runs = hits = 0;
	for (enum trial_action action = 0; action < TRIAL_ACTIONS; action++)
		try_states(mode, action, TRIAL_HOOK);
	printf("# %s: %llu runs, a handler in %llu of them\n", name, (unsigned long long)runs, (unsigned long long)hits);
	CHECK_EQ(failures, 0);
}

TEST(stream) { test_mode("stream", DWELL_MODE_STREAM); }
TEST(ring) { test_mode("ring", DWELL_MODE_RING); }
TEST(linear) { test_mode("linear", DWELL_MODE_LINEAR); }

/* The slow path behind it is the same in all modes. */
static void try_sites(const char *name, enum trial_from from)
{
	failures = runs = hits = 0;
	try_states(DWELL_MODE_STREAM, TRIAL_ENTER, from);
	try_states(DWELL_MODE_STREAM, TRIAL_EXIT, from);
	printf("# %s: %llu runs, a handler in %llu of them\n", name, (unsigned long long)runs, (unsigned long long)hits);
	CHECK_EQ(failures, 0);
}

/* What is counted is not recorded, nor lost: whoever comes in between. */
TEST(counted)
{
	unsigned of_stub = 0;

	try_sites("counted calls", TRIAL_COUNTED);
	for (unsigned i = 0; i < points.count; i++)
		of_stub += was_hit[i] && strstr(points.list[i].name, "stub enter") != NULL;
	printf("# interrupted at %u instructions of the enter hook\n", of_stub);
	CHECK(of_stub >= 36);
}

TEST(sites) { try_sites("sites", TRIAL_SITE); }

/* They take the slow path themselves: the way there and back counts. */
TEST(values)
{
	unsigned of_stub = 0;

	try_sites("sites with values", TRIAL_VALUES);
	for (unsigned i = 0; i < points.count; i++)
		of_stub += was_hit[i] && (!strncmp(points.list[i].name, "dwell_site_values+", 18) ||
						 !strncmp(points.list[i].name, "dwell_site_slow_values+", 23));
	printf("# interrupted at %u instructions on the way\n", of_stub);
	CHECK_EQ(of_stub, 4 + 32);
}

/* The test is as good as the list: the hooks, the slow path and its parts must have been interrupted, all over. */
TEST(enough_points)
{
	unsigned stub = 0, slow = 0;

	for (unsigned i = 0; i < points.count; i++) {
		stub += was_hit[i] && strstr(points.list[i].name, "stub ") != NULL;
		slow += was_hit[i] && strstr(points.list[i].name, "stub ") == NULL;
	}
	printf("# interrupted at %u instructions of the hooks, %u of the slow path\n", stub, slow);
	CHECK(stub >= 36 + 2 * 24);
	CHECK(slow >= 250);
}

static unsigned run_traced(const char *(*run)(uint8_t *at, bool *hit))
{
	unsigned tried = 0;

	for (unsigned i = 0; i < points.count; i++) {
		bool hit;
		const char *problem = run(points.list[i].at, &hit);

		tried += hit;
		if (problem == traced_refused) {
			printf("# skipped: %s\n", problem);
			return UINT_MAX;
		}
		if (!CHECK(!problem))
			printf("# before %s: %s\n", points.list[i].name, problem);
	}
	printf("# at %u instructions\n", tried);
	return tried;
}

TEST(set_up) { CHECK(run_traced(traced_begin) >= 150); }
TEST(killed_while_it_tells) { CHECK(run_traced(traced_message) >= 30); }

static int run_tests(bool restartable, bool counting)
{
	char objects[4096];
	const char *build = getenv("BUILD");

	if ((dwell_rseq_offset != 0) != restartable) {
		printf("1..0 # SKIP no restartable sequences on this system\n");
		return 0;
	}
	build = build ? build : "build";
	snprintf(objects, sizeof objects,
		"%s/linked/target/recorder/trace.o %s/linked/target/port/os/linux/thread.o %s/linked/target/port/os/linux/agent.o "
		"%s/linked/target/port/os/linux/memory.o %s/linked/target/port/os/linux/inlined.o %s/linked/target/port/os/linux/extents.o "
		"%s/linked/target/port/os/linux/journal.o %s/linked/target/port/cpu/x86_64/stub.o %s/linked/target/port/cpu/x86_64/site_event.o",
		build, build, build, build, build, build, build, build, build);
	points = make_points(objects);
	if (!agent.session || throttle_is_on != counting)
		return 1;
	trial_begin();
	if (counting) {
		RUN(stream);
		RUN(counted);
		free(points.list);
		return tap_done();
	}
	RUN(stream);
	RUN(ring);
	RUN(linear);
	RUN(sites);
	RUN(values);
	RUN(enough_points);
	RUN(set_up);
	RUN(killed_while_it_tells);
	free(points.list);
	return tap_done();
}

/* Makes the session, and runs this program again in it. */
static int run_in_session(char *const argv[])
{
	struct diag *diag = make_diag();
	struct session *session = make_session(&(struct session_options){.slot_count = SLOTS, .ring_bytes = RING_BYTES}, diag);
	struct stage_recording recording = {.session = session, .diag = diag};
	struct stage_list stages = {0};
	int status = -1;
	pid_t pid;

	if (!session)
		return 1;
	if (strstr(argv[1], "counting"))
		stages_add(&stages, make_throttle(1, diag));
	if (!stages_begin(&stages, &recording))
		return 1;
	setenv(DWELL_SESSION_ENV, session->name, 1);
	setenv("GLIBC_TUNABLES", !strstr(argv[1], "claiming") ? "glibc.pthread.rseq=1" : "glibc.pthread.rseq=0", 1);
	pid = fork();
	if (pid == 0) {
		execv("/proc/self/exe", argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		status = -1;
	stages_free(&stages);
	free_session(session);
	free_diag(diag);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + (status & 0x7f);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	return getenv(DWELL_SESSION_ENV) ? run_tests(!strstr(argv[1], "claiming"), strstr(argv[1], "counting")) : run_in_session(argv);
}
