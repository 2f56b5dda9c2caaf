/* A Nintendo 64 as mupen64plus emulates it: how fast Count counts, and no line to a host but one that goes out: the IS-Viewer, a
 * development cartridge's console. So the program ends, and its memory is shown there. */
#include "n64.h"
#include "classic/target/port/ultra/bare/board.h"

#define CARTRIDGE(address) (*(volatile uint32_t *)(intptr_t)(int32_t)(address))
#define VIEWER_COUNT CARTRIDGE(0xb3ff0014)
#define VIEWER_TEXT 0xb3ff0020
#define LINE_BYTES 64u

/* A half of 93.75 MHz. */
const uint32_t ultra_board_timer_khz = 46875, ultra_board_counts_per_us = 47;

/* Of the linker. */
extern const uint8_t bss_begin[], bss_end[];

bool ultra_board_receive(uint8_t *byte)
{
	(void)byte;
	return false;
}

bool ultra_board_has_room(void)
{
	return true;
}

/* The cartridge takes words, and says a line at its end. */
static void put(const char *text, uint32_t length)
{
	for (uint32_t at = 0; at < length; at += 4) {
		uint32_t word = 0;

		for (uint32_t i = 0; i < 4; i++)
			word = word << 8 | (at + i < length ? (uint8_t)text[at + i] : 0);
		CARTRIDGE(VIEWER_TEXT + at) = word;
	}
	VIEWER_COUNT = length;
}

void ultra_board_send(uint8_t byte)
{
	put((const char *)&byte, 1);
}

void n64_shows_memory(void)
{
	static const char digits[] = "0123456789abcdef";
	char line[2 * LINE_BYTES + 1];

	for (const uint8_t *at = bss_begin; at < bss_end;) {
		uint32_t length = 0;

		while (length < 2 * LINE_BYTES && at < bss_end) {
			line[length++] = digits[*at >> 4];
			line[length++] = digits[*at++ & 15];
		}
		line[length++] = '\n';
		put(line, length);
	}
	put("end\n", 4);
	for (;;)
		;
}
