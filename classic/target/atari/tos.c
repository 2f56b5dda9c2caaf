/* SPDX-License-Identifier: MIT */
#include "classic/target/atari/tos.h"

#define LONG(value) (uint16_t)((uint32_t)(value) >> 16), (uint16_t)(uint32_t)(value)
#define GEMDOS(...) tos_gemdos((const uint16_t[]){__VA_ARGS__}, sizeof(const uint16_t[]){__VA_ARGS__} / sizeof(uint16_t))
#define XBIOS(...) tos_xbios((const uint16_t[]){__VA_ARGS__}, sizeof(const uint16_t[]){__VA_ARGS__} / sizeof(uint16_t))

void tos_print(const char *text)
{
	GEMDOS(0x09, LONG(text));
}

long tos_open(const char *path)
{
	return GEMDOS(0x3D, LONG(path), 0);
}

long tos_create(const char *path)
{
	return GEMDOS(0x3C, LONG(path), 0);
}

void tos_close(long handle)
{
	GEMDOS(0x3E, (uint16_t)handle);
}

long tos_read(long handle, void *into, uint32_t bytes)
{
	return GEMDOS(0x3F, (uint16_t)handle, LONG(bytes), LONG(into));
}

long tos_write(long handle, const void *from, uint32_t bytes)
{
	return GEMDOS(0x40, (uint16_t)handle, LONG(bytes), LONG(from));
}

long tos_seek(long handle, uint32_t offset, int from_end)
{
	return GEMDOS(0x42, LONG(offset), (uint16_t)handle, from_end ? 2 : 0);
}

void *tos_allocate(uint32_t bytes)
{
	long memory = GEMDOS(0x48, LONG(bytes));

	return memory > 0 ? (void *)memory : 0;
}

void tos_free(void *memory)
{
	GEMDOS(0x49, LONG(memory));
}

long tos_load(const char *path, const uint8_t *tail)
{
	return GEMDOS(0x4B, 3, LONG(path), LONG(tail), LONG(0));
}

long tos_run(struct tos_basepage *program)
{
	return GEMDOS(0x4B, 4, LONG(0), LONG(program), LONG(0));
}

void tos_supervise(void (*function)(void))
{
	XBIOS(38, LONG(function));
}

void tos_set_timer(unsigned control, unsigned data, void (*interrupt)(void))
{
	XBIOS(31, 0, (uint16_t)control, (uint16_t)data, LONG(interrupt));
}

void tos_disable_timer(void)
{
	XBIOS(26, 13);
}
