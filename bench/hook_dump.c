/* hook_dump: writes a dump of function hooks, 1,048,576 records: three tasks that are switched every 200 calls, 60 functions,
 * twelve deep. In binary, and as Code Composer Studio saves it.
 *
 *   hook_dump BINARY TEXT */
#include <stdint.h>
#include <stdio.h>

enum { RECORDS = 1 << 20, TASKS = 3, FUNCTIONS = 60, DEEP = 12, SWITCH = 200 };

static FILE *binary, *text;
static uint64_t now = 1000000000, state = 5;
static uint32_t written;

static uint32_t dice(uint32_t sides)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % sides;
}

static void put(uint32_t place)
{
	const uint32_t words[] = {place, (uint32_t)now, (uint32_t)(now >> 32)};

	if (written++ >= RECORDS)
		return;
	for (int i = 0; i < 3; i++) {
		fprintf(text, "0x%08X\n", words[i]);
		for (int byte = 0; byte < 4; byte++)
			putc((int)(words[i] >> 8 * byte & 0xff), binary);
	}
}

int main(int argc, char **argv)
{
	uint32_t stacks[TASKS][DEEP], depths[TASKS] = {0};

	if (argc != 3 || !(binary = fopen(argv[1], "w")) || !(text = fopen(argv[2], "w")))
		return 2;
	fprintf(text, "1651 1 80000000 0 %x\n", 3 * RECORDS);
	for (uint32_t task = 0; written < RECORDS; task = (task + 1) % TASKS) {
		uint32_t *stack = stacks[task], *depth = &depths[task];

		put((0x00804000 + task * 0x100) | 2);
		for (int i = 0; i < SWITCH; i++) {
			now += 5 + dice(400);
			if (*depth == DEEP || (*depth && dice(2))) {
				put(stack[--*depth] | 1);
			} else {
				stack[*depth] = 0x0c000e00 + 64 * dice(FUNCTIONS);
				put(stack[(*depth)++]);
			}
		}
		put((0x00804000 + task * 0x100) | 3);
	}
	return fclose(binary) || fclose(text) ? 1 : 0;
}
