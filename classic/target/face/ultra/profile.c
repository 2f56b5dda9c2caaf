/* SPDX-License-Identifier: MIT
 *
 * osProfileInit, …Start, …Stop, …Flush, …Poll. The lock is held while anything changes that the
 * link may read: on Linux a thread serves the link, and the host may start and stop sampling, too. */
#include "classic/target/face/ultra/face.h"
#include "classic/target/recorder/histogram/histogram.h"
#include "classic/target/recorder/histogram/server.h"

/* The longest silence of a host during a flush, in microseconds. */
#define FLUSH_PATIENCE 2000000u

/* weak: a port may define the histogram beside its interrupt's data. */
__attribute__((weak)) struct histogram dwell_histogram;
struct histogram_server dwell_histogram_server;
static struct histogram_segment table[OSPROF_SEGMENTS_MAX];
static u32 last_period;
static bool was_started, was_stopped; /* by the program */
static uint64_t ran_us, since_us;     /* microseconds of sampling before the current run; start of the current run */

/* Returns the error of a segment, or 0. */
static int wrong_with(const OSProf *segment)
{
	uintptr_t start = (uintptr_t)segment->text_start, end = (uintptr_t)segment->text_end;

	if (!segment->histo_base || (uintptr_t)segment->histo_base % 4)
		return ERR_OSPROFILEINIT_ALN;
	if (start >= end)
		return ERR_OSPROFILEINIT_ORD;
	return segment->histo_size < (end - start) / HISTOGRAM_TEXT_BYTES ? ERR_OSPROFILEINIT_SIZ : 0;
}

static bool is_running(void)
{
	return dwell_histogram.state & HISTOGRAM_STATE_RUNNING;
}

/* Whether sampling runs from the program's point of view: a stop by the host does not count. */
static bool runs_for_program(void)
{
	return is_running() || dwell_histogram_server.holds;
}

/* Checks the segments and reports the first error. Runs without the
 * lock, because the program's handler may call these functions. */
static bool all_right(const OSProf *profp, u32 profcnt)
{
	if (!profp || !profcnt || profcnt > OSPROF_SEGMENTS_MAX) {
		ULTRA_ERROR(ERR_OSPROFILEINIT_CNT, 1, profcnt);
		return false;
	}
	for (const OSProf *segment = profp; segment < profp + profcnt; segment++)
		switch (wrong_with(segment)) {
		case 0: break;
		case ERR_OSPROFILEINIT_ALN: ULTRA_ERROR(ERR_OSPROFILEINIT_ALN, 1, segment->histo_base); return false;
		case ERR_OSPROFILEINIT_ORD:
			ULTRA_ERROR(ERR_OSPROFILEINIT_ORD, 2, segment->text_start, segment->text_end);
			return false;
		default: ULTRA_ERROR(ERR_OSPROFILEINIT_SIZ, 1, segment->histo_size); return false;
		}
	return true;
}

static bool start(u32 microseconds)
{
	bool fixed = microseconds & OSPROF_FIXED;
	u32 period;

	if (is_running())
		return false;
	/* Before the first interrupt: the interrupt may come at once. */
	dwell_histogram.state = HISTOGRAM_STATE_RUNNING | (fixed ? HISTOGRAM_STATE_FIXED : 0);
	period = ultra_port_start(microseconds & ~OSPROF_FIXED, fixed);
	if (!period) {
		dwell_histogram.state = 0;
		return false;
	}
	dwell_histogram.period = period;
	since_us = ultra_port_us();
	last_period = microseconds;
	was_started = true;
	return true;
}

static bool stop(void)
{
	if (!is_running())
		return false;
	ultra_port_stop();
	ran_us += ultra_port_us() - since_us;
	dwell_histogram.state &= ~(uintptr_t)HISTOGRAM_STATE_RUNNING;
	return true;
}

/* Checks the host's request like a call of the program. 0 (as before) does not restart sampling after a stop by the program. */
static bool start_for_host(uint32_t microseconds)
{
	if (!microseconds && was_stopped)
		return false;
	if (!microseconds)
		microseconds = last_period;
	return (microseconds & ~OSPROF_FIXED) >= PROF_MIN_INTERVAL && start(microseconds);
}

static uint64_t ran(void)
{
	return ran_us + (is_running() ? ultra_port_us() - since_us : 0);
}

static const struct histogram_control control = {start_for_host, stop, ultra_port_name, ran, ultra_port_read};

/* Adds a segment, including the last instruction. An end from a linker
 * is a word behind the last instruction, and has no counter. */
static void add(const OSProf *segment)
{
	uintptr_t text = (uintptr_t)segment->text_start & ~(uintptr_t)3;
	uintptr_t words = (((uintptr_t)segment->text_end & ~(uintptr_t)3) - text) / HISTOGRAM_TEXT_BYTES + 1;

	if (words > segment->histo_size)
		words = segment->histo_size;
	for (u32 i = 0; i < segment->histo_size; i++)
		segment->histo_base[i] = 0;
	dwell_histogram_add(&dwell_histogram, text, words * HISTOGRAM_TEXT_BYTES, segment->histo_base);
}

void osProfileInit(OSProf *profp, u32 profcnt)
{
	bool can = !runs_for_program();

	if (can && !all_right(profp, profcnt))
		return;
	ultra_port_lock();
	can &= !runs_for_program();
	if (can) {
		dwell_histogram_begin(&dwell_histogram, table, OSPROF_SEGMENTS_MAX);
		for (u32 i = 0; i < profcnt; i++)
			add(&profp[i]);
		was_started = was_stopped = false;
		ran_us = 0;
		last_period = 10000;
		dwell_server_begin(&dwell_histogram_server, &dwell_histogram, &control);
		ultra_port_serve();
	}
	ultra_port_unlock();
	if (!can)
		ULTRA_ERROR(ERR_OSPROFILEINIT_STR, 0);
}

void osProfileShare(const void *memory, u32 bytes)
{
	static struct histogram_area areas[OSPROF_SHARED_MAX];
	static u16 count;

	ultra_port_lock();
	if (bytes && count < OSPROF_SHARED_MAX) {
		areas[count++] = (struct histogram_area){(uintptr_t)memory, bytes};
		dwell_server_share(&dwell_histogram_server, areas, count);
	}
	ultra_port_unlock();
}

static int start_for_program(u32 microseconds)
{
	if (!dwell_histogram.magic)
		return ERR_OSPROFILEINIT_CNT;
	if ((microseconds & ~OSPROF_FIXED) < PROF_MIN_INTERVAL)
		return ERR_OSPROFILESTART_TIME;
	if (runs_for_program())
		return ERR_OSPROFILESTART_FLAG;
	if (!start(microseconds))
		return ERR_OSPROFILESTART_TIME; /* the machine cannot sample at this rate */
	was_stopped = false;
	return 0;
}

void osProfileStart(u32 microseconds)
{
	int error;

	ultra_port_lock();
	error = start_for_program(microseconds);
	ultra_port_unlock();
	switch (error) {
	case ERR_OSPROFILEINIT_CNT: ULTRA_ERROR(ERR_OSPROFILEINIT_CNT, 1, (u32)0); break;
	case ERR_OSPROFILESTART_TIME: ULTRA_ERROR(ERR_OSPROFILESTART_TIME, 1, microseconds); break;
	case ERR_OSPROFILESTART_FLAG: ULTRA_ERROR(ERR_OSPROFILESTART_FLAG, 0); break;
	}
}

void osProfileStop(void)
{
	bool could, had;

	ultra_port_lock();
	had = was_started;
	could = had && (stop() || dwell_histogram_server.holds);
	if (could)
		was_stopped = true;
	dwell_histogram_server.holds = false;
	ultra_port_unlock();
	if (!had)
		ULTRA_ERROR(ERR_OSPROFILESTOP_TIMER, 0);
	else if (!could)
		ULTRA_ERROR(ERR_OSPROFILESTOP_FLAG, 0);
}

void osProfileFlush(void)
{
	struct histogram_server *server = &dwell_histogram_server;
	bool ran, flushes;
	uint64_t since;
	u32 heard;

	ultra_port_lock();
	flushes = dwell_server_flush(server);
	ran = flushes && stop(); /* no samples of the flush itself */
	ultra_port_unlock();
	since = ultra_port_us();
	heard = server->heard;
	while (flushes && dwell_server_flushes(server)) {
		ultra_port_wait();
		if (heard != server->heard) {
			heard = server->heard;
			since = ultra_port_us();
		} else if (ultra_port_us() - since > FLUSH_PATIENCE) {
			break;
		}
	}
	ultra_port_lock();
	/* The host did not finish: end the session, and later flushes do
	 * not wait for the host. A running host sends HELLO again. */
	if (dwell_server_flushes(server)) {
		server->in_session = false;
		dwell_server_release(server);
	}
	server->flushed = server->flush;
	if (ran)
		start(last_period);
	ultra_port_unlock();
}

void osProfilePoll(void)
{
	if (dwell_histogram.magic)
		ultra_port_poll();
}
