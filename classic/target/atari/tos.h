/* SPDX-License-Identifier: MIT
 *
 * The calls of TOS that PROFILE.PRG needs. Calls that fail return GEMDOS' negative error number.
 */
#ifndef DWELL_CLASSIC_TARGET_ATARI_TOS_H
#define DWELL_CLASSIC_TARGET_ATARI_TOS_H

#include <stdint.h>

/* The basepage: at the start of every program's memory. */
struct tos_basepage {
	uint32_t memory, memory_end;
	uint32_t text, text_bytes;
	uint32_t data, data_bytes;
	uint32_t bss, bss_bytes;
	uint32_t transfer_area, parent, reserved, environment;
	uint8_t unused[80];
	uint8_t tail[128]; /* the command line: the length, then the characters */
};

extern struct tos_basepage *tos_basepage; /* that of PROFILE.PRG itself */

/* start.S */
long tos_gemdos(const uint16_t *words, uint32_t count);
long tos_xbios(const uint16_t *words, uint32_t count);

void tos_print(const char *text);
long tos_open(const char *path);
long tos_create(const char *path);
void tos_close(long handle);
long tos_read(long handle, void *into, uint32_t bytes);
long tos_write(long handle, const void *from, uint32_t bytes);
/* Sets the position from the beginning, or, with from_end, from the end; returns the new position. */
long tos_seek(long handle, uint32_t offset, int from_end);
void *tos_allocate(uint32_t bytes); /* null: not enough memory */
void tos_free(void *memory);
/* Loads a program without a start; returns the basepage, as a number. The program gets all free memory. */
long tos_load(const char *path, const uint8_t *tail);
/* Runs the program to the end; returns the program's status. */
long tos_run(struct tos_basepage *program);
/* Calls function in supervisor mode. */
void tos_supervise(void (*function)(void));
/* Timer A: control 0 stops it. */
void tos_set_timer(unsigned control, unsigned data, void (*interrupt)(void));
void tos_disable_timer(void);

#endif
