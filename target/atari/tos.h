/* SPDX-License-Identifier: MIT
 *
 * What PROFILE.PRG wants of TOS. Calls that fail return a negative number, GEMDOS' own.
 */
#ifndef DWELL_TARGET_ATARI_TOS_H
#define DWELL_TARGET_ATARI_TOS_H

#include <stdint.h>

/* At the start of every program's memory. */
struct tos_basepage {
	uint32_t memory, memory_end;
	uint32_t text, text_bytes;
	uint32_t data, data_bytes;
	uint32_t bss, bss_bytes;
	uint32_t transfer_area, parent, reserved, environment;
	uint8_t unused[80];
	uint8_t tail[128]; /* the command line: its length, then its characters */
};

extern struct tos_basepage *tos_basepage; /* ours */

/* start.S */
long tos_gemdos(const uint16_t *words, uint32_t count);
long tos_xbios(const uint16_t *words, uint32_t count);

void tos_print(const char *text);
long tos_open(const char *path);
long tos_create(const char *path);
void tos_close(long handle);
long tos_read(long handle, void *into, uint32_t bytes);
long tos_write(long handle, const void *from, uint32_t bytes);
/* From the beginning, or, with from_end, from the end; returns where that is. */
long tos_seek(long handle, uint32_t offset, int from_end);
void *tos_allocate(uint32_t bytes); /* null: there is not so much */
void tos_free(void *memory);
/* Loads a program and does not start it: its basepage, as a number. It gets all memory that is left. */
long tos_load(const char *path, const uint8_t *tail);
/* Starts it; returns its status when it has ended. */
long tos_run(struct tos_basepage *program);
/* Calls function in supervisor mode. */
void tos_supervise(void (*function)(void));
/* Timer A: control 0 stops it. */
void tos_set_timer(unsigned control, unsigned data, void (*interrupt)(void));
void tos_disable_timer(void);

#endif
