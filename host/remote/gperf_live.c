#include "remote/gperf_live.h"

#include <signal.h>
#include <string.h>

#include "remote/fetch_program.h"
#include "remote/gperf_session.h"

#define SECOND_NS UINT64_C(1000000000)
#define EARLY_NS (SECOND_NS / 10) /* a table that is made each second is to have what came until then */
#define LOOK_NS (SECOND_NS / 20)

static volatile sig_atomic_t stopped;

static void stop(int signal)
{
	(void)signal;
	stopped = 1;
}

bool gperf_live_is_link(const char *word)
{
	return !strncmp(word, "tcp:", 4) || !strncmp(word, "tcp-listen:", 11) || !strncmp(word, "serial:", 7);
}

/* The next second, or what somebody wants before. False: the link is gone, which is a diag. */
static bool wait_until(const struct gperf_live *live, struct gperf_session *session, uint64_t deadline)
{
	bool flushed = false;

	while (!*live->stop && !stopped && link_deadline(0) < deadline) {
		uint64_t look = link_deadline(LOOK_NS);

		if (!gperf_session_wait(session, look < deadline ? look : deadline, &flushed) ||
			(flushed && !(gperf_session_fetch(session, true) && gperf_session_done(session))))
			return false;
	}
	return true;
}

static void follow(const struct gperf_live *live, struct gperf_session *session)
{
	uint64_t end = live->for_ns ? link_deadline(live->for_ns) : UINT64_MAX, next = link_deadline(SECOND_NS - EARLY_NS);

	if (!gperf_session_open(session) || !gperf_session_greet(session) || !gperf_session_fetch(session, false))
		return;
	while (!*live->stop && !stopped && link_deadline(0) < end) {
		if (!wait_until(live, session, next < end ? next : end) || !gperf_session_fetch(session, false))
			return;
		next += SECOND_NS;
	}
}

void gperf_live(const struct gperf_live *live, struct diag *diag)
{
	const struct sigaction on_stop = {.sa_handler = stop};
	struct symbol_image *image = fetch_open_program(live->program, diag);
	struct gperf_session session = {.where = live->where,
		.program = live->program,
		.image = image,
		.output_path = live->output,
		.is_live = true,
		.wait_ns = GDB_WAIT_NS,
		.stop = &stopped,
		.diag = diag};

	if (!image)
		return;
	sigaction(SIGINT, &on_stop, NULL);
	sigaction(SIGTERM, &on_stop, NULL);
	follow(live, &session);
	gperf_session_close(&session);
	free_symbol_image(image);
}
