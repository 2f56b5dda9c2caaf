/* SPDX-License-Identifier: MIT
 *
 * The port for machines without threads: the main loop serves the link by osProfilePoll(). */
#include "classic/target/port/ultra/port.h"

#include "classic/target/port/ultra/bare/board.h"
#include "classic/target/recorder/histogram/server.h"
#include "ultra64.h"

/* The most bytes in one call, each way: as many as a UART usually buffers. A call also ends after the last byte
 * of a frame, and after a piece of an answer's work, so that no call takes longer than the line needs for a byte. */
#define POLL_BYTES 16

/* weak: a processor's assembly may define the variable where its code reaches it best. */
__attribute__((weak)) struct histogram_jitter ultra_board_jitter;
static struct histogram_pause pause;
static bool busy;

/* Avoids products of more than 32 bits: whole milliseconds, and the rest. */
static uint32_t counts_of(uint32_t us)
{
	if (us / 1000 >= ultra_board_timer_most / ultra_board_timer_khz)
		return ultra_board_timer_most;
	return us / 1000 * ultra_board_timer_khz + us % 1000 * ultra_board_timer_khz / 1000;
}

static uint32_t us_of(uint32_t counts)
{
	return counts / ultra_board_timer_khz * 1000 + counts % ultra_board_timer_khz * 1000 / ultra_board_timer_khz;
}

uint32_t ultra_port_start(uint32_t microseconds, bool fixed)
{
	uint32_t counts = counts_of(microseconds);

	if (!fixed && counts > ultra_board_timer_most / 2) /* the longest period is twice the mean */
		counts = ultra_board_timer_most / 2;
	ultra_board_start(dwell_histogram_resume(&ultra_board_jitter, &pause, counts, counts_of(PROF_MIN_INTERVAL), fixed));
	return counts == counts_of(microseconds) ? microseconds : us_of(counts);
}

void ultra_port_stop(void)
{
	pause.left = ultra_board_stop();
}

void ultra_port_serve(void)
{
}

/* A call while the link is served, or while the program changes the server's data, does nothing; a later call continues. */
void ultra_port_poll(void)
{
	struct histogram_server *server = &dwell_histogram_server;

	if (busy)
		return;
	busy = true;
	ultra_port_us(); /* so that no round of the counter is missed */
	for (int i = 0; i < POLL_BYTES; i++) {
		uint8_t byte;
		bool works = server->work != SERVER_IDLE;

		if (dwell_server_listens(server) && ultra_board_receive(&byte)) {
			dwell_server_receive(server, byte);
			if (!dwell_server_listens(server))
				break;
			continue;
		}
		if (!ultra_board_has_room() || !dwell_server_send(server, &byte))
			break;
		ultra_board_send(byte);
		if (works)
			break;
	}
	busy = false;
}

void ultra_port_lock(void)
{
	busy = true;
}

void ultra_port_unlock(void)
{
	busy = false;
}

void ultra_port_wait(void)
{
	ultra_port_poll();
}

/* The counter comes round every few seconds, so the function adds up the time between calls. */
uint64_t ultra_port_us(void)
{
	static uint64_t us;
	static uint32_t before;
	uint32_t passed = (ultra_board_count() - before) / ultra_board_counts_per_us;

	before += passed * ultra_board_counts_per_us;
	us += passed;
	return us;
}

/* No name: the text's sum identifies the program. */
size_t ultra_port_name(uintptr_t text, char *name, size_t room)
{
	(void)text;
	(void)name;
	(void)room;
	return 0;
}

/* All memory is always readable. */
bool ultra_port_read(uintptr_t from, uint8_t *to, uint32_t bytes)
{
	while (bytes--)
		*to++ = *(const volatile uint8_t *)from++;
	return true;
}

/* The console is the link's line: text may stand between frames. */
void ultra_port_put(const char *text, uint32_t length)
{
	while (length--) {
		while (!ultra_board_has_room())
			;
		ultra_board_send((uint8_t)*text++);
	}
}
