/* What Hatari's mode without TOS lacks of TOS, just enough for PROFILE.PRG and what it profiles: memory, Pexec, Pterm, Xbtimer,
 * Jdisint, Supexec, the 200 Hz clock. Files are Hatari's. Started as SHIM.PRG, it runs PROFILE.TTP with the command line that is in
 * TAIL.TXT, and ends the emulator with its status. Where the text of both was goes to WHERE.BIN. If there is a SYNC.TXT, a colour
 * display is refreshed as it says: 0, 60 times a second, or 2, 50 times. */
#include <stddef.h>
#include <stdint.h>

#include "classic/target/atari/tos.h"

#define LONG_AT(address) (*(volatile uint32_t *)(address))
#define BYTE_AT(address) (*(volatile uint8_t *)(address))
#define MEMORY_START 0x30000u
#define MEMORY_END 0xF0000u
#define BASEPAGE_BYTES 256u

enum {
	TRAP_1 = 0x84,
	TRAP_14 = 0xB8,
	VERTICAL_BLANK = 0x70,
	HORIZONTAL_BLANK = 0x68,
	TIMER_A = 0x134,
	TIMER_C = 0x114,
	ENABLE_A = 0xFFFFFA07u,
	ENABLE_B = 0xFFFFFA09u,
	MASK_A = 0xFFFFFA13u,
	MASK_B = 0xFFFFFA15u,
	VECTORS = 0xFFFFFA17u,
	CONTROL_A = 0xFFFFFA19u,
	CONTROL_CD = 0xFFFFFA1Du,
	DATA_A = 0xFFFFFA1Fu,
	DATA_C = 0xFFFFFA23u,
	SYNC = 0xFFFF820Au,
	NOT_KNOWN = -32,
	NOT_FOUND = -33,
	NO_MEMORY = -39,
	NO_PROGRAM = -66,
};

/* shim.S */
extern uint32_t shim_passes, shim_old_trap_1;
void shim_trap_1(void), shim_trap_14(void), shim_vertical_blank(void), shim_horizontal_blank(void), shim_clock(void);
long shim_start(struct tos_basepage *program);
void shim_end(long status);
long shim_feature(const char *name);
long shim_call_feature(long feature, ...);
void shim_profile_begins(void), shim_profile_ends(void);
long shim_gemdos(const uint16_t *words);
long shim_xbios(const uint16_t *words);
int atari_main(void);

static uint32_t free_memory = MEMORY_START; /* blocks lie one behind the other; only the last one can be given back or made
					       smaller */
static uint32_t last_block;
static uint32_t texts[2]; /* of PROFILE.TTP, and of what it loaded */
static unsigned loaded;

static uint32_t long_in(const uint16_t *words)
{
	return (uint32_t)words[0] << 16 | words[1];
}

static long allocate(uint32_t bytes)
{
	if (bytes == UINT32_MAX)
		return MEMORY_END - free_memory;
	if (bytes > MEMORY_END - free_memory)
		return 0;
	last_block = free_memory;
	free_memory += (bytes + 3) & ~3u;
	return last_block;
}

static void shrink(uint32_t block, uint32_t bytes)
{
	if (block == last_block)
		free_memory = block + ((bytes + 3) & ~3u);
}

static void fix_up(uint8_t *text, const uint8_t *fixups)
{
	uint32_t first = (uint32_t)fixups[0] << 24 | fixups[1] << 16 | fixups[2] << 8 | fixups[3];
	uint8_t *at = text + first;

	if (!first)
		return;
	*(uint32_t *)at += (uint32_t)text;
	for (fixups += 4; *fixups; fixups++) {
		if (*fixups == 1) {
			at += 254;
		} else {
			at += *fixups;
			*(uint32_t *)at += (uint32_t)text;
		}
	}
}

/* Pexec 3. */
static long load(const char *path, const uint8_t *tail)
{
	static const char environment[2];
	long handle = tos_open(path), rest;
	uint16_t header[14];
	uint32_t bytes = MEMORY_END - free_memory, image;
	struct tos_basepage *page;

	if (handle < 0)
		return NOT_FOUND;
	if (tos_read(handle, header, sizeof header) != sizeof header || header[0] != 0x601A) {
		tos_close(handle);
		return NO_PROGRAM;
	}
	page = (struct tos_basepage *)allocate(bytes);
	for (uint32_t i = 0; i < BASEPAGE_BYTES; i++)
		((uint8_t *)page)[i] = i >= 128 && i < 128u + 1 + tail[0] ? tail[i - 128] : 0;
	page->memory = (uint32_t)page;
	page->memory_end = MEMORY_END;
	page->text = page->memory + BASEPAGE_BYTES;
	if (loaded < 2)
		texts[loaded++] = page->text;
	page->text_bytes = long_in(header + 1);
	page->data = page->text + page->text_bytes;
	page->data_bytes = long_in(header + 3);
	page->bss = page->data + page->data_bytes;
	page->bss_bytes = long_in(header + 5);
	page->environment = (uint32_t)environment;
	image = page->text_bytes + page->data_bytes;
	if (image + page->bss_bytes > bytes - BASEPAGE_BYTES || tos_read(handle, (void *)page->text, image) != (long)image) {
		tos_close(handle);
		return NO_MEMORY;
	}
	tos_seek(handle, 28 + image + long_in(header + 7), 0);
	rest = tos_read(handle, (void *)page->bss, bytes - BASEPAGE_BYTES - image); /* fix-ups: bss is not in use yet */
	tos_close(handle);
	if (!header[13] && rest >= 4)
		fix_up((uint8_t *)page->text, (const uint8_t *)page->bss);
	for (uint32_t i = 0; i < page->bss_bytes || (long)i < rest; i++)
		((uint8_t *)page->bss)[i] = 0;
	return (long)page;
}

static long pexec(const uint16_t *words)
{
	switch (words[1]) {
	case 3: return load((const char *)long_in(words + 2), (const uint8_t *)long_in(words + 4));
	case 4: return shim_start((struct tos_basepage *)long_in(words + 4));
	}
	return NOT_KNOWN;
}

long shim_gemdos(const uint16_t *words)
{
	shim_passes = 0;
	switch (words[0]) {
	case 0x00: shim_end(0); break;
	case 0x48: return allocate(long_in(words + 1));
	case 0x49:
		if (long_in(words + 1) == last_block)
			free_memory = last_block;
		return 0;
	case 0x4A: shrink(long_in(words + 2), long_in(words + 4)); return 0;
	case 0x4B: {
		long result = pexec(words);

		shim_passes = 0; /* the program's last call may have left it otherwise */
		return result;
	}
	case 0x4C: shim_end((int16_t)words[1]); break;
	}
	shim_passes = 1;
	return words[0];
}

static void set_timer_a(uint8_t control, uint8_t data, uint32_t interrupt)
{
	BYTE_AT(CONTROL_A) = 0;
	LONG_AT(TIMER_A) = interrupt;
	BYTE_AT(DATA_A) = data;
	BYTE_AT(ENABLE_A) |= 0x20;
	BYTE_AT(MASK_A) |= 0x20;
	BYTE_AT(CONTROL_A) = control;
}

long shim_xbios(const uint16_t *words)
{
	switch (words[0]) {
	case 26:
		if (words[1] == 13)
			BYTE_AT(ENABLE_A) &= (uint8_t)~0x20;
		return 0;
	case 31: set_timer_a((uint8_t)words[2], (uint8_t)words[3], long_in(words + 4)); return 0;
	case 38: ((void (*)(void))long_in(words + 1))(); return 0;
	}
	return NOT_KNOWN;
}

static void set_up(void)
{
	tos_gemdos((const uint16_t[]){0x20, 0, 0}, 3); /* Super */
	LONG_AT(VERTICAL_BLANK) = (uint32_t)shim_vertical_blank;
	LONG_AT(HORIZONTAL_BLANK) = (uint32_t)shim_horizontal_blank;
	shim_old_trap_1 = LONG_AT(TRAP_1);
	LONG_AT(TRAP_1) = (uint32_t)shim_trap_1;
	LONG_AT(TRAP_14) = (uint32_t)shim_trap_14;
	LONG_AT(TIMER_C) = (uint32_t)shim_clock;
	BYTE_AT(VECTORS) = 0x48;
	BYTE_AT(DATA_C) = 192; /* 2457600 Hz / 64 / 192 */
	BYTE_AT(ENABLE_B) |= 0x20;
	BYTE_AT(MASK_B) |= 0x20;
	BYTE_AT(CONTROL_CD) = 0x50;
}

int atari_main(void)
{
	uint8_t tail[128] = {0}, sync;
	long handle, bytes = 0, status;

	set_up();
	handle = tos_open("SYNC.TXT");
	if (handle >= 0) {
		if (tos_read(handle, &sync, 1) == 1)
			BYTE_AT(SYNC) = sync - '0';
		tos_close(handle);
	}
	handle = tos_open("TAIL.TXT");
	if (handle >= 0) {
		bytes = tos_read(handle, tail + 1, sizeof tail - 2);
		tos_close(handle);
	}
	while (bytes > 0 && tail[bytes] <= ' ')
		bytes--;
	tail[0] = (uint8_t)bytes;
	status = load("PROFILE.TTP", tail);
	if (status > 0) {
		shim_profile_begins();
		status = shim_start((struct tos_basepage *)status);
		shim_profile_ends();
	}
	handle = tos_create("WHERE.BIN");
	tos_write(handle, texts, sizeof texts);
	tos_close(handle);
	shim_call_feature(shim_feature("NF_EXIT"), status);
	return 3;
}
