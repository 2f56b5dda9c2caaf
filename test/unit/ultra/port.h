/* A machine for the N64's profiler: its timer and its link are the test's. */
#ifndef DWELL_TEST_ULTRA_PORT_H
#define DWELL_TEST_ULTRA_PORT_H

#include "check.h"
#include "classic/target/port/ultra/port.h"
#include "classic/target/recorder/histogram/server.h"

static char printed[4096];
static size_t printed_length;
static uint32_t timer_us, serves;
static uint64_t now_us;
static bool timer_runs, timer_fixed, timer_fails;
static void (*while_waiting)(void);

uint32_t ultra_port_start(uint32_t microseconds, bool fixed)
{
	timer_runs = !timer_fails;
	timer_us = microseconds;
	timer_fixed = fixed;
	return timer_fails ? 0 : microseconds;
}

void ultra_port_stop(void)
{
	timer_runs = false;
}

void ultra_port_serve(void)
{
	serves++;
}

void ultra_port_poll(void)
{
}

static bool locked;

void ultra_port_lock(void)
{
	CHECK(!locked);
	locked = true;
}

void ultra_port_unlock(void)
{
	CHECK(locked);
	locked = false;
}

size_t ultra_port_name(uintptr_t text, char *name, size_t room)
{
	(void)room;
	return (size_t)sprintf(name, "at %lx", (unsigned long)text);
}

/* Memory that is not there any more. */
static uintptr_t gone;

bool ultra_port_read(uintptr_t from, uint8_t *to, uint32_t bytes)
{
	if (gone && gone - from < bytes)
		return false;
	memcpy(to, (const void *)from, bytes);
	return true;
}

void ultra_port_wait(void)
{
	CHECK(!locked);
	now_us += 1000;
	if (while_waiting)
		while_waiting();
}

uint64_t ultra_port_us(void)
{
	return now_us;
}

void ultra_port_put(const char *text, uint32_t length)
{
	if (printed_length + length < sizeof printed)
		memcpy(printed + printed_length, text, length);
	printed_length += length;
	printed[printed_length] = 0;
}

#endif
