#include "classic/host/remote/gperf_session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define RETRY_NS 200000000L
#define LISTEN_NS UINT64_C(1000000000) /* the session checks for signals this often */
/* When another host connects, a target drops a host that has been silent for 10 s. So the session sends something this often. */
#define SPEAK_NS UINT64_C(500000000)
#define REOPENED_MAX 3u
/* Answers over an opened link before the job advances: to HELLO, and to SEGMENT, which shows that the same program runs. */
#define ANSWERS_TO_GREET 2u
/* How long to try to open a cut link again. The target may serve the cut link until that is silent for 10 s: twice as long. */
#define GHOST_NS UINT64_C(20000000000)
#define LAST_WORD_NS UINT64_C(1000000000)

static bool is_stopped(const struct gperf_session *session)
{
	return session->stop && *session->stop;
}

static bool fail(struct gperf_session *session, enum wire_outcome outcome)
{
	struct wire_state state = wire_client_state(session->line.client);

	if (outcome == WIRE_LINE_STOPPED)
		return false;
	if (outcome == WIRE_LINE_BUSY && state.busy_with == session->number)
		diag_add(session->diag, DIAG_ERROR, session->where, DIAG_NO_OFFSET,
			"the target still serves the line that was cut (of this host, number 0x%x), and did not let it go", session->number);
	else if (outcome == WIRE_LINE_BUSY && state.busy_with)
		diag_add(session->diag, DIAG_ERROR, session->where, DIAG_NO_OFFSET, "another host is being served (number 0x%x)", state.busy_with);
	else if (outcome == WIRE_LINE_REFUSED && state.refused == WIRE_WHY_SESSION)
		diag_add(session->diag, DIAG_ERROR, session->where, DIAG_NO_OFFSET,
			"the program calls osProfileInit again before its counters are fetched");
	else
		diag_add(session->diag, DIAG_ERROR, session->where, DIAG_NO_OFFSET, "%s", wire_outcome_text(outcome));
	return false;
}

static void pause_for_retry(void)
{
	const struct timespec pause = {0, RETRY_NS};

	nanosleep(&pause, NULL);
}

/* Opens the link, again and again if the session waits for it. */
static bool open_link(struct gperf_session *session)
{
	free_link(session->line.link);
	session->line.link = NULL;
	session->line.at = session->line.count = 0;
	while (!is_stopped(session)) {
		struct diag *said = make_diag();
		bool listens = !strncmp(session->where, "tcp-listen:", strlen("tcp-listen:"));
		struct link *link = make_link(session->where, session->is_patient && listens ? LISTEN_NS : session->wait_ns, said);
		/* A device that existed, and does not any more, was unplugged. */
		bool may_come = errno == ETIMEDOUT || errno == ECONNREFUSED || errno == EINTR ||
				(session->was_open && (errno == ENOENT || errno == ENXIO || errno == ENODEV || errno == EIO));

		if (link) {
			free_diag(said);
			session->line.link = link;
			session->was_open = true;
			link_expect_end(link);
			return true;
		}
		if (link_deadline(0) >= session->until || !may_come) {
			diag_move(session->diag, said);
			return false;
		}
		free_diag(said);
		if (!listens)
			pause_for_retry();
	}
	return false;
}

bool gperf_session_open(struct gperf_session *session)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	session->number = (uint32_t)getpid() * 0x9e3779b1u ^ (uint32_t)now.tv_nsec;
	session->until = session->is_patient ? UINT64_MAX : 0;
	session->line.client = make_wire_client(session->number);
	session->line.wait_ns = session->wait_ns;
	session->line.stop = session->stop;
	if (!session->line.client) {
		diag_add(session->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return false;
	}
	return open_link(session);
}

/* Whether the target still serves the cut connection of this host. Behind a relay a target does not notice the cut: the target
 * takes this host for a second host, and answers BUSY with this host's number. After 10 s of silence the target drops the cut
 * connection. */
static bool is_own_ghost(const struct gperf_session *session, enum wire_outcome outcome)
{
	return outcome == WIRE_LINE_BUSY && wire_client_state(session->line.client).busy_with == session->number;
}

/* From now on the session tries to open the link for so long. */
static void renew_patience(struct gperf_session *session)
{
	if (!session->is_patient)
		session->until = session->is_lasting ? link_deadline(GHOST_NS) : 0;
}

/* Whether the job has advanced since *answers, which is the number of answers then and now. */
static bool advances(const struct gperf_session *session, uint64_t *answers)
{
	uint64_t before = *answers;

	*answers = session->line.answers;
	return *answers - before > ANSWERS_TO_GREET;
}

/* Ends a job. If the link was cut during the job, opens the link again and goes on with the job, as often as the job advances.
 * Counts of a TAKE that the cut interrupted may be lost, if the target has forgotten meanwhile whether
 * the TAKE was executed (tell_doubts). */
static bool finish(struct gperf_session *session, enum wire_outcome outcome)
{
	uint64_t ghost = 0, answers = session->line.answers;

	renew_patience(session);
	for (uint32_t opened = 0; outcome == WIRE_LINE_GONE || is_own_ghost(session, outcome); opened++) {
		if (advances(session, &answers)) {
			renew_patience(session);
			opened = 0;
			ghost = 0;
		}
		if (is_own_ghost(session, outcome) && !ghost)
			ghost = link_deadline(GHOST_NS);
		if (opened >= REOPENED_MAX && link_deadline(0) >= (ghost > session->until ? ghost : session->until))
			break;
		if (opened)
			pause_for_retry();
		if (is_stopped(session) || !open_link(session))
			return false;
		session->was_cut = true;
		wire_client_reconnect(session->line.client);
		outcome = wire_line_go_on(&session->line);
	}
	return outcome == WIRE_DONE_WELL || fail(session, outcome);
}

static bool perform(struct gperf_session *session, enum wire_job job)
{
	return finish(session, wire_line_do(&session->line, job));
}

bool gperf_session_greet(struct gperf_session *session)
{
	return perform(session, WIRE_JOB_GREET);
}

/* Reports the interrupts that may be lost since the last report. */
static void tell_doubts(struct gperf_session *session)
{
	uint64_t doubtful = wire_client_doubtful(session->line.client);

	if (doubtful > session->doubtful)
		diag_add(session->diag, DIAG_WARN, session->where, DIAG_NO_OFFSET,
			"%" PRIu64 " interrupts may be lost: the line was cut while they were taken away, and others took before it was there again",
			doubtful - session->doubtful);
	session->doubtful = doubtful;
}

/* Moves counted, the counts of the program until now, to past. False and a diag: no memory. */
static bool keep_past(struct gperf_session *session)
{
	struct gperf_counted *grown = realloc(session->past, (session->past_count + 1) * sizeof *grown);

	if (!grown) {
		diag_add(session->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return false;
	}
	session->past = grown;
	session->past[session->past_count++] = session->counted;
	session->counted = (struct gperf_counted){0};
	session->told = 0;
	diag_add(session->diag, DIAG_WARN, session->where, DIAG_NO_OFFSET, "the program made new counters meanwhile%s: what was not fetched before is gone",
		session->was_cut ? ", or another one has begun" : " (osProfileInit)");
	session->was_cut = false;
	return true;
}

/* Finds the program's files, at the first call and after the program made new counters, which may be those of another program. */
static bool find_files(struct gperf_session *session)
{
	uint32_t renewed = wire_client_renewed(session->line.client);

	if (session->files && renewed == session->renewed)
		return true;
	if (session->files && !keep_past(session))
		return false;
	free(session->files);
	session->renewed = renewed;
	session->files = make_gperf_files(session->line.client, session->program, session->image, session->diag);
	return session->files;
}

static struct gperf_trace describe(const struct gperf_session *session)
{
	return (struct gperf_trace){.client = session->line.client,
		.files = session->files,
		.program = session->program,
		.machine = symbol_image_machine(session->image)};
}

/* Returns the time that interrupts took on the target, as far as this host has fetched their counts. */
static uint64_t spent_ns(const struct gperf_session *session, const struct gperf_trace *trace)
{
	return gperf_trace_spent(trace, gperf_counted_sum(&session->counted) + session->counted.overflow + session->counted.beyond);
}

/* Stores what was fetched in counted. */
static bool note(struct gperf_session *session)
{
	struct gperf_trace trace = describe(session);
	bool begins = !session->counted.segments;

	if (!gperf_trace_take(&trace, link_deadline(0), &session->counted)) {
		diag_add(session->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
		return false;
	}
	if (begins)
		session->spent_before += session->spent;
	session->spent = spent_ns(session, &trace);
	session->spent_unknown |= !session->spent;
	return true;
}

bool gperf_session_fetch(struct gperf_session *session, bool flushed)
{
	struct wire_state state = wire_client_state(session->line.client);
	bool holds = !flushed && !session->running && state.is_running, good;

	if (holds && !perform(session, WIRE_JOB_STOP))
		return false;
	good = perform(session, session->take ? WIRE_JOB_TAKE : WIRE_JOB_FETCH);
	tell_doubts(session);
	/* Before the program goes on: it may make new counters. */
	good = good && find_files(session) && note(session);
	/* Restart the target in any case. */
	if (holds) {
		session->line.stop = NULL;
		good = session->line.link && perform(session, WIRE_JOB_START) && good;
		session->line.stop = session->stop;
	}
	return good;
}

bool gperf_session_wait(struct gperf_session *session, uint64_t deadline, bool *flushed)
{
	struct wire_client *client = session->line.client;

	for (*flushed = false; !*flushed && link_deadline(0) < deadline;) {
		uint64_t next = link_deadline(SPEAK_NS);
		enum wire_outcome outcome = wire_line_listen(&session->line, next < deadline ? next : deadline);

		if (outcome == WIRE_DONE_WELL && !wire_client_is_told(client) && !wire_line_speak(&session->line))
			outcome = WIRE_LINE_GONE;
		if (outcome == WIRE_LINE_GONE && (session->is_patient || session->is_lasting)) {
			wire_client_begin(client, WIRE_JOB_GREET);
			if (!finish(session, WIRE_LINE_GONE))
				return false;
			continue;
		}
		if (outcome != WIRE_DONE_WELL)
			return fail(session, outcome);
		*flushed = wire_client_flushes(client);
		if (wire_client_is_wanted(client) && !*flushed && !perform(session, WIRE_JOB_TAKE))
			return false;
	}
	return true;
}

bool gperf_session_has_rest(struct gperf_session *session)
{
	uint64_t sum;

	if (!session->line.client || !wire_client_segments(session->line.client) || !find_files(session) || !note(session))
		return false;
	sum = gperf_counted_sum(&session->counted);
	if (sum <= session->told)
		return false;
	for (size_t i = 0; i < session->past_count; i++)
		sum += gperf_counted_sum(&session->past[i]);
	diag_add(session->diag, is_stopped(session) ? DIAG_NOTE : DIAG_WARN, session->where, DIAG_NO_OFFSET,
		"not all was fetched: the report has the %" PRIu64 " interrupts that came until then", sum);
	return true;
}

bool gperf_session_read_shared(struct gperf_session *session)
{
	return perform(session, WIRE_JOB_AREAS);
}

bool gperf_session_done(struct gperf_session *session)
{
	return perform(session, WIRE_JOB_DONE);
}

/* Reads the bytes of a memory file. */
static bool take_file(int fd, uint8_t **bytes, size_t *size)
{
	off_t end = lseek(fd, 0, SEEK_END);

	*size = end > 0 ? (size_t)end : 0;
	*bytes = malloc(*size ? *size : 1);
	return *bytes && pread(fd, *bytes, *size, 0) == (ssize_t)*size;
}

bool gperf_session_make_trace(struct gperf_session *session, uint8_t **bytes, size_t *size)
{
	struct gperf_trace trace = describe(session);
	struct message_header header = gperf_trace_header(&trace);
	uint64_t spent = session->spent_unknown ? 0 : session->spent_before + session->spent;
	int fd = memfd_create("gperf", MFD_CLOEXEC);
	char path[32];
	struct trace_writer *writer;
	bool good;

	*bytes = NULL;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	writer = fd >= 0 ? make_trace_writer(path, &header, session->diag) : NULL;
	good = writer && gperf_trace_sampling(&trace, spent, writer);
	for (size_t i = 0; good && i < session->past_count; i++)
		good = gperf_counted_write(&session->past[i], session->program, writer);
	good = good && gperf_counted_write(&session->counted, session->program, writer) && trace_writer_finish(writer);
	free_trace_writer(writer);
	good = good && take_file(fd, bytes, size);
	session->told = gperf_counted_sum(&session->counted);
	if (!good)
		diag_add(session->diag, DIAG_ERROR, session->where, DIAG_NO_OFFSET, "what was fetched cannot be kept: out of memory");
	if (fd >= 0)
		close(fd);
	return good;
}

void gperf_session_close(struct gperf_session *session)
{
	if (session->line.link && session->line.client && !link_is_gone(session->line.link)) {
		session->line.stop = NULL;
		session->line.wait_ns = LAST_WORD_NS;
		wire_line_do(&session->line, WIRE_JOB_BYE);
	}
	free_link(session->line.link);
	free_wire_client(session->line.client);
	free(session->files);
	gperf_counted_clear(&session->counted);
	for (size_t i = 0; i < session->past_count; i++)
		gperf_counted_clear(&session->past[i]);
	free(session->past);
}
